import { present, type ListingColumnParts } from "@gpu-offers/domain";
import { KIND_CODES, KIND_NUMBERS } from "./compact-list.js";

/** Bits of the flags that don't belong to a kind: whether it can be rented now. */
const AVAILABLE = 1 | (3 << 5);

/**
 * Numbers the kinds of listings: those of one kind differ in place, price and availability only. Few are ever compared, so
 * each is numbered when its number is first needed.
 */
export class ListingKinds {
  readonly #columns: readonly ArrayLike<number>[];
  readonly #flags: Uint8Array;
  readonly #numbers = new Map<string, number>();
  /** The number of each position, from 1; 0 if it isn't known yet. */
  readonly #known: Uint32Array;

  constructor({ codes, numbers, flags, size }: ListingColumnParts) {
    this.#columns = [...KIND_CODES.map((name) => codes[name]), ...KIND_NUMBERS.map((name) => numbers[name])];
    this.#flags = flags;
    this.#known = new Uint32Array(size);
  }

  /** The number of the kind at a position, from 0 in the order in which they are first requested. */
  of(position: number): number {
    const known = present(this.#known[position]);
    if (known > 0) {
      return known - 1;
    }
    const facts = this.#columns.map((column) => column[position]).join(" ");
    const key = `${facts} ${present(this.#flags[position]) & ~AVAILABLE}`;
    const number = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, number);
    this.#known[position] = number + 1;
    return number;
  }
}
