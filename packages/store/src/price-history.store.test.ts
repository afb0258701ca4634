import { UNKNOWN_LISTING_FACTS } from "@gpu-offers/domain";
import { MAX_PRICE_CHANGES } from "@gpu-offers/domain/history";
import type { SourceItem } from "@gpu-offers/sources";
import { databases } from "@gpu-offers/testkit/databases";
import { describe, expect, test } from "vitest";
import { open } from "../test/databases.ts";
import { testOffer } from "@gpu-offers/testkit/live-source";
import { importCatalog } from "./catalog-import.js";
import type { Database } from "./database.js";
import { pruneHistory, PriceHistoryStore } from "./offer-history.js";

const { id } = testOffer("north", { id: "a", price: 1 });

/** Imports a catalog in which the offer has a price, or is missing. */
async function importPrice(database: Database, price: number | null): Promise<void> {
  const others = testOffer("north", { id: "other", price: 7 });
  const offers = price === null ? [others] : [others, testOffer("north", { id: "a", price })];
  async function* items(): AsyncGenerator<SourceItem> {
    yield { kind: "provider", where: "1", provider: { name: "north", type: "vm", images: [] } };
    for (const offer of offers) {
      yield { kind: "offer", listing: UNKNOWN_LISTING_FACTS, where: "2", offer };
    }
  }
  await importCatalog(database, { items: items(), cause: "test" });
}

describe.each(databases)("the price history of an offer in $kind", ({ create }) => {
  test("has its first price, each change, and any absence", async () => {
    const database = await open(await create());
    for (const price of [2, 2, 3, null, 4]) {
      await importPrice(database, price);
    }
    const history = await new PriceHistoryStore(database).find(id);
    expect(history).toMatchObject({ offer: id, isComplete: true });
    expect(history?.prices.map(({ priceHourly }) => priceHourly)).toEqual([2, 3, null, 4]);
    expect(history?.trackedSince).toBe(history?.prices[0]?.at);
    const times = history?.prices.map(({ at }) => at) ?? [];
    expect([...times].sort()).toEqual(times);
  });

  test("starts with the price at which the log was truncated", async () => {
    const database = await open(await create());
    for (const price of [2, 3, 4]) {
      await importPrice(database, price);
    }
    await pruneHistory(database, "9999-01-01T00:00:00.000Z");
    await importPrice(database, 5);
    const history = await new PriceHistoryStore(database).find(id);
    expect(history?.prices.map(({ priceHourly }) => priceHourly)).toEqual([4, 5]);
    expect(history?.isComplete).toBe(true);
  });

  test("has only the latest changes if there are too many, and states it", async () => {
    const database = await open(await create());
    await importPrice(database, 1);
    const first = await new PriceHistoryStore(database).find(id);
    const changes = Array.from({ length: MAX_PRICE_CHANGES }, (_, number) => ({
      revision: 1,
      at: new Date(Date.UTC(2027, 0, 1, 0, number)).toISOString(),
      offer_id: id,
      provider: "north",
      gpu_slug: "h100-sxm",
      kind: "price",
      before: JSON.stringify({ priceHourly: number + 1 }),
      after: JSON.stringify({ priceHourly: number + 2 }),
    }));
    await database.insertInto("offer_change").values(changes).execute();
    const history = await new PriceHistoryStore(database).find(id);
    expect(history).toMatchObject({ isComplete: false, trackedSince: first?.trackedSince });
    expect(history?.prices).toHaveLength(MAX_PRICE_CHANGES);
    expect(history?.prices.at(-1)?.priceHourly).toBe(MAX_PRICE_CHANGES + 1);
  });

  test("does not exist for an offer that never existed", async () => {
    const database = await open(await create());
    await importPrice(database, 1);
    expect(await new PriceHistoryStore(database).find("no-such-offer")).toBe(undefined);
  });
});
