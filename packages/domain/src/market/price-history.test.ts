import { describe, expect, test } from "vitest";
import { priceHistorySchema } from "../history.js";
import { MAX_PRICE, sourceStatusSchema } from "../index.js";

const at = "2026-11-20T12:00:00.000Z";

describe("a price history", () => {
  const history = (changes: object) =>
    priceHistorySchema.safeParse({
      offer: "x",
      trackedSince: at,
      isComplete: true,
      prices: [{ at, priceHourly: 1.9, ...changes }],
    }).success;

  test.each([0, 1.9, 1.234_567_8, MAX_PRICE, null])("has a price of %j", (priceHourly) => {
    expect(history({ priceHourly })).toBe(true);
  });

  test.each([-0.01, MAX_PRICE + 1, Number.POSITIVE_INFINITY])("has no price of %j", (priceHourly) => {
    expect(history({ priceHourly })).toBe(false);
  });

  test.each(["yesterday", "2026-11-20", "2026-13-20T12:00:00Z", ""])("has no time %j", (text) => {
    expect(history({ at: text })).toBe(false);
  });
});

describe("the status of a source", () => {
  const status = (changes: object) =>
    sourceStatusSchema.safeParse({
      name: "vast",
      providers: ["vast"],
      kind: "marketplace",
      state: "fresh",
      stock: "live",
      checkedAt: at,
      pricesAsOf: at,
      offers: 1,
      nextRunAt: at,
      error: null,
      coverage: null,
      origin: null,
      ...changes,
    }).success;

  test("has times, or none, and files state days", () => {
    expect(status({})).toBe(true);
    expect(status({ checkedAt: null, pricesAsOf: null, nextRunAt: null })).toBe(true);
    expect(status({ pricesAsOf: "2026-11-20" })).toBe(true);
  });

  test.each(["checkedAt", "pricesAsOf", "nextRunAt"])("has no %s that is not a time", (field) => {
    expect(status({ [field]: "yesterday" })).toBe(false);
    expect(status({ [field]: "" })).toBe(false);
  });
});
