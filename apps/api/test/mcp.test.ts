import { connect } from "node:net";
import { withKey } from "@gpu-offers/testkit/accounts";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { exchange } from "@gpu-offers/testkit/raw-socket";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { beforeAll, describe, expect, test } from "vitest";
import { addCredit, makeAccount } from "@gpu-offers/store/test/accounts";

// The tools for agents at /mcp. The agent package tests what the tools do; this tests access to them.

/** A response of MCP. */
interface Message {
  result?: { tools?: { name: string }[]; structuredContent?: Record<string, unknown> };
  error?: { code: number; message: string };
}

/** Sends a message to `/mcp`. */
async function send(service: Service, method: string, params: unknown, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${service.url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const text = await response.text();
  return { response, text, message: () => JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as Message };
}

/** A call of a tool. */
const find = { name: "find_gpu_offers", arguments: { gpu: ["H100"], limit: 1 } };

const toolsOf = ({ result }: Message): string[] | undefined => result?.tools?.map(({ name }) => name);

describe("/mcp", () => {
  let service: Service;

  beforeAll(async () => {
    service = await startService({
      settings: { MCP: "on", MCP_ALLOWED_HOSTS: "gpus.example.com", RATE_LIMIT: "1000" },
    });
  });

  test("logs no warnings at startup", () => {
    expect(service.process.stderr()).not.toContain("responseMode");
  });

  test("finds the offers that the service lists, with the age of their prices", async () => {
    const { response, message } = await send(service, "tools/call", find, { via: "1.1 proxy" });
    const found = message().result?.structuredContent as { offers: { id: string }[]; pricesAsOf: string } | undefined;
    expect(response.headers.get("ratelimit-limit")).toBe("1000");
    expect(found?.pricesAsOf).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect((await fetchFrom(service, `/api/v1/offers/${found?.offers[0]?.id}`)).status).toBe(200);
  });

  test("returns credit only to the account whose key is sent", async () => {
    const { id, key } = await makeAccount(service.databasePath);
    await addCredit(service.databasePath, id, "25", "first");
    expect(toolsOf((await send(service, "tools/list", {})).message())).not.toContain("get_credit");
    const { headers } = withKey(key);
    expect(toolsOf((await send(service, "tools/list", {}, headers)).message())).toContain("get_credit");
    const { message } = await send(service, "tools/call", { name: "get_credit", arguments: {} }, headers);
    expect(message().result?.structuredContent).toEqual({ balance: "25.0000", currency: "USD" });
  });

  test.for([
    [{ host: "evil.example" }, 403],
    [{ host: "localhost:99999" }, 403],
    [{ host: "gpus.example.com" }, 200],
    [{ origin: "https://evil.example" }, 403],
    [{ origin: "https://gpus.example.com" }, 200],
    [{ origin: "http://localhost:5173" }, 200],
  ] as const)("called with %j responds with %i", async ([headers, status]) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
    const common = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const response = await fetchFrom(service, "/mcp", { method: "POST", headers: { ...common, ...headers }, body });
    expect(response.status).toBe(status);
  });

  test.for([
    ["{", "application/json", "The body is not JSON."],
    ["", "application/json", "The body is empty; it must be JSON."],
    ["{}", "application/xml", "The body must be JSON, sent with Content-Type: application/json."],
    [
      '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
      "application/json",
      "The body is a batch; send one JSON-RPC message per request.",
    ],
  ] as const)("rejects the body %j of type %s", async ([body, type, message]) => {
    const response = await fetchFrom(service, "/mcp", { method: "POST", headers: { "content-type": type }, body });
    expect([response.status, JSON.parse(response.text)]).toEqual([
      400,
      expect.objectContaining({ code: "bad_request", message }),
    ]);
  });

  const headOf = (length: number) =>
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  test.each(["", "Expect: 100-continue\r\n"])(
    "rejects a body of more than 16 KiB before it is sent: %j",
    async (header) => {
      expect(await exchange(service, headOf(17_000).replace("\r\n\r\n", `\r\n${header}\r\n`))).toMatch(
        /^HTTP\/1\.1 400 [^]*"message":"The body is larger than 16 KiB\."/,
      );
    },
  );

  test("logs no error if a client disconnects while it sends its body", async () => {
    const socket = connect(service.port, "127.0.0.1");
    await new Promise<void>((resolve) => socket.write(`${headOf(1_000)}{`, () => resolve()));
    await fetchFrom(service, "/health/live");
    socket.destroy();
    await service.logLine(({ status }) => status === 499);
    expect(service.process.stdout()).not.toContain('"level":"error"');
  });

  test("gets 100 Continue, since its body is read", async () => {
    const head = headOf(2).replace(/\r\n\r\n$/, "\r\nConnection: close\r\nExpect: 100-continue\r\n\r\n");
    expect(await exchange(service, `${head}{}`)).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 \d/);
  });

  test("accepts only POST", async () => {
    const response = await fetchFrom(service, "/mcp");
    expect([response.status, response.headers.allow]).toEqual([405, "OPTIONS, POST"]);
  });
});

test("/mcp requires a key if the catalog does", async () => {
  const service = await startService({ settings: { MCP: "on", REQUIRE_API_KEY: "true" } });
  const { key } = await makeAccount(service.databasePath);
  expect((await send(service, "tools/call", find)).response.status).toBe(401);
  expect((await send(service, "tools/call", find, withKey(key).headers)).response.status).toBe(200);
});
