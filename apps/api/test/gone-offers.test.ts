import { listingListSchema } from "@gpu-offers/domain";
import { addSources, liveRun } from "@gpu-offers/store/test/live-runs";
import { findRevision } from "@gpu-offers/store/catalog.store";
import { foldStock } from "@gpu-offers/store/stock-memory";
import { withDatabase } from "@gpu-offers/store/test/databases";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { testOffer } from "@gpu-offers/testkit/live-source";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { beforeAll, expect, test } from "vitest";

// Offers that complete observations missed, over a socket.

const HOUR_MS = 3_600_000;
const ago = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString();
const databasePath = tempDatabase();
const idOf = (id: string): string => testOffer("north", { id, price: 1 }).id;
// The ids of the first one and of the last one that goes both begin with 8b5b8254.
const STAYING = Array.from({ length: 9 }, (_, place) => ({ id: place === 0 ? "t-31699" : `stays-${place}`, price: 2 }));
const GOING = [
  { id: "cheap", price: 1 },
  { id: "t-68584", price: 2 },
];

let service: Service;
beforeAll(async () => {
  await withDatabase(databasePath, async (database) => {
    await addSources(database, { north: "list" }, HOUR_MS);
    await liveRun(database, "north", [...STAYING, ...GOING], ago(3));
    await liveRun(database, "north", STAYING, ago(1));
    await database
      .updateTable("live_source")
      .set({ checked_at: ago(1) })
      .execute();
  });
  service = await startService({ databasePath, settings: { LIVE_SYNC: "off", MCP: "on" } });
});

const get = async (path: string) => jsonOf(await fetchFrom(service, path));
const list = async (query = "") => {
  const { listings, totalElements } = listingListSchema.parse(await get(`/api/v2/listings?size=50${query}`));
  const rows = listings.map(({ offer, availability }) => `${offer.id} ${availability} ${offer.priceHourly}`);
  return { totalElements, rows, ids: listings.map(({ offer }) => offer.id) };
};

