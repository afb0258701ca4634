import { gpuStockSchema, listingStockSchema } from "@gpu-offers/domain/history";
import { listingListSchema } from "@gpu-offers/domain";
import { addSources, liveRun, liveRunOf, offersOf } from "@gpu-offers/store/test/live-runs";
import { withDatabase } from "@gpu-offers/store/test/databases";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { beforeAll, expect, test } from "vitest";

const HOUR_MS = 3_600_000;
const END = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
const ago = (hours: number): string => new Date(END - hours * HOUR_MS).toISOString();

let service: Service;
beforeAll(async () => {
  const databasePath = tempDatabase();
  await withDatabase(databasePath, async (database) => {
    await addSources(database, { north: "list", south: "list" }, HOUR_MS);
    // Ten hours, of which four have no observation: the one before them holds for two.
    for (const hours of [10, 9, 8, 3, 2, 1, 0]) {
      const rows = [
        { id: "often", price: 2, isAvailable: hours !== 9 },
        { id: "seldom", price: 1, isAvailable: hours === 9 },
      ];
      await liveRun(database, "north", rows, ago(hours));
    }
    const [offer] = offersOf("south", [{ id: "other", price: 3 }]);
    const gpu = { name: "H200", slug: "h200", vramGB: 141, architecture: "Hopper" };
    for (const hours of [1, 0]) {
      await liveRunOf(database, "south", offer === undefined ? [] : [{ ...offer, gpu }], ago(hours));
    }
  });
  service = await startService({ databasePath, settings: { LIVE_SYNC: "off" } });
});

const get = async (path: string) => jsonOf(await fetchFrom(service, path));
const list = async (query: string) => listingListSchema.parse(await get(`/listings?${query}`)).listings;
// 10 to 6 and 3 to 0 hours ago
const OFTEN = { observedHours: 7, inStockHours: 6, lastInStockAt: ago(0) };
const SELDOM = { observedHours: 7, inStockHours: 1, lastInStockAt: ago(9) };

test("listings say how often they were in stock in 14 days, and can be sorted by that; v1 doesn't", async () => {
  const sorted = await list("provider=north&sort_by=stock");
  expect(sorted.map(({ stock14d }) => stock14d)).toEqual([OFTEN, SELDOM]);
  const least = await list("provider=north&sort_by=stock&sort_order=asc");
  expect(least.map(({ stock14d }) => stock14d)).toEqual([SELDOM, OFTEN]);
  expect(JSON.stringify(await get("/api/v1/offers"))).not.toContain("stock14d");
});

test("GET /listings/{id}/stock has the observed hours", async () => {
  const [often] = await list("provider=north&sort_by=stock");
  const path = `/listings/${often?.offer.id}/stock`;
  const stock = listingStockSchema.parse(await get(path));
  expect(stock).toMatchObject({ asOf: ago(0), stock14d: OFTEN, step: "hour" });
  const hours = [10, 9, 8, 7, 3, 2, 1];
  expect(stock.steps).toEqual(
    hours.map((hour) => ({ at: ago(hour), observedHours: 1, inStockHours: hour === 9 ? 0 : 1 })),
  );
  expect(listingStockSchema.parse(await get(`${path}?since=${ago(2)}`)).steps).toHaveLength(2);
  const days = listingStockSchema.parse(await get(`${path}?step=day`)).steps;
  expect(days.reduce((sum, { observedHours }) => sum + observedHours, 0)).toBe(7);
  expect(await get(`${path}?step=week`)).toMatchObject({ code: "invalid_parameter", details: [{ name: "step" }] });
  expect(await get("/listings/none/stock")).toMatchObject({ code: "not_found" });
});

test("GET /gpus/{slug}/stock says when instances were in stock, by provider, size and region", async () => {
  const { stock, ...head } = gpuStockSchema.parse(await get("/gpus/h100/stock"));
  expect(head).toEqual({ gpu: "h100", asOf: ago(0) });
  // One of both was there at all times.
  const sums = { observedHours: 7, inStockHours: 7, lastInStockAt: ago(0) };
  expect(stock).toEqual([
    {
      gpu: "h100-sxm",
      provider: "north",
      gpuCount: 1,
      region: "somewhere",
      ...sums,
      longestWaitHours: 0,
      returnsByHour: Array.from({ length: 24 }, () => 0),
      days90: { observedHours: 7, inStockHours: 7 },
    },
  ]);
  const path = "/gpus/nvidia/stock";
  const { text, headers } = await fetchFrom(service, path, { headers: { "Accept-Encoding": "br" } });
  expect(gpuStockSchema.parse(JSON.parse(text)).stock.map(({ gpu }) => gpu)).toEqual(["h100-sxm", "h200"]);
  // A body of megabytes is neither hashed nor compressed for each request.
  expect(headers).toMatchObject({ etag: (await fetchFrom(service, "/gpus/h100/stock")).headers["etag"] });
  expect(headers["content-encoding"]).toBeUndefined();
  expect((await fetchFrom(service, path, { headers: { "If-None-Match": headers["etag"] ?? "" } })).status).toBe(304);
  expect(await get("/gpus/voodoo/stock")).toMatchObject({ code: "not_found" });
});

test("the page of a GPU has them beside today's stock; unknown slugs and times say what is known", async () => {
  const open = (path: string) => fetchFrom(service, path, { headers: { Accept: "text/html" } });
  const page = await open("/gpus/h100-sxm?since=30d");
  expect(page.text).toMatch(/somewhere: in stock 100% of 7 h observed, last [^<]* ago</);
  expect(page.text).toContain(`as of ${ago(0).slice(0, 16)}Z`);
  expect((await open("/")).text).toContain(" · stock unknown<");
  const unknown = await open("/gpus/h100-sxn?since=30d");
  expect([unknown.status, unknown.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
  expect(unknown.text).toContain("Did you mean h100-sxm");
  const all = await open("/gpus?gpu==h100-sxm&since=30d");
  expect([all.headers["content-type"], all.headers["deprecation"]]).toEqual(["text/html; charset=utf-8", undefined]);
  expect([all.headers["vary"], all.text]).toEqual([
    expect.stringMatching(/^(?:.*, )?Accept(?:,|$)/),
    (await open("/?view=gpus&gpu==h100-sxm&since=30d")).text,
  ]);
  for (const path of ["/gpus/h100-sxm?since=7d", "/gpus?since=7d", "/?view=gpus&since=7d"]) {
    const wrong = await open(path);
    expect([wrong.status, wrong.headers["content-type"]]).toEqual([400, "text/html; charset=utf-8"]);
    expect(wrong.text).toContain("since must be 30d, 90d, 180d, 365d, not &quot;7d&quot;");
  }
  expect((await open("/gpus/h100-sxm?nothing=1")).text).toContain("There is no parameter &quot;nothing&quot;.");
});
