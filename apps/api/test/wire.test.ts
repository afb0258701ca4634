import { beforeAll, describe, expect, test } from "vitest";
import { withKey } from "@gpu-offers/testkit/accounts";
import { fetchFrom, jsonOf, type HttpResponse } from "@gpu-offers/testkit/http";
import { nativeRow } from "@gpu-offers/testkit/native-catalogs";
import { allResponses, exchange, firstResponse } from "@gpu-offers/testkit/raw-socket";
import { logLines, startService, type Service } from "@gpu-offers/testkit/service";
import { makeAccount, revokeKey } from "@gpu-offers/store/test/accounts";
import { storeCatalog } from "@gpu-offers/store/test/catalogs";

// A catalog response is made the first two times, a list below Nest and images by Nest, and comes from memory afterwards.
// All ways must behave the same, so every test of this suite runs over each.

const RATE_LIMIT = 100_000;
let service: Service;
/** With other settings. */
let limited: Service;
let key: string;
let made = 0;

beforeAll(async () => {
  [service, limited] = await Promise.all([
    startService({
      settings: {
        REQUIRE_API_KEY: "true",
        RATE_LIMIT: String(RATE_LIMIT),
        CORS_ORIGINS: "https://app.example.com",
        TRUST_PROXY: "127.0.0.1",
      },
    }),
    startService({ settings: { RATE_LIMIT: "3", TRUST_PROXY: "127.0.0.1", LOG_ADDRESSES: "off" } }),
  ]);
  ({ key } = await makeAccount(service.databasePath));
  // The first request verifies the key, and counts for the address.
  await fetchFrom(service, "/api/v1/providers", withKey(key));
});

async function sample(metric: string, of = service): Promise<number> {
  const { text } = await fetchFrom(of, "/metrics");
  const line = text.split("\n").find((each) => each.startsWith(`${metric} `));
  return Number(line?.slice(metric.length + 1) ?? 0);
}

const sentFromMemory = (): Promise<number> => sample("gpu_offers_catalog_memory_responses_total");

/** Paths that were never requested before: each number gives a new spelling of a parameter. */
const resources: [what: string, path: () => string, cacheControl: string][] = [
  ["a list", () => `/api/v1/offers?size=10&page=${++made}`, "private, no-cache"],
  ["a filtered list", () => `/api/v1/offers?continent=europe&gpu=h100-sxm,x-${++made}`, "private, no-cache"],
  ["an image list", () => `/api/v1/providers/aws/images?instance_type=t${++made}`, "private, max-age=3600"],
];

const ways: [way: string, prepare: (path: string) => Promise<void>, isFromMemory: boolean][] = [
  ["its first request", async () => {}, false],
  [
    "memory",
    async (path) => {
      for (let request = 0; request < 2; request++) {
        expect((await fetchFrom(service, path, withKey(key))).status).toBe(200);
      }
    },
    true,
  ],
];

const cases = ways.flatMap(([way, prepare, isFromMemory]) =>
  resources.map(([what, path, cacheControl]) => ({ way, prepare, isFromMemory, what, path, cacheControl })),
);

/** The headers that are the same for each request. */
const lasting = ({ headers }: HttpResponse) => {
  const {
    date: _date,
    "x-request-id": _id,
    "ratelimit-remaining": _left,
    "ratelimit-reset": _reset,
    ...rest
  } = headers;
  return rest;
};

