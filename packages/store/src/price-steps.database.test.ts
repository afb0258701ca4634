import { selectGpus, type GpuPricesAt } from "@gpu-offers/domain";
import {
  everyHour,
  priceSeries,
  priceSteps,
  seriesOfSteps,
  stepStart,
  type PriceStep,
  type SeriesRange,
} from "@gpu-offers/domain/history";
import { databasesOfSuite } from "@gpu-offers/testkit/databases";
import { testOffer } from "@gpu-offers/testkit/live-source";
import * as fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { open } from "../test/databases.ts";
import { itemsOf } from "../test/live-runs.ts";
import { importCatalog } from "./catalog-import.js";
import { insertAll, type Database } from "./database.js";
import { foldPast } from "./folded-steps.js";
import { listMarketPoints, lookBackMs } from "./market-points.js";
import { pruneObservations } from "./observations.js";
import { listObservedHours } from "./observed-hours.js";
import { KeptPrices, listPriceSteps } from "./price-steps.js";

const DAY_MS = 86_400_000;
const START = Date.parse("2026-09-01T00:00:00Z");
const SLUGS = ["h100-sxm", "h100-pcie"];
const seed = 20_261_126;

const timeOf = (hour: number): string => new Date(START + hour * 3_600_000).toISOString();

/** Records what a provider had of both GPUs at an hour; the catalog stays as it is. */
const observe = (database: Database, provider: string, prices: readonly number[], hour: number) =>
  importCatalog(database, {
    items: itemsOf(
      provider,
      prices.map((price, index) => {
        const offer = testOffer(provider, { id: `m${index}`, price });
        return index % 2 === 0 ? offer : { ...offer, gpu: { ...offer.gpu, slug: "h100-pcie" } };
      }),
    ),
    cause: "file",
    asOf: () => timeOf(hour),
    now: () => new Date("2026-12-31T00:00:00Z"),
    isHistoryOnly: true,
  });

const rangeOf = (since: number, days: number, step: "day" | "week"): SeriesRange => ({
  sinceMs: START + since * DAY_MS,
  untilMs: START + (since + days) * DAY_MS,
  step,
});

/** Expects the series of the steps, and that of all stored points of these days or weeks. */
async function expectSeries(database: Database, kept: KeptPrices, range: SeriesRange): Promise<GpuPricesAt[]> {
  const read = { ...range, sinceMs: stepStart(lookBackMs(range.sinceMs), range.step) };
  const untilMs = stepStart(range.untilMs, range.step) + (range.step === "week" ? 7 : 1) * DAY_MS - 1;
  const points = await listMarketPoints(database, SLUGS, { ...read, untilMs, step: "day" });
  const series = seriesOfSteps(await kept.steps(SLUGS, read), range);
  expect(series).toEqual(priceSeries(points, range));
  expect(await kept.change(SLUGS, range)).toEqual(await new KeptPrices(database).change(SLUGS, range));
  return series;
}

const action = fc.oneof(
  fc.record({
    provider: fc.constantFrom("west", "east"),
    prices: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }),
    hour: fc.nat(70 * 24),
  }),
  fc.record({ since: fc.nat(60), days: fc.nat(40), step: fc.constantFrom("day" as const, "week" as const) }),
  fc.record({ before: fc.nat(20) }),
);

function findGpuSlugs(name: string): readonly string[] {
  const selection = selectGpus(name, []);
  return selection.kind === "known" ? selection.slugs : [];
}

/** The steps with their sellers in one order, which has no meaning. */
const inOrder = (steps: readonly PriceStep[]): PriceStep[] =>
  steps.map((one) => ({ ...one, selling: one.selling.toSorted(), without: one.without.toSorted() }));

