import type { ListingColumnParts, SharedKey } from "./listing-columns.js";
import { ListingCursor } from "./listing-cursor.js";
import {
  conditionsOf,
  type FilteredListing,
  type ListingCondition,
  type ListingFilter,
  type ListingFilterKey,
} from "./listing-filter.js";
import { allPositions, countPositions, positionsIn, positionsWhere, type PositionBits } from "../position-bits.js";
import { present } from "../present.js";

// Evaluates the conditions of a filter as sets of positions, each condition once. A condition on values that listings share is
// decided once for each distinct value.

/** Numbers whose combinations thousands of listings have in common: a code for each distinct combination. */
const GROUPS = {
  machine: ({ codes, numbers, flags }: ListingColumnParts) => [codes.gpu, numbers.gpuCount, flags],
  storage: ({ numbers, flags }: ListingColumnParts) => [
    numbers.storageMinGB,
    numbers.storageMaxGB,
    numbers.storageCostPerGB,
    flags,
  ],
  memory: ({ numbers }: ListingColumnParts) => [numbers.ram],
  processors: ({ numbers }: ListingColumnParts) => [numbers.vcpu],
};

type GroupKey = SharedKey | keyof typeof GROUPS;

/** What conditions depend on, if it is something that many listings share. */
const DEPENDS_ON: Partial<Record<ListingFilterKey, GroupKey>> = {
  gpu: "gpu",
  minVramGb: "gpu",
  minBandwidthGBs: "gpu",
  provider: "provider",
  continent: "place",
  country: "place",
  region: "place",
  deploymentType: "terms",
  interconnect: "terms",
  seller: "terms",
  verified: "terms",
  instanceType: "instanceType",
  minGpuCount: "machine",
  maxGpuCount: "machine",
  minTotalVramGb: "machine",
  nvlink: "machine",
  available: "machine",
  fits: "machine",
  diskGb: "storage",
  minRamGb: "memory",
  minVcpu: "processors",
};

/** Codes of distinct values, and the position of the first listing with each. */
interface Group {
  codes: Uint32Array;
  firsts: readonly number[];
}

/** What is left of the listings, and what each condition alone excludes. */
interface Conditions {
  /** The positions that meet all conditions. */
  matches: PositionBits;
  /** Number of listings that meet all other conditions, where that is more than none. */
  excludedBy: ReadonlyMap<ListingFilterKey, number>;
}

/** What becomes of every position under a query, for lists with counts of values. */
export interface ListingOutcomes {
  /**
   * For each position: 0 if it matches, 255 if several filters exclude it, else the number of the filter in `keys`, from 1,
   * that alone excludes it.
   */
  codes: Uint8Array<ArrayBuffer>;
  /** The filters of the query; words are `search`. */
  keys: readonly ListingFilterKey[];
}

/** Outcome of a position that several filters exclude. */
const SEVERAL = 255;

/** Conditions with the positions that meet them. */
interface Met {
  /** The positions that meet all conditions, and those that fail one of them at most. */
  matches: PositionBits;
  nearly: PositionBits;
  met: readonly { key: ListingFilterKey; bits: PositionBits }[];
}

/** Evaluates filters over columns. */
export class ListingConditions {
  readonly #parts: ListingColumnParts;
  readonly #groups = new Map<keyof typeof GROUPS, Group>();

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
    const met: { key: ListingFilterKey; bits: PositionBits }[] = [];
    const add = (key: ListingFilterKey, bits: PositionBits): void => {
      for (let word = 0; word < bits.length; word++) {
        const those = present(bits[word]);
        nearly[word] = present(nearly[word]) & (those | present(matches[word]));
        matches[word] = present(matches[word]) & those;
      }
      met.push({ key, bits });
    };
    if (words !== undefined) {
      add("search", words);
    }
    const [shared, others] = split(conditionsOf({ ...filter, search: undefined }));
    for (const { key, group, holds } of shared) {
      add(key, this.#decideGroup(this.#groupOf(group), cursor, holds));
    }
    for (const { key, holds } of others) {
      // What fails two conditions already is of no interest.
      add(
        key,
        positionsWhere(nearly, (position) => {
          cursor.at = position;
          return holds(cursor);
        }),
      );
    }
    return { matches, nearly, met };
  }

  #decideGroup(
    { codes, firsts }: Group,
    cursor: ListingCursor,
    holds: (listing: FilteredListing) => boolean,
  ): PositionBits {
    const decided = Uint8Array.from(firsts, (first) => {
      cursor.at = first;
      return holds(cursor) ? 1 : 0;
    });
    return positionsWhere(allPositions(codes.length), (position) => decided[present(codes[position])] === 1);
  }

  #groupOf(key: GroupKey): Group {
    const { codes, firsts } = this.#parts;
    if (key in firsts) {
      // The keys of the columns
      const shared = key as SharedKey;
      return { codes: codes[shared], firsts: firsts[shared] };
    }
    const name = key as keyof typeof GROUPS;
    const group = this.#groups.get(name) ?? groupBy(GROUPS[name](this.#parts));
    this.#groups.set(name, group);
    return group;
  }
}

/** Conditions on what listings share, and the others. */
function split(
  conditions: readonly ListingCondition[],
): [(ListingCondition & { group: GroupKey })[], ListingCondition[]] {
  const shared: (ListingCondition & { group: GroupKey })[] = [];
  const others: ListingCondition[] = [];
  for (const condition of conditions) {
    const group = DEPENDS_ON[condition.key];
    if (group === undefined) {
      others.push(condition);
    } else {
      shared.push({ ...condition, group });
    }
  }
  return [shared, others];
}

/** Groups positions by the combinations of their values. */
function groupBy(columns: readonly ArrayLike<number>[]): Group {
  const size = columns[0]?.length ?? 0;
  let group: Group = { codes: new Uint32Array(size), firsts: size === 0 ? [] : [0] };
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
