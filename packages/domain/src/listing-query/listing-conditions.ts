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
// distinct value, and only among positions that fail conditions on one other group at most.

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

/** What the conditions on one group of facts decide. */
interface Decided {
  /** The positions that meet them all. */
  bits: PositionBits;
  /** Splits positions that don't by the one that they fail. */
  failed: (others: PositionBits) => Failed[];
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
  // Those that fail conditions on one group at most
  let nearly = matches;
  const add = (one: Decided): void => {
    decided.push(one);
    nearly = intersection(nearly, union(one.bits, matches));
    matches = intersection(matches, one.bits);
  };
  if (words !== undefined) {
    add({ bits: words, failed: (others) => [["q", others]] });
  }
  for (const group of new Set(conditions.map(({ dependsOn }) => dependsOn))) {
    const own = conditions.filter(({ dependsOn }) => dependsOn === group);
    add(decide(own, groups.of(group), cursor, nearly, group === "cost" ? byCost(isSpot) : undefined));
    yield;
  }
  const failed: Failed[] = [];
  for (const one of decided) {
    failed.push(...one.failed(difference(nearly, one.bits)));
    yield;
  }
  const keys = conditions.map(({ name }) => name);
  return { matches, failed: failed.sort(([one], [other]) => keys.indexOf(one) - keys.indexOf(other)) };
}

/** Decides conditions on one group of facts among some positions, once for each distinct value. */
function decide(
  conditions: readonly ListingCondition[],
  { codes, firsts }: ListingGroupColumn,
  cursor: ListingCursor,
  among: PositionBits,
  cost: ByCost | undefined,
): Decided {
  /** 0 if a position meets all conditions, the number of the only one that it fails, from 1, or {@link SEVERAL}. */
  const outcomeAt = (at: number): number => {
    cursor.at = at;
    return conditions.reduce((outcome, { holds }, index) => {
      return holds(cursor) ? outcome : outcome === 0 ? index + 1 : SEVERAL;
    }, 0);
  };
  const coded = (outcomes: Uint8Array, wanted: number, bits: PositionBits): PositionBits => {
    return positionsCoded(
      codes,
      outcomes.map((outcome) => (outcome === wanted ? 1 : 0)),
      bits,
    );
  };
  const split = (outcomes: Uint8Array, others: PositionBits): Failed[] =>
    conditions.map(({ name }, index) => [name, conditions.length === 1 ? others : coded(outcomes, index + 1, others)]);
  if (cost === undefined) {
    const outcomes = Uint8Array.from(firsts, outcomeAt);
    return { bits: coded(outcomes, 0, among), failed: (others) => split(outcomes, others) };
  }
  // Of each group, those up to a price meet all conditions, and those up to a higher one all but one.
  const { order, places, ends } = cost;
  const [until, nearlyUntil] = [ends.slice(), ends.slice()];
  const outcomeOf = (place: number): number => outcomeAt(present(order[place]));
  const outcomes = Uint8Array.from(ends, (end, code) => {
    const met = lowerBound(ends[code - 1] ?? 0, end, (place) => outcomeOf(place) === 0);
    until[code] = met;
    nearlyUntil[code] = lowerBound(met, end, (place) => outcomeOf(place) !== SEVERAL);
    return met < end ? outcomeOf(met) : 0;
  });
  return {
    bits: positionsBelow(places, codes, until, among),
    failed: (others) => split(outcomes, positionsBelow(places, codes, nearlyUntil, others)),
  };
}
