import type { StockSum } from "../offer/listing-schema.js";
import { present } from "../present.js";
import type { GpuStockList } from "./stock-schema.js";

// How often a machine was to be had, from the changes of its stock and the observations in between. An observation holds
// until the next one, but at most two intervals: an outage is not stock. Time without an observation counts as nothing.

/** Days that changes of stock are remembered; later only the sums of each day are. */
export const STOCK_DAYS = 14;

const SUMMED_DAYS = 90;

/** Intervals of a source for which an observation of stock holds. */
const HELD_INTERVALS = 2;

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What was seen: `+` in stock, `-` sold out, `?` neither. */
export type StockMark = "+" | "-" | "?";

/** A change of stock, which holds until the next one. */
export interface StockChange {
  /** To the minute, in milliseconds since 1970. */
  atMs: number;
  /** What was seen from then on. */
  mark: StockMark;
}

/** Reads changes from their text: minutes since 1970 in base 36, each followed by its mark. */
export function readStockChanges(text: string): StockChange[] {
  return Array.from(text.matchAll(/([0-9a-z]+)([-+?])/g), ([, minute = "", mark]) => ({
    atMs: Number.parseInt(minute, 36) * MINUTE_MS,
    // The class of the pattern
    mark: mark as StockMark,
  }));
}

/** The text of changes with another one, without those that ended before a time in milliseconds since 1970. */
export function addStockChange(text: string, { atMs, mark }: StockChange, sinceMs: number): string {
  const known = readStockChanges(text);
  const kept = known.filter((_, index) => (known[index + 1]?.atMs ?? atMs) > sinceMs);
  const all = kept.at(-1)?.mark === mark ? kept : [...kept, { atMs, mark }];
  return all.map((one) => `${Math.floor(one.atMs / MINUTE_MS).toString(36)}${one.mark}`).join("");
}

/** A span of time, in milliseconds since 1970. */
interface Span {
  /** Its start. */
  fromMs: number;
  /** Its end, exclusive. */
  untilMs: number;
}

/** When the stock of a provider, or of a part of it, was observed. */
export interface StockCoverage {
  /** The observations, oldest first. */
  timesMs: readonly number[];
  /** The spans in which they hold. */
  spans: readonly Span[];
}

/**
 * When the stock was known.
 * @param timesMs observations in milliseconds since 1970, oldest first.
 * @param intervalMs time between two runs of the source.
 * @param untilMs until when the last one may hold.
 */
export function stockCoverage(timesMs: readonly number[], intervalMs: number, untilMs: number): StockCoverage {
  const minutes = timesMs.map((atMs) => Math.floor(atMs / MINUTE_MS) * MINUTE_MS);
  const spans: Span[] = [];
  for (const [index, fromMs] of minutes.entries()) {
    const end = Math.min(minutes[index + 1] ?? untilMs, fromMs + HELD_INTERVALS * intervalMs, untilMs);
    const last = spans.at(-1);
    if (last?.untilMs === fromMs) {
      last.untilMs = end;
    } else {
      spans.push({ fromMs, untilMs: end });
    }
  }
  return { timesMs: minutes, spans };
}

/** A span in which stock was known. */
export interface StockSpan extends Span {
  /** Whether there was. */
  isInStock: boolean;
}

/** The observed spans of a range, oldest first. */
export function stockSpans(
  changes: readonly StockChange[],
  { spans }: StockCoverage,
  { fromMs: startMs, untilMs: endMs }: Span,
): StockSpan[] {
  const found: StockSpan[] = [];
  let index = 0;
  for (const [at, { atMs, mark }] of changes.entries()) {
    const changeEnd = changes[at + 1]?.atMs ?? Number.POSITIVE_INFINITY;
    while (index > 0 && present(spans[index - 1]).untilMs > atMs) {
      index--;
    }
    for (; index < spans.length && present(spans[index]).fromMs < changeEnd; index++) {
      const span = present(spans[index]);
      const fromMs = Math.max(span.fromMs, atMs, startMs);
      const untilMs = Math.min(span.untilMs, changeEnd, endMs);
      if (mark !== "?" && fromMs < untilMs) {
        found.push({ fromMs, untilMs, isInStock: mark === "+" });
      }
    }
  }
  return found;
}

/** What is remembered of some spans; null if nothing was observed. */
export function stockSum(
  changes: readonly StockChange[],
  spans: readonly StockSpan[],
  coverage: StockCoverage,
): StockSum | null {
  const observed = totalMs(spans);
  return observed === 0
    ? null
    : {
        observedHours: hoursOf(observed),
        inStockHours: hoursOf(totalMs(spans.filter(({ isInStock }) => isInStock))),
        lastInStockAt: lastInStock(changes, coverage),
      };
}

function lastInStock(changes: readonly StockChange[], { timesMs }: StockCoverage): string | null {
  for (let index = changes.length - 1; index >= 0; index--) {
    const { atMs, mark } = present(changes[index]);
    const endMs = changes[index + 1]?.atMs ?? Number.POSITIVE_INFINITY;
    const seenMs = mark === "+" ? timesMs.findLast((at) => at < endMs) : undefined;
    if (seenMs !== undefined && seenMs >= atMs) {
      return new Date(seenMs).toISOString();
    }
  }
  return null;
}

