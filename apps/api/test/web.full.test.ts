import { fetchFrom } from "@gpu-offers/testkit/http";
import { startService } from "@gpu-offers/testkit/service";
import { expect, test } from "vitest";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

test("with WEB=off, there is no page and no file of listings", async () => {
  const service = await startService({ settings: { WEB: "off" } });
  expect((await fetchFrom(service, "/web/listings.json")).status).toBe(404);
  const { status, headers } = await fetchFrom(service, "/", { headers: { Accept: BROWSER } });
  expect([status, headers.location]).toEqual([302, "./docs"]);
});

test("where the catalog requires a key, the file of listings does too", async () => {
  const service = await startService({ settings: { REQUIRE_API_KEY: "true" } });
  const { status, headers } = await fetchFrom(service, "/web/listings.json");
  expect([status, headers["www-authenticate"]]).toEqual([401, "Bearer"]);
});
