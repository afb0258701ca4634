import { METHODS } from "node:http";
import { ERRORS, errorBodySchema, type ErrorBody } from "@gpu-offers/domain";
import { beforeAll, describe, expect, inject, test } from "vitest";
import * as z from "zod";
import { fetchFrom, type HttpResponse } from "@gpu-offers/testkit/http";
import { allOffers } from "@gpu-offers/testkit/offer-queries";
import { exchange, firstResponse } from "@gpu-offers/testkit/raw-socket";
import { logLines, startService } from "@gpu-offers/testkit/service";
import { malformedRequests } from "@gpu-offers/testkit/malformed-requests";

const service = inject("service");
let offerId: string;
beforeAll(async () => {
  offerId = (await allOffers(service))[0]?.id ?? "";
});

const BASE = "GET /health/live HTTP/1.1\r\n";
const HOST = "Host: x\r\n";

/** The body of an error response: the documented form, with a code that fits the status. */
function errorOf(response: Pick<HttpResponse, "status" | "headers" | "text">): ErrorBody {
  const body = z.strictObject(errorBodySchema.shape).parse(JSON.parse(response.text));
  expect(ERRORS).toHaveProperty(body.code);
  expect(ERRORS[body.code as keyof typeof ERRORS].status).toBe(response.status);
  expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(response.headers["x-request-id"]).toBe(body.requestId);
  return body;
}

async function isAlive(): Promise<boolean> {
  return (await fetchFrom(service, "/health/live")).status === 200;
}

const routes: [string, () => string][] = [
  ["/api/v1/offers", () => "/api/v1/offers"],
  ["/api/v1/offers/{id}", () => `/api/v1/offers/${offerId}`],
  ["/api/v1/offers/{unknown id}", () => "/api/v1/offers/no-such-offer"],
  ["/api/v1/providers", () => "/api/v1/providers"],
  ["/api/v1/providers/{provider}/images", () => "/api/v1/providers/aws/images"],
  ["/api/v1/account", () => "/api/v1/account"],
  ["/api/v1/account/balance", () => "/api/v1/account/balance"],
  ["/health/live", () => "/health/live"],
  ["/health/ready", () => "/health/ready"],
  ["/openapi.json", () => "/openapi.json"],
  ["/docs", () => "/docs"],
  ["/docs/start.js", () => "/docs/start.js"],
  ["/docs/swagger-ui.css", () => "/docs/swagger-ui.css"],
  ["/metrics", () => "/metrics"],
];

describe.for(routes)("%s", ([name, path]) => {
  const rejected = METHODS.filter((method) => !["GET", "HEAD", "OPTIONS", "CONNECT"].includes(method));

  test.for(rejected)("rejects %s with 405, Allow and the error body", async (method) => {
    const response = await fetchFrom(service, path(), { method });
    expect(response.status).toBe(405);
    expect(response.headers.allow).toBe("GET, HEAD, OPTIONS");
    expect(response.headers["cache-control"]).toBe("no-store");
    expect(errorOf(response)).toMatchObject({
      code: "method_not_allowed",
      message: `${method} is not allowed here; allowed are GET, HEAD, OPTIONS.`,
    });
  });

  test("responds to OPTIONS with 204 and Allow", async () => {
    const response = await fetchFrom(service, path(), { method: "OPTIONS" });
    expect(response.status).toBe(204);
    expect(response.headers.allow).toBe("GET, HEAD, OPTIONS");
    expect(response.body).toHaveLength(0);
    expect(response.headers["x-request-id"]).toMatch(/./);
  });

  test("serves the methods listed in Allow", async () => {
    const { status } = await fetchFrom(service, path());
    expect([200, 401, 404]).toContain(status);
    expect((await fetchFrom(service, path(), { method: "HEAD" })).status).toBe(status);
  });

  test("rejects methods before parameters", async () => {
    expect((await fetchFrom(service, `${path()}?no_such=1`, { method: "DELETE" })).status).toBe(405);
  });

  test("has only one spelling of its path", async () => {
    for (const other of [
      `/${path()}`,
      path().replace("/", "//"),
      path().toUpperCase(),
      `${path()};a=1`,
      `${path()}.json`,
    ]) {
      const response = await fetchFrom(service, other);
      expect([other, response.status]).toEqual([other, 404]);
      errorOf(response);
    }
  });

  test("is another path with a trailing slash", async () => {
    const statuses = await Promise.all(
      ["GET", "POST", "OPTIONS"].map(async (method) => (await fetchFrom(service, `${path()}/`, { method })).status),
    );
    // "/docs/" redirects, because people type it.
    expect(statuses).toEqual(name === "/docs" ? [302, 405, 204] : [404, 404, 404]);
  });
});

test("a method that HTTP does not define is rejected", async () => {
  const response = await fetchFrom(service, "/api/v1/offers", { method: "BREW" });
  expect(response.status).toBe(400);
  expect(errorOf(response).code).toBe("bad_request");
});

