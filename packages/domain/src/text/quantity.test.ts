import { describe, expect, test } from "vitest";
import { checkQuantity, readQuantity, type QuantityKind } from "./quantity.js";

describe("a quantity", () => {
  test.each([
    ["count", "8", 8],
    ["count", "1,000", 1000],
    ["index", "0", 0],
    ["gb", "80", 80],
    ["gb", "80GB", 80],
    ["gb", "80 gib", 80],
    ["gb", "1TB", 1000],
    ["gb", "1.5tb", 1500],
    ["gb", "0.5", 1],
    ["gb", "1.0001tb", 1001],
    ["bandwidth", "3350", 3350],
    ["bandwidth", "3.35TB/s", 3350],
    ["bandwidth", "864.5GB/s", 864.5],
    ["usd", "2", 2],
    ["usd", "$2", 2],
    ["usd", "2$", 2],
    ["usd", "$ 2.50", 2.5],
    ["usd", "1,000 USD", 1000],
    ["usd", "$.5/h", 0.5],
    ["usd", "0.123456", 0.123_456],
    ["hours", "24", 24],
    ["hours", "3d", 72],
    ["hours", "1.5h", 2],
    ["hours", "1w", 168],
    ["usd", "2,50", 2.5],
    ["gb", "1,5TB", 1500],
  ] satisfies [QuantityKind, string, number][])("of kind %s is read from %s", (kind, text, value) => {
    expect(readQuantity(kind, text)).toEqual({ ok: true, value });
  });

  test.each([
    ["count", "0", "must be a whole number from 1 to 999999999"],
    ["count", "08", "must be a whole number from 1 to 999999999"],
    ["count", "1e3", "must be a whole number from 1 to 999999999"],
    ["gb", "80GHz", "must be a size in GB, such as 80, 80GB or 1TB"],
    ["gb", "-1", "must be a size in GB, such as 80, 80GB or 1TB"],
    ["gb", "999999999tb", "must be a size in GB, such as 80, 80GB or 1TB"],
    ["usd", "2,50,5", "must be an amount in USD, such as 2.50 or $2, with at most 6 decimals"],
    ["gb", "99999999999", "must be a size in GB, such as 80, 80GB or 1TB"],
    ["usd", "0.1234567", "must be an amount in USD, such as 2.50 or $2, with at most 6 decimals"],
    ["hours", "0", "must be a number of hours, such as 24, 24h or 3d"],
    ["bandwidth", "3TB", "must be a bandwidth in GB/s, such as 3350, 3350GB/s or 3.35TB/s"],
  ] satisfies [QuantityKind, string, string][])("of kind %s is not read from %s", (kind, text, reason) => {
    expect(readQuantity(kind, text)).toEqual({ ok: false, reason });
  });

  test("as a number obeys the same limits", () => {
    expect(checkQuantity("gb", 80.5).ok).toBe(false);
    expect(checkQuantity("usd", 0.123_456_7).ok).toBe(false);
    expect(checkQuantity("usd", 2.5)).toEqual({ ok: true, value: 2.5 });
    expect(checkQuantity("count", 0).ok).toBe(false);
  });
});
