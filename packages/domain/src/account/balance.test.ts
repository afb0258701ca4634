import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  balanceSchema,
  compareOffers,
  formatAmount,
  hourlyCost,
  hourlyCostMicros,
  matchesListing,
  MAX_AMOUNT_E4,
  MAX_PRICE,
  offerSchema,
  parseAmount,
  runwaySeconds,
  toBalance,
  type Balance,
  UNKNOWN_LISTING_FACTS,
} from "../index.js";
import { exampleOffer } from "../offer.fixture.js";

const seed = 20_261_120;
const arbitraryAmount = fc.bigInt({ min: -MAX_AMOUNT_E4, max: MAX_AMOUNT_E4 });

const balance = (text: string): Balance => ({ balance: text, currency: "USD" });

describe("an amount", () => {
  test.each([
    ["25.00", 250_000n],
    ["25", 250_000n],
    ["0.0001", 1n],
    ["-0.5", -5000n],
    ["0", 0n],
    ["-0", 0n],
    ["922337203685477.5807", MAX_AMOUNT_E4],
    ["-922337203685477.5807", -MAX_AMOUNT_E4],
  ])("of %s is %d ten-thousandths", (text, amountE4) => {
    expect(parseAmount(text)).toBe(amountE4);
  });

  test.each(["", " 1", "1 ", "+1", "01", "1.", ".5", "1.00001", "1e3", "1,000", "$1", "NaN", "--1", "1\n", "١"])(
    "is not %j",
    (text) => {
      expect(() => parseAmount(text)).toThrow(
        new RangeError(`The amount must be a decimal such as 25.00, with up to 4 places, not ${JSON.stringify(text)}.`),
      );
    },
  );

  test.each(["922337203685477.5808", "-922337203685477.5808", "9999999999999999"])(
    "is not %s, which exceeds 64 bits",
    (text) => {
      expect(() => parseAmount(text)).toThrow(
        new RangeError(`The amount must be at most 922337203685477.5807, not ${text}.`),
      );
    },
  );

  test("is formatted with exactly 4 places and parses back the same", () => {
    fc.assert(
      fc.property(arbitraryAmount, (amountE4) => {
        const text = formatAmount(amountE4);
        expect(parseAmount(text)).toBe(amountE4);
        expect(balanceSchema.parse(toBalance(amountE4))).toEqual({ balance: text, currency: "USD" });
      }),
      { seed, numRuns: 1000 },
    );
    expect([0n, 1n, -1n, 9999n, 10_000n, -250_000n].map(formatAmount)).toEqual([
      "0.0000",
      "0.0001",
      "-0.0001",
      "0.9999",
      "1.0000",
      "-25.0000",
    ]);
  });

  test("adds up exactly, for any number of amounts", () => {
    const cents = Array.from({ length: 100_000 }, () => parseAmount("0.1"));
    expect(formatAmount(cents.reduce((sum, amountE4) => sum + amountE4, 0n))).toBe("10000.0000");
  });
});

describe("the schema of a balance", () => {
  test.each(["25.0000", "0.0000", "-1.5000", "12345678901234567890.1234"])("takes %s", (text) => {
    expect(balanceSchema.parse(balance(text))).toEqual({ balance: text, currency: "USD" });
  });

  test.each(["25", "25.00", "25.00000", "025.0000", ".5000", "+1.0000", "1,000.0000", "", "1.0000\n", 25])(
    "rejects %j",
    (text) => {
      expect(balanceSchema.safeParse({ balance: text, currency: "USD" }).success).toBe(false);
    },
  );

  test("accepts only USD", () => {
    expect(balanceSchema.safeParse({ balance: "25.0000", currency: "EUR" }).success).toBe(false);
    expect(balanceSchema.safeParse({ balance: "25.0000" }).success).toBe(false);
  });
});

describe("the runway", () => {
  test.each([
    ["25.0000", 1_970_000, 45_685],
    ["1.0000", 1_000_000, 3600],
    ["0.9999", 1_000_000, 3599],
    ["0.0001", 1_000_000, 0],
    ["0.0000", 1_000_000, 0],
    ["-5.0000", 1_000_000, 0],
    ["0.0000", 0, 0],
    ["0.0001", 0, Number.POSITIVE_INFINITY],
  ])("of %s USD at %i micro-dollars per hour is %d seconds", (text, hourlyMicros, seconds) => {
    expect(runwaySeconds(balance(text), hourlyMicros)).toBe(seconds);
  });

  test("is the last paid second", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10_000_000_000n }),
        fc.integer({ min: 1, max: 1_000_000_000 }),
        (e4, hourly) => {
          const seconds = BigInt(runwaySeconds(toBalance(e4), hourly));
          const paid = e4 * 100n * 3600n;
          expect(seconds * BigInt(hourly)).toBeLessThanOrEqual(paid);
          expect((seconds + 1n) * BigInt(hourly)).toBeGreaterThan(paid);
        },
      ),
      { seed },
    );
  });

  test("exists for every balance that the schema accepts", () => {
    expect(runwaySeconds(balance("9000000000000000.0000"), 3_600_000_000)).toBe(9_000_000_000_000_000);
  });

  test("exists for every cost of an offer that the schema accepts", () => {
    const offer = offerSchema.parse(
      exampleOffer({ storageMinGB: 1e10, storageMaxGB: Number.MAX_SAFE_INTEGER, storageCostPerGB: MAX_PRICE }),
    );
    for (const diskGb of [offer.storageMinGB, offer.storageMaxGB]) {
      expect(runwaySeconds(balance("25.0000"), hourlyCostMicros(offer, diskGb))).toBe(0);
      expect(hourlyCost(offer, diskGb)).toMatch(/^\d{18,}\.\d{4}$/);
      expect(compareOffers([offer, offer], { diskGb, balance: balance("25.0000") })).not.toEqual([]);
      const listing = { ...UNKNOWN_LISTING_FACTS, offer };
      expect(matchesListing(listing, { disk: diskGb, max_total: 5, budget: 5, hours: 0.5 })).toBe(false);
    }
  });

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])("is rejected for a cost of %d micro-dollars", (hourly) => {
    expect(() => runwaySeconds(balance("1.0000"), hourly)).toThrow(
      new RangeError(`An hourly cost must be a whole number of micro-dollars, not ${hourly}.`),
    );
  });

  test("does not exist for a balance that is not a decimal", () => {
    expect(() => runwaySeconds(balance("much"), 1)).toThrow('not "much"');
  });
});

test("the balance schema is published under its name", () => {
  expect(balanceSchema.meta()).toMatchObject({ id: "Balance" });
});
