import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { allResponses, exchange, firstResponse, openSocket } from "@gpu-offers/testkit/raw-socket";
import { startService, type Service } from "@gpu-offers/testkit/service";

let service: Service;
beforeAll(async () => {
  service = await startService({ settings: { CORS_ORIGINS: "https://app.example.com", LOG_LEVEL: "silent" } });
});

describe("bytes that are not a request, after requests on the same connection,", () => {
  const REQUEST = "GET /api/v1/offers?size=100 HTTP/1.1\r\nHost: x\r\n\r\n";

  test.for([1, 2, 20])("are rejected after %i complete responses", async (requests) => {
    const responses = allResponses(await exchange(service, `${REQUEST.repeat(requests)}\0\0\0garbage\r\n\r\n`));
    expect(responses.map(({ status }) => status)).toEqual([...Array.from({ length: requests }, () => 200), 400]);
    for (const { body } of responses) {
      expect(() => JSON.parse(body) as unknown).not.toThrow();
    }
    expect(responses.at(-1)?.headers.get("connection")).toBe("close");
  });

  test("are rejected once, however many follow", async () => {
    const socket = await openSocket(service);
    let text = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
    const closed = new Promise((resolve) => {
      socket.once("close", resolve);
    });
    // The service may have closed the connection already.
    socket.on("error", () => {});
    for (const bytes of [REQUEST, "\0garbage\r\n\r\n", "\0more\r\n\r\n", "\0more\r\n\r\n"]) {
      socket.write(bytes);
      await delay(5);
    }
    await closed;
    expect(allResponses(text).map(({ status }) => status)).toEqual([200, 400]);
  });

  test("don't cause a second response if they are the body of a served request", async () => {
    const socket = await openSocket(service);
    let text = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
    socket.write("GET /health/live HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    await expect.poll(() => text).toContain("live");
    const closed = new Promise((resolve) => {
      socket.once("close", resolve);
    });
    socket.write("zz\r\n\r\n");
    await closed;
    expect(allResponses(text).map(({ status }) => status)).toEqual([200]);
  });
});

describe("every response from every layer", () => {
  const CLOSE = "Connection: close\r\n\r\n";
  const requests: [what: string, bytes: string, status: number][] = [
    ["a response", `GET /api/v1/offers HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 200],
    ["a wrong parameter", `GET /api/v1/offers?size=0 HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 400],
    ["a missing key", `GET /api/v1/account HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 401],
    ["nothing there", `GET /nothing HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 404],
    ["another method", `POST /docs HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 405],
    ["OPTIONS", `OPTIONS /docs HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 204],
    ["the page", `GET /docs HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 200],
    ["the metrics", `GET /metrics HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 200],
    ["a bad path", `GET /%zz HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 400],
    ["no host", `GET /docs HTTP/1.1\r\n${CLOSE}`, 400],
    ["CONNECT", `CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n`, 405],
    ["no HTTP", "\0\r\n\r\n", 400],
    ["too many headers", `GET /docs HTTP/1.1\r\nHost: x\r\n${"A:\r\n".repeat(5_000)}\r\n`, 431],
    ["a long line", `GET /${"a".repeat(60_000)}`, 414],
  ];
  test.for(requests)("has the security headers: %s", async ([, bytes, status]) => {
    const response = firstResponse(await exchange(service, bytes));
    expect(response?.status).toBe(status);
    expect(Object.fromEntries(response?.headers ?? [])).toMatchObject({
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'/),
      "referrer-policy": "no-referrer",
      "cross-origin-resource-policy": "same-origin",
    });
    for (const name of ["server", "x-powered-by", "strict-transport-security"]) {
      expect(response?.headers.get(name)).toBe(null);
    }
  });

  test.for([
    ["no HTTP", "GET / HTTP/1.1\r\nOrigin: ORIGIN\r\nbad header\r\n\r\n", 400],
    ["a long header", `GET / HTTP/1.1\r\nOrigin: ORIGIN\r\nX-A: ${"a".repeat(20_000)}\r\n\r\n`, 431],
    ["CONNECT", "CONNECT x:443 HTTP/1.1\r\nHost: x\r\nOrigin: ORIGIN\r\n\r\n", 405],
  ] as const)(
    "can be read by pages of CORS_ORIGINS, even if Node's parser rejected it: %s",
    async ([, bytes, status]) => {
      const origin = "https://app.example.com";
      const response = firstResponse(await exchange(service, bytes.replace("ORIGIN", origin)));
      expect([response?.status, response?.headers.get("access-control-allow-origin")]).toEqual([status, origin]);
      const other = firstResponse(await exchange(service, bytes.replace("ORIGIN", "https://other.example.com")));
      expect([other?.status, other?.headers.get("access-control-allow-origin")]).toEqual([status, null]);
      expect(other?.headers.get("vary")).toBe("Origin");
    },
  );

  test.for(["/api/v1/offers?size=1", "/api/v1/offers?size=0", "/api/v1/account", "/nothing", "/%zz", "/docs"])(
    "can be read by pages of CORS_ORIGINS: %s",
    async (path) => {
      const origin = "https://app.example.com";
      const { headers } = await fetchFrom(service, path, { headers: { Origin: origin } });
      expect(headers).toMatchObject({
        "access-control-allow-origin": origin,
        vary: expect.stringMatching(/^Origin\b/),
      });
      const other = await fetchFrom(service, path, { headers: { Origin: "https://other.example.com" } });
      expect(other.headers["access-control-allow-origin"]).toBe(undefined);
      expect(other.headers.vary).toMatch(/^Origin\b/);
    },
  );
});

describe("a request for a tunnel", () => {
  const TUNNEL = "CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n";

  test("is harmless if its connection is reset before the response", async () => {
    for (let round = 0; round < 50; round++) {
      const socket = await openSocket(service);
      socket.on("error", () => {});
      socket.write(TUNNEL, () => socket.resetAndDestroy());
    }
    expect((await fetchFrom(service, "/health/live")).status).toBe(200);
  });

  test("is served after the requests before it", async () => {
    const request = "GET /api/v1/offers?size=100 HTTP/1.1\r\nHost: x\r\n\r\n";
    const responses = allResponses(await exchange(service, `${request.repeat(3)}${TUNNEL}`));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 405]);
  });

  test("leaves no connection open if its client keeps sending", async () => {
    const open = async (): Promise<string | undefined> =>
      /^gpu_offers_http_connections_open (\d+)$/m.exec((await fetchFrom(service, "/metrics")).text)?.[1];
    // Clients that don't close their side after the service has.
    const sockets = await Promise.all(
      Array.from(
        { length: 10 },
        () =>
          new Promise<Socket>((resolve) => {
            const socket = connect({ port: service.port, host: "127.0.0.1", allowHalfOpen: true }, () =>
              resolve(socket),
            );
          }),
      ),
    );
    for (const socket of sockets) {
      socket
        .on("error", () => {})
        .resume()
        .write(TUNNEL);
    }
    await Promise.all(sockets.map((socket) => once(socket, "end")));
    for (const socket of sockets) {
      socket.write("more");
    }
    // The connection of this request only.
    await expect.poll(open, { timeout: 5_000 }).toBe("1");
  });
});

describe("requests after an Upgrade in the same packet", () => {
  test.for(["websocket", "h2c", "TLS/1.0"])("get a response: %s", async (protocol) => {
    const upgrade = `GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`;
    const plain = "GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\n";
    // It ends when the service closes the connection.
    const responses = allResponses(await exchange(service, upgrade + plain + plain));
    expect(responses[0]?.status).toBe(200);
    expect(responses[0]?.headers.get("connection")).toBe("close");
  });
});

test("a client that closes its side after the request gets its response, even a slow one", async () => {
  for (const path of ["/api/v1/offers?size=100", "/metrics", "/api/v1/account", "/docs"]) {
    const socket = connect({ port: service.port, host: "127.0.0.1", allowHalfOpen: true });
    let text = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
    socket.end(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, "end");
    const responses = allResponses(text);
    expect([path, responses.map(({ status }) => status)]).toEqual([path, [path === "/api/v1/account" ? 401 : 200]]);
  }
});

test("only a connection with more than 100 pipelined requests is closed", async () => {
  const request = "GET /api/v1/account HTTP/1.1\r\nHost: x\r\n\r\n";
  const responses = allResponses(
    await exchange(service, `${request.repeat(99)}${request.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")}`),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 401));
  expect(await exchange(service, request.repeat(500))).toBe("");
  const { text } = await fetchFrom(service, "/metrics");
  expect(text).toMatch(/^gpu_offers_http_requests_in_flight 1$/m);
  expect(text).toMatch(/^gpu_offers_http_connections_dropped_total\{reason="too_many_requests"\} 1$/m);
  expect(text).toMatch(/^gpu_offers_http_connections_dropped_total\{reason="too_many_connections"\} 0$/m);
});

test("pipelined requests get their responses in order, from memory, from Nest and of errors alike", async () => {
  const paths = Array.from({ length: 90 }, (_, index) =>
    index % 9 === 8 ? "/api/v1/account" : `/api/v1/offers?size=1&page=${index % 50}`,
  );
  const requests = [...paths, "/nowhere"].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n`);
  const responses = allResponses(await exchange(service, `${requests.join("\r\n")}Connection: close\r\n\r\n`));
  const told = responses.map(({ status, body }) =>
    status === 200 ? (JSON.parse(body) as { page: number }).page : status,
  );
  expect(told).toEqual([...paths.map((_, index) => (index % 9 === 8 ? 401 : index % 50)), 404]);
});
