import {
  narrowCodes,
  type CodeColumn,
  type ColumnListing,
  type ListingColumnParts,
  type SharedKey,
} from "./listing-columns.js";
import type { ListingCursor } from "./listing-cursor.js";
import { memoized } from "../memoized.js";
import { positionsCoded, type PositionBits } from "../position-bits.js";
import { present } from "../present.js";

// Facts that many listings have in common. What depends on one of them alone is decided once for each distinct value, for
// filters as for search words.

/** Columns whose combinations thousands of listings have in common: a code for each distinct combination. */
const GROUPS = {
  image: ({ codes }: ListingColumnParts) => [codes.provider, codes.instanceType],
  machine: ({ codes, numbers, flags }: ListingColumnParts) => [codes.gpu, numbers.gpuCount, flags],
  /** With equal prices, these have equal costs, terms and availability, and more costs more. */
  cost: ({ codes, numbers, flags }: ListingColumnParts) => [
    codes.storage,
    numbers.gpuCount,
    flags,
    Uint8Array.from(numbers.spotPrice, (price) => (price >= 0 ? 1 : 0)),
  ],
  memory: ({ numbers }: ListingColumnParts) => [numbers.ram],
  processors: ({ numbers }: ListingColumnParts) => [numbers.vcpu],
};

/** Facts that many listings have in common: a rule that depends on one alone is decided once for each distinct value. */
export type ListingGroup = SharedKey | keyof typeof GROUPS;

/** The distinct values of some facts. */
export interface ListingGroupColumn {
  /** The code of each position's value. */
  codes: CodeColumn;
  /** Position of the first listing with each value. */
  firsts: readonly number[];
}

/** Groups of columns: plain data, which one thread can transfer to another. */
export type PreparedGroups = Map<ListingGroup, ListingGroupColumn>;

/** Columns, and the groups of their facts, which are made when first needed. */
export class ListingGroups {
  /** The columns. */
  readonly parts: ListingColumnParts;
  readonly #made: PreparedGroups;

  /** @param made those that {@link ListingGroups.prepare} made of the same columns. */
  constructor(parts: ListingColumnParts, made: PreparedGroups = new Map()) {
    this.parts = parts;
    this.#made = new Map(made);
  }

  /** All groups, so that no query has to make one. */
  prepare(): PreparedGroups {
    for (const name of Object.keys(GROUPS)) {
      // Keys of this table
      this.of(name as keyof typeof GROUPS);
    }
    return this.#made;
  }

  /** The distinct values of some facts. */
  of(name: ListingGroup): ListingGroupColumn {
    const { codes, firsts } = this.parts;
    return isMade(name)
      ? memoized(this.#made, name, () => groupBy(GROUPS[name](this.parts)))
      : { codes: codes[name], firsts: firsts[name] };
  }

  /** The positions, of all or of a set, whose value of a group meets a condition: decided once for each distinct value. */
  decide(
    name: ListingGroup,
    cursor: ListingCursor,
    holds: (listing: ColumnListing) => boolean,
    among?: PositionBits,
  ): PositionBits {
    const { codes, firsts } = this.of(name);
    const decided = Uint8Array.from(firsts, (first) => {
      cursor.at = first;
      return holds(cursor) ? 1 : 0;
    });
    return positionsCoded(codes, decided, among);
  }
}

function isMade(name: ListingGroup): name is keyof typeof GROUPS {
  return Object.hasOwn(GROUPS, name);
}

function groupBy(columns: readonly ArrayLike<number>[]): ListingGroupColumn {
  const size = columns[0]?.length ?? 0;
  let group = { codes: new Uint32Array(size), firsts: size === 0 ? [] : [0] };
  for (const column of columns) {
    const codes = new Uint32Array(size);
    const firsts: number[] = [];
    const codeOf = group.firsts.map(() => new Map<number, number>());
    for (let position = 0; position < size; position++) {
      const known = present(codeOf[present(group.codes[position])]);
      const value = present(column[position]);
      let code = known.get(value);
      if (code === undefined) {
        code = firsts.length;
        firsts.push(position);
        known.set(value, code);
      }
      codes[position] = code;
    }
    group = { codes, firsts };
  }
  return { codes: narrowCodes(group.codes), firsts: group.firsts };
}
