import { spawn } from "node:child_process";
import { once } from "node:events";
import { pause } from "../catalog/pause.js";
import { OfferSourceError, isTransient } from "../catalog/offer-source-error.js";
import { EXIT, Failure } from "../exit-codes.js";
import { resultLine, type PickResult } from "../output/result.js";

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
  throw noMatch();
}

/**
 * Runs a shell command for each new result, with the result on standard input, until the timeout.
 * @throws Failure with the command's exit code if it fails, and if no offers matched in time.
 */
export async function alertEach(
  pick: () => Promise<PickResult>,
  command: string,
  options: WatchOptions,
): Promise<void> {
  let last: string | undefined;
  for await (const result of matches(pick, options)) {
    const key = `${result.offer.id} ${result.estimate.hourly}`;
    if (key !== last) {
      last = key;
      await runCommand(command, resultLine(result));
    }
  }
  if (last === undefined) {
    throw noMatch();
  }
}

function noMatch(): Failure {
  return new Failure(EXIT.nothing, "no offers matched in time.");
}

/** Results of the work at each interval, until the timeout. */
async function* matches<Result>(work: () => Promise<Result>, options: WatchOptions): AsyncGenerator<Result> {
  const { intervalMs, timeoutMs = Number.POSITIVE_INFINITY, onWait, refresh } = options;
  // By the monotonic clock.
  const endMs = performance.now() + timeoutMs;
  let notified = "";
  for (;;) {
    let pauseMs = intervalMs;
    try {
      yield await work();
      notified = "";
    } catch (error) {
      const { message, retryAfterMs = 0 } = reasonToWait(error);
      pauseMs = Math.max(intervalMs, retryAfterMs);
      if (message !== notified) {
        notified = message;
        onWait(notified);
      }
    }
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

/** @throws any error that doesn't pass by itself. */
function reasonToWait(error: unknown): { message: string; retryAfterMs?: number | undefined } {
  // The offer is gone since it was listed; the next list has another one.
  if (error instanceof Failure && (error.exitCode === EXIT.nothing || error.exitCode === EXIT.changed)) {
    return error;
  }
  if (error instanceof OfferSourceError && isTransient(error.problem)) {
    return error.problem;
  }
  throw error;
}

async function runCommand(command: string, line: string): Promise<void> {
  const child = spawn(command, { shell: true, stdio: ["pipe", "inherit", "inherit"] });
  // The command may ignore its input.
  child.stdin.on("error", () => {}).end(line);
  const [code, signal] = await once(child, "exit").catch((error: Error) => {
    throw new Failure(EXIT.command, `cannot run ${command}: ${error.message}.`);
  });
  if (code !== 0) {
    const ending = signal === null ? `failed with exit code ${code}` : `was killed by signal ${signal}`;
    throw new Failure(EXIT.command, `the --exec command ${ending}: ${command}`);
  }
}
