import { beforeAll, describe, expect, test } from "vitest";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { startService, type Service } from "@gpu-offers/testkit/service";

describe("CORS_ORIGINS", () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ settings: { CORS_ORIGINS: "https://app.example.com, http://localhost:5173" } });
  });
  const ALLOWED = ["https://app.example.com", "http://localhost:5173"];
  const OTHERS = [
    "https://evil.example.com",
    "http://app.example.com",
    "https://app.example.com:8443",
    "https://app.example.com.evil.com",
    "null",
  ];
  const preflight = (origin: string) => ({
    method: "OPTIONS",
    headers: {
      Origin: origin,
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "authorization",
    },
  });

  test.for(ALLOWED)("lets pages of %s read responses, errors among them", async (origin) => {
    for (const path of ["/api/v1/offers?size=1", "/api/v1/offers?size=0", "/api/v1/offers/none", "/nothing"]) {
      const { headers } = await fetchFrom(service, path, { headers: { Origin: origin } });
      expect([path, headers["access-control-allow-origin"]]).toEqual([path, origin]);
      expect(headers["access-control-expose-headers"]).toBe(
        "ETag, Age, Catalog-As-Of, Catalog-Stale-Providers, Deprecation, Link, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id",
      );
      expect(headers.vary).toBe("Origin");
      expect(headers["access-control-allow-credentials"]).toBe(undefined);
    }
  });

  test.for(OTHERS)("does not let pages of %s", async (origin) => {
    const response = await fetchFrom(service, "/api/v1/offers?size=1", { headers: { Origin: origin } });
    expect(response.status).toBe(200);
    expect(response.headers["access-control-allow-origin"]).toBe(undefined);
    expect((await fetchFrom(service, "/api/v1/offers", preflight(origin))).headers["access-control-allow-origin"]).toBe(
      undefined,
    );
  });

  test("responds to a preflight request", async () => {
    const response = await fetchFrom(service, "/api/v1/offers", preflight("https://app.example.com"));
    expect(response.status).toBe(204);
    expect(response.headers).toMatchObject({
      "access-control-allow-origin": "https://app.example.com",
      "access-control-allow-methods": "GET, HEAD",
      "access-control-allow-headers": "Authorization, If-None-Match, X-Request-Id",
      "access-control-max-age": "600",
      allow: "GET, HEAD, OPTIONS",
    });
  });

  test("lets caches tell the responses of / apart by Accept, too", async () => {
    const varyOf = async (accept: string): Promise<unknown> =>
      (await fetchFrom(service, "/", { headers: { Origin: "https://app.example.com", accept } })).headers.vary;
    expect(await varyOf("application/json")).toBe("Origin, Accept");
    // The page is compressed.
    expect(await varyOf("text/html")).toBe("Origin, Accept, Accept-Encoding");
  });

  test("changes nothing for requests without an origin", async () => {
    const options = await fetchFrom(service, "/api/v1/offers", { method: "OPTIONS" });
    expect([options.status, options.headers.allow]).toEqual([204, "GET, HEAD, OPTIONS"]);
    expect(options.headers["x-request-id"]).toMatch(/./);
    for (const method of ["GET", "OPTIONS", "POST"]) {
      const response = await fetchFrom(service, "/nothing", { method, headers: { Origin: "https://app.example.com" } });
      expect([method, response.status, jsonOf(response)]).toMatchObject([method, 404, { code: "not_found" }]);
    }
    const post = await fetchFrom(service, "/api/v1/offers", { method: "POST" });
    expect([post.status, post.headers.allow]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });
});
