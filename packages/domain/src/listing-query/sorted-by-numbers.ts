import { allPositions, countPositions, hasPosition, readEach, type PositionBits } from "../position-bits.js";
import { present } from "../present.js";

/** The order of the words of a number in memory. */
const HIGH_WORD = new Uint32Array(Float64Array.of(1).buffer)[0] === 0 ? 1 : 0;

/** Length of a list for which passes of 16 bits are quicker than twice as many of 8 bits, which need no long table. */
const LONG = 4_000;

/** Words of a set whose values are read before other work may run: some milliseconds. */
const WORDS_AT_ONCE = 320;

/** Megabytes that are kept, because the garbage collector would mark all that there is after a few lists. */
let spare: Uint32Array | undefined;

const number = new Float64Array(1);
const halves = new Uint32Array(number.buffer);

/** Leaves the words of a number in `halves`, changed so that they sort as the numbers do. */
function split(value: number): void {
  // The negative zero is equal to zero.
  number[0] = value + 0;
  const high = present(halves[HIGH_WORD]);
  const flipped = high >>> 31 === 1 ? 0xffff_ffff : 0;
  halves[HIGH_WORD] = high ^ (flipped | 0x8000_0000);
  halves[1 - HIGH_WORD] = present(halves[1 - HIGH_WORD]) ^ flipped;
}

/**
 * Positions in ascending order of a number of each, which isn't NaN; equal ones stay in their order. It takes a pass
 * for each 8 or 16 bits in which the numbers differ, and calls no function for each comparison: a tenth of the time of a sort.
 * Other work may run whenever it yields.
 * @param matches Leaves out other positions. @param sectionOf Sections from 0 to 3, which come before the number.
 * @param tied All positions from 0, in the order of equal ones. Numbers are read by position, which is several times quicker.
 */
export function* sortingByNumbers(
  tied: Uint32Array<ArrayBuffer>,
  numberOf: (position: number) => number,
  matches = allPositions(tied.length),
  sectionOf: (position: number) => number = () => 0,
): Generator<void, Uint32Array<ArrayBuffer>> {
  // A section and the words of a number, the higher one first, which sort as the number does.
  const words = spare?.length === 3 * tied.length ? spare : new Uint32Array(3 * tied.length);
  // Others may run whenever it yields.
  spare = undefined;
  const read = (at: number): void => {
    split(numberOf(at));
    words[3 * at] = sectionOf(at);
    words[3 * at + 1] = present(halves[HIGH_WORD]);
    words[3 * at + 2] = present(halves[1 - HIGH_WORD]);
  };
  for (let start = 0; start < matches.length; start += WORDS_AT_ONCE) {
    // A function, because long loops of a generator aren't optimized
    readEach(matches, read, start, start + WORDS_AT_ONCE);
    yield;
  }
  let order = firstOf(tied, matches);
  const digitBits = order.length < LONG ? 8 : 16;
  for (const word of [2, 1, 0] as const) {
    for (let shift = 0; shift < 32; shift += digitBits) {
      order = sortedByDigit(order, words, word, shift, 2 ** digitBits);
      yield;
    }
  }
  spare = words;
  return order;
}

/** The positions of a set, or a range of them, in their order. */
export function firstOf(
  order: Uint32Array,
  matches: PositionBits,
  [start, end]: readonly [number, number] = [0, order.length],
): Uint32Array<ArrayBuffer> {
  const found = new Uint32Array(Math.min(end, countPositions(matches)));
  let filled = 0;
  // By index: an iterator takes five times as long.
  for (let place = 0; filled < found.length; place++) {
    const at = present(order[place]);
    if (hasPosition(matches, at)) {
      found[filled++] = at;
    }
  }
  return found.slice(start);
}

function sortedByDigit(
  order: Uint32Array<ArrayBuffer>,
  words: Uint32Array,
  word: 0 | 1 | 2,
  shift: number,
  digits: number,
): Uint32Array<ArrayBuffer> {
  const starts = new Uint32Array(digits + 1);
  const digitOf = (at: number): number => (present(words[3 * at + word]) >>> shift) & (digits - 1);
  for (let index = 0; index < order.length; index++) {
    const digit = digitOf(present(order[index]));
    starts[digit + 1] = present(starts[digit + 1]) + 1;
  }
  if (starts.includes(order.length)) {
    return order;
  }
  for (let digit = 1; digit < digits; digit++) {
    starts[digit] = present(starts[digit]) + present(starts[digit - 1]);
  }
  const sorted = new Uint32Array(order.length);
  for (let index = 0; index < order.length; index++) {
    const at = present(order[index]);
    const digit = digitOf(at);
    sorted[present(starts[digit])] = at;
    starts[digit] = present(starts[digit]) + 1;
  }
  return sorted;
}
