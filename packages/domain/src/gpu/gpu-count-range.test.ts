import { expect, test } from "vitest";
import { isCountRangeEmpty } from "./gpu-count-range.js";

test("a range of GPU counts is empty only if its minimum is above its maximum", () => {
  expect(isCountRangeEmpty(2, 1)).toBe(true);
  expect(isCountRangeEmpty(2, 2)).toBe(false);
  expect(isCountRangeEmpty(2, undefined)).toBe(false);
  expect(isCountRangeEmpty(undefined, 1)).toBe(false);
  expect(isCountRangeEmpty("2", 1)).toBe(false);
});
