import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DuplicateTracker } from "./duplicate-tracker.js";

describe("a duplicate tracker", () => {
  test("agrees with a map of texts each time it grows", () => {
    fc.assert(
      // Few ids, so that duplicates are common, and many, so that the table grows several times.
      fc.property(fc.array(fc.oneof(fc.nat(40), fc.nat(1_000_000)), { maxLength: 6_000, size: "max" }), (numbers) => {
        const ids = numbers.map((number) => `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`);
        const tracker = new DuplicateTracker();
        const found = ids.map((id, place) => tracker.add(id, place));
        const model = new Map<string, number>();
        const expected = ids.map((id, place) => {
          const first = model.get(id);
          model.set(id, first ?? place);
          return first;
        });
        expect(found).toEqual(expected);
      }),
      { seed: 20_261_121, numRuns: 30 },
    );
  });

  test("distinguishes ids that differ in one digit, in any position", () => {
    const id = "01234567-89ab-4def-8123-456789abcdef";
    const tracker = new DuplicateTracker();
    expect(tracker.add(id, 0)).toBeUndefined();
    const digits = [...id.matchAll(/[^-]/g)];
    for (const [number, { index: at, 0: digit }] of digits.entries()) {
      const other = `${id.slice(0, at)}${digit === "f" ? "e" : "f"}${id.slice(at + 1)}`;
      expect(tracker.add(other, number + 1)).toBeUndefined();
    }
    expect(tracker.add(id, 99)).toBe(0);
  });
});
