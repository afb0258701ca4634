import { setTimeout as delay } from "node:timers/promises";

/** Time as a runner sees it; tests bring their own. */
export interface Clock {
  /** The wall clock in milliseconds since 1970: for what is stored and shown, never for durations. */
  now: () => number;
  /** Milliseconds since some moment; never set back. */
  monotonic: () => number;
  /** Waits; rejects when the signal aborts. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** The time of the machine. */
export const systemClock: Clock = {
  now: Date.now,
  monotonic: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, signal === undefined ? {} : { signal }),
};
