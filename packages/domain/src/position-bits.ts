import { present } from "./present.js";

/** A set of positions: bit `position % 32` of word `position / 32`. */
export type PositionBits = Uint32Array;

/** A set for positions below `size`, without any of them. */
export function noPositions(size: number): PositionBits {
  return new Uint32Array(Math.ceil(size / 32));
}

/** All positions below `size`. */
export function allPositions(size: number): PositionBits {
  const bits = noPositions(size).fill(0xffff_ffff);
  const rest = size % 32;
  if (rest > 0) {
    bits[bits.length - 1] = 2 ** rest - 1;
  }
  return bits;
}

/** Adds a position to a set. */
export function addPosition(bits: PositionBits, position: number): void {
  bits[position >>> 5] = present(bits[position >>> 5]) | (1 << (position & 31));
}

/** The positions below `size` for which a function returns true. */
export function positionsWhere(size: number, holds: (position: number) => boolean): PositionBits {
  const bits = noPositions(size);
  for (let position = 0; position < size; position++) {
    if (holds(position)) {
      addPosition(bits, position);
    }
  }
  return bits;
}

/** The positions of a set whose codes `isOne` marks with 1; by default, of all positions. */
export function positionsCoded(
  codes: ArrayLike<number>,
  isOne: Uint8Array,
  among = allPositions(codes.length),
): PositionBits {
  // Past the end, a word has no positions.
  const oneAt = (at: number): number => isOne[codes[at] ?? 0] ?? 0;
  const bits = noPositions(codes.length);
  for (let index = 0; index < bits.length; index++) {
    const own = present(among[index]);
    let word = 0;
    // Four positions at a time take a third less time, also where not all are asked for.
    for (let bit = own === 0 ? 32 : 0, at = index * 32; bit < 32; bit += 4, at += 4) {
      word |= (oneAt(at) | (oneAt(at + 1) << 1) | (oneAt(at + 2) << 2) | (oneAt(at + 3) << 3)) << bit;
    }
    bits[index] = word & own;
  }
  return bits;
}

/** The positions of a set whose number is below the limit of their code. */
export function positionsBelow(
  numbers: Uint32Array,
  codes: ArrayLike<number>,
  limits: Uint32Array,
  among: PositionBits,
): PositionBits {
  const bits = noPositions(codes.length);
  for (let index = 0; index < bits.length; index++) {
    let word = 0;
    for (let rest = present(among[index]); rest !== 0; rest &= rest - 1) {
      const bit = lowestBit(rest);
      const at = index * 32 + bit;
      word |= Number(present(numbers[at]) < present(limits[present(codes[at])])) << bit;
    }
    bits[index] = word;
  }
  return bits;
}

/** The positions that are in both sets. */
export function intersection(one: PositionBits, other: PositionBits): PositionBits {
  return combined(one, other, (word, beside) => word & beside);
}

/** The positions that are in one of two sets. */
export function union(one: PositionBits, other: PositionBits): PositionBits {
  return combined(one, other, (word, beside) => word | beside);
}

/** The positions of a set that another one hasn't. */
export function difference(one: PositionBits, other: PositionBits): PositionBits {
  return combined(one, other, (word, beside) => word & ~beside);
}

/** Combines two sets word by word, by index: the method `map` takes several times as long. */
function combined(one: PositionBits, other: PositionBits, by: (a: number, b: number) => number): PositionBits {
  const bits = new Uint32Array(one.length);
  for (let index = 0; index < bits.length; index++) {
    bits[index] = by(present(one[index]), present(other[index]));
  }
  return bits;
}

/** Whether a set has a position. */
export function hasPosition(bits: PositionBits, position: number): boolean {
  return ((present(bits[position >>> 5]) >>> (position & 31)) & 1) === 1;
}

/** Whether there is any position in a set. */
export function hasPositions(bits: PositionBits): boolean {
  return bits.some((word) => word !== 0);
}

/** Number of positions in a set. */
export function countPositions(bits: PositionBits): number {
  let count = 0;
  for (const word of bits) {
    // Adds neighboring bits, pairs, fours and bytes.
    const pairs = word - ((word >>> 1) & 0x5555_5555);
    const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
    count += Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
  }
  return count;
}

/** Index of the lowest set bit of a word other than 0. */
function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** Calls a function for each position of a set, ascending: of all of its words, or of a range of them. */
export function readEach(bits: PositionBits, read: (at: number) => void, start = 0, end = bits.length): void {
  for (let index = start; index < end; index++) {
    for (let rest = bits[index] ?? 0; rest !== 0; rest &= rest - 1) {
      read(index * 32 + lowestBit(rest));
    }
  }
}

/** The positions in a set, ascending. */
export function positionsIn(bits: PositionBits): number[] {
  const positions: number[] = [];
  readEach(bits, (position) => positions.push(position));
  return positions;
}
