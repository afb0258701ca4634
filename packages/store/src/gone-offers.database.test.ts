import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { UNKNOWN_LISTING_FACTS, type ListingFacts, type Offer } from "@gpu-offers/domain";
import { databasesOfSuite } from "@gpu-offers/testkit/databases";
import { testOffer, type TestRow } from "@gpu-offers/testkit/live-source";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { open } from "../test/databases.ts";
import { addSources, itemsOf, liveRun, liveRunOf, offersOf } from "../test/live-runs.ts";
import { importCatalog } from "./catalog-import.js";
import { removeExpiredOffers, removeProvider } from "./catalog-removal.js";
import { countByProvider } from "./catalog.store.js";
import { openDatabase, type Database } from "./database.js";
import { listGone } from "./gone-offers.js";
import { readStock } from "./remembered-stock.js";
import { foldStock } from "./stock-memory.js";

const HOUR_MS = 3_600_000;
const START = Date.parse("2026-10-01T00:00:00Z");
const timeOf = (days: number): string => new Date(START + days * 24 * HOUR_MS).toISOString();
const [stays, goes] = [
  { id: "stays", price: 2 },
  { id: "goes", price: 3 },
];

function importFile(
  database: Database,
  rows: readonly TestRow[],
  day: number,
  { asOf = day, ...stated }: Partial<ListingFacts> & { asOf?: number } = { seller: "cloud" },
) {
  return importCatalog(database, {
    items: itemsOf("north", offersOf("north", rows), { ...UNKNOWN_LISTING_FACTS, ...stated }),
    cause: "file",
    isForced: true,
    asOf: () => timeOf(asOf),
    now: () => new Date(timeOf(day)),
  });
}

/** The prices of what is gone on a day. */
const goneOn = async (database: Database, day: number): Promise<number[]> =>
  (await listGone(database, Date.parse(timeOf(day)))).map(({ price_hourly: price }) => price);

