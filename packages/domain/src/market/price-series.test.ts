import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  countSeriesTimes,
  everyHour,
  KNOWN_FOR_MS,
  newMachines,
  priceChange,
  priceDate,
  priceSeries,
  stepStart,
  type MarketPoint,
  type SellerPoint,
} from "./price-series.js";
import { SERIES_STEPS } from "./series-step.js";

const seed = 20_261_123;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
// A Thursday.
const START = Date.parse("2026-10-01T00:00:00Z");

const seller = (...prices: number[]): SellerPoint => ({ n: prices.length, p: { 8: prices }, r: ["r"] });
const none: SellerPoint = { n: 0, p: {}, r: [] };
const on = (day: number, sellers: Record<string, SellerPoint>): MarketPoint => ({ atMs: START + day * DAY, sellers });
const days = (since: number, until: number, step: "day" | "week" = "day") => ({
  sinceMs: START + since * DAY,
  untilMs: START + until * DAY,
  step,
});
const told = (points: readonly MarketPoint[], range: ReturnType<typeof days>) =>
  priceSeries(points, range).map(
    ({ at, median, observed, known }) => `${at.slice(5, 10)} ${median} ${observed}/${known}`,
  );

describe("prices over time", () => {
  test("have points only where something was observed, with how many of the known sellers", () => {
    const points = [
      on(0, { aws: seller(1, 3), vast: seller(2) }),
      on(1, { vast: seller(4) }),
      on(5, { aws: seller(1) }),
    ];
    expect(told(points, days(0, 9))).toEqual(["10-01 2 2/2", "10-02 4 1/2", "10-06 1 1/2"]);
    expect(told(points, days(2, 4))).toEqual([]);
  });

  test("know a seller until it was read without the GPU, or wasn't read for 30 days", () => {
    const gone = [on(0, { aws: seller(1), vast: seller(2) }), on(1, { aws: none }), on(2, { vast: seller(2) })];
    expect(told(gone, days(0, 5))).toEqual(["10-01 1 2/2", "10-02 null 1/2", "10-03 2 1/1"]);
    const limit = KNOWN_FOR_MS / DAY;
    const silent = [on(0, { aws: seller(1) }), on(limit, { vast: seller(2) }), on(limit + 1, { vast: seller(2) })];
    expect(told(silent, days(1, 99))).toEqual(["10-31 2 1/2", "11-01 2 1/1"]);
  });

  test("have no point for a provider that never sold it", () => {
    expect(told([on(0, { aws: none })], days(0, 5))).toEqual([]);
  });

  test("count each provider with its last prices of a week, of all slugs", () => {
    const points = [
      on(4, { aws: seller(9) }),
      on(4, { aws: seller(7) }),
      on(6, { aws: seller(5) }),
      on(6, { aws: none }),
    ];
    expect(told(points, days(0, 13, "week"))).toEqual(["10-05 5 1/1"]);
    expect(priceSeries(points, days(4, 4))[0]).toMatchObject({
      offers: 2,
      min: 7,
      median: 7,
      providers: 1,
      regions: 1,
    });
  });

  test("repeat in each hour what the provider had, if it was read again", () => {
    const at = (hour: number, price: number): MarketPoint => ({
      atMs: START + hour * HOUR,
      sellers: { aws: seller(price) },
    });
    const read = new Map([["aws", [1, 2, 4, 5].map((hour) => START + hour * HOUR)]]);
    const hours = everyHour([at(1, 3), at(4, 2)], read);
    expect(hours.map(({ atMs, sellers }) => [(atMs - START) / HOUR, sellers["aws"]?.p[8]?.[0]])).toEqual([
      [1, 3],
      [2, 3],
      [4, 2],
      [5, 2],
    ]);
  });

  test("are at most as many as counted", () => {
    fc.assert(
      fc.property(fc.nat(400), fc.nat(400), fc.constantFrom(...SERIES_STEPS), (since, hours, step) => {
        const range = { sinceMs: START + since * HOUR, untilMs: START + (since + hours) * HOUR, step };
        const points = Array.from({ length: 900 }, (_, hour) => ({
          atMs: START + hour * HOUR,
          sellers: { aws: seller(1) },
        }));
        expect(priceSeries(points, range).length).toBeLessThanOrEqual(countSeriesTimes(range) + 1);
      }),
      { seed, numRuns: 50 },
    );
  });
});

describe("a change of prices", () => {
  const day = (date: string, prices: Record<string, number>) => ({ day: date, machines: [{ aws: prices }] });

  test("compares the machines of both days alone", () => {
    const from = day("2026-10-01", { a: 1, b: 2, c: 4, gone: 100 });
    const until = day("2026-10-31", { a: 1, b: 1.5, c: 4, cheap: 0.1 });
    expect(priceChange(from, until)).toEqual({
      from: "2026-10-01",
      until: "2026-10-31",
      machines: 3,
      medianPercent: -25,
      reason: null,
    });
  });

  test("is null with a reason below three machines, on one day, and without any", () => {
    const two = day("2026-10-01", { a: 1, b: 2 });
    expect(priceChange(two, { ...two, day: "2026-10-02" })).toMatchObject({
      machines: 2,
      medianPercent: null,
      reason: "fewer than 3 machines were observed on both days",
    });
    expect(priceChange(two, two)).toMatchObject({ medianPercent: null, reason: "observed on one day only" });
    expect(priceChange(undefined, undefined)).toMatchObject({ medianPercent: null, reason: "nothing was observed" });
  });
});

test.each([
  ["2026-10-15T10:20:00Z", "hour", "2026-10-15T10:00:00.000Z"],
  ["2026-10-15T10:20:00Z", "day", "2026-10-15T00:00:00.000Z"],
  ["2026-10-15T10:20:00Z", "week", "2026-10-12T00:00:00.000Z"],
  ["2026-10-12T00:00:00Z", "week", "2026-10-12T00:00:00.000Z"],
] as const)("%s is in the %s of %s", (time, step, start) => {
  expect(new Date(stepStart(Date.parse(time), step)).toISOString()).toBe(start);
});

test.each([
  ["2024-10-14", "2024-10-14T00:00:00.000Z"],
  [null, "2026-11-02T00:00:00.000Z"],
  ["not a date", "2026-11-02T00:00:00.000Z"],
  ["2027-01-01", "2026-11-02T00:00:00.000Z"],
])("a file with prices as of %s is dated %s", (asOf, expected) => {
  expect(priceDate(asOf, "2026-11-02T00:00:00.000Z")).toBe(expected);
});

test("machines are new where their provider was read and had some before", () => {
  const day = (...machines: Record<string, Record<string, number>>[]) => ({ day: "2026-10-01", machines });
  const before = day({ aws: { a: 1, b: 2 }, vast: { c: 3 } }, { vast: { d: 4 } });
  const now = day({ aws: { a: 9 }, vast: { c: 3, e: 5, f: 6 }, verda: { g: 7 } }, { aws: { h: 8 }, vast: { i: 9 } });
  expect(newMachines(before, now)).toEqual({ machines: 3, providers: ["vast"] });
  expect(newMachines(before, now, (provider) => provider === "vast")).toEqual({ machines: 0, providers: [] });
  expect(newMachines(before, before)).toEqual({ machines: 0, providers: [] });
  expect(newMachines(undefined, now)).toEqual({ machines: 0, providers: [] });
});