describe.for(cases)("$what from $way", ({ prepare, isFromMemory, path: newPath, cacheControl }) => {
  /** A path that is served in this way. */
  const ready = async (): Promise<string> => {
    const path = newPath();
    await prepare(path);
    return path;
  };

  test("is sent to a valid key, with every response header", async () => {
    const path = await ready();
    // A key is trusted for a few seconds, and the request after that goes through Nest. This one has just been checked.
    const { key: fresh } = await makeAccount(service.databasePath);
    await fetchFrom(service, "/api/v1/providers", withKey(fresh));
    const before = await sentFromMemory();
    const response = await fetchFrom(service, path, {
      headers: {
        ...withKey(fresh).headers,
        Origin: "https://app.example.com",
        "X-Request-Id": "mine-1",
        Via: "1.1 proxy",
      },
    });
    expect((await sentFromMemory()) - before).toBe(isFromMemory ? 1 : 0);
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      "x-request-id": "mine-1",
      "content-type": "application/json; charset=utf-8",
      "content-length": String(response.body.length),
      "cache-control": cacheControl,
      etag: expect.stringMatching(/^"[^"]+"$/),
      "access-control-allow-origin": "https://app.example.com",
      vary: "Origin",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
      "cross-origin-resource-policy": "same-origin",
      "ratelimit-limit": String(RATE_LIMIT),
      "ratelimit-remaining": expect.stringMatching(/^\d+$/),
      "ratelimit-reset": expect.stringMatching(/^\d+$/),
      connection: "keep-alive",
    });
    expect(() => jsonOf(response)).not.toThrow();
  });

  test("is checked in order: framing, method, rate, key, and only then for 304", async () => {
    const path = await ready();
    const raw = async (head: string) => firstResponse(await exchange(service, `${head}Connection: close\r\n\r\n`));
    const bearer = `Authorization: Bearer ${key}\r\n`;
    const twoHosts = await raw(`POST ${path} HTTP/1.1\r\nHost: a\r\nHost: b\r\n`);
    expect(twoHosts?.status).toBe(400);
    const fragment = await raw(`GET ${path}#x HTTP/1.1\r\nHost: a\r\n${bearer}`);
    expect(fragment?.status).toBe(400);
    const post = await fetchFrom(service, path, { method: "POST", headers: { "If-None-Match": "*" } });
    expect([post.status, post.headers.allow, post.headers["ratelimit-limit"]]).toEqual([
      405,
      "GET, HEAD, OPTIONS",
      undefined,
    ]);
    const options = await fetchFrom(service, path, { method: "OPTIONS" });
    expect([options.status, options.headers.allow]).toEqual([204, "GET, HEAD, OPTIONS"]);
    for (const headers of [{}, { Authorization: "Bearer x" }, { Authorization: `Bearer ${key}, Bearer ${key}` }]) {
      const response = await fetchFrom(service, path, {
        headers: { ...headers, "If-None-Match": "*", Via: "1.1 proxy" },
      });
      expect([response.status, response.headers["www-authenticate"], response.headers.etag]).toEqual([
        401,
        "Bearer",
        undefined,
      ]);
      expect(response.headers["ratelimit-limit"]).toBe(String(RATE_LIMIT));
    }
    const twice = await raw(`GET ${path} HTTP/1.1\r\nHost: a\r\n${bearer}${bearer}`);
    expect(twice?.status).toBe(401);
  });

  test("is the same for HEAD, without a body", async () => {
    const [path, other] = [await ready(), await ready()];
    const head = await fetchFrom(service, path, { method: "HEAD", ...withKey(key) });
    expect([head.status, head.text]).toEqual([200, ""]);
    const get = await fetchFrom(service, path, withKey(key));
    expect({ ...lasting(head), age: "" }).toEqual({ ...lasting(get), age: "" });
    const conditional = { method: "HEAD", headers: { ...withKey(key).headers, "If-None-Match": "*" } };
    const known = await fetchFrom(service, other, conditional);
    expect([known.status, known.headers["content-length"]]).toEqual([304, undefined]);
  });

  test.for(["its tag", "its tag, weak", "its tag among others", "a star"])("is 304 for %s", async (what) => {
    const path = await ready();
    const { etag = "" } = (await fetchFrom(service, "/api/v1/providers", withKey(key))).headers;
    const header = { "its tag": etag, "its tag, weak": `W/${etag}`, "a star": "*" }[what] ?? `"other", ${etag}`;
    const headers = { ...withKey(key).headers, Origin: "https://app.example.com", "If-None-Match": header };
    const response = await fetchFrom(service, path, { headers });
    expect([response.status, response.text, response.headers.etag]).toEqual([304, "", etag]);
    expect(response.headers).toMatchObject({
      "cache-control": cacheControl,
      "access-control-allow-origin": "https://app.example.com",
      vary: "Origin",
    });
    for (const name of ["content-type", "content-length", "content-security-policy", "referrer-policy"]) {
      expect(response.headers[name]).toBe(undefined);
    }
    expect(response.headers["x-content-type-options"]).toBe("nosniff");
    const other = await fetchFrom(service, path, { headers: { ...withKey(key).headers, "If-None-Match": '"other"' } });
    expect(other.status).toBe(200);
  });

  test("leaves one log line and one count", async () => {
    const path = await ready();
    const route = path.startsWith("/api/v1/offers") ? "/api/v1/offers" : "/api/v1/providers/:provider/images";
    const metric = `gpu_offers_http_requests_total{route="${route}",status="200"}`;
    const before = await sample(metric);
    const id = `log-${++made}`;
    await fetchFrom(service, path, { headers: { ...withKey(key).headers, "X-Request-Id": id } });
    expect((await sample(metric)) - before).toBe(1);
    await service.logLine((line) => line["requestId"] === id);
    const lines = logLines(service.process.stdout()).filter((line) => line["requestId"] === id);
    expect(lines).toEqual([
      {
        level: "info",
        time: expect.any(String),
        requestId: id,
        client: "127.0.0.1",
        method: "GET",
        url: path,
        status: 200,
        durationMs: expect.any(Number),
        msg: "request",
      },
    ]);
  });

  test("is the same for an absolute URL, and closes the connection if the client requests it", async () => {
    const path = await ready();
    const request = `GET http://x${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`;
    const whole = firstResponse(await exchange(service, request));
    expect([whole?.status, whole?.headers.get("connection")]).toEqual([200, "close"]);
    expect(whole?.body).toBe((await fetchFrom(service, path, withKey(key))).body.toString("latin1"));
  });
});

