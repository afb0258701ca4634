import * as fc from "fast-check";
import { expect, test } from "vitest";
import { nearNames } from "./near-names.js";

/** Edit distance by its definition, with transpositions of neighbors. */
function distanceOf(from: string, to: string): number {
  const rows: number[][] = [];
  for (let i = 0; i <= from.length; i++) {
    rows.push([]);
    for (let j = 0; j <= to.length; j++) {
      const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      rows[i]?.push(
        i === 0 || j === 0
          ? i + j
          : Math.min(
              at(i - 1, j) + 1,
              at(i, j - 1) + 1,
              at(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1),
              isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
            ),
      );
    }
  }
  return rows[from.length]?.[to.length] ?? 0;
}

test("a name that doesn't begin with the text is near if at most a third of the text's characters differ", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 2, maxLength: 12 });
  fc.assert(
    fc.property(word, word, (text, name) => {
      fc.pre(!name.startsWith(text));
      const limit = text.length < 3 ? 0 : Math.max(1, Math.floor(text.length / 3));
      expect(nearNames(text, [name])).toEqual(distanceOf(text, name) <= limit ? [name] : []);
    }),
    { seed: 20_261_120, numRuns: 2_000 },
  );
});
