import { conditionsOf, type ListingCondition, type ListingFilter } from "./listing-filter.js";
import type { ListingGroupColumn, ListingGroups } from "../columns/listing-groups.js";
import type { ListingParameterName } from "./listing-parameters.js";
import { ListingCursor } from "../columns/listing-cursor.js";
import {
  allPositions,
  countPositions,
  difference,
  positionsBelow,
  positionsCoded,
  readEach,
  type PositionBits,
} from "../position-bits.js";
import { finished } from "../finished.js";
import { lowerBound } from "../merged-runs.js";
import { present } from "../present.js";

// Evaluates the conditions of a filter in steps: the words, the conditions on each group of facts together, and each condition on
// costs. A step only looks at positions that fail at most one earlier step: others neither match nor count for a filter.

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

/** The result of a step. */
interface Step {
  /** Its filters. */
  keys: readonly ListingParameterName[];
  /** Of the positions that it looked at, those that meet them all. */
  bits: PositionBits;
  /** Of positions that fail it, those that fail only the filter at an index; undefined for a single filter. */
  alone?: ((index: number, failing: PositionBits) => PositionBits) | undefined;
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

/** The positions that meet all conditions, and those that fail one filter alone, in the order of documentation. */
function* meeting(
  groups: ListingGroups,
  { filter, words }: Asked,
  byCost: Costs,
): Generator<void, { matches: PositionBits; failed: Failed[] }> {
  const isSpot = filter.spot !== undefined;
  const cursor = new ListingCursor(groups.parts, isSpot);
  const conditions = conditionsOf(filter);
  const steps: Step[] = [];
  const matches = allPositions(groups.parts.size);
  // Those that fail at most one step
  const nearly = matches.slice();
  const add = (step: Step): void => {
    steps.push(step);
    for (const [index, all] of matches.entries()) {
      const met = present(step.bits[index]);
      nearly[index] = present(nearly[index]) & (met | all);
      matches[index] = met & all;
    }
  };
  if (words !== undefined) {
    add({ keys: ["q"], bits: words });
  }
  const ofGroups = conditions.filter(({ dependsOn }) => dependsOn !== "cost");
  for (const group of new Set(ofGroups.map(({ dependsOn }) => dependsOn))) {
    const own = ofGroups.filter(({ dependsOn }) => dependsOn === group);
    add(decide(own, groups.of(group), cursor, nearly));
    yield;
  }
  // Last, because they take longest
  for (const condition of conditions.filter(({ dependsOn }) => dependsOn === "cost")) {
    add(decideCost(condition, groups.of("cost"), cursor, byCost(isSpot), nearly));
    yield;
  }
  const failed = steps.flatMap(({ keys, bits, alone }) => {
    const failing = difference(nearly, bits);
    return keys.map((key, index): Failed => [key, alone?.(index, failing) ?? failing]);
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
): Step {
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
  const keys = conditions.map(({ name }) => name);
  const alone: Step["alone"] = keys.length > 1 ? (index, failing) => coded(index + 1, failing) : undefined;
  return { keys, bits: coded(0, among), alone };
}

/** Decides a condition on costs among some positions. Searches each group for the highest price that meets it. */
function decideCost(
  { name, holds }: ListingCondition,
  { codes }: ListingGroupColumn,
  cursor: ListingCursor,
  { order, places, ends }: ByCost,
  among: PositionBits,
): Step {
  const until = ends.map((end, code) =>
    lowerBound(ends[code - 1] ?? 0, end, (place) => {
      cursor.at = present(order[place]);
      return holds(cursor);
    }),
  );
  return { keys: [name], bits: positionsBelow(places, codes, until, among) };
}
