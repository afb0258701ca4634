import { setTimeout as wait } from "node:timers/promises";
import { SourceFault } from "../catalog/source-fault.js";
import { mayPass } from "../catalog/fault.js";
import { EXIT, Failure } from "../output/exit.js";

/** How to wait. */
export interface WatchOptions {
  intervalMs: number;
  /** Told why it still waits, once for each new reason. */
  onWait: (reason: string) => void;
}

/**
 * Does the work again and again until something matches. Trouble that may pass is waited out, too; other failures
 * end it.
 */
export async function untilMatch<Result>(work: () => Promise<Result>, options: WatchOptions): Promise<Result> {
  let told = "";
  for (;;) {
    const outcome = await attempt(work);
    if ("result" in outcome) {
      return outcome.result;
    }
    if (outcome.reason !== told) {
      told = outcome.reason;
      options.onWait(told);
    }
    await wait(Math.max(options.intervalMs, outcome.retryAfterMs ?? 0));
  }
}

async function attempt<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result } | { reason: string; retryAfterMs?: number | undefined }> {
  try {
    return { result: await work() };
  } catch (error) {
    if (error instanceof Failure && error.exitCode === EXIT.nothing) {
      return { reason: error.message };
    }
    if (error instanceof SourceFault && mayPass(error.fault)) {
      return { reason: error.fault.message, retryAfterMs: error.fault.retryAfterMs };
    }
    throw error;
  }
}
