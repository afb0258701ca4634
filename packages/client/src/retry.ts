import { wait } from "./abort.js";
import { ResponseError, ConnectionError, ServiceError, TimeoutError } from "./errors.js";

// When a call is tried again, and after how long. Every operation is a GET, so trying again changes nothing.

/** Statuses that say "not now": too many requests, a gateway without its service, no service. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 8_000;

/** A service that asks for a longer wait than this is not waited for: its response goes to the caller. */
const MAX_RETRY_AFTER_MS = 30_000;

/**
 * Makes an attempt, and again at most `retries` times while the problem is one that may pass. Rejects with
 * the last attempt's error, or with the signal's reason, also while it waits.
 */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { retries, signal }: { retries: number; signal: AbortSignal | undefined },
): Promise<Result> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      const delayMs = failures < retries ? retryDelayMs(error, failures) : undefined;
      if (delayMs === undefined) {
        throw error;
      }
      await wait(delayMs, signal);
    }
  }
}

/**
 * Milliseconds to wait before the next attempt, after `failures` earlier ones (from 0); undefined when
 * another attempt is of no use. Never shorter than what Retry-After asks for.
 * @param random A number from 0 to below 1.
 */
export function retryDelayMs(error: unknown, failures: number, random = Math.random): number | undefined {
  if (!mayPass(error)) {
    return undefined;
  }
  const retryAfterMs = "retryAfterMs" in error ? error.retryAfterMs : undefined;
  if (retryAfterMs === undefined) {
    return backoffMs(failures, random);
  }
  // The part by chance keeps those who were sent away together from coming back together.
  return retryAfterMs > MAX_RETRY_AFTER_MS ? undefined : retryAfterMs + backoffMs(0, random);
}

/**
 * A random wait in milliseconds that may be twice as long after each failure, up to 8 s ("full jitter").
 * @param random A number from 0 to below 1.
 */
export function backoffMs(failures: number, random = Math.random): number {
  return random() * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** failures);
}

function mayPass(error: unknown): error is ConnectionError | TimeoutError | ServiceError | ResponseError {
  if (error instanceof ServiceError || error instanceof ResponseError) {
    return PASSING_STATUSES.has(error.status);
  }
  return error instanceof ConnectionError || error instanceof TimeoutError;
}
