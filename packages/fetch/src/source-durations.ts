import type { LiveSource } from "@gpu-offers/sources";
import { formatDuration } from "./duration.js";

// How often a source is read, and when its offers are stale and removed.

/** Minimum interval, out of respect for providers' APIs. */
export const MIN_INTERVAL_SECONDS = 60;

const DAY_SECONDS = 86_400;

/** The durations of a source, in seconds. */
export interface SourceDurations {
  /** Time between two runs. */
  intervalSeconds: number;
  /** Time without a successful run after which its offers are stale. */
  staleAfterSeconds: number;
  /** Time without a successful run after which its offers are removed. */
  dropAfterSeconds: number;
}

/**
 * The durations of a source: those that the operator set, in seconds, or else the defaults. Prices of a marketplace are stale after three intervals, those of a price list
 * after three days at the earliest.
 */
export function sourceDurations(
  source: Pick<LiveSource, "kind" | "intervalSeconds">,
  given: Partial<Record<"interval" | "staleAfter" | "dropAfter", number | undefined>>,
): SourceDurations {
  const intervalSeconds = given.interval ?? Math.max(MIN_INTERVAL_SECONDS, source.intervalSeconds);
  const minStaleSeconds = source.kind === "marketplace" ? 0 : 3 * DAY_SECONDS;
  return {
    intervalSeconds,
    staleAfterSeconds: given.staleAfter ?? Math.max(minStaleSeconds, 3 * intervalSeconds),
    dropAfterSeconds: given.dropAfter ?? 30 * DAY_SECONDS,
  };
}

/** Durations that contradict each other: such a source would be stale between its runs, or dropped before it is stale. */
export function durationProblems({ intervalSeconds, staleAfterSeconds, dropAfterSeconds }: SourceDurations): string[] {
  const [interval, stale, drop] = [intervalSeconds, staleAfterSeconds, dropAfterSeconds].map(formatDuration);
  return [
    ...(staleAfterSeconds < intervalSeconds
      ? [`staleAfter must not be shorter than the interval; they are ${stale} and ${interval}.`]
      : []),
    ...(dropAfterSeconds < staleAfterSeconds
      ? [`dropAfter must not be shorter than staleAfter; they are ${drop} and ${stale}.`]
      : []),
  ];
}
