import { UNKNOWN_LISTING_FACTS, type GpuPricesAt, type Offer, type PriceChange } from "@gpu-offers/domain";
import { KNOWN_FOR_MS, priceChange, priceSeries } from "@gpu-offers/domain/history";
import type { StockSum } from "@gpu-offers/domain/history";
import { databasesOfSuite } from "@gpu-offers/testkit/databases";
import { testOffer, type TestRow } from "@gpu-offers/testkit/live-source";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { makeAccount } from "../test/accounts.ts";
import { open } from "../test/databases.ts";
import { addSources, itemsOf, liveRun as run, offersOf } from "../test/live-runs.ts";
import { importCatalog } from "./catalog-import.js";
import { removeProvider } from "./catalog-removal.js";
import { insertAll, kindOf, type Database } from "./database.js";
import { findMachines, findTrackedSince, listMarketPoints } from "./market-points.js";
import { migrate } from "./migrations.js";
import { statementsOf } from "./migrations/step.js";
import { MIGRATIONS } from "./migrations/steps.js";
import { readStock } from "./remembered-stock.js";
import { foldStock } from "./stock-memory.js";
import { pruneObservations } from "./observations.js";
import { foldHistory, listChanges } from "./offer-history.js";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.parse("2026-10-01T00:00:00Z");
const SLUG = "h100-sxm";
const timeOf = (days: number, hours = 0): string => new Date(START + days * DAY_MS + hours * HOUR_MS).toISOString();

/** An import of a file. */
function importFile(
  database: Database,
  rows: readonly TestRow[],
  asOf: string | undefined,
  at: string,
  sample = false,
) {
  const items = itemsOf("north", offersOf("north", rows), { ...UNKNOWN_LISTING_FACTS, sample });
  return importCatalog(database, {
    items,
    cause: sample ? "starter catalog" : "file",
    asOf: () => asOf,
    now: () => new Date(at),
  });
}

/** The memory of each offer, by the name of its row. */
async function stockOfOffers(database: Database): Promise<Record<string, StockSum | null>> {
  const remembered = await readStock(database);
  const names = new Map(
    ["west", "east"].flatMap((provider) =>
      ["always", "mornings", "gone", "thirds"].map((id) => [testOffer(provider, { id, price: 1 }).id, id]),
    ),
  );
  const { ids = [] } = remembered ?? {};
  return Object.fromEntries([...ids].map((id) => [names.get(id) ?? id, remembered?.ofOffer(id) ?? null]));
}

async function seriesOf(database: Database, since: number, until: number): Promise<GpuPricesAt[]> {
  const range = { sinceMs: START + since * DAY_MS, untilMs: START + until * DAY_MS, step: "day" as const };
  const points = await listMarketPoints(database, [SLUG], { ...range, sinceMs: range.sinceMs - KNOWN_FOR_MS });
  return priceSeries(points, range);
}

async function changeOf(database: Database, since: number, until: number): Promise<PriceChange> {
  const machinesOn = (day: number) => findMachines(database, [SLUG], START + day * DAY_MS);
  return priceChange(await machinesOn(since), await machinesOn(until));
}

const told = (series: readonly GpuPricesAt[]): string[] =>
  series.map(({ at, median, observed, known }) => `${at.slice(5, 10)} ${median} ${observed}/${known}`);

const rows = (...prices: number[]): TestRow[] => prices.map((price, index) => ({ id: `m${index}`, price }));

