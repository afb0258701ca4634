import { present } from "../present.js";

// A UUID as four 32-bit words, so that ids can be sorted and searched in a quarter of the memory of texts. The order of
// the words is the order of the lower-case texts.

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The four words of a lower-case UUID; undefined for any other text. */
export function uuidWords(id: string): number[] | undefined {
  if (!UUID.test(id)) {
    return undefined;
  }
  return [
    Number.parseInt(id.slice(0, 8), 16),
    Number.parseInt(id.slice(9, 13) + id.slice(14, 18), 16),
    Number.parseInt(id.slice(19, 23) + id.slice(24, 28), 16),
    Number.parseInt(id.slice(28), 16),
  ];
}

/** The lower-case UUID of four words. */
export function uuidText(words: ArrayLike<number>): string {
  const digits = Array.from(words, (word) => word.toString(16).padStart(8, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Compares the UUID at `indexA` of one column of words with the one at `indexB` of another. */
export function compareUuidWords(a: ArrayLike<number>, indexA: number, b: ArrayLike<number>, indexB: number): number {
  for (let word = 0; word < 4; word++) {
    const difference = present(a[indexA * 4 + word]) - present(b[indexB * 4 + word]);
    if (difference !== 0) {
      return difference;
    }
  }
  return 0;
}
