import { beforeAll, describe, expect, test } from "vitest";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { startService, type Service } from "@gpu-offers/testkit/service";

describe("REQUIRE_API_KEY=true", () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ settings: { REQUIRE_API_KEY: "true" } });
  });

  const catalog = [
    "/api/v1/offers",
    "/api/v1/offers/00000000-0000-4000-8000-000000000000",
    "/api/v1/providers",
    "/api/v1/providers/aws/images",
    "/api/v1/providers/no-such-provider/images",
    "/api/v2/gpus",
    "/api/v2/gpus/h100-sxm/prices",
    "/api/v2/history?offer=00000000-0000-4000-8000-000000000000",
  ];
  const credentials: (string | undefined)[] = [
    undefined,
    "",
    "Bearer",
    "Bearer ",
    "Bearer x",
    "Basic dXNlcjpwYXNzd29yZA==",
    `gpo_${"a".repeat(36)}`,
    `Bearer gpo_${"a".repeat(36)}`,
    `bearer gpo_${"a".repeat(36)}`,
    `Bearer gpo_${"a".repeat(35)}`,
    `Bearer gpo_${"a".repeat(2_000)}`,
    `Bearer gpo_${"a".repeat(36)}, Bearer gpo_${"b".repeat(36)}`,
    "Bearer null",
    "Bearer true",
    "Bearer ' OR 1=1 --",
  ];
  test.for(catalog)("responds with 401 without a valid key: %s", async (path) => {
    for (const credential of credentials) {
      const headers = credential === undefined ? {} : { Authorization: credential };
      for (const method of ["GET", "HEAD"]) {
        const response = await fetchFrom(service, path, { method, headers });
        expect([credential, response.status]).toEqual([credential, 401]);
        expect(response.headers["www-authenticate"]).toBe("Bearer");
        expect(response.headers["cache-control"]).toBe("no-store");
        expect(response.headers.etag).toBe(undefined);
        expect(method === "HEAD" ? response.text : jsonOf(response)).toEqual(
          method === "HEAD"
            ? ""
            : {
                code: "unauthorized",
                message: "A valid API key is required: send Authorization: Bearer <key>.",
                requestId: response.headers["x-request-id"],
                docUrl: "/docs/errors/unauthorized",
              },
        );
      }
    }
  });

  test("is checked after path and method, and before parameters and caches", async () => {
    const statusOf = async (path: string, request = {}) => (await fetchFrom(service, path, request)).status;
    expect(await statusOf("/api/v1/offers?size=0")).toBe(401);
    expect(await statusOf("/api/v1/offers", { headers: { "If-None-Match": "*" } })).toBe(401);
    expect(await statusOf("/api/v1/nothing")).toBe(404);
    expect(await statusOf("/api/v1/offers", { method: "POST" })).toBe(405);
    expect(await statusOf("/api/v1/offers", { method: "OPTIONS" })).toBe(204);
  });

  test("leaves health and documentation open", async () => {
    for (const path of ["/health/live", "/health/ready", "/openapi.json", "/docs"]) {
      expect([path, (await fetchFrom(service, path)).status]).toEqual([path, 200]);
    }
  });
});
