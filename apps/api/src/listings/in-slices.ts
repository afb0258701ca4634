import { nextTurn } from "../wire/loop-turns.js";

/** Milliseconds of work after which other requests run. */
const SLICE_MS = 5;

/** The result of work that may be interrupted whenever it yields. */
export async function inSlices<Result>(work: Generator<void, Result>): Promise<Result> {
  let began = performance.now();
  for (;;) {
    const { done, value } = work.next();
    if (done === true) {
      return value;
    }
    if (performance.now() - began > SLICE_MS) {
      await nextTurn();
      began = performance.now();
    }
  }
}
