import {
  listingFacts,
  priceSeries,
  UNKNOWN_LISTING_FACTS,
  type Offer,
  type PriceCommit,
  type GpuPricesAt,
} from "@gpu-offers/domain";
import type { SourceItem } from "@gpu-offers/sources";
import { databases } from "@gpu-offers/testkit/databases";
import { testOffer } from "@gpu-offers/testkit/live-source";
import * as fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { open } from "../test/databases.ts";
import { importCatalog } from "./catalog-import.js";
import { removeProvider } from "./catalog-removal.js";
import type { Database } from "./database.js";
import { prices as steps } from "./migrations/010-prices.js";
import { statementsOf } from "./migrations/step.js";
import { pruneHistory } from "./offer-history.js";
import { listPriceCommits, prunePrices } from "./price-log.js";

const SEED = 20_261_123;
const DAY_MS = 86_400_000;
const START = Date.parse("2026-10-01T00:00:00Z");
const dayOf = (days: number) => new Date(START + days * DAY_MS);
const SLUGS = ["h100-sxm", "h100-pcie"];

interface Row {
  id: string;
  slug: string;
  price: number;
  region: string;
  isAvailable: boolean;
}

function offerOf(provider: string, { id, slug, price, region, isAvailable }: Row): Offer {
  const offer = testOffer(provider, { id: `${id}-${slug}`, price, isAvailable });
  return { ...offer, region, gpu: { ...offer.gpu, slug } };
}

async function* itemsOf(provider: string, rows: readonly Row[]): AsyncGenerator<SourceItem> {
  yield { kind: "provider", where: "1", provider: { name: provider, type: "vm", images: [] } };
  for (const row of rows) {
    yield { kind: "offer", listing: UNKNOWN_LISTING_FACTS, where: "2", offer: offerOf(provider, row) };
  }
}

/** Imports rows as of a day; `day` is when. */
async function importRows(
  database: Database,
  { provider, rows, asOf, day }: { provider: string; rows: readonly Row[]; asOf: number | null; day: number },
): Promise<string> {
  const { outcome } = await importCatalog(database, {
    items: itemsOf(provider, rows),
    cause: "test",
    now: () => dayOf(day),
    ...(asOf !== null && { asOf: () => dayOf(asOf).toISOString().slice(0, 10) }),
  });
  return outcome;
}

const row = (price: number, changes: Partial<Row> = {}): Row => ({
  id: "a",
  slug: "h100-sxm",
  price,
  region: "r",
  isAvailable: true,
  ...changes,
});

/** The series of a month, one point a day: `10-01 2` for two dollars. */
function told(commits: readonly PriceCommit[], slots = 5): string[] {
  const range = { sinceMs: START, untilMs: START + slots * DAY_MS, step: "day" as const };
  return priceSeries(commits, range).map(
    ({ at, min, availability }) => `${at.slice(5, 10)} ${min}${availability === undefined ? "" : "?"}`,
  );
}

const arbitraryStep = fc.record({
  provider: fc.constantFrom("north", "south"),
  asOf: fc.option(fc.nat(10)),
  rows: fc.option(
    fc.uniqueArray(
      fc.record({
        id: fc.constantFrom("a", "b"),
        slug: fc.constantFrom(...SLUGS, "l40s"),
        price: fc.integer({ min: 1, max: 4 }),
        region: fc.constantFrom("r", 'r"1', 'r"2'),
        isAvailable: fc.boolean(),
      }),
      { minLength: 1, maxLength: 4, selector: ({ id, slug }) => `${id}-${slug}` },
    ),
    { freq: 6 },
  ),
});

