import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { withKey } from "@gpu-offers/testkit/accounts";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { nginxProgram, startNginx, type Nginx } from "@gpu-offers/testkit/nginx";
import { firstResponse } from "@gpu-offers/testkit/raw-socket";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { makeAccount } from "@gpu-offers/store/test/accounts";

// deploy/nginx.conf.template with GPU_OFFERS_CACHE=on.

const PAGE_ORIGIN = "https://app.example.com";

describe.skipIf(nginxProgram === undefined)("nginx with its cache", () => {
  let service: Service;
  let nginx: Nginx;
  let key: string;
  beforeAll(async () => {
    const settings = { RATE_LIMIT: "100000", TRUST_PROXY: "127.0.0.1", CORS_ORIGINS: PAGE_ORIGIN };
    service = await startService({ settings });
    nginx = await startNginx([service.port], "on");
    ({ key } = await makeAccount(service.databasePath));
  });

  /** Number of requests that reached the service during `work`. */
  const upstreamRequests = async (work: () => Promise<unknown>): Promise<number> => {
    const before = (await nginx.log()).length;
    await work();
    const lines = await nginx.log();
    return lines.slice(before).filter(({ upstream = "" }) => upstream !== "" && upstream !== "-").length;
  };

  test("requests a page from the service once per second, and keeps it no longer", async () => {
    const path = "/api/v1/offers?size=3";
    const requests = await upstreamRequests(async () => {
      for (let count = 0; count < 20; count++) {
        expect((await fetchFrom(nginx, path)).status).toBe(200);
      }
    });
    expect(requests).toBeLessThanOrEqual(3);
    // nginx counts whole seconds.
    await delay(2_100);
    expect(await upstreamRequests(() => fetchFrom(nginx, path))).toBe(1);
  });

  test("gives each response its own request id, and rate headers only to counted ones", async () => {
    const path = "/api/v1/offers?size=4";
    const first = await fetchFrom(nginx, path, { headers: { "X-Request-Id": "first" } });
    const second = await fetchFrom(nginx, path, { headers: { "X-Request-Id": "second" } });
    expect([first.headers["x-request-id"], second.headers["x-request-id"]]).toEqual(["first", "second"]);
    expect(second.text).toBe(first.text);
    expect(first.headers["ratelimit-limit"]).toBe("100000");
    for (const name of ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"]) {
      expect(second.headers[name]).toBe(undefined);
    }
  });

  test("never shares a response to a request with a key", async () => {
    const path = "/api/v1/offers?size=5";
    const requests = await upstreamRequests(async () => {
      for (let count = 0; count < 5; count++) {
        const response = await fetchFrom(nginx, path, withKey(key));
        expect([response.status, response.headers["ratelimit-limit"]]).toEqual([200, "100000"]);
      }
    });
    expect(requests).toBe(5);
    // Not even with a request that has none.
    expect(await upstreamRequests(() => fetchFrom(nginx, path))).toBe(1);
  });

  test("responds with 304 to the service's tag, with and without a key", async () => {
    const path = "/api/v1/offers?size=6";
    const { etag = "" } = (await fetchFrom(service, path)).headers;
    for (const headers of [{}, {}, withKey(key).headers]) {
      const known = await fetchFrom(nginx, path, { headers: { ...headers, "If-None-Match": etag } });
      expect([known.status, known.text, known.headers.etag]).toEqual([304, "", etag]);
      const other = await fetchFrom(nginx, path, { headers: { ...headers, "If-None-Match": '"other"' } });
      expect([other.status, other.headers.etag]).toEqual([200, etag]);
    }
  });

  test("caches responses separately per origin", async () => {
    const path = "/api/v1/offers?size=7";
    const allowedFor = async (origin: string) =>
      (await fetchFrom(nginx, path, { headers: { Origin: origin } })).headers["access-control-allow-origin"];
    for (let count = 0; count < 2; count++) {
      expect(await allowedFor("https://other.example.com")).toBe(undefined);
      expect(await allowedFor(PAGE_ORIGIN)).toBe(PAGE_ORIGIN);
    }
  });

  test.for([
    ["/gpus/h100-sxm", '{"slug":"h100-sxm"'],
    ["/gpus", '{"gpus":['],
  ] as const)("never mixes the page at %s with its JSON", async ([path, start]) => {
    for (const accept of ["text/html", "application/json", "*/*", "text/html,*/*;q=0.8", "application/json"]) {
      const { status, headers, text } = await fetchFrom(nginx, path, { headers: { Accept: accept } });
      const isPage = accept.startsWith("text/html");
      expect([accept, status, headers["content-type"], headers["vary"]?.includes("Accept")]).toEqual([
        accept,
        200,
        `${isPage ? "text/html" : "application/json"}; charset=utf-8`,
        true,
      ]);
      expect(text.startsWith(isPage ? "<!doctype html>" : start)).toBe(true);
    }
    const unknown = await fetchFrom(nginx, "/gpus/voodoo", { headers: { Accept: "text/html" } });
    expect([unknown.status, unknown.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
  });

  test("caches no error, account or health", async () => {
    for (const path of ["/api/v1/offers?size=0", "/api/v1/offers/none", "/api/v1/account", "/openapi.json"]) {
      const requests = await upstreamRequests(async () => {
        await fetchFrom(nginx, path);
        await fetchFrom(nginx, path);
      });
      expect([path, requests]).toEqual([path, 2]);
    }
  });

  test("responds to HEAD like to GET, without a body", async () => {
    const path = "/api/v1/providers";
    const get = await fetchFrom(nginx, path);
    const head = await fetchFrom(nginx, path, { method: "HEAD" });
    expect([head.status, head.text, head.headers.etag]).toEqual([200, "", get.headers.etag]);
    expect(head.headers["content-length"]).toBe(String(get.body.length));
  });

  test("caches nothing from a service whose catalog requires a key", async () => {
    const closed = await startService({ settings: { REQUIRE_API_KEY: "true" } });
    const proxy = await startNginx([closed.port], "on");
    const { key: own } = await makeAccount(closed.databasePath);
    expect((await fetchFrom(proxy, "/api/v1/offers", withKey(own))).status).toBe(200);
    expect((await fetchFrom(proxy, "/api/v1/offers")).status).toBe(401);
    expect((await fetchFrom(proxy, "/api/v1/offers", withKey(own))).headers["cache-control"]).toBe("private, no-cache");
  });

  test.for(["/api/v1/offers?size=8", "/metrics", "/api/v1/account", "/docs"])(
    "responds to a client that closed its side: %s",
    async (path) => {
      const socket = connect({ port: nginx.port, host: "127.0.0.1", allowHalfOpen: true });
      let text = "";
      socket.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
      socket.end(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await once(socket, "end");
      expect(firstResponse(text)?.status).toBeLessThan(500);
    },
  );
});
