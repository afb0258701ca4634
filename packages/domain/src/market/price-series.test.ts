import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { market } from "./market.js";
import { countSeriesTimes, priceDate, priceSeries, seriesTimes, type PriceCommit } from "./price-series.js";
import { SERIES_STEPS } from "./series-step.js";
import type { GpuPricesAt } from "./gpu-entry-schema.js";

const seed = 20_261_123;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse("2026-10-01T00:00:00Z");

const arbitraryCommit = fc.record({
  provider: fc.constantFrom("aws", "lambda", "vast"),
  datedMs: fc.integer({ min: 0, max: 40 }).map((hours) => START + hours * 6 * HOUR),
  prices: fc.array(fc.constantFrom(1, 2, 3, 4), { maxLength: 6 }),
  regions: fc.subarray(["a", "b", "c"]),
  isAvailabilityKnown: fc.boolean(),
});

const arbitraryCommits: fc.Arbitrary<PriceCommit[]> = fc
  .array(arbitraryCommit, { maxLength: 20 })
  .map((commits) => commits.map((commit, order) => ({ ...commit, order })));

/** At a time, each provider counts with its latest commit among those dated until then. */
function bruteForce(commits: readonly PriceCommit[], atMs: number): GpuPricesAt | undefined {
  const dated = commits.filter(({ datedMs }) => datedMs <= atMs);
  if (!dated.some(({ prices }) => prices.length > 0)) {
    return undefined;
  }
  const counting = ["aws", "lambda", "vast"].flatMap((provider) => {
    const own = dated.filter((commit) => commit.provider === provider);
    const newest = Math.max(...own.map(({ datedMs }) => datedMs));
    return own.filter(({ datedMs }) => datedMs === newest).slice(-1);
  });
  const rentable = counting.filter(({ prices }) => prices.length > 0);
  const prices = rentable.flatMap((commit) => commit.prices).toSorted((a, b) => a - b);
  const rank = (share: number) =>
    prices.find((price) => prices.filter((other) => other <= price).length >= share * prices.length) ?? null;
  return {
    at: new Date(atMs).toISOString(),
    min: prices[0] ?? null,
    p10: rank(0.1),
    median: rank(0.5),
    offers: prices.length,
    providers: rentable.length,
    regions: new Set(rentable.flatMap(({ provider, regions }) => regions.map((region) => `${provider} ${region}`)))
      .size,
    ...(rentable.some(({ isAvailabilityKnown }) => !isAvailabilityKnown) && { availability: "unknown" }),
  };
}

describe("prices over time", () => {
  test("equal those of every commit until then, whatever the order of imports", () => {
    fc.assert(
      fc.property(
        arbitraryCommits,
        fc.constantFrom(...SERIES_STEPS),
        fc.integer({ min: -3, max: 12 }),
        fc.integer({ min: 0, max: 12 }),
        (commits, step, sinceDays, days) => {
          const range = { sinceMs: START + sinceDays * DAY, untilMs: START + (sinceDays + days) * DAY, step };
          const expected = seriesTimes(range).flatMap((atMs) => bruteForce(commits, atMs) ?? []);
          expect(priceSeries(commits, range)).toEqual(expected);
        },
      ),
      { seed, numRuns: 500 },
    );
  });

  test("end with the market of now", () => {
    const atMs = START + 30.5 * DAY;
    const now = {
      ...market([]),
      rentable: 2,
      providers: 1,
      regions: 2,
      pricePerGpu: { min: 1, p10: 1, median: 2, max: 3 },
    };
    fc.assert(
      fc.property(arbitraryCommits, (commits) => {
        const range = { sinceMs: START, untilMs: atMs + DAY, step: "day" as const };
        const series = priceSeries(commits, range, { market: now, atMs });
        expect(series.at(-1)).toEqual({
          at: new Date(atMs).toISOString(),
          min: 1,
          p10: 1,
          median: 2,
          offers: 2,
          providers: 1,
          regions: 2,
        });
        expect(series.slice(0, -1)).toEqual(priceSeries(commits, { ...range, untilMs: atMs - 1 }));
      }),
      { seed, numRuns: 100 },
    );
  });

  test("date an older file where it belongs, although it was imported last", () => {
    const commit = (date: string, order: number, price: number): PriceCommit => ({
      provider: "aws",
      datedMs: Date.parse(date),
      order,
      prices: [price],
      regions: ["r"],
      isAvailabilityKnown: true,
    });
    const series = priceSeries([commit("2026-10-03", 1, 3), commit("2026-10-01", 2, 5)], {
      sinceMs: START - DAY,
      untilMs: START + 3 * DAY,
      step: "day",
    });
    expect(series.map(({ at, min }) => `${at.slice(5, 10)} ${min}`)).toEqual([
      "10-01 5",
      "10-02 5",
      "10-03 3",
      "10-04 3",
    ]);
  });
});

describe("times of a series", () => {
  test("are whole hours, days and Mondays in UTC", () => {
    const range = { sinceMs: Date.parse("2026-10-01T10:20:00Z"), untilMs: Date.parse("2026-10-15T12:00:00Z") };
    const times = (step: "hour" | "day" | "week") =>
      seriesTimes({ ...range, step }).map((at) => new Date(at).toISOString());
    expect(times("hour")[0]).toBe("2026-10-01T11:00:00.000Z");
    expect(times("day").slice(0, 2)).toEqual(["2026-10-02T00:00:00.000Z", "2026-10-03T00:00:00.000Z"]);
    expect(times("week")).toEqual(["2026-10-05T00:00:00.000Z", "2026-10-12T00:00:00.000Z"]);
  });

  test("are at most as many as counted", () => {
    fc.assert(
      fc.property(fc.nat(400), fc.nat(400), fc.constantFrom(...SERIES_STEPS), (since, hours, step) => {
        const range = { sinceMs: START + since * HOUR, untilMs: START + (since + hours) * HOUR, step };
        expect(seriesTimes(range).length).toBeLessThanOrEqual(countSeriesTimes(range));
      }),
      { seed },
    );
  });
});

test.each([
  ["2024-10-14", "2026-11-01T10:00:00.000Z", "2024-10-14T00:00:00.000Z"],
  [null, "2026-11-01T10:00:00.000Z", "2026-11-01T10:00:00.000Z"],
  [undefined, null, "2026-11-02T00:00:00.000Z"],
  ["not a date", null, "2026-11-02T00:00:00.000Z"],
  ["2027-01-01", null, "2026-11-02T00:00:00.000Z"],
])("prices as of %s, checked at %s, are dated %s", (asOf, checkedAt, expected) => {
  expect(priceDate(asOf, checkedAt, "2026-11-02T00:00:00.000Z")).toBe(expected);
});