test("both paths send the same headers and bytes", async () => {
  for (const [, newPath] of resources) {
    const path = newPath();
    const fromNest = await fetchFrom(service, path, withKey(key));
    const fromMemory = await fetchFrom(service, path, withKey(key));
    expect({ ...lasting(fromMemory), age: "" }).toEqual({ ...lasting(fromNest), age: "" });
    expect(fromMemory.text).toBe(fromNest.text);
  }
});

test("the log has the address that a trusted proxy forwards, unless it is turned off", async () => {
  const logged = async (one: Service, forwarded: string) => {
    const id = `from-${++made}`;
    await fetchFrom(one, "/health/live", { headers: { "X-Request-Id": id, "X-Forwarded-For": forwarded } });
    return one.logLine((line) => line["requestId"] === id);
  };
  expect(await logged(service, "192.0.2.1, 2001:db8::7")).toMatchObject({ client: "2001:db8::7" });
  expect(await logged(service, 'x","status":"200')).toMatchObject({ client: "", status: 200 });
  expect(await logged(limited, "192.0.2.1")).not.toHaveProperty("client");
});

test("requests behind one whose framing was rejected are neither handled nor logged", async () => {
  const behind = "GET /health/live HTTP/1.1\r\nHost: x\r\nX-Request-Id: behind\r\n\r\n";
  const rejected = [
    "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
    "GET / HTTP/1.1\r\n\r\n",
    "GET /#x HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\nExpect: magic\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    `GET /${"a".repeat(9_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  ];
  for (const request of rejected) {
    const text = await exchange(service, `${request}${behind.repeat(3)}`);
    expect([request.slice(0, 60), allResponses(text).length]).toEqual([request.slice(0, 60), 1]);
    expect(firstResponse(text)?.status).toBeGreaterThanOrEqual(400);
  }
  await fetchFrom(service, "/health/live", { headers: { "X-Request-Id": "after" } });
  await service.logLine((line) => line["requestId"] === "after");
  expect(logLines(service.process.stdout()).filter((line) => line["requestId"] === "behind")).toEqual([]);
});

test("requests beyond the rate get 429 on both paths, whether or not their key is valid", async () => {
  const from = (address: string) => ({ headers: { "X-Forwarded-For": address, Authorization: "Bearer x" } });
  for (const [address, path] of [
    ["192.0.2.1", () => "/api/v1/offers"],
    ["192.0.2.2", () => `/api/v1/offers?page=${++made}`],
    ["192.0.2.3", () => "/api/v1/account"],
  ] as const) {
    const statuses: number[] = [];
    for (let count = 0; count < 5; count++) {
      statuses.push((await fetchFrom(limited, path(), from(address))).status);
    }
    const allowed = path() === "/api/v1/account" ? 401 : 200;
    expect([address, statuses]).toEqual([address, [allowed, allowed, allowed, 429, 429]]);
  }
});

test("errors, accounts and health are never cached", async () => {
  const before = await sentFromMemory();
  for (const path of [
    "/api/v1/offers?size=0",
    "/api/v1/offers/no-such-offer",
    "/api/v1/providers/no-such-provider/images",
    "/api/v1/account",
    "/api/v1/account/balance",
    "/health/ready",
    "/openapi.json",
    "/docs",
  ]) {
    await fetchFrom(service, path, withKey(key));
    await fetchFrom(service, path, withKey(key));
  }
  expect(await sentFromMemory()).toBe(before);
});

test("a revoked key gets no cached response", async () => {
  const { key: short, keyId } = await makeAccount(service.databasePath);
  const path = `/api/v1/offers?size=10&page=${++made}`;
  expect((await fetchFrom(service, path, withKey(short))).status).toBe(200);
  expect((await fetchFrom(service, path, withKey(short))).status).toBe(200);
  await revokeKey(service.databasePath, keyId);
  await expect
    .poll(async () => (await fetchFrom(service, path, withKey(short))).status, { timeout: 5_000, interval: 100 })
    .toBe(401);
});

test("each request of a connection counts for its own key", async () => {
  const accounts = [await makeAccount(service.databasePath), await makeAccount(service.databasePath)];
  const [first = "", second = ""] = accounts.map((account) => `Authorization: Bearer ${account.key}\r\n`);
  const requests = [first, second, "", second, first].map(
    (authorization) => `GET /api/v1/account HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`,
  );
  const bytes = `${requests.join("")}GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
  const responses = allResponses(await exchange(service, bytes));
  const ids = responses.map(({ status, body }) => (status === 200 ? (JSON.parse(body) as { id?: string }).id : status));
  const [ada, bob] = accounts.map(({ id }) => id);
  expect(ids.slice(0, -1)).toEqual([ada, bob, 401, bob, ada]);
});

test("a new catalog replaces cached responses", async () => {
  const path = "/api/v1/offers?size=1";
  const first = await fetchFrom(limited, path);
  expect((await fetchFrom(limited, path)).text).toBe(first.text);
  const bytes = await sample("gpu_offers_catalog_memory_bytes", limited);
  expect(bytes).toBeGreaterThan(first.body.length);
  await storeCatalog(limited.databasePath, [nativeRow()]);
  await expect
    .poll(async () => (await fetchFrom(limited, path)).headers.etag, { timeout: 5_000 })
    .not.toBe(first.headers.etag);
  const next = await fetchFrom(limited, path);
  expect(next.text).not.toBe(first.text);
  expect(await sample("gpu_offers_catalog_memory_bytes", limited)).toBeLessThan(bytes + next.body.length);
});
