import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDecimal, priceOf, regionText, wholeNumber } from "./cells.js";

describe("a price", () => {
  test.each([
    ["98.32", 98.32],
    ["1.6567999999999998", 1.656_799_999_999_999_8],
    ["0.000001", 0.000001],
    ["7", 7],
    ["999999999", 999_999_999],
  ])("of %s is accepted", (text, usd) => {
    expect(priceOf(text, "1.0")).toBe(usd);
  });

  test.each([
    "0",
    "0.0",
    "0.0000004",
    "-1",
    "+1",
    "1e3",
    "NaN",
    "nan",
    "Infinity",
    "0x10",
    "1,5",
    "$2",
    ".5",
    "1.",
    "1000000000",
    "9".repeat(400),
  ])("of %s is rejected", (text) => {
    expect(priceOf(text, "1.0")).toMatchObject({ code: "bad_price", reason: expect.stringContaining("Price is") });
  });

  test("that is missing is not replaced by the spot price", () => {
    expect(priceOf("", "4.893")).toEqual({
      code: "spot_only",
      reason: "Price is empty and SpotPrice is 4.893: the row only has a spot price.",
    });
    expect(priceOf("", "")).toEqual({ code: "no_price", reason: "Price and SpotPrice are both empty." });
    expect(priceOf("", "0.00")).toMatchObject({ code: "no_price" });
  });
});

describe("a decimal", () => {
  test("is parsed like String writes numbers without an exponent", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), fc.integer({ min: 0, max: 999_999 }), (whole, fraction) => {
        const text = `${whole}.${fraction}`;
        expect(parseDecimal(text)).toBe(Number(text));
      }),
      { seed: 20_261_120 },
    );
  });

  test("rounds down for machine resources, and is 0 if missing", () => {
    expect([wholeNumber("vCPUs", "8.0"), wholeNumber("vCPUs", "8.59"), wholeNumber("vCPUs", "")]).toEqual([8, 8, 0]);
    expect(wholeNumber("MemoryGiB", "many")).toEqual({
      code: "bad_number",
      reason: "MemoryGiB is many, which is not a non-negative decimal number.",
    });
  });
});

test.each([
  ["us-east-1", "", "us-east-1"],
  ["us-east-1", "use1-az4", "us-east-1/use1-az4"],
  ["us-central1", "us-central1-a", "us-central1-a"],
  ["US", "US-KS-2", "US-KS-2"],
  ["SE", "EU-SE-1", "EU-SE-1"],
  ["IN", "AP-IN-1", "AP-IN-1"],
  ["eastus", "1", "eastus/1"],
  ["US", "AUS-1", "US/AUS-1"],
])("the region %j with the zone %j is %j", (region, zone, expected) => {
  expect(regionText(region, zone)).toBe(expected);
});