/** The hours of GPUs, put together from their points. */
async function hoursOf(database: Database, slugs: readonly string[], range: SeriesRange): Promise<PriceStep[]> {
  const changes = await listMarketPoints(database, slugs, { ...range, step: "hour" });
  const span = { since: new Date(range.sinceMs).toISOString(), until: new Date(range.untilMs).toISOString() };
  const read = await listObservedHours(database, ["west", "east"], span);
  // Hours are held until the end of their day.
  const days = Map.groupBy(changes, ({ slug, atMs }) => `${slug} ${stepStart(atMs, "day")}`);
  const hours = [...days.values()].flatMap((own) => {
    const day = stepStart(own[0]?.atMs ?? 0, "day");
    const ofDay = [...read].map(
      ([provider, all]) => [provider, all.filter((atMs) => stepStart(atMs, "day") === day)] as const,
    );
    return everyHour(own, new Map(ofDay));
  });
  return inOrder(
    priceSteps(
      hours.sort((a, b) => a.atMs - b.atMs),
      "hour",
    ),
  );
}

describe.each(databasesOfSuite)(
  "days and hours that are folded when they are written, in $kind",
  ({ create, kind }) => {
    const sets = [["h100-sxm"], ["h100-pcie"], findGpuSlugs("h100"), findGpuSlugs("nvidia"), SLUGS];

    test("are those of the points, in whatever order they were observed", async () => {
      const database = await open(await create());
      let days = 0;
      const reading = fc.record({
        provider: fc.constantFrom("west", "east"),
        prices: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }),
        hour: fc.nat(40),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(reading, { minLength: 7, maxLength: 9 }),
          fc.boolean(),
          async (readings, isOrdered) => {
            const range = { ...rangeOf(days, 2, "day"), untilMs: START + (days + 2) * DAY_MS - 1 };
            for (const one of isOrdered ? readings.toSorted((a, b) => a.hour - b.hour) : readings) {
              await observe(database, one.provider, one.prices, days * 24 + one.hour);
            }
            days += 2;
            for (const slugs of sets) {
              const points = await listMarketPoints(database, slugs, { ...range, step: "day" });
              expect(inOrder(await listPriceSteps(database, slugs, range))).toEqual(inOrder(priceSteps(points, "day")));
              const weeks = rangeOf(0, days, "week");
              const past = await listMarketPoints(database, slugs, { ...weeks, step: "day" });
              expect(inOrder(await listPriceSteps(database, slugs, weeks))).toEqual(inOrder(priceSteps(past, "week")));
              const hours = await listPriceSteps(database, slugs, { ...range, step: "hour" });
              expect(inOrder(hours)).toEqual(await hoursOf(database, slugs, range));
            }
          },
        ),
        { seed, numRuns: 7, endOnFailure: true },
      );
      // What no reading folded, such as the days of a former version, is folded with later ones.
      const folded = database.selectFrom("price_step").where("step", "=", "day").selectAll();
      const rows = () => folded.orderBy("name").orderBy("step").orderBy("period").execute();
      const before = await rows();
      await database.deleteFrom("price_step").execute();
      await foldPast(database);
      expect(await rows()).toEqual(before);
    });

    test("are read without the points of their days", async () => {
      const database = await open(await create());
      await observe(database, "west", [1, 2], 5);
      await observe(database, "west", [3], 30);
      await observe(database, "east", [3, 4], 31);
      await database.deleteFrom("market_point").execute();
      const range = rangeOf(0, 2, "day");
      for (const [slugs, days, hours] of [
        [["h100-sxm"], 2, 3],
        [findGpuSlugs("h100"), 2, 3],
        [SLUGS, 0, 0],
      ] as const) {
        expect(await listPriceSteps(database, slugs, range)).toHaveLength(days);
        expect(await listPriceSteps(database, slugs, { ...range, step: "hour" })).toHaveLength(hours);
      }
      await pruneObservations(database, timeOf(24));
      expect(await listPriceSteps(database, ["h100-sxm"], range)).toHaveLength(1);
    });

    test("are looked for among those of years within a second", async () => {
      const database = await open(await create());
      const days = Array.from({ length: 1_000 }, (_, day) => timeOf(24 * day).slice(0, 10));
      const stepsOf = (period: string) => ["day", "week"].map((step) => ({ name: "gpu", step, period, folded: "[]" }));
      const pointOf = (period: string) => ({ gpu_slug: "gpu", step: "day", period, sellers: "{}", machines: null });
      await insertAll(database, "price_step", days.flatMap(stepsOf));
      await insertAll(database, "market_point", days.map(pointOf));
      // Twenty GPUs
      const others = sql`(select distinct period as other from market_point where period < ${days[19]}) as others`;
      await sql`insert into price_step select 'gpu-' || other, step, period, folded from price_step, ${others}`.execute(
        database,
      );
      await sql`insert into market_point select 'gpu-' || other, step, period, sellers, machines from market_point, ${others}`.execute(
        database,
      );
      await sql`analyze`.execute(database);
      await database.connection().execute(async (connection) => {
        if (kind === "PostgreSQL") {
          // Ten times as many rows don't fit into what it has by default.
          await sql`set work_mem = '64kB'`.execute(connection);
        }
        const began = performance.now();
        await foldPast(connection);
        expect(performance.now() - began).toBeLessThan(1_000);
      });
    });
  },
);