describe.each(databasesOfSuite)("observations in $kind", ({ create, kind }) => {
  test("of a fresh database with one import are one point, on the date of the file", async () => {
    const database = await open(await create());
    await importFile(database, rows(3), "2026-09-20", timeOf(1));
    expect(told(await seriesOf(database, -90, 1))).toEqual(["09-20 3 1/1"]);
    expect(await findTrackedSince(database, [SLUG])).toBe("2026-09-20T00:00:00.000Z");
    expect(await changeOf(database, -11, -11)).toMatchObject({
      medianPercent: null,
      reason: "observed on one day only",
    });
  });

  test("have none of the sample that ships, whose offers leave no trace when they are replaced or removed", async () => {
    const database = await open(await create());
    await importFile(database, rows(7, 8), "2025-12-01", timeOf(0), true);
    expect(await listChanges(database)).toEqual([]);
    expect(await findTrackedSince(database, [SLUG])).toBeNull();
    await run(database, "north", rows(7), timeOf(1));
    expect((await listChanges(database)).map(({ at, kind: change }) => [at, change])).toEqual([[timeOf(1), "added"]]);
    expect([...(await foldHistory(database)).values()].map(({ priceHourly }) => priceHourly)).toEqual([7]);
    expect(told(await seriesOf(database, -400, 3))).toEqual(["10-02 7 1/1"]);
    await removeProvider(database, "north", "test");
    expect(await foldHistory(database)).toEqual(new Map());
  });

  test("of 60 days give the points, gaps and changes that a calculation by hand gives", async () => {
    const database = await open(await create());
    // Every twelve hours; machine m2 gets cheaper by a cent a day, and there was an outage from day 20 to 29.
    for (let hour = 0; hour < 60 * 24; hour += 12) {
      const day = Math.floor(hour / 24);
      if (day < 20 || day > 29) {
        await run(database, "north", rows(1, 2, 3 - day / 100), timeOf(0, hour));
      }
      // Every fourth day, until it sells none after day 40.
      if (day % 4 === 0 && hour % 24 === 12) {
        await run(database, "south", day > 40 ? [{ id: "cpu", price: 1 }].slice(1) : rows(5, 6), timeOf(0, hour));
      }
    }
    const expected = Array.from({ length: 60 }, (_, day) => {
      const isNorth = day < 20 || day > 29;
      const isSouth = day % 4 === 0 && day <= 44;
      const prices = [...(isNorth ? [1, 2, 3 - day / 100] : []), ...(isSouth && day <= 40 ? [5, 6] : [])];
      prices.sort((a, b) => a - b);
      const median = prices[Math.ceil(prices.length / 2) - 1] ?? null;
      const known = day > 44 ? 1 : 2;
      const date = timeOf(day).slice(5, 10);
      const observed = (isNorth ? 1 : 0) + (isSouth ? 1 : 0);
      return observed === 0 ? [] : [`${date} ${median} ${observed}/${known}`];
    }).flat();
    expect(told(await seriesOf(database, 0, 60))).toEqual(expected);
    expect(expected).toHaveLength(53);
    // The median of m0, m1, m2 is that of m1; of north and south on days 0 and 40 it is m2's: 3.00 to 2.60.
    expect(await changeOf(database, 1, 59)).toMatchObject({ machines: 3, medianPercent: 0 });
    expect(await changeOf(database, 0, 40)).toMatchObject({ machines: 5, medianPercent: -13.3 });
    expect(await changeOf(database, 19, 24)).toMatchObject({ machines: 0, medianPercent: null });
    const { count } = await database
      .selectFrom("observation")
      .select((select) => select.fn.countAll().as("count"))
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(50 * 2 + 15);
    expect(await database.selectFrom("catalog_revision").select("revision").execute()).toHaveLength(52);
  }, 60_000);

  test("of 60 days remember the stock that a calculation by hand gives", async () => {
    const database = await open(await create());
    await addSources(database, { west: "list", east: "list" }, 6 * HOUR_MS);
    for (let hour = 0; hour < 60 * 24; hour += 6) {
      const [day, ofDay] = [Math.floor(hour / 24), hour % 24];
      const west = [
        { id: "always", price: 1 },
        { id: "mornings", price: 2, isAvailable: ofDay < 12 },
        { id: "gone", price: 3 },
      ];
      // An outage of two days
      if (day !== 50 && day !== 51) {
        await run(database, "west", day < 55 ? west : west.slice(0, 2), timeOf(0, hour));
      }
      await run(database, "east", [{ id: "thirds", price: 4, isAvailable: day % 3 === 0 }], timeOf(0, hour));
      if (ofDay === 0) {
        await foldStock(database, { nowMs: START + hour * HOUR_MS, keptSince: timeOf(-400) });
      }
    }
    // 14 days are 336 h, without the outage: day 50, 6:00 (two intervals after the last observation), to day 52.
    const observedHours = 336 - 42;
    const ofOffers = await stockOfOffers(database);
    expect(ofOffers).toEqual({
      always: { observedHours, inStockHours: 294, lastInStockAt: timeOf(59, 18) },
      // 12 h on days 46 to 49 and 52 to 59
      mornings: { observedHours, inStockHours: 12 * 12, lastInStockAt: timeOf(59, 6) },
      // From day 45, 18:00, to day 50, 6:00, and on days 52 to 54
      gone: { observedHours, inStockHours: 108 + 72, lastInStockAt: timeOf(54, 18) },
      // The last quarter of day 45, and days 48, 51, 54 and 57
      thirds: { observedHours: 336, inStockHours: 6 + 4 * 24, lastInStockAt: timeOf(57, 18) },
    });
    expect((await readStock(database))?.gpus).toEqual([
      {
        gpu: SLUG,
        provider: "east",
        gpuCount: 1,
        region: "somewhere",
        observedHours: 336,
        inStockHours: 102,
        lastInStockAt: timeOf(57, 18),
        longestWaitHours: 48,
        returnsByHour: [4, ...Array.from({ length: 23 }, () => 0)],
        // Days 0, 3 ... 57; the last observation is that of 18:00 on day 59
        days90: { observedHours: 60 * 24 - 6, inStockHours: 20 * 24 },
      },
      {
        gpu: SLUG,
        provider: "west",
        gpuCount: 1,
        region: "somewhere",
        observedHours,
        inStockHours: observedHours,
        lastInStockAt: timeOf(59, 18),
        longestWaitHours: 0,
        returnsByHour: Array.from({ length: 24 }, () => 0),
        days90: { observedHours: 60 * 24 - 6 - 42, inStockHours: 60 * 24 - 6 - 42 },
      },
    ]);
    // Each change is stored once.
    expect(await listChanges(database, { kinds: ["stock"] })).toEqual([]);
    const wasAvailable = async (until: string) =>
      [...(await foldHistory(database, { until })).values()]
        .filter(({ provider }) => provider.name === "east")
        .map(({ isAvailable }) => isAvailable);
    expect([await wasAvailable(timeOf(48, 12)), await wasAvailable(timeOf(49))]).toEqual([[true], [false]]);
  }, 60_000);

  test("of a day count with the last one, whatever the order of imports", async () => {
    const database = await open(await create());
    await run(database, "north", rows(3), timeOf(0, 12));
    await importFile(database, rows(2), "2026-10-01", timeOf(0, 13));
    expect(told(await seriesOf(database, 0, 1))).toEqual(["10-01 3 1/1"]);
    await run(database, "north", rows(1), timeOf(0, 14));
    expect(told(await seriesOf(database, 0, 1))).toEqual(["10-01 1 1/1"]);
  });

  test("count what isn't sold out, also if nothing but that changes within a day", async () => {
    const database = await open(await create());
    const of = (availability: string) =>
      itemsOf("north", offersOf("north", rows(4)), { ...UNKNOWN_LISTING_FACTS, availability });
    const read = async (availability: string, hours: number): Promise<string[]> => {
      const [asOf, now] = [() => "2026-10-01", () => new Date(timeOf(0, hours))];
      await importCatalog(database, { items: of(availability), cause: "file", asOf, now });
      return told(await seriesOf(database, -1, 1));
    };
    expect(await read("unknown", 1)).toEqual(["10-01 4 1/1"]);
    expect(await read("sold_out", 2)).toEqual(["10-01 null 1/1"]);
    expect(await read("listed", 3)).toEqual(["10-01 4 1/1"]);
  });

  test("of a file of the past leave the catalog and the log of changes as they are, also those of the sample", async () => {
    const database = await open(await create());
    await importFile(database, rows(7), "2025-12-01", timeOf(0), true);
    const items = itemsOf("north", offersOf("north", rows(2)));
    const past = {
      items,
      cause: "past",
      asOf: () => "2026-09-01",
      now: () => new Date(timeOf(1)),
      isHistoryOnly: true,
    };
    expect(
      await importCatalog(database, {
        ...past,
        items: itemsOf("north", offersOf("north", rows(2))),
        asOf: () => undefined,
      }),
    ).toMatchObject({
      outcome: "rejected",
      problem: "The date of the prices of north is unknown, and the history needs it. Give it with --as-of.",
    });
    const sample = itemsOf("north", offersOf("north", rows(2)), { ...UNKNOWN_LISTING_FACTS, sample: true });
    expect(await importCatalog(database, { ...past, items: sample })).toMatchObject({
      outcome: "rejected",
      problem: "The file has only sample prices, which enter no history.",
    });
    expect(await importCatalog(database, past)).toMatchObject({ outcome: "recorded" });
    expect(told(await seriesOf(database, -60, 3))).toEqual(["09-01 2 1/1"]);
    expect([await listChanges(database), await database.selectFrom("offer").select("price_hourly").execute()]).toEqual([
      [],
      [{ price_hourly: 7 }],
    ]);
    await run(database, "north", rows(6), timeOf(2));
    expect([...(await foldHistory(database)).values()].map(({ priceHourly }) => priceHourly)).toEqual([6]);
    const older = importFile(database, rows(5), "2026-09-02", timeOf(3));
    expect(await older).toMatchObject({ outcome: "rejected", remedy: { kind: "allow_older" } });
  });

  test("end where a sample replaces what was observed, and begin again after it", async () => {
    const database = await open(await create());
    await run(database, "north", rows(7, 8), timeOf(0));
    await importFile(database, rows(1, 8), undefined, timeOf(1), true);
    expect(await database.selectFrom("provider").select("is_sample").execute()).toEqual([{ is_sample: 1 }]);
    await run(database, "north", rows(6, 8), timeOf(2));
    expect((await listChanges(database)).map(({ at, kind: change }) => [at.slice(8, 10), change])).toEqual([
      ["01", "added"],
      ["01", "added"],
      ["02", "removed"],
      ["02", "removed"],
      ["03", "added"],
      ["03", "added"],
    ]);
    expect(told(await seriesOf(database, 0, 3))).toEqual(["10-01 7 1/1", "10-03 6 1/1"]);
  });

  test("aren't expected of the sample that an earlier build loaded, whose rows say so after an upgrade", async () => {
    const url = await create();
    const database = await open(url);
    await importFile(database, rows(7, 8), "2025-12-01", timeOf(0), true);
    await run(database, "south", rows(9), timeOf(1));
    for (const statement of [
      ...WITHOUT_LATER_COLUMNS,
      "update offer set listing = null",
      `update offer set listing = '{"seller":"cloud"}' where price_hourly = 8`,
      "delete from kysely_migration where name >= '021'",
    ]) {
      await sql.raw(statement).execute(database);
    }
    const upgraded = await open(url);
    const providers = await upgraded.selectFrom("provider").select(["name", "is_sample"]).orderBy("name").execute();
    expect(providers).toEqual([
      { name: "north", is_sample: 1 },
      { name: "south", is_sample: 0 },
    ]);
    const offers = await upgraded.selectFrom("offer").select("listing").orderBy("price_hourly").execute();
    expect(offers.map(({ listing }) => JSON.parse(listing ?? "null") as object)).toEqual([
      { sample: true },
      { seller: "cloud", sample: true },
      null,
    ]);
  });

  test("older than a date are pruned with their points, but the last one of each provider stays", async () => {
    const database = await open(await create());
    await run(database, "south", rows(9), timeOf(0));
    for (const day of [0, 1, 2]) {
      await run(database, "north", rows(day + 1), timeOf(day));
    }
    await pruneObservations(database, timeOf(1));
    expect(told(await seriesOf(database, 0, 2))).toEqual(["10-02 2 1/1", "10-03 3 1/1"]);
    const left = await database.selectFrom("observation").select(["provider", "at"]).orderBy("at").execute();
    expect(left.map(({ provider, at }) => `${provider} ${at.slice(8, 10)}`)).toEqual([
      "south 01",
      "north 02",
      "north 03",
    ]);
  });

  test("take over what both earlier logs observed, without the sample, and reject the writes of an earlier build", async () => {
    const url = await create();
    const database = await open(url);
    const account = await makeAccount(url);
    await importFile(database, rows(7, 8, 9), "2025-12-01", timeOf(0), true);
    await importFile(database, rows(7, 8), undefined, timeOf(1));
    await importFile(database, rows(6, 8), undefined, timeOf(2));
    await importFile(database, rows(5, 8), undefined, timeOf(3));
    await downgrade(database, kind);
    // The log of offers began with the sample, and that of prices after day 2.
    const [, second, third, fourth] = await database
      .selectFrom("catalog_revision")
      .select("revision")
      .orderBy("revision")
      .execute();
    await sql`delete from offer_change`.execute(database);
    await sql`delete from offer_base_mark`.execute(database);
    const [m0, m1, m2] = offersOf("north", rows(7, 8, 9));
    const changes: [number, number, Offer | undefined, string, object | null][] = [
      [1, 0, m0, "added", m0 ?? null],
      [1, 0, m1, "added", m1 ?? null],
      [1, 0, m2, "added", m2 ?? null],
      [second?.revision ?? 0, 1, m2, "removed", null],
      [third?.revision ?? 0, 2, m0, "price", { priceHourly: 6, pricePerGpu: 6 }],
      [fourth?.revision ?? 0, 3, m0, "price", { priceHourly: 5, pricePerGpu: 5 }],
    ];
    for (const [revision, day, offer, change, after] of changes) {
      await sql`insert into offer_change (revision, at, offer_id, provider, gpu_slug, kind, before, after)
        values (${revision}, ${timeOf(day)}, ${offer?.id}, 'north', ${SLUG}, ${change}, null, ${after && JSON.stringify(after)})`.execute(
        database,
      );
    }
    await sql`insert into price_log_start (id, revision, at) values (1, ${third?.revision}, ${timeOf(2)})`.execute(
      database,
    );
    await sql`insert into price_commit (revision, provider, dated_at, hour, committed_at)
      values (${fourth?.revision}, 'north', ${timeOf(3)}, '2026-10-04T00', ${timeOf(3)})`.execute(database);
    await sql`insert into price_of_gpu (commit_id, gpu_slug, prices, regions)
      values ((select max(id) from price_commit), ${SLUG}, '[5]', '["somewhere"]')`.execute(database);

    const upgraded = await open(url);
    const series = await seriesOf(upgraded, -900, 9);
    // Day 1 had 7 and 8, day 2 had 6 and 8, and on day 3 only the first was rentable.
    expect(series.map(({ at, min, offers, availability }) => [at.slice(5, 10), min, offers, availability])).toEqual([
      ["10-02", 7, 2, "unknown"],
      ["10-03", 6, 2, "unknown"],
      ["10-04", 5, 1, undefined],
    ]);
    expect((await findMachines(upgraded, [SLUG], START + DAY_MS))?.machines).toEqual([
      { north: machines(m0, 7, m1, 8) },
    ]);
    expect((await findMachines(upgraded, [SLUG], START + 3 * DAY_MS))?.machines).toEqual([
      { north: machines(m0, 5, m1, 8) },
    ]);
    const left = await listChanges(upgraded);
    expect(left.map(({ at, kind: change }) => [at, change])).toEqual([
      [timeOf(1), "added"],
      [timeOf(1), "added"],
      [timeOf(2), "price"],
      [timeOf(3), "price"],
    ]);
    expect([...(await foldHistory(upgraded)).values()].map(({ priceHourly }) => priceHourly)).toEqual([5, 8]);
    expect(await upgraded.selectFrom("observation").select("at").orderBy("id").execute()).toEqual(
      [1, 2, 3].map((day) => ({ at: timeOf(day) })),
    );
    expect(await upgraded.selectFrom("api_key").select("id").execute()).toEqual([{ id: account.keyId }]);
    // What an earlier build does in the transaction of a change.
    await expect(sql`delete from price_commit where provider = 'north'`.execute(database)).rejects.toThrow(
      "price_commit",
    );
    await expect(upgraded.deleteFrom("offer_change").execute()).rejects.toThrow("append-only");
    await run(upgraded, "north", rows(4, 8), timeOf(4));
    expect(told(await seriesOf(upgraded, 3, 5))).toEqual(["10-04 5 1/1", "10-05 4 1/1"]);
  });

  test("take over a revision with more changes than are in memory at once", async () => {
    const database = await open(await create());
    await downgrade(database, kind);
    await sql`delete from offer_base_mark`.execute(database);
    const offers = offersOf(
      "north",
      Array.from({ length: 2_500 }, (_, index) => ({ id: `m${index}`, price: 1 + (index % 7) })),
    );
    const stamp = { revision: 1, at: timeOf(0), provider: "north", gpu_slug: SLUG, kind: "added", before: null };
    const changes = offers.map((offer) => Object.assign({ offer_id: offer.id, after: JSON.stringify(offer) }, stamp));
    await insertAll(database, "offer_change", changes);
    await sql`insert into price_log_start (id, revision, at) values (1, 1, ${timeOf(0)})`.execute(database);
    let most = 0;
    const counting = database.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        most = Math.max(most, result.rows.length);
        return result;
      },
    });
    await migrate(counting, kindOf(database));
    expect(most).toBe(2_000);
    expect(told(await seriesOf(database, 0, 1))).toEqual(["10-01 4 1/1"]);
    const [{ north = {} } = {}] = (await findMachines(database, [SLUG], START))?.machines ?? [];
    expect(Object.keys(north)).toHaveLength(2_500);
  });
});

