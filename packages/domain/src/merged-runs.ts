import { present } from "./present.js";

// Finds a place of the merged order in each of several sorted lists, without merging them.

/** The places from `start` up to `end` of a list, whose keys ascend. */
export interface Run {
  start: number;
  end: number;
}

/**
 * Finds where the first `count` members of the merged order end in each run: members before `below` have smaller keys than
 * member `count` (from 0), and those from `above` on have larger ones. Between them are equal keys alone, or at most `few`.
 * @param keyAt A safe integer for each place. @param runs Runs with members, of which there are more than `count`.
 */
export function splitRuns(
  keyAt: (at: number) => number,
  runs: readonly Run[],
  count: number,
  few = 0,
): { below: number[]; above: number[] } {
  let below = runs.map((run) => run.start);
  let above = runs.map((run) => run.end);
  let low = Math.min(...below.map(keyAt));
  let high = Math.max(...above.map((end) => keyAt(end - 1))) + 1;
  while (high - low > 1 && above.reduce((sum, at, run) => sum + at - present(below[run]), 0) > few) {
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
