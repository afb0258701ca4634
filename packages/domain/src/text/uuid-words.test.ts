import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compareUuidWords, uuidText, uuidWords } from "./uuid-words.js";

const SEED = 20_261_121;
const SAMPLE = "5b0c1f0e-6f0a-5c1e-9a53-0d8a3c5b7e11";

/** UUIDs with many zeros and many equal prefixes, where ordering bugs occur. */
const arbitraryUuid = fc
  .tuple(
    ...[8, 4, 4, 4, 12].map((length) =>
      fc.string({ unit: fc.constantFrom("0", "1", "f"), minLength: length, maxLength: length }),
    ),
  )
  .map((parts) => parts.join("-"));

test("a UUID converts to the four words of its digits, and back", () => {
  expect(uuidWords(SAMPLE)).toEqual([0x5b0c1f0e, 0x6f0a5c1e, 0x9a530d8a, 0x3c5b7e11]);
  fc.assert(
    fc.property(fc.oneof(arbitraryUuid, fc.uuid()), (id) => {
      expect(uuidText(uuidWords(id) ?? [])).toBe(id);
    }),
    { seed: SEED },
  );
});

test("words have the same order as the texts, in any position of a column", () => {
  fc.assert(
    fc.property(
      fc.array(arbitraryUuid, { minLength: 2, maxLength: 5 }),
      fc.array(arbitraryUuid, { minLength: 1 }),
      (a, b) => {
        const [columnA, columnB] = [a, b].map((ids) => Uint32Array.from(ids.flatMap((id) => uuidWords(id) ?? [])));
        for (const [indexA, idA] of a.entries()) {
          for (const [indexB, idB] of b.entries()) {
            const order = compareUuidWords(columnA ?? [], indexA, columnB ?? [], indexB);
            expect(Math.sign(order)).toBe(idA < idB ? -1 : idA > idB ? 1 : 0);
          }
        }
      },
    ),
    { seed: SEED },
  );
});

test.each([
  "",
  "42",
  SAMPLE.toUpperCase(),
  SAMPLE.slice(0, -1),
  `${SAMPLE}0`,
  ` ${SAMPLE}`,
  `${SAMPLE}\n`,
  SAMPLE.replaceAll("-", ""),
  SAMPLE.replace("5b0c1f0e", "5b0c1f0g"),
  SAMPLE.replace("-6f0a-", "6-f0a-"),
])("%j is no lower-case UUID", (text) => {
  expect(uuidWords(text)).toBeUndefined();
});

test("words that are missing are not zeros", () => {
  expect(() => compareUuidWords([0, 0, 0, 0], 0, [0, 0, 0], 0)).toThrow("A required value is missing.");
});
