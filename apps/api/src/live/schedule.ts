import { createHash } from "node:crypto";

// When a source is due. Pure: what is random is handed in, and all times are milliseconds.

/** Failed runs in a row after which the interval doubles with each further one. */
export const FAILURES_BEFORE_BACKOFF = 3;

/** Longest wait after failures. */
export const MAX_BACKOFF_MS = 6 * 3_600_000;

/** First runs of an installation are spread over this time, so that they do not all begin with the process. */
const FIRST_RUNS_MS = 60_000;

const JITTER = 0.1;

/** When a source runs for the first time, told from its name and the installation: not all sources at once. */
export function firstDelayMs(name: string, installation: string): number {
  const share = createHash("sha256").update(`${installation}\0${name}`).digest().readUInt32BE() / 2 ** 32;
  return Math.floor(share * FIRST_RUNS_MS);
}

/**
 * Milliseconds until the next run.
 * @param failures failed runs in a row, this one included.
 * @param retryAfterMs what the server asked for; it is honored even where it is longer than the back-off.
 * @param random from 0 to 1, for the jitter.
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
 * Whether a planned run is due. A plan that lies further ahead than any plan can was made by a clock that was ahead, and
 * a run that was missed, as while the machine slept, is due once.
 */
export function isDue(nextRunAtMs: number | undefined, nowMs: number, intervalMs: number): boolean {
  return (
    nextRunAtMs === undefined ||
    nextRunAtMs <= nowMs ||
    nextRunAtMs > nowMs + Math.max(intervalMs, MAX_BACKOFF_MS) * (1 + 2 * JITTER)
  );
}