/** The longest time that it was seen to be sold out without a gap, in hours with one decimal. */
function longestWaitHours(spans: readonly StockSpan[]): number {
  let longest = 0;
  let startMs = 0;
  for (const [index, { fromMs, untilMs, isInStock }] of spans.entries()) {
    const before = spans[index - 1];
    if (before === undefined || before.isInStock || before.untilMs !== fromMs) {
      startMs = fromMs;
    }
    longest = isInStock ? longest : Math.max(longest, untilMs - startMs);
  }
  return hoursOf(longest);
}

/** How often it came back in each hour of the day in UTC, from 0 to 23: sold out in one observation, in stock in the next. */
function returnsByHour(spans: readonly StockSpan[]): number[] {
  const hours = Array.from({ length: 24 }, () => 0);
  for (const [index, { fromMs, isInStock }] of spans.entries()) {
    const before = spans[index - 1];
    if (isInStock && before?.isInStock === false && before.untilMs === fromMs) {
      const hour = new Date(fromMs).getUTCHours();
      hours[hour] = present(hours[hour]) + 1;
    }
  }
  return hours;
}

/** What was observed in an hour or a day. */
export interface StockStep {
  /** Its start, in milliseconds since 1970. */
  atMs: number;
  /** Milliseconds in which stock was known. */
  observedMs: number;
  /** Those in which there was. */
  inStockMs: number;
}

/** The hours or days of spans in which something was observed, oldest first. */
export function stockSteps(spans: readonly StockSpan[], step: "hour" | "day"): StockStep[] {
  const stepMs = step === "hour" ? HOUR_MS : DAY_MS;
  const steps: StockStep[] = [];
  for (const { fromMs, untilMs, isInStock } of spans) {
    for (let atMs = Math.floor(fromMs / stepMs) * stepMs; atMs < untilMs; atMs += stepMs) {
      if (steps.at(-1)?.atMs !== atMs) {
        steps.push({ atMs, observedMs: 0, inStockMs: 0 });
      }
      const ms = Math.min(untilMs, atMs + stepMs) - Math.max(fromMs, atMs);
      const current = present(steps.at(-1));
      current.observedMs += ms;
      current.inStockMs += isInStock ? ms : 0;
    }
  }
  return steps;
}

/** What is remembered of a GPU at a provider, by size and region: whether a machine was in stock. */
export type GpuStock = Omit<GpuStockList["stock"][number], "gpu" | "provider" | "gpuCount" | "region">;

/**
 * What is remembered of a GPU; null if nothing was observed in {@link STOCK_DAYS}.
 * @param row its changes, the sums of the days before, and the day until which these are.
 * @param untilMs the last observation of all, in milliseconds since 1970.
 */
export function gpuStock(
  row: { changes: string; days: string; foldedTo: string },
  coverage: StockCoverage,
  untilMs: number,
): GpuStock | null {
  const changes = readStockChanges(row.changes);
  const spans = stockSpans(changes, coverage, { fromMs: untilMs - STOCK_DAYS * DAY_MS, untilMs });
  const sum = stockSum(changes, spans, coverage);
  if (sum === null) {
    return null;
  }
  const folded = readStockDays(row.days, untilMs - SUMMED_DAYS * DAY_MS);
  const foldedHours = (key: "observedMs" | "inStockMs") => hoursOf(folded.reduce((total, day) => total + day[key], 0));
  const later = stockSpans(changes, coverage, { fromMs: Date.parse(row.foldedTo), untilMs });
  const recent = stockSum(changes, later, coverage) ?? sum;
  return {
    ...sum,
    longestWaitHours: longestWaitHours(spans),
    returnsByHour: returnsByHour(spans),
    days90: {
      observedHours: rounded(foldedHours("observedMs") + recent.observedHours),
      inStockHours: rounded(foldedHours("inStockMs") + recent.inStockHours),
    },
  };
}

/**
 * The text of folded days with more of them, in base 36: day since 1970, minutes observed, minutes in stock.
 * @param sinceMs days that began before are left out, in milliseconds since 1970.
 */
export function addStockDays(text: string, steps: readonly StockStep[], sinceMs: number): string {
  const days = [...readStockDays(text, sinceMs), ...steps].map(({ atMs, observedMs, inStockMs }) =>
    [atMs / DAY_MS, observedMs / MINUTE_MS, inStockMs / MINUTE_MS].map((value) => Math.round(value).toString(36)),
  );
  return days.map((numbers) => numbers.join(" ")).join(",");
}

/** The folded days of a text since a time in milliseconds since 1970. */
function readStockDays(text: string, sinceMs: number): StockStep[] {
  return text.split(",").flatMap((day) => {
    const [at = 0, observed = 0, inStock = 0] = day.split(" ").map((part) => Number.parseInt(part, 36));
    const step = { atMs: at * DAY_MS, observedMs: observed * MINUTE_MS, inStockMs: inStock * MINUTE_MS };
    return step.atMs >= sinceMs ? [step] : [];
  });
}

function totalMs(spans: readonly Span[]): number {
  return spans.reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0);
}

function hoursOf(ms: number): number {
  return rounded(ms / HOUR_MS);
}

function rounded(hours: number): number {
  return Math.round(hours * 10) / 10;
}
