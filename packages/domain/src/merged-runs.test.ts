import * as fc from "fast-check";
import { expect, test } from "vitest";
import { splitRuns } from "./merged-runs.js";

// Few keys, so that many are equal, and some that are far from the others.
const keys = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(-(2 ** 52), -(2 ** 31), 2 ** 31, 2 ** 52));
const run = fc.array(keys, { minLength: 1, maxLength: 8 }).map((list) => list.sort((a, b) => a - b));

test("splits runs at the key of a place in the merged order, or near it", () => {
  fc.assert(
    fc.property(fc.array(run, { minLength: 1, maxLength: 5 }), fc.nat(), (lists, number) => {
      const all = lists.flat();
      const count = number % all.length;
      const starts = lists.map((_, index) => lists.slice(0, index).flat().length);
      const runs = lists.map(({ length }, index) => ({
        start: starts[index] ?? 0,
        end: (starts[index] ?? 0) + length,
      }));
      const { below, above } = splitRuns((at) => all[at] ?? Number.NaN, runs, count);
      const key = all.toSorted((a, b) => a - b)[count] ?? Number.NaN;
      const countOf = (list: readonly number[], fits: (key: number) => boolean): number => list.filter(fits).length;
      expect(below).toEqual(lists.map((list, index) => (starts[index] ?? 0) + countOf(list, (one) => one < key)));
      expect(above).toEqual(lists.map((list, index) => (starts[index] ?? 0) + countOf(list, (one) => one <= key)));
      const near = splitRuns((at) => all[at] ?? Number.NaN, runs, count, 5);
      const sizes = near.above.map((end, index) => end - (near.below[index] ?? 0));
      const isExact = [near.below, near.above].join() === [below, above].join();
      expect(isExact || sizes.reduce((sum, size) => sum + size) <= 5).toBe(true);
      for (const [index, from] of below.entries()) {
        expect(near.below[index]).toBeLessThanOrEqual(from);
        expect(near.above[index]).toBeGreaterThanOrEqual(above[index] ?? 0);
      }
    }),
    { seed: 20_261_128, numRuns: 1_000 },
  );
});
