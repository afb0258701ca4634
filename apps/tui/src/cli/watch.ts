import { spawn } from "node:child_process";
import { pause } from "../catalog/pause.js";
import { OfferSourceError, isTransient } from "../catalog/offer-source-error.js";
import { EXIT, Failure } from "../exit-codes.js";

/** Options of waiting. */
export interface WatchOptions {
  intervalMs: number;
  /** Timeout in milliseconds; undefined if there is none. */
  timeoutMs?: number | undefined;
  /** Called with the reason for waiting, once per new reason. */
  onWait: (reason: string) => void;
  /** Called before the work is repeated. */
  refresh?: () => Promise<void>;
}

/**
 * Repeats the work until something matches. Transient problems are retried, too; other failures end it.
 * @throws Failure with the last reason on timeout.
 */
export async function untilMatch<Result>(work: () => Promise<Result>, options: WatchOptions): Promise<Result> {
  for await (const result of matches(work, options)) {
    return result;
  }
  throw new Failure(EXIT.nothing, "no offers matched in time.");
}

/**
 * Runs a shell command for each new result, with the result on standard input, until the timeout.
 * @throws Failure with the command's exit code if it fails, and if no offers matched in time.
 */
export async function alertEach<Result>(
  work: () => Promise<Result>,
  {
    command,
    keyOf,
    lineOf,
    ...options
  }: WatchOptions & {
    command: string;
    /** Identity of a result. */
    keyOf: (result: Result) => string;
    lineOf: (result: Result) => string;
  },
): Promise<void> {
  let last: string | undefined;
  for await (const result of matches(work, options)) {
    const key = keyOf(result);
    if (key !== last) {
      last = key;
      await runCommand(command, lineOf(result));
    }
  }
  if (last === undefined) {
    throw new Failure(EXIT.nothing, "no offers matched in time.");
  }
}

/** Results of the work at each interval, until the timeout. */
async function* matches<Result>(work: () => Promise<Result>, options: WatchOptions): AsyncGenerator<Result> {
  const { intervalMs, timeoutMs = Number.POSITIVE_INFINITY, onWait, refresh } = options;
  // By the monotonic clock.
  const endMs = performance.now() + timeoutMs;
  let notified = "";
  for (;;) {
    const outcome = await attempt(work);
    if ("result" in outcome) {
      notified = "";
      yield outcome.result;
    } else if (outcome.reason !== notified) {
      notified = outcome.reason;
      onWait(notified);
    }
    const pauseMs = Math.max(intervalMs, "result" in outcome ? 0 : (outcome.retryAfterMs ?? 0));
    const leftMs = endMs - performance.now();
    if (leftMs <= 0) {
      return;
    }
    await pause(Math.min(pauseMs, leftMs));
    if (leftMs < pauseMs) {
      return;
    }
    await refresh?.();
  }
}

async function attempt<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result } | { reason: string; retryAfterMs?: number | undefined }> {
  try {
    return { result: await work() };
  } catch (error) {
    // The offer is gone since it was listed; the next list has another one.
    if (error instanceof Failure && (error.exitCode === EXIT.nothing || error.exitCode === EXIT.changed)) {
      return { reason: error.message };
    }
    if (error instanceof OfferSourceError && isTransient(error.problem)) {
      return { reason: error.problem.message, retryAfterMs: error.problem.retryAfterMs };
    }
    throw error;
  }
}

function runCommand(command: string, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, stdio: ["pipe", "inherit", "inherit"] });
    child.once("error", (error) => reject(new Failure(EXIT.command, `cannot run ${command}: ${error.message}.`)));
    child.once("exit", (code, signal) => {
      if (code === 0) {
        resolve();
        return;
      }
      const ending = signal === null ? `failed with exit code ${code}` : `was killed by signal ${signal}`;
      reject(new Failure(EXIT.command, `the --exec command ${ending}: ${command}`));
    });
    // The command may ignore its input.
    child.stdin.on("error", () => {});
    child.stdin.end(line);
  });
}
