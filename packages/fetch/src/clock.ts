import { setTimeout as delay } from "node:timers/promises";

/** Clock of a runner; tests pass their own. */
export interface Clock {
  /** The wall clock in milliseconds since 1970, for stored and displayed times, never for durations. */
  now: () => number;
  /** Monotonic clock in milliseconds. */
  monotonic: () => number;
  /** Waits. Rejects if the signal aborts. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const systemClock: Clock = {
  now: Date.now,
  monotonic: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, signal === undefined ? {} : { signal }),
};
