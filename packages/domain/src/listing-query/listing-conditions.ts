import { conditionsOf, type ListingFilter } from "./listing-filter.js";
import type { ListingGroups } from "../columns/listing-groups.js";
import type { ListingParameterName } from "./listing-parameters.js";
import { ListingCursor } from "../columns/listing-cursor.js";
import {
  allPositions,
  countPositions,
  difference,
  intersection,
  positionsIn,
  positionsWhere,
  union,
  type PositionBits,
} from "../position-bits.js";

// Evaluates the conditions of a filter as sets of positions, each condition once. A condition on values that listings share is
// decided once for each distinct value.

interface Conditions {
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

/** Evaluates a filter, and the words as the positions that they match. */
export function evaluateConditions(
  groups: ListingGroups,
  filter: ListingFilter,
  words: PositionBits | undefined,
): Conditions {
  const { matches, nearly, met } = meet(groups, filter, words);
  const counts = met.map(({ key, bits }) => [key, countPositions(difference(nearly, bits))] as const);
  return { matches, excludedBy: new Map(counts.filter(([, count]) => count > 0)) };
}

/** What becomes of each position. */
export function outcomesOf(
  groups: ListingGroups,
  filter: ListingFilter,
  words: PositionBits | undefined,
): ListingOutcomes {
  const { matches, nearly, met } = meet(groups, filter, words);
  const codes = new Uint8Array(groups.parts.size).fill(SEVERAL);
  for (const [code, bits] of [matches, ...met.map((condition) => difference(nearly, condition.bits))].entries()) {
    for (const position of positionsIn(bits)) {
      codes[position] = code;
    }
  }
  return { codes, keys: met.map(({ key }) => key) };
}

function meet(groups: ListingGroups, filter: ListingFilter, words: PositionBits | undefined): Met {
  const cursor = new ListingCursor(groups.parts, filter.spot !== undefined);
  let matches = allPositions(groups.parts.size);
  let nearly = matches;
  const met: { key: ListingParameterName; bits: PositionBits }[] = [];
  const add = (key: ListingParameterName, bits: PositionBits): void => {
    nearly = intersection(nearly, union(bits, matches));
    matches = intersection(matches, bits);
    met.push({ key, bits });
  };
  if (words !== undefined) {
    add("q", words);
  }
  const conditions = conditionsOf(filter);
  for (const { name, dependsOn, holds } of conditions) {
    if (dependsOn !== undefined) {
      add(name, groups.decide(dependsOn, cursor, holds));
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
