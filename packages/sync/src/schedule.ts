import { createHash } from "node:crypto";

// When a source is due, how many run at once, and how long a source waits for its next run: its interval, or less after a
// failure. All times are in milliseconds.

/** Maximum number of sources fetched concurrently. */
export const MAX_PARALLEL_RUNS = 4;

/** Milliseconds that a finished run waits for others, so that they are applied together. */
export const SETTLE_MS = 5_000;

/** Time over which the first runs of an installation are spread. */
const FIRST_RUNS_MS = 60_000;

/** Delay of a source's first run, derived from its name and the installation, to spread the load. */
export function firstDelayMs(name: string, installation: string): number {
  const share = createHash("sha256").update(`${installation}\0${name}`).digest().readUInt32BE() / 2 ** 32;
  return Math.floor(share * FIRST_RUNS_MS);
}

/**
 * Whether a scheduled run is due. A time too far ahead was written with a fast clock, so the run is due now. Missed
 * runs, such as while the machine slept, are due once.
 */
export function isDue(nextRunAtMs: number | undefined, nowMs: number, intervalMs: number): boolean {
  return nextRunAtMs === undefined || nextRunAtMs <= nowMs || nextRunAtMs > nowMs + Math.max(intervalMs, MAX_WAIT_MS);
}

/** Waits after the first failures in a row, then after each further one; never longer than the interval. */
const RETRIES_MS = [60_000, 300_000];
const LATER_RETRIES_MS = 900_000;

/** Failures in a row after which a source is only tried at its interval: about 24 hours of retries. */
export const MAX_RETRIES = 98;

/** Maximum wait that a server can ask for with Retry-After. */
export const MAX_WAIT_MS = 6 * 3_600_000;

/** Share by which a wait may be shorter. It is never longer, so that a source that is late is known to be late. */
const JITTER = 0.1;

/**
 * Milliseconds until the next run: the interval, or less after a failure, since most are over within minutes.
 * @param failures consecutive failures, including this one.
 * @param retryAfterMs the server's Retry-After; honored even if longer.
 * @param random number from 0 to 1, for the jitter.
 */
export function nextDelayMs(
  intervalMs: number,
  { failures, retryAfterMs = 0, random }: { failures: number; retryAfterMs?: number | undefined; random: number },
): number {
  const isRetried = failures > 0 && failures <= MAX_RETRIES;
  const waitMs = isRetried ? Math.min(intervalMs, RETRIES_MS[failures - 1] ?? LATER_RETRIES_MS) : intervalMs;
  return Math.round(Math.max(waitMs * (1 - JITTER * random), Math.min(retryAfterMs, MAX_WAIT_MS)));
}
