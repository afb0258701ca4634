import { present } from "../present.js";

/** The order of the words of a number in memory. */
const HIGH_WORD = new Uint32Array(Float64Array.of(1).buffer)[0] === 0 ? 1 : 0;

/** Length of a list for which passes of 16 bits are quicker than twice as many of 8 bits, which need no long table. */
const LONG = 4_000;

/** Number of values to read before other work may run: some milliseconds. */
export const READ_AT_ONCE = 10_000;

/**
 * Positions in ascending order of a number of each, which isn't NaN; equal ones stay in their order. It takes a pass
 * for each 8 or 16 bits in which the numbers differ, and calls no function for each comparison: a tenth of the time of a sort.
 * Other work may run whenever it yields.
 * @param sectionOf Sections from 0 to 3, which come before the number.
 */
export function* sortingByNumbers(
  positions: Uint32Array<ArrayBuffer>,
  numberOf: (position: number) => number,
  sectionOf: (position: number) => number = () => 0,
): Generator<void, Uint32Array<ArrayBuffer>> {
  const { length } = positions;
  const number = new Float64Array(1);
  const halves = new Uint32Array(number.buffer);
  // A section and the words of a number, the higher one first, which sort as the number does.
  const words = new Uint32Array(3 * length);
  let order = new Uint32Array(length);
  for (let at = 0; at < length; at++) {
    const position = present(positions[at]);
    // The negative zero is equal to zero.
    number[0] = numberOf(position) + 0;
    const high = present(halves[HIGH_WORD]);
    const flipped = high >>> 31 === 1 ? 0xffff_ffff : 0;
    words[3 * at] = sectionOf(position);
    words[3 * at + 1] = high ^ (flipped | 0x8000_0000);
    words[3 * at + 2] = present(halves[1 - HIGH_WORD]) ^ flipped;
    order[at] = at;
    if (at % READ_AT_ONCE === READ_AT_ONCE - 1) {
      yield;
    }
  }
  const digitBits = order.length < LONG ? 8 : 16;
  for (const word of [2, 1, 0] as const) {
    for (let shift = 0; shift < 32; shift += digitBits) {
      order = sortedByDigit(order, words, word, shift, 2 ** digitBits);
      yield;
    }
  }
  return order.map((at) => present(positions[at]));
}

/** The sign, the exponent and two bits of a number, which few positions of a long list share. */
const BUCKET_BITS = 14;

/**
 * Which of the matches below `size` have similar numbers as a range of their order, which must have it, and the range among
 * these. So a page needs no order of all, and numbers are read by position.
 */
export function* nearRange(
  size: number,
  matches: (position: number) => boolean,
  numberOf: (position: number) => number,
  sectionOf: (position: number) => number,
  [start, end]: readonly [number, number],
): Generator<void, { matches: (position: number) => boolean; start: number; end: number }> {
  const number = new Float64Array(1);
  const quarters = new Uint16Array(number.buffer);
  const buckets = new Uint32Array(size);
  const bits = size < LONG ? 0 : BUCKET_BITS;
  const counts = new Uint32Array(5 << bits);
  for (let at = 0; at < size; at++) {
    if (matches(at)) {
      number[0] = numberOf(at) + 0;
      const quarter = present(quarters[3 * HIGH_WORD]);
      const digit = quarter ^ (quarter >>> 15 === 1 ? 0xffff : 0x8000);
      // Above it is the section from 1: 0 is no match.
      const bucket = ((sectionOf(at) + 1) << bits) | (digit >>> (16 - bits));
      buckets[at] = bucket;
      counts[bucket] = present(counts[bucket]) + 1;
    }
    if (at % READ_AT_ONCE === READ_AT_ONCE - 1) {
      yield;
    }
  }
  let [first, before] = [1, 0];
  while (before + present(counts[first]) <= start) {
    before += present(counts[first++]);
  }
  let last = first;
  for (let through = before + present(counts[first]); through < end; through += present(counts[last])) {
    last++;
  }
  return {
    matches: (at) => present(buckets[at]) >= first && present(buckets[at]) <= last,
    start: start - before,
    end: end - before,
  };
}

function sortedByDigit(
  order: Uint32Array<ArrayBuffer>,
  words: Uint32Array,
  word: 0 | 1 | 2,
  shift: number,
  digits: number,
): Uint32Array<ArrayBuffer> {
  const starts = new Uint32Array(digits + 1);
  for (const at of order) {
    const digit = (present(words[3 * at + word]) >>> shift) & (digits - 1);
    starts[digit + 1] = present(starts[digit + 1]) + 1;
  }
  if (starts.includes(order.length)) {
    return order;
  }
  for (let digit = 1; digit < digits; digit++) {
    starts[digit] = present(starts[digit]) + present(starts[digit - 1]);
  }
  const sorted = new Uint32Array(order.length);
  for (const at of order) {
    const digit = (present(words[3 * at + word]) >>> shift) & (digits - 1);
    const place = present(starts[digit]);
    sorted[place] = at;
    starts[digit] = place + 1;
  }
  return sorted;
}