/** What an agent gets of a tool. */
async function callTool(name: string, args: object) {
  const response = await fetchFrom(service, "/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });
  const { result } = JSON.parse(/^data: (.*)$/m.exec(response.text)?.[1] ?? response.text) as {
    result: {
      content: { text: string }[];
      structuredContent: { offers: { id: string; availability: string }[]; listing: { id: string } };
    };
  };
  return result;
}

test("the start of an id stands for it where no other begins so, also of one that is gone; v1 takes whole ids", async () => {
  const [staying, gone, several] = [idOf("stays-1"), idOf("cheap"), "8b5b8254"];
  expect(await get(`/api/v2/listings/${gone.slice(0, 8)}`)).toMatchObject({ offer: { id: gone } });
  expect(await get(`/api/v2/listings/${staying.slice(0, 9).toUpperCase()}/stock`)).toMatchObject({ id: staying });
  expect(await get(`/api/v2/listings/${staying.slice(0, 8)}/launch`)).toEqual(
    await get(`/api/v2/listings/${staying}/launch`),
  );
  const quoted = await callTool("quote_gpu_deployment", { id: staying.slice(0, 8) });
  expect(quoted.structuredContent.listing.id).toBe(staying);
  const reason = `is the start of 2 ids: ${idOf("t-31699")}, ${idOf("t-68584")}; write more of it`;
  for (const path of ["", "/launch", "/stock"]) {
    expect(await get(`/api/v2/listings/${several}${path}`)).toMatchObject({
      code: "invalid_parameter",
      message: `id ${reason}.`,
      details: [{ in: "path", name: "id", reason }],
    });
  }
  expect((await callTool("quote_gpu_deployment", { id: several })).content[0]?.text).toBe(`id ${reason}.`);
  for (const path of [`/api/v2/listings/${staying.slice(0, 7)}`, `/api/v1/offers/${staying.slice(0, 8)}`]) {
    expect(await get(path)).toMatchObject({ code: "not_found" });
  }
});

test("listings show them below the rest, sold out with their last price, in the order of prices and ids", async () => {
  const { totalElements, rows, ids } = await list();
  expect(totalElements).toBe(11);
  expect(rows.slice(-2)).toEqual([`${idOf("cheap")} sold_out 1`, `${idOf("t-68584")} sold_out 2`]);
  expect(ids.slice(0, 9)).toEqual(STAYING.map(({ id }) => idOf(id)).sort());
  expect((await list("&availability=sold_out")).rows).toEqual(rows.slice(-2));
  expect((await list("&available=true")).totalElements).toBe(9);
  const lines = await fetchFrom(service, "/listings", { headers: { Accept: "application/x-ndjson" } });
  expect(lines.text.trimEnd().split("\n")).toHaveLength(11);
});

test("they have a listing and its stock, but launching another one is meant", async () => {
  const path = `/api/v2/listings/${idOf("cheap")}`;
  expect(await get(path)).toMatchObject({ availability: "sold_out", offer: { isAvailable: false, priceHourly: 1 } });
  expect(await get(`${path}/stock`)).toMatchObject({ stock14d: { observedHours: 2, inStockHours: 2 } });
  expect(JSON.stringify(await get(`${path}/launch`))).toContain("sold out");
  expect(await get("/api/v2/plan?gpu=h100-sxm")).toMatchObject({ listing: { offer: { priceHourly: 2 } } });
});

test("the page's file has them last, with their ids", async () => {
  expect(await get("/web/listings.json")).toMatchObject({ gone: ["cheap", "t-68584"].map(idOf).sort() });
  const page = await fetchFrom(service, "/", { headers: { Accept: "text/html" } });
  expect(page.text).toContain("<strong>11 offers</strong> of 11");
});

test("agents, the feed and examples leave them out; agents have them where they are asked for", async () => {
  const call = async (args: object): Promise<unknown> => {
    const { offers } = (await callTool("find_gpu_offers", { gpu: ["h100"], limit: 20, ...args })).structuredContent;
    return offers.map(({ id, availability }) => `${id} ${availability}`);
  };
  const staying = STAYING.map(({ id }) => idOf(id)).sort();
  expect(await call({})).toEqual(staying.map((id) => `${id} listed`));
  expect(await call({ availability: ["sold_out"] })).toEqual(["cheap", "t-68584"].map((id) => `${idOf(id)} sold_out`));
  const [feed, document] = await Promise.all(["/feed", "/openapi.json"].map((path) => fetchFrom(service, path)));
  expect(feed?.text).toContain(`./?offer=${staying[0]}"`);
  expect(document?.text).toContain(`"example":"${staying[0]}"`);
  for (const { id } of GOING) {
    expect(feed?.text).not.toContain(idOf(id));
    expect(document?.text).not.toContain(idOf(id));
  }
});

test("v1, the market and the counts are byte for byte those without them, as after 14 days, without a new revision", async () => {
  const paths = [
    ...["", "?size=2&page=1", `/${idOf("stays-1")}`, `/${idOf("cheap")}`].map((rest) => `/api/v1/offers${rest}`),
    "/api/v1/providers",
    "/api/v2/gpus",
    "/api/v2/gpus/h100-sxm",
    "/health/ready",
  ];
  const read = async (from: Service) => {
    const responses = await Promise.all(paths.map((path) => fetchFrom(from, path)));
    return responses.map(({ status, headers: { etag }, text }) => [
      status,
      etag,
      text.replace(/"requestId":"[^"]*"/, ""),
    ]);
  };
  const withGone = await read(service);
  expect(withGone.map(([status]) => status).slice(0, 4)).toEqual([200, 200, 200, 404]);
  const countListings = async (): Promise<number> => listingListSchema.parse(await get("/listings")).totalElements;
  expect(await countListings()).toBe(11);
  const { etag } = (await fetchFrom(service, "/listings")).headers;
  await withDatabase(databasePath, async (database) => {
    const before = await findRevision(database);
    await foldStock(database, { nowMs: Date.now() + 14 * 24 * HOUR_MS, keptSince: ago(1) });
    expect(await findRevision(database)).toEqual(before);
  });
  await expect.poll(countListings, { timeout: 10_000 }).toBe(9);
  const other = await startService({ databasePath, settings: { LIVE_SYNC: "off" } });
  const without = await fetchFrom(other, "/listings");
  expect(listingListSchema.parse(jsonOf(without)).totalElements).toBe(9);
  expect(await read(other)).toEqual(withGone);
  expect(without.headers.etag).not.toBe(etag);
});