test.for(["GET", "HEAD", "POST", "OPTIONS", "PROPFIND"])("an unknown path is 404 for %s", async (method) => {
  for (const path of [
    "/api",
    "/api/v1",
    "/api/v2/offers",
    "/api/v1/offers/a/b",
    "/api/v1/providers/aws",
    "/docs/index.html",
    "/docs/LICENSE",
    "/docs/swagger-ui-bundle.js.map",
    "*",
  ]) {
    const response = await fetchFrom(service, path, { method });
    expect([path, response.status]).toEqual([path, 404]);
    expect(method === "HEAD" ? response.text : errorOf(response).message).toBe(
      method === "HEAD" ? "" : "No such path. See /docs for the available endpoints.",
    );
  }
});

test.for([
  "/docs/..%2f..%2fpackage.json",
  "/docs/%2e%2e/%2e%2e/package.json",
  "/docs/..%5c..%5cpackage.json",
  "/docs/%00",
  "/docs/../../../../etc/passwd",
  "/api/v1/providers/..%2f..%2fetc/images",
  "/api/v1/providers/%00/images",
  "/api/v1/providers/__proto__/images",
  `/api/v1/providers/${"a".repeat(5_000)}/images`,
  "/api/v1/offers/%",
  "/api/v1/offers/%ff",
  "/api/v1/providers/%zz/images",
  "/%zz",
])("%s reaches nothing", async (path) => {
  const response = await fetchFrom(service, path);
  expect([400, 404]).toContain(response.status);
  errorOf(response);
});

test("a request body is ignored, because no operation has one", async () => {
  const head = `${HOST}Content-Type: application/json\r\nContent-Length: 4\r\nConnection: close\r\n\r\n{]{]`;
  expect(firstResponse(await exchange(service, `${BASE}${head}`))?.status).toBe(200);
  expect(firstResponse(await exchange(service, `POST /api/v1/offers HTTP/1.1\r\n${head}`))?.status).toBe(405);
});

describe("a malformed HTTP request is rejected with the error body:", () => {
  test.for(malformedRequests)("%s", async ([, bytes, status]) => {
    const response = firstResponse(await exchange(service, bytes));
    expect(response?.status).toBe(status);
    errorOf({ status, headers: Object.fromEntries(response?.headers ?? []), text: response?.body ?? "" });
    expect(await isAlive()).toBe(true);
  });

  test("a path that matches a route only when decoded, for every method", async () => {
    for (const method of ["GET", "HEAD", "POST", "OPTIONS"]) {
      expect((await fetchFrom(service, "/api/v1/%6fffers", { method })).status).toBe(404);
    }
  });

  test("CONNECT, with 405 and the error body", async () => {
    const response = await exchange(service, `CONNECT example.com:443 HTTP/1.1\r\n${HOST}\r\n`);
    expect(response).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\nAllow: GET, HEAD, OPTIONS\r\n/);
    expect(response).toContain('{"code":"method_not_allowed","message":"CONNECT is not allowed here;');
    expect(await isAlive()).toBe(true);
  });
});

describe("an unusual but valid request is served:", () => {
  test.for([
    ["HTTP/1.0 without a host", "GET /health/live HTTP/1.0\r\n\r\n"],
    ["an upgrade that is ignored", `${BASE}${HOST}Connection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n`],
    ["blank lines before the request", `\r\n\r\n${BASE}${HOST}Connection: close\r\n\r\n`],
    ["a body in chunks", `${BASE}${HOST}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n`],
    ["an absolute URL", `GET http://x/health/live HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`],
  ] as const)("%s", async ([, bytes]) => {
    expect(firstResponse(await exchange(service, bytes))?.status).toBe(200);
  });
});

