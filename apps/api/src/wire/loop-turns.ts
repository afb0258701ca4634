// There is one event loop, so there is one queue for what would hold it.

/** Number of turns that wait at most before further requests are rejected. Most take some milliseconds, none 50. */
const MAX_WAITING = 500;

const waiting: (() => void)[] = [];

/** Whether a further request would wait for seconds. */
export function isLoopBusy(): boolean {
  return waiting.length >= MAX_WAITING;
}

/**
 * Begins work in a turn of the event loop that no other such work has: requests that arrive together would otherwise all be
 * evaluated, and lists that are sent at once all be continued, before a health probe gets its response.
 * @param isNext whether it is the next one, before all that wait.
 */
export function addTurn(begin: () => void, isNext = false): void {
  waiting.splice(isNext ? 1 : waiting.length, 0, begin);
  if (waiting.length === 1) {
    setImmediate(beginNext);
  }
}

/** Waits for such a turn. */
export function nextTurn(isNext = false): Promise<void> {
  return new Promise((resolve) => addTurn(resolve, isNext));
}

function beginNext(): void {
  const begin = waiting[0];
  // After what it does at once, and after what it awaits without I/O.
  setImmediate(() => {
    waiting.shift();
    if (waiting.length > 0) {
      beginNext();
    }
  });
  begin?.();
}

/** Milliseconds of work after which other requests run. */
const SLICE_MS = 5;

/** The result of work that may be interrupted whenever it yields. Other such work waits for its end, so that one takes memory. */
export async function inSlices<Result>(work: Generator<void, Result>): Promise<Result> {
  let began = performance.now();
  for (;;) {
    const { done, value } = work.next();
    if (done === true) {
      return value;
    }
    if (performance.now() - began > SLICE_MS) {
      await nextTurn(true);
      began = performance.now();
    }
  }
}
