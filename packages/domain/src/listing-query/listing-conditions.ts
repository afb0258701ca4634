import { conditionsOf, type ListingFilter } from "./listing-filter.js";
import type { FilteredListing, ListingGroup } from "./listing-parameter.js";
import type { ListingParameterName } from "./listing-parameters.js";
import type { ListingColumnParts, SharedKey } from "./listing-columns.js";
import { ListingCursor } from "./listing-cursor.js";
import { allPositions, countPositions, positionsIn, positionsWhere, type PositionBits } from "../position-bits.js";
import { present } from "../present.js";

// Evaluates the conditions of a filter as sets of positions, each condition once. A condition on values that listings share is
// decided once for each distinct value.

/** Columns whose combinations thousands of listings have in common: a code for each distinct combination. */
const GROUPS = {
  image: ({ codes }: ListingColumnParts) => [codes.provider, codes.instanceType],
  machine: ({ codes, numbers, flags }: ListingColumnParts) => [codes.gpu, numbers.gpuCount, flags],
  memory: ({ numbers }: ListingColumnParts) => [numbers.ram],
  processors: ({ numbers }: ListingColumnParts) => [numbers.vcpu],
} satisfies Record<Exclude<ListingGroup, SharedKey>, unknown>;

/** The distinct values of some facts. */
export interface ListingGroupColumn {
  /** The code of each position's value. */
  codes: Uint32Array;
  /** Position of the first listing with each value. */
  firsts: readonly number[];
}

/** What is left of the listings, and what each condition alone excludes. */
interface Conditions {
  /** The positions that meet all conditions. */
  matches: PositionBits;
  /** Number of listings that meet all other conditions, where that is more than none. */
  excludedBy: ReadonlyMap<ListingParameterName, number>;
}

/** What becomes of every position under a query, for lists with counts of values. */
export interface ListingOutcomes {
  /**
   * For each position: 0 if it matches, 255 if several filters exclude it, else the number of the filter in `keys`, from 1,
   * that alone excludes it.
   */
  codes: Uint8Array<ArrayBuffer>;
  /** The filters of the query; words are `q`. */
  keys: readonly ListingParameterName[];
}

/** Outcome of a position that several filters exclude. */
const SEVERAL = 255;

/** Conditions with the positions that meet them. */
interface Met {
  /** The positions that meet all conditions, and those that fail one of them at most. */
  matches: PositionBits;
  nearly: PositionBits;
  met: readonly { key: ListingParameterName; bits: PositionBits }[];
}

/** Evaluates filters over columns. */
export class ListingConditions {
  readonly #parts: ListingColumnParts;
  readonly #groups = new Map<ListingGroup, ListingGroupColumn>();

  constructor(parts: ListingColumnParts) {
    this.#parts = parts;
  }

  /** Evaluates a filter, and the words as the positions that they match. */
  evaluate(filter: ListingFilter, words: PositionBits | undefined): Conditions {
    const { matches, nearly, met } = this.#meet(filter, words);
    const counts = met.map(
      ({ key, bits }) => [key, countPositions(nearly.map((word, index) => word & ~present(bits[index])))] as const,
    );
    return { matches, excludedBy: new Map(counts.filter(([, count]) => count > 0)) };
  }

  /** What becomes of each position. */
  outcomes(filter: ListingFilter, words: PositionBits | undefined): ListingOutcomes {
    const { matches, nearly, met } = this.#meet(filter, words);
    const codes = new Uint8Array(this.#parts.size).fill(SEVERAL);
    for (const position of positionsIn(matches)) {
      codes[position] = 0;
    }
    for (const [index, { bits }] of met.entries()) {
      for (const position of positionsIn(nearly.map((word, at) => word & ~present(bits[at])))) {
        codes[position] = index + 1;
      }
    }
    return { codes, keys: met.map(({ key }) => key) };
  }

  #meet(filter: ListingFilter, words: PositionBits | undefined): Met {
    const cursor = new ListingCursor(this.#parts, filter.spot !== undefined);
    // Positions that meet all conditions so far, and those that fail one of them at most.
    const matches = allPositions(this.#parts.size);
    const nearly = matches.slice();
    const met: { key: ListingParameterName; bits: PositionBits }[] = [];
    const add = (key: ListingParameterName, bits: PositionBits): void => {
      for (let word = 0; word < bits.length; word++) {
        const those = present(bits[word]);
        nearly[word] = present(nearly[word]) & (those | present(matches[word]));
        matches[word] = present(matches[word]) & those;
      }
      met.push({ key, bits });
    };
    if (words !== undefined) {
      add("q", words);
    }
    const conditions = conditionsOf(filter);
    for (const { name, dependsOn, holds } of conditions) {
      if (dependsOn !== undefined) {
        add(name, this.#decideGroup(this.groupOf(dependsOn), cursor, holds));
      }
    }
    for (const { name, dependsOn, holds } of conditions) {
      if (dependsOn === undefined) {
        // What fails two conditions already is of no interest.
        const meets = (position: number): boolean => {
          cursor.at = position;
          return holds(cursor);
        };
        add(name, positionsWhere(nearly, meets));
      }
    }
    return { matches, nearly, met };
  }

  #decideGroup(
    { codes, firsts }: ListingGroupColumn,
    cursor: ListingCursor,
    holds: (listing: FilteredListing) => boolean,
  ): PositionBits {
    const decided = Uint8Array.from(firsts, (first) => {
      cursor.at = first;
      return holds(cursor) ? 1 : 0;
    });
    return positionsWhere(allPositions(codes.length), (position) => decided[present(codes[position])] === 1);
  }

  /** The distinct values of some facts. */
  groupOf(name: ListingGroup): ListingGroupColumn {
    const { codes, firsts } = this.#parts;
    if (!isMade(name)) {
      return { codes: codes[name], firsts: firsts[name] };
    }
    const group = this.#groups.get(name) ?? groupBy(GROUPS[name](this.#parts));
    this.#groups.set(name, group);
    return group;
  }
}

function isMade(name: ListingGroup): name is keyof typeof GROUPS {
  return Object.hasOwn(GROUPS, name);
}

/** Groups positions by the combinations of their values. */
function groupBy(columns: readonly ArrayLike<number>[]): ListingGroupColumn {
  const size = columns[0]?.length ?? 0;
  let group: ListingGroupColumn = { codes: new Uint32Array(size), firsts: size === 0 ? [] : [0] };
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
  return group;
}
