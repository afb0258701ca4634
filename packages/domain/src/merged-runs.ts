import { present } from "./present.js";

// Splits lists that are sorted at a place of all of them together, without merging them.

/** The places from `start` up to `end` of a list, whose keys ascend. */
export interface Run {
  start: number;
  end: number;
}

/**
 * Splits runs after the `count` members of all of them with the smallest keys, of which there are more: two indexes in each
 * run, between which are equal keys alone. At most `count` members come before `below`, and more before `above`.
 * @param keyAt A whole number for each place.
 */
export function splitRuns(
  keyAt: (at: number) => number,
  runs: readonly Run[],
  count: number,
): { below: number[]; above: number[] } {
  let below = runs.map((run) => run.start);
  let above = runs.map((run) => run.end);
  let low = Math.min(...runs.map((run) => keyAt(run.start)));
  let high = Math.max(...runs.map((run) => keyAt(run.end - 1))) + 1;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const split = below.map((from, run) => lowerBound(from, present(above[run]), (at) => keyAt(at) < middle));
    if (split.reduce((sum, at, run) => sum + at - present(runs[run]).start, 0) > count) {
      [high, above] = [middle, split];
    } else {
      [low, below] = [middle, split];
    }
  }
  return { below, above };
}

/** The first of ascending places from `start` up to `end` that isn't below what is looked for; `end` if all are. */
export function lowerBound(start: number, end: number, isBelow: (place: number) => boolean): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBelow(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
