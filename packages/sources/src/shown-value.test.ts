import * as fc from "fast-check";
import { anyText } from "@gpu-offers/domain/offer.fixture";
import { expect, test } from "vitest";
import { safeText, showValue } from "./shown-value.js";

test.each([
  ["4.893", "4.893"],
  ["Standard_NV4as_v4", "Standard_NV4as_v4"],
  ["", '""'],
  ["a b", '"a b"'],
  ["\u001b[31m", '"\\u001b[31m"'],
  ["a\u202eb", '"a\\u202eb"'],
  ["\ud800", '"\\ud800"'],
  [12, "12"],
  [Number.NaN, "NaN"],
  [null, "null"],
  [undefined, "undefined"],
  [true, "true"],
  [[1], "a list"],
  [{ a: 1 }, "an object"],
])("%j is shown as %s", (value, shown) => {
  expect(showValue(value)).toBe(shown);
});

test("a long text is truncated", () => {
  expect(showValue("x".repeat(60))).toBe("x".repeat(60));
  expect(showValue("x".repeat(61))).toBe(`"${"x".repeat(60)}..."`);
  expect(safeText("abcdef", 3)).toBe("abc...");
});

test("any value is shown on one short line without control characters", () => {
  fc.assert(
    fc.property(anyText({ maxLength: 200 }), (text) => {
      const shown = showValue(text);
      expect(shown).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
      expect(shown.isWellFormed()).toBe(true);
      expect(shown.length).toBeLessThanOrEqual(60 * 6 + 5);
    }),
    { seed: 20_261_120 },
  );
});
