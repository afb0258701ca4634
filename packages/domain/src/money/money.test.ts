import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isWithinBudget } from "./money.js";
import {
  formatMicrosUp,
  fromMicros,
  isPrice,
  MAX_PRICE,
  priceSchema,
  roundPrice,
  toMicros,
  toMicrosUp,
} from "../index.js";

const seed = 20_261_120;
const maxMicros = MAX_PRICE * 1e6;

/** Whole micro-dollars of typical prices and up to the maximum. */
const arbitraryMicros = fc.oneof(
  fc.nat(200_000_000),
  fc.maxSafeNat().map((whole) => whole % (maxMicros + 1)),
);

/** Parses a decimal text digit by digit. */
function microsOfText(text: string): bigint {
  const [whole = "", fraction = ""] = text.split(".");
  expect(fraction.length).toBeLessThanOrEqual(6);
  return BigInt(whole + fraction.padEnd(6, "0"));
}

describe("a price", () => {
  test.each([
    [1.656_799_999_999_999_8, 1.6568],
    [0.1 + 0.2, 0.3],
    [0.000_000_5, 0.000_001],
    [0.000_000_49, 0],
    [1.999_999_5, 2],
    [0, 0],
    [MAX_PRICE, MAX_PRICE],
  ])("of %d is rounded to %d", (usd, rounded) => {
    expect(roundPrice(usd)).toBe(rounded);
  });

  test.each([Number.NaN, -0.01, Number.POSITIVE_INFINITY, MAX_PRICE + 1])("cannot be %d", (usd) => {
    for (const read of [toMicros, toMicrosUp, roundPrice]) {
      expect(() => read(usd)).toThrow(new RangeError(`A price must be a number from 0 to 999999999, not ${usd}.`));
    }
    expect(isPrice(usd)).toBe(false);
    expect(priceSchema.safeParse(usd).success).toBe(false);
  });

  test("may have up to 6 decimals", () => {
    expect([0, 1.9, 0.000_001, MAX_PRICE].map(isPrice)).toEqual([true, true, true, true]);
    expect([0.000_000_1, 0.1 + 0.2, 1.656_799_999_9].map(isPrice)).toEqual([false, false, false]);
    expect(priceSchema.safeParse(1.9).success).toBe(true);
    expect(priceSchema.safeParse(0.1 + 0.2).error?.issues[0]?.message).toBe(
      "must be a price from 0 with at most 6 decimals",
    );
    expect(priceSchema.safeParse("1.9").success).toBe(false);
  });

  test("prints its exact micro-dollars, without float noise", () => {
    fc.assert(
      fc.property(arbitraryMicros, (micros) => {
        const usd = fromMicros(micros);
        expect(microsOfText(String(usd))).toBe(BigInt(micros));
        expect(toMicros(usd)).toBe(micros);
        expect(toMicrosUp(usd)).toBe(micros);
        expect(isPrice(usd)).toBe(true);
      }),
      { seed, numRuns: 1000 },
    );
  });

  test("adds up exactly in micro-dollars", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(100_000_000), { maxLength: 50 }), (list) => {
        const prices = list.map(fromMicros);
        const exact = prices.reduce((sum, usd) => sum + microsOfText(String(usd)), 0n);
        expect(BigInt(prices.reduce((sum, usd) => sum + toMicros(usd), 0))).toBe(exact);
      }),
      { seed },
    );
  });

  test("with any number of decimals is rounded to the nearest micro-dollar, or up to the next", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: MAX_PRICE, noNaN: true }), (usd) => {
        const up = toMicrosUp(usd);
        expect(fromMicros(up)).toBeGreaterThanOrEqual(usd);
        expect(fromMicros(up - 1)).toBeLessThan(usd === 0 ? Number.MIN_VALUE : usd);
        expect([up, up - 1]).toContain(toMicros(usd));
        expect(Math.abs(roundPrice(usd) - usd)).toBeLessThanOrEqual(0.000_000_62);
      }),
      { seed, numRuns: 1000 },
    );
  });
});

describe("a budget", () => {
  test("is met exactly, whatever decimals its dollars and hours have", () => {
    const micros = { min: 0, max: 2_000_000_000 };
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: 1, max: 20_000 }),
        fc.constantFrom(-1, 0, 1),
        fc.option(fc.integer(micros)),
        (cents, tenths, step, any) => {
          const exact = BigInt(cents) * 100_000n;
          const hourly = any ?? Math.max(0, Number(exact / BigInt(tenths)) + step);
          const isMet = BigInt(hourly) * BigInt(tenths) <= exact;
          expect(isWithinBudget(hourly, { usd: cents / 100, hours: tenths / 10 })).toBe(isMet);
        },
      ),
      { seed, numRuns: 1000 },
    );
  });

  test.each([
    [100_000, { usd: 0.3, hours: 3 }, true],
    [100_001, { usd: 0.3, hours: 3 }, false],
    [333_333, { usd: 1e-7, hours: 3e-7 }, true],
    [333_334, { usd: 1e-7, hours: 3e-7 }, false],
    [1, { usd: 1e9, hours: 1e15 }, true],
    [2, { usd: 1e9, hours: 1e15 }, false],
  ])("of %d micro-dollars per hour in %o: %s", (hourly, budget, isMet) => {
    expect(isWithinBudget(hourly, budget)).toBe(isMet);
  });
});

describe("an estimate in dollars", () => {
  test.each([
    [0, "0.0000"],
    [1, "0.0001"],
    [100, "0.0001"],
    [101, "0.0002"],
    [1_970_000, "1.9700"],
    [1_900_001, "1.9001"],
    [999_999_901, "1000.0000"],
  ])("of %i micro-dollars reads %s", (micros, text) => {
    expect(formatMicrosUp(micros)).toBe(text);
  });

  test.each([Number.NaN, -1, Number.POSITIVE_INFINITY])("does not exist for %d micro-dollars", (micros) => {
    expect(() => formatMicrosUp(micros)).toThrow(
      new RangeError(`An amount must be a finite number of micro-dollars from 0, not ${micros}.`),
    );
  });

  test("has all digits of a large amount", () => {
    expect(formatMicrosUp(1e30)).toMatch(/^\d{24}\.\d{4}$/);
  });

  test("has 4 places, is never too low, and too high by less than 0.0001", () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryMicros, fc.maxSafeNat()), (micros) => {
        const text = formatMicrosUp(micros);
        expect(text).toMatch(/^(0|[1-9]\d*)\.\d{4}$/);
        const excess = microsOfText(text) - BigInt(micros);
        expect(excess).toBeGreaterThanOrEqual(0n);
        expect(excess).toBeLessThan(100n);
      }),
      { seed, numRuns: 1000 },
    );
  });
});