describe.each(databases)("the log of prices in $kind", ({ create, runsOf }) => {
  test("gives the same series as all changes of the catalog, dated by their prices", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryStep, { minLength: 1, maxLength: 7 }), async (life) => {
        const database = await open(await create());
        const changes: { provider: string; datedMs: number; rows: readonly Row[] }[] = [];
        for (const [index, { provider, asOf, rows }] of life.entries()) {
          const day = 11 + index;
          if (rows === null) {
            if (await removeProvider(database, provider, "test", () => dayOf(day))) {
              changes.push({ provider, datedMs: START + day * DAY_MS, rows: [] });
            }
          } else if ((await importRows(database, { provider, rows, asOf, day })) === "imported") {
            changes.push({ provider, datedMs: START + (asOf ?? day) * DAY_MS, rows });
          }
          const range = { sinceMs: START, untilMs: START + 20 * DAY_MS, step: "day" as const };
          const series = priceSeries(await listPriceCommits(database, SLUGS), range);
          expect(series).toEqual(bruteForce(changes, range.untilMs));
        }
      }),
      { seed: SEED, numRuns: runsOf(10) },
    );
  }, 120_000);

  test("dates an older file where it belongs, although it is imported later", async () => {
    const database = await open(await create());
    await importRows(database, { provider: "north", rows: [row(3)], asOf: 2, day: 10 });
    await importRows(database, { provider: "north", rows: [row(5)], asOf: 0, day: 11 });
    expect(told(await listPriceCommits(database, ["h100-sxm"]))).toEqual([
      "10-01 5",
      "10-02 5",
      "10-03 3",
      "10-04 3",
      "10-05 3",
      "10-06 3",
    ]);
  });

  test("keeps of the changes within an hour the last one, and the one on the hour itself", async () => {
    const database = await open(await create());
    const at = (time: string, price: number) =>
      importCatalog(database, {
        items: itemsOf("north", [row(price)]),
        cause: "test",
        now: () => new Date(`2026-10-01T${time}Z`),
      });
    await at("10:00:00", 1);
    await at("10:00:01", 2);
    await at("10:30:00", 3);
    await at("11:00:00", 4);
    await at("11:20:00", 5);
    const commits = await listPriceCommits(database, ["h100-sxm"]);
    expect(commits).toHaveLength(3);
    const range = { sinceMs: START, untilMs: START + 13 * 3_600_000, step: "hour" as const };
    expect(priceSeries(commits, range).map(({ at: time, min }) => `${time.slice(11, 13)} ${min}`)).toEqual([
      "10 1",
      "11 4",
      "12 5",
      "13 5",
    ]);
  });

  test("ends a GPU's prices when its provider no longer has it", async () => {
    const database = await open(await create());
    await importRows(database, { provider: "north", rows: [row(3)], asOf: 0, day: 10 });
    await importRows(database, { provider: "north", rows: [row(1, { slug: "l40s" })], asOf: 2, day: 11 });
    expect(told(await listPriceCommits(database, ["h100-sxm"]), 3)).toEqual([
      "10-01 3",
      "10-02 3",
      "10-03 null",
      "10-04 null",
    ]);
    expect(await listPriceCommits(database, ["rtx-4090"])).toEqual([]);
  });

  test("leaves out what one can't rent: hosts that aren't verified, and what is unavailable", async () => {
    const database = await open(await create());
    const offers = [true, false, null].map((verified, index) => ({
      offer: offerOf("north", row(index + 1, { id: `v${index}` })),
      verified,
    }));
    await importCatalog(database, {
      cause: "test",
      now: () => dayOf(0),
      items: (async function* (): AsyncGenerator<SourceItem> {
        yield { kind: "provider", where: "1", provider: { name: "north", type: "vm", images: [] } };
        for (const { offer, verified } of offers) {
          yield { kind: "offer", listing: listingFacts({ verified }, offer), where: "2", offer };
        }
        const gone = offerOf("north", row(9, { id: "gone", isAvailable: false }));
        yield { kind: "offer", listing: UNKNOWN_LISTING_FACTS, where: "3", offer: gone };
      })(),
    });
    expect((await listPriceCommits(database, ["h100-sxm"])).map(({ prices: found }) => found)).toEqual([[1, 3]]);
  });

  test("keeps what later points need when it is pruned", async () => {
    const database = await open(await create());
    for (const [asOf, price] of [1, 2, 3].entries()) {
      await importRows(database, { provider: "north", rows: [row(price)], asOf, day: 10 + asOf });
    }
    expect(await prunePrices(database, dayOf(2).toISOString())).toBe(1);
    expect(told(await listPriceCommits(database, ["h100-sxm"]), 3)).toEqual(["10-02 2", "10-03 3", "10-04 3"]);
    expect(await prunePrices(database, dayOf(2).toISOString())).toBe(0);
  });

  test("continues the log of offers, which doesn't know what was available", async () => {
    const database = await open(await create());
    const at = (day: number, rows: readonly Row[]) =>
      importRows(database, { provider: "north", rows, asOf: null, day });
    await at(0, [row(4), row(2, { id: "b", isAvailable: false })]);
    await at(1, [row(3), row(2, { id: "b", isAvailable: false }), row(1, { id: "c", slug: "l40s" })]);
    await at(2, [row(3)]);
    await forgetPrices(database);
    expect(told(await listPriceCommits(database, ["h100-sxm"]), 3)).toEqual([
      "10-01 2?",
      "10-02 2?",
      "10-03 3?",
      "10-04 3?",
    ]);
    await at(3, [row(6)]);
    expect(told(await listPriceCommits(database, ["h100-sxm"]), 3)).toEqual([
      "10-01 2?",
      "10-02 2?",
      "10-03 3?",
      "10-04 6",
    ]);

    // What is truncated from the log of offers stays, as of when it was truncated.
    await pruneHistory(database, dayOf(1).toISOString());
    expect(told(await listPriceCommits(database, ["h100-sxm"]), 3)).toEqual([
      "10-01 2?",
      "10-02 2?",
      "10-03 3?",
      "10-04 6",
    ]);
    await pruneHistory(database, "9999");
    expect(told(await listPriceCommits(database, ["h100-sxm"]), 3)).toEqual(["10-04 6"]);
  });
});