test("an absolute URL is treated like its path, for every method", async () => {
  const statuses = await Promise.all(
    ["HEAD", "OPTIONS", "POST"].map(async (method) => {
      const bytes = `${method} http://x/health/live HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`;
      return firstResponse(await exchange(service, bytes))?.status;
    }),
  );
  expect(statuses).toEqual([200, 204, 405]);
  const root = await exchange(service, `GET http://x HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
  expect(firstResponse(root)?.status).toBe(200);
});

describe("the request id", () => {
  test.for(["abc", "0", "a".repeat(128), "trace:1/2+3=4._-", "6f1c2a0e-8f5b-4d0a-9f43-1d2f3a4b5c6d"])(
    "is the caller's if it is valid: %s",
    async (id) => {
      for (const path of ["/api/v1/offers?size=1", "/api/v1/offers/no-such-offer", "/nothing", "/api/v1/offers/%zz"]) {
        const response = await fetchFrom(service, path, { headers: { "X-Request-Id": id } });
        expect(response.headers["x-request-id"]).toBe(id);
        expect(response.status === 200 ? id : errorOf(response).requestId).toBe(id);
      }
    },
  );

  test.for(["", " ", "a b", "a".repeat(129), "<script>", 'a"b', "a,b", "\u00e4", "a\tb", `gpo_${"a".repeat(36)}`])(
    "is a new UUID if the caller's is invalid: %s",
    async (id) => {
      const response = await fetchFrom(service, "/nothing", { headers: { "X-Request-Id": id } });
      expect(z.uuid().safeParse(response.headers["x-request-id"]).success).toBe(true);
      expect(errorOf(response).requestId).not.toBe(id);
    },
  );

  test("is new for each request, and if the caller sends two", async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => fetchFrom(service, "/health/live")));
    expect(new Set(responses.map(({ headers }) => headers["x-request-id"])).size).toBe(20);
    const text = await exchange(
      service,
      `${BASE}${HOST}X-Request-Id: a\r\nX-Request-Id: b\r\nConnection: close\r\n\r\n`,
    );
    expect(z.uuid().safeParse(firstResponse(text)?.headers.get("x-request-id")).success).toBe(true);
  });
});

describe("the log", () => {
  const key = `gpo_${"Ab1".repeat(12)}`;
  const secret = key.slice("gpo_".length);

  test("has one line per request, with its id, and no key from a URL", async () => {
    const logged = await startService();
    const requests: [method: string, path: string, status: number][] = [
      ["GET", "/api/v1/offers?size=1", 200],
      ["HEAD", "/api/v1/providers", 200],
      ["GET", "/api/v1/offers?size=0", 400],
      ["GET", "/api/v1/offers/no-such-offer", 404],
      ["GET", "/nothing", 404],
      ["POST", "/api/v1/offers", 405],
      ["OPTIONS", "/api/v1/offers", 204],
      ["GET", "/api/v1/offers/%zz", 400],
      ["GET", `/${"a".repeat(9_000)}`, 414],
      ["GET", `/api/v1/offers?key=${key}`, 400],
      ["GET", `/api/v1/offers?${key}=1`, 400],
      ["GET", `/api/v1/offers/${key}`, 404],
      ["GET", `/${key}/${key}`, 404],
      ["GET", `/api/v1/offers?key=gpo%5F${secret}`, 400],
      ["GET", `/api/v1/offers?key=%67%70%6f%5f${secret}`, 400],
      ["GET", `/api/v1/offers/%zz?key=${key}`, 400],
    ];
    for (const [index, [method, path, status]] of requests.entries()) {
      const response = await fetchFrom(logged, path, { method, headers: { "X-Request-Id": `request-${index}` } });
      expect([path, response.status]).toEqual([path, status]);
    }
    await fetchFrom(logged, "/health/live", { headers: { "X-Request-Id": key, Authorization: `Bearer ${key}` } });
    const rejected = firstResponse(
      await exchange(logged, `${BASE}${HOST}Authorization: Bearer ${key}\r\nX\0: a\r\n\r\n`),
    );

    const { stdout, code } = await logged.stop();
    expect(code).toBe(0);
    expect(stdout).not.toContain(secret);
    const lines = logLines(stdout);
    for (const [index, [method, , status]] of requests.entries()) {
      expect(lines.filter((line) => line["requestId"] === `request-${index}`)).toEqual([
        expect.objectContaining({ level: "info", msg: "request", method, status, durationMs: expect.any(Number) }),
      ]);
    }
    expect(lines.filter((line) => line["requestId"] === rejected?.headers.get("x-request-id"))).toEqual([
      expect.objectContaining({ level: "info", status: 400, problem: "HPE_INVALID_HEADER_TOKEN" }),
    ]);
  });
});

test("the OpenAPI document takes no parameters", async () => {
  expect((await fetchFrom(service, "/openapi.json?x=1")).status).toBe(400);
});

test("a HEAD that isn't a valid request gets no body", async () => {
  const ok = "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n";
  for (const before of ["", ok]) {
    const text = await exchange(service, `${before}HEAD / HTTP/1.1\r\nHost : x\r\n\r\n`);
    const [head = "", body] = text.slice(text.lastIndexOf("HTTP/1.1 400")).split("\r\n\r\n");
    expect([head.split("\r\n")[0], body]).toEqual(["HTTP/1.1 400 Bad Request", ""]);
  }
});

test("a request whose body isn't read gets no 100 Continue", async () => {
  const expecting = (line: string): string =>
    `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n{}`;
  expect(await exchange(service, expecting("GET /health/live"))).toMatch(/^HTTP\/1.1 200/);
  expect(await exchange(service, expecting("POST /api/v1/offers"))).toMatch(/^HTTP\/1.1 405/);
});

test("/mcp does not exist unless it is turned on", async () => {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
  expect((await fetchFrom(service, "/mcp", { method: "POST", headers, body })).status).toBe(404);
});
