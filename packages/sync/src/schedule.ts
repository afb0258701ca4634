import { createHash } from "node:crypto";

// When a source is due. Pure functions: random numbers are parameters. All times are in milliseconds.

/** Maximum number of sources fetched concurrently. */
export const MAX_PARALLEL_RUNS = 4;

/** Milliseconds that a finished run waits for others, so that they are applied together. */
export const SETTLE_MS = 5_000;

/** Consecutive failures after which each further one doubles the interval. */
const FAILURES_BEFORE_BACKOFF = 3;

/** Maximum wait after failures. */
export const MAX_BACKOFF_MS = 6 * 3_600_000;

/** Time over which the first runs of an installation are spread. */
const FIRST_RUNS_MS = 60_000;

const JITTER = 0.1;

/** Delay of a source's first run, derived from its name and the installation, to spread the load. */
export function firstDelayMs(name: string, installation: string): number {
  const share = createHash("sha256").update(`${installation}\0${name}`).digest().readUInt32BE() / 2 ** 32;
  return Math.floor(share * FIRST_RUNS_MS);
}

/**
 * Milliseconds until the next run.
 * @param failures consecutive failures, including this one.
 * @param retryAfterMs the server's Retry-After; honored even if longer than the backoff.
 * @param random number from 0 to 1, for the jitter.
 */
export function nextDelayMs(
  intervalMs: number,
  { failures, retryAfterMs = 0, random }: { failures: number; retryAfterMs?: number | undefined; random: number },
): number {
  const doublings = Math.max(0, failures - FAILURES_BEFORE_BACKOFF + 1);
  const backoffMs =
    doublings === 0 ? intervalMs : Math.max(intervalMs, Math.min(MAX_BACKOFF_MS, intervalMs * 2 ** doublings));
  const jittered = backoffMs * (1 + JITTER * (2 * random - 1));
  return Math.round(Math.max(jittered, Math.min(retryAfterMs, MAX_BACKOFF_MS)));
}

/**
 * Whether a scheduled run is due. A time too far ahead was written with a fast clock, so the run is due now. Missed
 * runs, such as while the machine slept, are due once.
 */
export function isDue(nextRunAtMs: number | undefined, nowMs: number, intervalMs: number): boolean {
  return (
    nextRunAtMs === undefined ||
    nextRunAtMs <= nowMs ||
    nextRunAtMs > nowMs + Math.max(intervalMs, MAX_BACKOFF_MS) * (1 + 2 * JITTER)
  );
}
