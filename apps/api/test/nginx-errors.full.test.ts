import { ERRORS, errorBodySchema } from "@gpu-offers/domain";
import { beforeAll, describe, expect, test } from "vitest";
import { fetchFrom, type HttpResponse } from "@gpu-offers/testkit/http";
import { SECURITY_HEADERS } from "../src/wire/response-headers.ts";
import { nginxProgram, startNginx, type Nginx } from "@gpu-offers/testkit/nginx";
import { exchange, firstResponse } from "@gpu-offers/testkit/raw-socket";
import { startInstances, type Instance } from "./instances.ts";

/** Whether a response is an API error: its status matches its code, and its id matches the header. */
function expectError(status: number, header: string | undefined, body: string, code: keyof typeof ERRORS): void {
  const error = errorBodySchema.parse(JSON.parse(body));
  expect([error.code, status]).toEqual([code, ERRORS[code].status]);
  expect(error.requestId).toBe(header);
  expect(error.message).toMatch(/\w.*\.$/);
}

const errorOf = (response: HttpResponse, code: keyof typeof ERRORS): void =>
  expectError(response.status, String(response.headers["x-request-id"]), response.text, code);

describe.skipIf(nginxProgram === undefined)("errors behind nginx", () => {
  let instances: Instance[];
  let nginx: Nginx;
  beforeAll(async () => {
    instances = await startInstances(1);
    nginx = await startNginx(instances.map(({ port }) => port));
  });

  test("of the service are passed unchanged", async () => {
    errorOf(await fetchFrom(nginx, "/nothing"), "not_found");
    errorOf(await fetchFrom(nginx, "/api/v1/offers?size=0"), "invalid_parameter");
    const post = await fetchFrom(nginx, "/api/v1/offers", { method: "POST" });
    errorOf(post, "method_not_allowed");
    expect(post.headers.allow).toBe("GET, HEAD, OPTIONS");
    errorOf(await fetchFrom(nginx, "/api/v1/account"), "unauthorized");
    errorOf(await fetchFrom(nginx, `/${"a".repeat(8_200)}`), "uri_too_long");
    const manyHeaders = Object.fromEntries(
      Array.from({ length: 4 }, (_, number) => [`X-${number}`, "a".repeat(5_000)]),
    );
    errorOf(await fetchFrom(nginx, "/api/v1/offers", { headers: manyHeaders }), "headers_too_large");
  });

  const raw: [what: string, bytes: string, code: keyof typeof ERRORS][] = [
    ["no HTTP", "hello\r\n\r\n", "bad_request"],
    ["a bad percent-encoding", "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", "bad_request"],
    ["no host", "GET / HTTP/1.1\r\n\r\n", "bad_request"],
    ["two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "bad_request"],
    ["two lengths", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "bad_request"],
    ["a strange encoding", "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: wild\r\n\r\n", "bad_request"],
    ["HTTP 3.0 in a text", "GET / HTTP/3.0\r\nHost: a\r\n\r\n", "bad_request"],
    ["a large body", `POST /api/v1/offers HTTP/1.1\r\nHost: a\r\nContent-Length: 5000000\r\n\r\n`, "bad_request"],
    ["a long request line", `GET /${"a".repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, "uri_too_long"],
    ["a large header", `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${"a".repeat(40_000)}\r\n\r\n`, "headers_too_large"],
    ["CONNECT", "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", "bad_request"],
    ["TRACE", "TRACE /api/v1/offers HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "method_not_allowed"],
    ["health from outside", "GET /health/ready HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "not_found"],
    ["metrics from outside", "GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "not_found"],
    [
      "metrics through an unnormalized path",
      "GET //a/..//%6detrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
      "not_found",
    ],
    [
      "health from outside with a broken body",
      "POST /health/live HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
      "bad_request",
    ],
    [
      "metrics from outside with a broken body",
      "GET /metrics HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
      "bad_request",
    ],
    ["the page of errors", "GET /~error HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "not_found"],
  ];
  test.for(raw)("are JSON in the documented form for %s", async ([, bytes, code]) => {
    const text = await exchange(nginx, bytes);
    const response = firstResponse(text);
    expect(response?.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(response?.headers.get("cache-control")).toBe("no-store");
    expectError(response?.status ?? 0, response?.headers.get("x-request-id") ?? "", response?.body ?? "", code);
    expect(response?.headers.get("allow")).toBe(code === "method_not_allowed" ? "GET, HEAD, OPTIONS" : null);
    expect(Object.fromEntries(response?.headers ?? [])).toMatchObject(
      Object.fromEntries(Object.entries(SECURITY_HEADERS).map(([name, value]) => [name.toLowerCase(), value])),
    );
    expect(text).not.toMatch(/nginx\/|<html/);
  });

  test("are 503 with Retry-After while no service responds, and end when one does", async () => {
    const [instance] = instances as [Instance];
    await instance.kill();
    const response = await fetchFrom(nginx, "/api/v1/offers");
    errorOf(response, "unavailable");
    expect(response.headers["retry-after"]).toBe("5");
    expect((await fetchFrom(nginx, "/api/v1/offers", { method: "HEAD" })).status).toBe(503);
    await instance.start();
    await expect.poll(async () => (await fetchFrom(nginx, "/api/v1/offers")).status, { timeout: 3_000 }).toBe(200);
  });
});
