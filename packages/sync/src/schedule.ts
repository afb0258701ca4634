import { createHash } from "node:crypto";
import { MAX_WAIT_MS } from "./retry-delay.js";

// When a source is due, and how many run at once. All times are in milliseconds.

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
