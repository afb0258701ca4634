// How long a source waits for its next run: its interval, or less after a failure. All times are in milliseconds.

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