function machines(...pairs: (Offer | number | undefined)[]): Record<string, number> {
  const named: Record<string, number> = {};
  for (let index = 0; index < pairs.length; index += 2) {
    named[(pairs[index] as Offer).id.slice(0, 8)] = pairs[index + 1] as number;
  }
  return named;
}

/** Undoes the migrations after the log of observations. */
const WITHOUT_LATER_COLUMNS = [
  "drop table gpu_stock",
  "drop table offer_stock",
  "drop table gone_offer",
  "drop table price_step",
  "drop index observation_stock",
  "alter table offer_base drop column gone_at",
  "alter table provider drop column is_sample",
  ...["offered_at", "in_stock_at", "empty_since"].map((name) => `alter table live_source drop column ${name}`),
];

/** The tables as they were before the log of observations: see migration 020-observations. */
async function downgrade(database: Database, kind: string): Promise<void> {
  const dialect = kind === "SQLite" ? "sqlite" : "postgres";
  const on = dialect === "sqlite" ? "" : " on offer_change";
  const triggers = statementsOf(MIGRATIONS["005-history"], dialect).filter((statement) =>
    /trigger offer_change_no_(delete|change|update)/.test(statement),
  );
  for (const statement of [
    ...WITHOUT_LATER_COLUMNS,
    "drop table market_point",
    "drop table observation",
    ...(dialect === "sqlite" ? ["drop trigger offer_change_no_update"] : [`drop trigger offer_change_no_change${on}`]),
    `drop trigger offer_change_no_delete${on}`,
    "delete from offer_change",
    ...triggers,
    "insert into offer_base_mark (id, through_id, at) values (1, 999999, '1970')",
    ...statementsOf(MIGRATIONS["010-prices"], dialect).slice(0, -1),
    "delete from kysely_migration where name >= '020'",
  ]) {
    await sql.raw(statement).execute(database);
  }
}