describe.each(databasesOfSuite)("steps in $kind", ({ create }) => {
  const [hours, days] = [
    { ...rangeOf(0, 5, "day"), step: "hour" as const },
    { ...rangeOf(0, 5, "day"), step: "day" as const },
  ];
  const read = async (database: Database, range: SeriesRange) =>
    (await listPriceSteps(database, ["h100-sxm"], range)).map(({ atMs, selling, prices }) => {
      const hour = (atMs - START) / 3_600_000;
      return `${hour}: ${prices.min} ${selling.toSorted().join("+")}`;
    });

  test("of observations that another version wrote are those of the points, and are folded again", async () => {
    const database = await open(await create());
    for (const day of [0, 1, 2]) {
      await observe(database, "west", [day + 1], 24 * day);
    }
    const expected = ["0: 1 west", "24: 7 west", "48: 3 west"];
    await sql`insert into observation (revision, provider, at, is_complete, knows_stock)
      values (null, 'west', ${timeOf(25)}, 1, 0)`.execute(database);
    await sql`update market_point set sellers = replace(sellers, '2', '7') where period = ${timeOf(25).slice(0, 10)}`.execute(
      database,
    );
    expect(await read(database, days)).toEqual(expected);
    const folded = () => database.selectFrom("price_step").select("name").where("step", "=", "day").execute();
    const before = await folded();
    await foldPast(database);
    expect(await read(database, days)).toEqual(expected);
    expect(await folded()).toEqual(before);
    await sql`update price_step set folded = '{"form":0}' where name = ''`.execute(database);
    await database
      .updateTable("price_step")
      .set({ folded: "of another form" })
      .where("step", "=", "day")
      .where("name", "<>", "")
      .execute();
    expect(await read(database, days)).toEqual(expected);
    await observe(database, "east", [9], 72);
    expect(await read(database, days)).toEqual([...expected, "72: 9 east"]);
  });

  test("of hours stay when their points are gone, also if a file comes late", async () => {
    const database = await open(await create());
    await observe(database, "west", [1], 1);
    await observe(database, "east", [2], 1);
    await observe(database, "west", [3], 2);
    await observe(database, "west", [4], 4 * 24);
    await foldPast(database);
    const points = database.selectFrom("market_point").where("step", "=", "hour").select("period").distinct();
    expect(await points.execute()).toEqual([{ period: "2026-09-05T00" }]);
    expect(await read(database, hours)).toEqual(["1: 1 east+west", "2: 3 west", "96: 4 west"]);
    await observe(database, "south", [5], 1);
    await observe(database, "south", [6], 3);
    expect(await read(database, hours)).toEqual(["1: 1 east+west", "2: 3 west", "3: 6 south", "96: 4 west"]);
  });

  test("of an hour between two have what was read in it, and later ones what was read later", async () => {
    const database = await open(await create());
    const other = { ...hours, sinceMs: START };
    const pcie = async () =>
      (await listPriceSteps(database, ["h100-pcie"], other)).map(
        ({ atMs, prices }) => `${(atMs - START) / 3_600_000}: ${prices.min}`,
      );
    await observe(database, "west", [1], 1);
    await observe(database, "west", [1], 5);
    await observe(database, "west", [1], 6);
    await observe(database, "west", [2, 3], 3);
    expect(await read(database, hours)).toEqual(["1: 1 west", "3: 2 west", "5: 1 west", "6: 1 west"]);
    expect(await pcie()).toEqual(["3: 3", "5: null", "6: null"]);
  });
});

