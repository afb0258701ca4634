import * as fc from "fast-check";
import { expect, test } from "vitest";
import { finished } from "../finished.js";
import { positionsWhere } from "../position-bits.js";
import { sortingByNumbers } from "./sorted-by-numbers.js";

const numbers = fc.oneof(
  fc.double({ noNaN: true }),
  fc.constantFrom(0, -0, 1, -1, 0.01, 255, 256, 65_536, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
);

// Short and long lists are sorted by digits of different sizes.
test.for([1, 5_000])("sorting by digits is a stable sort by number, of a list %i times as long", (times) => {
  fc.assert(
    fc.property(fc.array(numbers, { minLength: 2, maxLength: 60 }), (few) => {
      const values = Array.from({ length: few.length * times }, (_, at) => few[(at * 7) % few.length] ?? 0);
      const positions = Uint32Array.from(values.keys()).toReversed();
      const sorted = finished(sortingByNumbers(positions, (at) => values[at] ?? 0));
      const expected = [...positions].sort((a, b) => {
        const [one = 0, other = 0] = [values[a], values[b]];
        return one < other ? -1 : one > other ? 1 : 0;
      });
      expect([...sorted].findIndex((position, at) => position !== expected[at])).toBe(-1);
      const [numberOf, sectionOf] = [(at: number) => values[at] ?? 0, (at: number) => (at + few.length) % 4];
      const bySection = [0, 1, 2, 3].flatMap((section) =>
        expected.filter((at) => at % 5 > 0 && sectionOf(at) === section),
      );
      const matches = positionsWhere(values.length, (at) => at % 5 > 0);
      expect(Array.from(finished(sortingByNumbers(positions, numberOf, matches, sectionOf)))).toEqual(bySection);
    }),
    { seed: 20_261_126, numRuns: times === 1 ? 500 : 5 },
  );
});

test("lists that are sorted in turns don't share the memory that is kept between sorts", () => {
  const size = 25_000;
  const positions = Uint32Array.from({ length: size }, (_, at) => at);
  const orders = [(at: number) => (at * 7_919) % size, (at: number) => (at * 104_729) % size];
  finished(sortingByNumbers(positions, (at) => at));
  const sorting = orders.map((numberOf) => sortingByNumbers(positions, numberOf));
  const sorted: Uint32Array[] = [];
  while (sorted.length < orders.length) {
    for (const work of sorting) {
      const { done, value } = work.next();
      if (done === true && value !== undefined) {
        sorted.push(value);
      }
    }
  }
  for (const [index, numberOf] of orders.entries()) {
    expect(Array.from(sorted[index] ?? [], numberOf)).toEqual([...positions]);
  }
});