/** The state of a database when it gets the log of prices: see migrations/010-prices.ts. */
async function forgetPrices(database: Database): Promise<void> {
  await database.deleteFrom("price_of_gpu").execute();
  await database.deleteFrom("price_commit").execute();
  const statements = statementsOf(steps, "sqlite");
  await sql.raw(statements.at(-1) ?? "").execute(database);
}

/** At a time, each provider counts with its latest change among those dated until then; of equal dates, the last one. */
function bruteForce(
  changes: readonly { provider: string; datedMs: number; rows: readonly Row[] }[],
  untilMs: number,
): GpuPricesAt[] {
  const effective = changes.filter(
    ({ provider, datedMs }, index) =>
      !changes.slice(index + 1).some((later) => later.provider === provider && later.datedMs === datedMs),
  );
  const everHad = new Set(
    effective
      .filter(({ rows }) => rows.some(({ slug, isAvailable }) => SLUGS.includes(slug) && isAvailable))
      .map(({ provider }) => provider),
  );
  const known = effective.filter(({ provider }) => everHad.has(provider));
  const points: GpuPricesAt[] = [];
  for (let atMs = START; atMs <= untilMs; atMs += DAY_MS) {
    const dated = known.filter(({ datedMs }) => datedMs <= atMs);
    const latest = ["north", "south"].flatMap((provider) =>
      dated
        .filter((change) => change.provider === provider)
        .toSorted((a, b) => a.datedMs - b.datedMs)
        .slice(-1),
    );
    const rentable = latest.flatMap(({ provider, rows }) =>
      rows
        .filter(({ slug, isAvailable }) => SLUGS.includes(slug) && isAvailable)
        .map(({ price, region }) => ({ provider, price, region })),
    );
    const prices = rentable.map(({ price }) => price).toSorted((a, b) => a - b);
    const rank = (share: number) => prices[Math.max(1, Math.ceil(share * prices.length)) - 1] ?? null;
    if (dated.some(({ rows }) => rows.some(({ slug, isAvailable }) => SLUGS.includes(slug) && isAvailable))) {
      points.push({
        at: new Date(atMs).toISOString(),
        min: prices[0] ?? null,
        p10: rank(0.1),
        median: rank(0.5),
        offers: prices.length,
        providers: new Set(rentable.map(({ provider }) => provider)).size,
        regions: new Set(rentable.map(({ provider, region }) => `${provider} ${region}`)).size,
      });
    }
  }
  return points;
}
