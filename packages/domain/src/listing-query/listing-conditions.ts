import { conditionsOf, type ListingCondition, type ListingFilter } from "./listing-filter.js";
import type { ListingGroupColumn, ListingGroups } from "../columns/listing-groups.js";
import type { ListingParameterName } from "./listing-parameters.js";
import { ListingCursor } from "../columns/listing-cursor.js";
import {
  allPositions,
  countPositions,
  difference,
  intersection,
  positionsBelow,
  positionsCoded,
  readEach,
  union,
  type PositionBits,
} from "../position-bits.js";
import { finished } from "../finished.js";
import { lowerBound } from "../merged-runs.js";
import { present } from "../present.js";

// Evaluates the conditions of a filter as sets of positions. Those on the same group of facts are decided together, once for each
// distinct value, and only among positions that fail what was decided before once at most.

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

/** Positions that fail one filter alone; words are `q`. */
type Failed = readonly [key: ListingParameterName, bits: PositionBits];

/** All conditions, evaluated. */
interface Met {
  /** The positions that meet them all. */
  matches: PositionBits;
  /** For each filter, in the order of documentation. */
  failed: readonly Failed[];
}

/** What conditions decide together. */
interface Decided {
  /** Their filters. */
  keys: readonly ListingParameterName[];
  /** The positions that meet them all. */
  bits: PositionBits;
  /** Those of some positions that fail one of several filters alone. */
  alone?: ((index: number, others: PositionBits) => PositionBits) | undefined;
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
  /** The place of each position in the order. */
  places: Uint32Array;
  /** Where each group ends in the order. */
  ends: Uint32Array;
}

/** Positions by what they cost, or by what they cost as spot. */
type Costs = (isSpot: boolean) => ByCost;

/** Evaluates a filter, and the words as the positions that they match. Other work may run whenever it yields. */
export function* evaluatingConditions(groups: ListingGroups, asked: Asked, byCost: Costs): Generator<void, Conditions> {
  const { matches, failed } = yield* meeting(groups, asked, byCost);
  const counts = failed.map(([key, bits]) => [key, countPositions(bits)] as const);
  return { matches, excludedBy: new Map(counts.filter(([, count]) => count > 0)) };
}

/** What becomes of each position. */
export function outcomesOf(groups: ListingGroups, asked: Asked, byCost: Costs): ListingOutcomes {
  const { matches, failed } = finished(meeting(groups, asked, byCost));
  const codes = new Uint8Array(groups.parts.size).fill(SEVERAL);
  for (const [code, bits] of [matches, ...failed.map((one) => one[1])].entries()) {
    readEach(bits, (at) => {
      codes[at] = code;
    });
  }
  return { codes, keys: failed.map(([key]) => key), matches };
}

function* meeting(groups: ListingGroups, { filter, words }: Asked, byCost: Costs): Generator<void, Met> {
  const isSpot = filter.spot !== undefined;
  const cursor = new ListingCursor(groups.parts, isSpot);
  const conditions = conditionsOf(filter);
  const decided: Decided[] = [];
  let matches = allPositions(groups.parts.size);
  // Those that fail what is decided together once at most
  let nearly = matches;
  const add = (one: Decided): void => {
    decided.push(one);
    nearly = intersection(nearly, union(one.bits, matches));
    matches = intersection(matches, one.bits);
  };
  if (words !== undefined) {
    add({ keys: ["q"], bits: words });
  }
  for (const group of new Set(conditions.map(({ dependsOn }) => dependsOn))) {
    const own = conditions.filter(({ dependsOn }) => dependsOn === group);
    for (const one of group === "cost" ? own : []) {
      add(decideCost(one, groups.of(group), cursor, byCost(isSpot), nearly));
      yield;
    }
    if (group !== "cost") {
      add(decide(own, groups.of(group), cursor, nearly));
      yield;
    }
  }
  const failed = decided.flatMap(({ keys, bits, alone }) => {
    const others = difference(nearly, bits);
    return keys.map((key, index): Failed => [key, alone?.(index, others) ?? others]);
  });
  const keys = conditions.map(({ name }) => name);
  return { matches, failed: failed.sort(([one], [other]) => keys.indexOf(one) - keys.indexOf(other)) };
}

/** Decides conditions on one group of facts among some positions, once for each distinct value. */
function decide(
  conditions: readonly ListingCondition[],
  { codes, firsts }: ListingGroupColumn,
  cursor: ListingCursor,
  among: PositionBits,
): Decided {
  // 0 if all are met, the number of the only one that isn't, from 1, or SEVERAL
  const outcomes = Uint8Array.from(firsts, (first) => {
    cursor.at = first;
    return conditions.reduce((outcome, { holds }, index) => {
      return holds(cursor) ? outcome : outcome === 0 ? index + 1 : SEVERAL;
    }, 0);
  });
  const coded = (wanted: number, bits: PositionBits): PositionBits => {
    const isWanted = outcomes.map((outcome) => (outcome === wanted ? 1 : 0));
    return positionsCoded(codes, isWanted, bits);
  };
  const alone = (index: number, others: PositionBits): PositionBits => coded(index + 1, others);
  return {
    keys: conditions.map(({ name }) => name),
    bits: coded(0, among),
    alone: conditions.length > 1 ? alone : undefined,
  };
}

/** Decides a condition on costs among some positions: those of each group up to a price meet it, which is searched for. */
function decideCost(
  { name, holds }: ListingCondition,
  { codes }: ListingGroupColumn,
  cursor: ListingCursor,
  { order, places, ends }: ByCost,
  among: PositionBits,
): Decided {
  const until = ends.map((end, code) =>
    lowerBound(ends[code - 1] ?? 0, end, (place) => {
      cursor.at = present(order[place]);
      return holds(cursor);
    }),
  );
  return { keys: [name], bits: positionsBelow(places, codes, until, among) };
}
