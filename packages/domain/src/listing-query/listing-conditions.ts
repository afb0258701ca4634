import { conditionsOf, type ListingCondition, type ListingFilter } from "./listing-filter.js";
import type { ListingGroups } from "../columns/listing-groups.js";
import type { ListingParameterName } from "./listing-parameters.js";
import { ListingCursor } from "../columns/listing-cursor.js";
import {
  addPosition,
  allPositions,
  countPositions,
  difference,
  intersection,
  noPositions,
  positionsIn,
  positionsWhere,
  union,
  type PositionBits,
} from "../position-bits.js";
import { finished } from "../finished.js";
import { lowerBound } from "../merged-runs.js";
import { present } from "../present.js";

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
  /** The positions that match. */
  matches: PositionBits;
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

/** What is asked of listings. */
interface Asked {
  filter: ListingFilter;
  /** The positions that the search words match. */
  words?: PositionBits | undefined;
}

/** Positions by what they cost. */
export interface ByCost {
  /** The hourly prices in micro-dollars: spot prices where they are asked for, and there are any. */
  micros: () => Float64Array;
  /** All positions, those of a group of costs in a row, by price. */
  order: Uint32Array;
  /** Where each group ends in the order. */
  ends: Uint32Array;
}

/** Positions by what they cost, or by what they cost as spot. */
type Costs = (isSpot: boolean) => ByCost;

/** Evaluates a filter, and the words as the positions that they match. Other work may run whenever it yields. */
export function* evaluatingConditions(groups: ListingGroups, asked: Asked, byCost: Costs): Generator<void, Conditions> {
  const { matches, nearly, met } = yield* meeting(groups, asked, byCost);
  const counts = met.map(({ key, bits }) => [key, countPositions(difference(nearly, bits))] as const);
  return { matches, excludedBy: new Map(counts.filter(([, count]) => count > 0)) };
}

/** What becomes of each position. */
export function outcomesOf(groups: ListingGroups, asked: Asked, byCost: Costs): ListingOutcomes {
  const { matches, nearly, met } = finished(meeting(groups, asked, byCost));
  const codes = new Uint8Array(groups.parts.size).fill(SEVERAL);
  for (const [code, bits] of [matches, ...met.map((condition) => difference(nearly, condition.bits))].entries()) {
    for (const position of positionsIn(bits)) {
      codes[position] = code;
    }
  }
  return { codes, keys: met.map(({ key }) => key), matches };
}

function* meeting(groups: ListingGroups, { filter, words }: Asked, byCost: Costs): Generator<void, Met> {
  const isSpot = filter.spot !== undefined;
  const cursor = new ListingCursor(groups.parts, isSpot);
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
  for (const { name, dependsOn, holds } of conditionsOf(filter)) {
    if (dependsOn === "cost") {
      add(name, decideCost(cursor, holds, byCost(isSpot)));
    } else if (dependsOn === undefined) {
      add(
        name,
        positionsWhere(nearly, (at) => {
          cursor.at = at;
          return holds(cursor);
        }),
      );
    } else {
      add(name, groups.decide(dependsOn, cursor, holds));
    }
    yield;
  }
  return { matches, nearly, met };
}

/** The positions that meet a condition on costs: of each group those up to a price, which is searched for. */
function decideCost(cursor: ListingCursor, holds: ListingCondition["holds"], { order, ends }: ByCost): PositionBits {
  const bits = noPositions(order.length);
  let start = 0;
  for (const end of ends) {
    const until = lowerBound(start, end, (place) => {
      cursor.at = present(order[place]);
      return holds(cursor);
    });
    for (; start < until; start++) {
      addPosition(bits, present(order[start]));
    }
    start = end;
  }
  return bits;
}
