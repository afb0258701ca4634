import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { createClient } from "../src/index.ts";
import { clientOf, list, failure, rejection } from "./client.ts";
import { sendJson, startServer, type Handler } from "@gpu-offers/testkit/http-server";

// What a request sends and to whom, and what responses and errors contain of the key.

describe("a redirect", () => {
  test.for([301, 302, 303, 307, 308])(
    "with %i to another origin is not followed, and the key stays",
    async (status) => {
      const elsewhere = await startServer((response) => sendJson(response, list));
      const { client } = await clientOf(
        (response) => response.writeHead(status, { Location: `${elsewhere.url}/api/v1/offers` }).end(),
        { apiKey: "gpo_secret" },
      );
      const error = await failure("response", client.listOffers());
      expect(error).toMatchObject({
        status,
        problem: `is a redirect to ${elsewhere.url}; set baseUrl to where it leads`,
      });
      expect(elsewhere.requests).toHaveLength(0);
    },
  );

  test.for(["/api/v1/other", "http://[", undefined])("to %s is not followed either", async (location) => {
    const headers = location === undefined ? {} : { Location: location };
    const { server, client } = await clientOf((response) => response.writeHead(302, headers).end());
    expect((await failure("response", client.listOffers())).problem).toMatch(/^is a redirect/);
    expect(server.requests).toHaveLength(1);
  });
});

test("a redirect that a browser hides is not followed, but reported", async () => {
  const hidden = { type: { value: "opaqueredirect" }, status: { value: 0 } };
  const client = createClient({
    baseUrl: "http://offers.example",
    fetch: async () => Object.defineProperties(new Response(null), hidden),
  });
  const error = await failure("response", client.listOffers());
  expect(error).toMatchObject({ status: 0, problem: "is a redirect; set baseUrl to where it leads" });
});

describe("the key", () => {
  const apiKey = "gpo_0123456789abcdefghijklmnopqrst123456";

  test("is in the Authorization header, and in no URL", async () => {
    const { server, client } = await clientOf((response) => sendJson(response, list), { apiKey });
    await client.listOffers({ gpu: ["h100-sxm"] });
    const [request] = server.requests;
    expect(request?.headers.authorization).toBe(`Bearer ${apiKey}`);
    expect(request?.url).toBe("/api/v1/offers?gpu=h100-sxm");
  });

  test("is not sent if there is none", async () => {
    const { server, client } = await clientOf((response) => sendJson(response, list));
    await client.listOffers();
    expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
  });

  test.for<[string, Handler]>([
    [
      "an error that repeats it",
      (response, { headers }) => {
        const text = String(headers.authorization);
        const body = { code: text, message: text, details: [{ in: text, name: text, reason: text }], requestId: text };
        sendJson(response, body, { status: 401 });
      },
    ],
    ["an error in another form", (response, { headers }) => sendJson(response, headers, { status: 401 })],
    ["another value", (response, { headers }) => sendJson(response, headers)],
    ["broken JSON", (response, { headers }) => response.end(headers.authorization)],
    ["a broken error", (response, { headers }) => response.writeHead(500).end(headers.authorization)],
    ["a reset", (response) => response.socket?.resetAndDestroy()],
    ["silence", () => {}],
    ["a redirect", (response, { headers }) => response.writeHead(302, { Location: `/${headers.authorization}` }).end()],
  ])("is in no error: %s", async ([, handle]) => {
    const { client } = await clientOf(handle, { apiKey, timeoutMs: 300 });
    const error = await rejection(client.getAccount());
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain(apiKey.slice(0, 12));
  });

  test("is not shown when the client is printed", () => {
    const client = createClient({ baseUrl: "http://offers.example", apiKey });
    expect(inspect(client, { depth: Infinity, showHidden: true }) + JSON.stringify(client)).not.toContain(apiKey);
  });
});

describe("the address", () => {
  test.for(["", "/", "/gateway/offers", "/gateway/offers/", "//"])("may end with %j", async (end) => {
    const { server } = await clientOf((response) => sendJson(response, list));
    for (const baseUrl of [server.url + end, new URL(server.url + end)]) {
      await createClient({ baseUrl }).listOffers();
    }
    const path = `${end.replace(/\/+$/, "")}/api/v1/offers`;
    expect(server.requests.map(({ url }) => url)).toEqual([path, path]);
  });
});
