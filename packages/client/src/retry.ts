import { wait } from "./abort.js";
import { ResponseError, ConnectionError, ServiceError, TimeoutError } from "./errors.js";

// Retries. All operations are GET requests, so retrying is safe.

/** Transient statuses: too many requests, a gateway without its service, service unavailable. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 8_000;

/** Maximum Retry-After; if it is longer, the error is thrown at once. */
const MAX_RETRY_AFTER_MS = 30_000;

/**
 * Makes an attempt, with up to `retries` retries of transient errors. Rejects with the last attempt's error, or with the
 * signal's reason, also while waiting.
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
 * Milliseconds to wait before the next attempt, after `failures` earlier ones (from 0); undefined if a retry is
 * pointless. Never shorter than Retry-After.
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
  // The jitter keeps clients that were rejected together from retrying together.
  return retryAfterMs > MAX_RETRY_AFTER_MS ? undefined : retryAfterMs + backoffMs(0, random);
}

/** Exponential backoff in milliseconds with full jitter, up to 8 s. @param random A number from 0 to below 1. */
export function backoffMs(failures: number, random = Math.random): number {
  return random() * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** failures);
}

function mayPass(error: unknown): error is ConnectionError | TimeoutError | ServiceError | ResponseError {
  if (error instanceof ServiceError || error instanceof ResponseError) {
    return PASSING_STATUSES.has(error.status);
  }
  return error instanceof ConnectionError || error instanceof TimeoutError;
}