describe.each(databasesOfSuite)("offers that are gone, in $kind", ({ create }) => {
  const openWith = async (kind: "list" | "marketplace" = "list"): Promise<Database> => {
    const database = await open(await create());
    await addSources(database, { north: kind }, HOUR_MS);
    return database;
  };

  test("are kept with their last price until they return, or for 14 days", async () => {
    const database = await openWith();
    await liveRun(database, "north", [stays, goes], timeOf(0));
    await liveRun(database, "north", [stays, { ...goes, price: 4 }], timeOf(1));
    expect(await goneOn(database, 1)).toEqual([]);
    await liveRun(database, "north", [stays], timeOf(2));
    expect(await goneOn(database, 2)).toEqual([4]);
    expect(await countByProvider(database)).toMatchObject([{ name: "north", offers: 1 }]);
    await liveRun(database, "north", [stays, goes], timeOf(3));
    expect(await goneOn(database, 3)).toEqual([]);
    await liveRun(database, "north", [stays], timeOf(4));
    // Unchanged, and failed in part
    await liveRun(database, "north", [stays], timeOf(5));
    await liveRun(database, "north", [{ ...stays, price: 9 }], timeOf(6), { isComplete: false });
    expect(await goneOn(database, 18)).toEqual([3]);
    expect(await goneOn(database, 18.1)).toEqual([]);
    const { id } = testOffer("north", goes);
    const fold = async (day: number): Promise<boolean> => {
      await foldStock(database, { nowMs: Date.parse(timeOf(day)), keptSince: timeOf(-90) });
      return [...((await readStock(database))?.ids ?? [])].includes(id);
    };
    expect(await fold(18)).toBe(true);
    expect(await goneOn(database, 18)).toEqual([3]);
    await fold(18.1);
    expect(await goneOn(database, 5)).toEqual([]);
  });

  test("are none that said that no place has a machine, whose memory is that of its places", async () => {
    const database = await openWith();
    const somewhere = testOffer("north", goes);
    const nowhere = { ...testOffer("north", { ...goes, isAvailable: false }), id: randomUUID(), region: "unknown" };
    const read = (offer: Offer, day: number): Promise<unknown> =>
      liveRunOf(database, "north", [offer], timeOf(day), {
        listing: { ...UNKNOWN_LISTING_FACTS, availability: offer === nowhere ? "sold_out" : "in_stock" },
      });
    for (const [day, offer] of [somewhere, nowhere, somewhere, nowhere].entries()) {
      await read(offer, day);
    }
    expect((await listGone(database, Date.parse(timeOf(3)))).map(({ id }) => id)).toEqual([somewhere.id]);
    await read(somewhere, 4);
    expect(await goneOn(database, 4)).toEqual([]);
    const { gpus = [], ids = [] } = (await readStock(database)) ?? {};
    expect([gpus.map(({ region }) => region), [...ids]]).toEqual([["somewhere"], [somewhere.id]]);
  });

  test("keep their memory of stock, even if they were sold out long before", async () => {
    const database = await openWith();
    await liveRun(database, "north", [stays, { ...goes, isAvailable: false }], timeOf(0));
    await liveRun(database, "north", [stays], timeOf(10));
    await foldStock(database, { nowMs: Date.parse(timeOf(20)), keptSince: timeOf(-90) });
    expect(await goneOn(database, 20)).toEqual([3]);
    expect([...((await readStock(database))?.ids ?? [])]).toContain(testOffer("north", goes).id);
  });

  test("of a cloud's files are kept by the date of the file; a row of no known seller was corrected", async () => {
    const database = await open(await create());
    await importFile(database, [stays, goes], 0, {});
    await importFile(database, [stays], 1, {});
    expect(await goneOn(database, 1)).toEqual([]);
    await importFile(database, [stays, goes], 2);
    await importFile(database, [stays], 20, { asOf: 3, seller: "cloud" });
    expect(await goneOn(database, 3)).toEqual([]);
    await importFile(database, [stays, goes], 21);
    await importFile(database, [goes], 22);
    expect(await goneOn(database, 22)).toEqual([2]);
  });

  test("are none of incomplete observations, of marketplaces, of the sample, and of another source", async () => {
    const incomplete = await openWith();
    await liveRun(incomplete, "north", [stays, goes], timeOf(0));
    await liveRun(incomplete, "north", [stays], timeOf(1), { isComplete: false });
    const marketplace = await openWith("marketplace");
    await liveRun(marketplace, "north", [stays, goes], timeOf(0));
    await liveRun(marketplace, "north", [stays], timeOf(1));
    const sample = await openWith();
    await importFile(sample, [stays, goes], 0, { sample: true });
    await liveRun(sample, "north", [stays], timeOf(1));
    const replaced = await open(await create());
    await importFile(replaced, [stays, goes], 0, { sample: true });
    await importFile(replaced, [stays], 1);
    const other = await openWith("marketplace");
    await liveRun(other, "north", [stays, goes], timeOf(0));
    await importFile(other, [stays], 1);
    for (const database of [incomplete, marketplace, sample, replaced, other]) {
      expect(await countByProvider(database)).toMatchObject([{ offers: 1 }]);
      expect(await goneOn(database, 1)).toEqual([]);
    }
  });

  test.for([
    [{ seller: "partner", providerOfferId: null }, [3]],
    [{ seller: "partner", providerOfferId: "31" }, []],
    [{ seller: "host" }, []],
  ] as const)(
    "of a marketplace are kept with their memory, unless they are of a host or a single machine: %j",
    async ([facts, gone]) => {
      const database = await openWith("marketplace");
      await liveRun(database, "north", [stays, goes], timeOf(0));
      await database
        .updateTable("offer")
        .set({ listing: JSON.stringify(facts) })
        .execute();
      await liveRun(database, "north", [stays], timeOf(1));
      expect(await goneOn(database, 1)).toEqual(gone);
      const remembered = (await readStock(database))?.ofOffer(testOffer("north", goes).id);
      expect(remembered?.lastInStockAt).toBe(gone.length === 0 ? undefined : timeOf(0));
    },
  );

  test("are none of a part that was not read, such as a region that is no longer asked for", async () => {
    for (const [scopes, gone] of [
      [["us"], []],
      [["us", "eu"], [3]],
    ] as const) {
      const database = await openWith();
      await liveRun(database, "north", [stays, goes], timeOf(0));
      await database.updateTable("offer").set({ scope: "eu" }).where("price_hourly", "=", 3).execute();
      await liveRun(database, "north", [stays], timeOf(1), { scopes: [...scopes] });
      expect(await goneOn(database, 1)).toEqual(gone);
    }
  });

  test("are none of a database of the former schema, which is migrated", async () => {
    const url = await create();
    const former = await openDatabase(url);
    await addSources(former, { north: "list" }, HOUR_MS);
    await liveRun(former, "north", [stays, goes], timeOf(0));
    await sql`drop table gone_offer`.execute(former);
    await sql`drop table price_step`.execute(former);
    await sql`alter table offer_base drop column gone_at`.execute(former);
    await sql`delete from kysely_migration where name >= '024'`.execute(former);
    await former.destroy();
    const database = await open(url);
    expect(await goneOn(database, 1)).toEqual([]);
    await liveRun(database, "north", [goes], timeOf(1));
    expect(await goneOn(database, 1)).toEqual([2]);
  });

  test("go with their provider, with what expires, and with a source that no longer sells", async () => {
    const removed = await openWith();
    const expired = await openWith();
    const empty = await openWith();
    for (const database of [removed, expired, empty]) {
      await liveRun(database, "north", [stays, goes], timeOf(0));
      await liveRun(database, "north", [stays], timeOf(1));
      expect(await goneOn(database, 1)).toEqual([3]);
    }
    await removeProvider(removed, "north", "test");
    await removeExpiredOffers(expired, "north", async () => ({ cause: "test" }));
    await empty
      .updateTable("live_source")
      .set({ empty_since: timeOf(1) })
      .execute();
    const fold = (day: number) => foldStock(empty, { nowMs: Date.parse(timeOf(day)), keptSince: timeOf(-90) });
    await fold(7);
    expect(await goneOn(empty, 7)).toEqual([3]);
    await fold(8);
    for (const database of [removed, expired, empty]) {
      expect(await goneOn(database, 1)).toEqual([]);
    }
  });
});

// SQLite has one writer at a time.
test.each(databasesOfSuite.filter(({ kind }) => kind !== "SQLite"))(
  "what is gone for too long is forgotten while an import runs, in $kind",
  async ({ create }) => {
    const database = await open(await create());
    await addSources(database, { north: "list" }, HOUR_MS);
    await liveRun(database, "north", [stays, goes], timeOf(0));
    await liveRun(database, "north", [stays], timeOf(1));
    const folding: Promise<void>[] = [];
    await liveRun(database, "north", [{ ...stays, price: 9 }], timeOf(16), {
      record: async () => {
        folding.push(foldStock(database, { nowMs: Date.parse(timeOf(16)), keptSince: timeOf(-90) }));
        // An import that waited for what waits for it would end in a deadlock.
        await delay(500);
      },
    });
    await Promise.all(folding);
    expect(await database.selectFrom("gone_offer").select("id").execute()).toEqual([]);
  },
);
