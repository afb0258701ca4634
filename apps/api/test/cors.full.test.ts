import { describe, expect, test } from "vitest";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { startService } from "@gpu-offers/testkit/service";

describe("CORS_ORIGINS", () => {
  test("set to * lets every page read responses", async () => {
    const open = await startService({ settings: { CORS_ORIGINS: "*" } });
    const { headers } = await fetchFrom(open, "/api/v1/offers?size=1", {
      headers: { Origin: "https://any.example.com" },
    });
    expect(headers["access-control-allow-origin"]).toBe("*");
  });

  test("unset lets no page read responses", async () => {
    const closed = await startService();
    const { headers } = await fetchFrom(closed, "/api/v1/offers?size=1", {
      headers: { Origin: "https://app.example.com" },
    });
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});