describe.each(databasesOfSuite)("changes in $kind", ({ create }) => {
  test("compare the machines of two days, unless these are more than a request may read", async () => {
    const database = await open(await create());
    const changeOf = async (machines: number, days: number) => {
      const rows = [1, 2].map((price) => {
        const prices = Array.from({ length: machines }, (_, number) => [`machine-${number}`, price] as const);
        const step = "day" as const;
        const west = Object.fromEntries(prices);
        return {
          gpu_slug: "h100-sxm",
          step,
          period: `2026-09-0${price}`,
          sellers: "{}",
          machines: JSON.stringify({ west }),
        };
      });
      await insertAll(database, "market_point", rows, ["gpu_slug", "step", "period"]);
      return new KeptPrices(database).change(SLUGS, rangeOf(0, days, "day"));
    };
    const ends = { from: "2026-09-01", until: "2026-09-02" };
    expect(await changeOf(3, 9)).toEqual({ ...ends, machines: 3, medianPercent: 100, reason: null });
    const reason = "too many machines to compare";
    expect(await changeOf(40_000, 9)).toEqual({ ...ends, machines: 0, medianPercent: null, reason });
    expect(await changeOf(40_000, 0)).toMatchObject({ until: "2026-09-01", reason: "observed on one day only" });
  });
});

describe.each(databasesOfSuite)("days and weeks in $kind", ({ create }) => {
  test("the least recently used result is evicted first", async () => {
    const kept = new KeptPrices(await open(await create()));
    let made = 0;
    const ask = (key: string) => kept.keep([key], async () => (made += 1));
    for (let number = 0; number < 600; number++) {
      await ask("often");
      await ask(`once ${number}`);
    }
    expect(made).toBe(601);
    await ask("once 599");
    await ask("once 0");
    expect(made).toBe(602);
  });

  test("a week that isn't over has the last reading of each provider, whatever its days have", async () => {
    const database = await open(await create());
    // Every second machine of a reading
    const [slugs, week] = [["h100-pcie"], rangeOf(-1, 6, "week")];
    const expectWeek = async (selling: readonly string[], without: readonly string[], offers: number) => {
      const points = await listMarketPoints(database, slugs, { ...week, step: "day" });
      const expected = inOrder(priceSteps(points, "week"));
      expect(expected).toMatchObject([{ selling, without, prices: { offers } }]);
      // All of it belongs to a range that ends with its first day.
      for (const untilMs of [week.untilMs, START - DAY_MS]) {
        expect(inOrder(await listPriceSteps(database, slugs, { ...week, untilMs }))).toEqual(expected);
      }
      const unfolded = await listPriceSteps(database, [...slugs, "l4"], { ...week, untilMs: START - DAY_MS });
      expect(inOrder(unfolded)).toEqual(expected);
    };
    await observe(database, "east", [3, 3], 1);
    await observe(database, "west", [5, 5], 2);
    await expectWeek(["east", "west"], [], 2);
    await observe(database, "west", [4, 4, 4, 4], 25);
    await expectWeek(["east", "west"], [], 3);
    await database.deleteFrom("price_step").where("step", "=", "day").where("period", "=", "2026-09-01").execute();
    await expectWeek(["east", "west"], [], 3);
    await foldPast(database);
    await observe(database, "east", [3], 26);
    await expectWeek(["west"], ["east"], 2);
    await observe(database, "west", [4], 50);
    await expectWeek([], ["east", "west"], 0);
  });

  test("are those of the stored points, whatever was observed or removed since", async () => {
    const database = await open(await create());
    const kept = new KeptPrices(database);
    let found = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 12, maxLength: 12 }), async (actions) => {
        for (const one of actions) {
          if ("provider" in one) {
            await observe(database, one.provider, one.prices, one.hour);
          } else if ("before" in one) {
            await pruneObservations(database, timeOf(one.before * 24));
          } else {
            found += (await expectSeries(database, kept, rangeOf(one.since, one.days, one.step))).length;
          }
          found += (await expectSeries(database, kept, rangeOf(0, 70, "day"))).length;
        }
      }),
      { seed, numRuns: 8 },
    );
    expect(found).toBeGreaterThan(100);
  });
});
