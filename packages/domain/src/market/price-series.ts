import type { GpuPricesAt, Market } from "./gpu-entry-schema.js";
import { countRegions, priceRange } from "./market.js";
import type { SeriesStep } from "./series-step.js";

// Prices over time, folded from what each change of the catalog stored. A provider counts at a time with its latest prices
// that are dated until then: prices are dated by the source, so an import of an older file lands where it belongs.

/** The prices of one provider from a date on, until its next ones. */
export interface PriceCommit {
  /** Name of the provider. */
  provider: string;
  /** Date of the prices, in milliseconds since 1970. */
  datedMs: number;
  /** Number of the change; of two with the same date, the later one counts. */
  order: number;
  /** Prices per GPU in USD per hour of what was rentable, in any order; empty if nothing was. */
  prices: readonly number[];
  /** Regions that are rentable, as named by the provider. */
  regions: readonly string[];
  /** False if the change is too old to say what was available: then all listed offers count. */
  isAvailabilityKnown: boolean;
}

const HOUR_MS = 3_600_000;
const STEP_MS: Readonly<Record<SeriesStep, number>> = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS };
/** 1970-01-05 was a Monday. */
const FIRST_MONDAY_MS = 4 * 24 * HOUR_MS;

/** What to calculate, in milliseconds since 1970. */
export interface SeriesRange {
  /** Start, in milliseconds since 1970. */
  sinceMs: number;
  /** End, in milliseconds since 1970. */
  untilMs: number;
  /** Distance of the points. */
  step: SeriesStep;
}

/** The date of prices: what the source states, else when they were confirmed, else when they were written. */
export function priceDate(
  asOf: string | null | undefined,
  checkedAt: string | null | undefined,
  committedAt: string,
): string {
  const stated = [asOf, checkedAt].find((time) => typeof time === "string" && !Number.isNaN(Date.parse(time)));
  const date = new Date(stated ?? committedAt).toISOString();
  // A source can't have prices of the future; its clock is wrong.
  return date > committedAt ? committedAt : date;
}

/** Times of a series: whole hours, days or weeks in UTC from `sinceMs` until `untilMs`. */
export function seriesTimes({ sinceMs, untilMs, step }: SeriesRange): number[] {
  const stepMs = STEP_MS[step];
  const originMs = step === "week" ? FIRST_MONDAY_MS : 0;
  const times: number[] = [];
  for (let at = originMs + Math.ceil((sinceMs - originMs) / stepMs) * stepMs; at <= untilMs; at += stepMs) {
    times.push(at);
  }
  return times;
}

/** Number of points of a series, for checking it before it is calculated. */
export function countSeriesTimes({ sinceMs, untilMs, step }: SeriesRange): number {
  return Math.max(0, Math.floor((untilMs - sinceMs) / STEP_MS[step]) + 1);
}

/**
 * The prices at each time of a range; times before the first price have no point. If `current` is given, the last point is
 * the market at that time. One commit is one provider's prices of one slug or more.
 */
export function priceSeries(
  commits: readonly PriceCommit[],
  range: SeriesRange,
  current?: { market: Market; atMs: number },
): GpuPricesAt[] {
  const ordered = commits.toSorted((a, b) => a.datedMs - b.datedMs || a.order - b.order);
  const latest = new Map<string, PriceCommit>();
  const points: GpuPricesAt[] = [];
  let next = 0;
  let hasPrices = false;
  let point: Omit<GpuPricesAt, "at"> | undefined;
  for (const atMs of seriesTimes(range)) {
    if (current !== undefined && atMs >= current.atMs) {
      break;
    }
    for (let commit = ordered[next]; commit !== undefined && commit.datedMs <= atMs; commit = ordered[next]) {
      latest.set(commit.provider, commit);
      hasPrices ||= commit.prices.length > 0;
      point = undefined;
      next += 1;
    }
    if (hasPrices) {
      // Carried forward while nothing changes.
      point ??= pointOf([...latest.values()]);
      points.push({ at: new Date(atMs).toISOString(), ...point });
    }
  }
  return current === undefined ? points : [...points, currentPoint(current)];
}

function pointOf(commits: readonly PriceCommit[]): Omit<GpuPricesAt, "at"> {
  const rentable = commits.filter(({ prices }) => prices.length > 0);
  const prices = rentable.flatMap((commit) => commit.prices).sort((a, b) => a - b);
  const range = priceRange(prices);
  return {
    min: range?.min ?? null,
    p10: range?.p10 ?? null,
    median: range?.median ?? null,
    offers: prices.length,
    providers: rentable.length,
    regions: countRegions(rentable),
    ...(rentable.some(({ isAvailabilityKnown }) => !isAvailabilityKnown) && { availability: "unknown" as const }),
  };
}

/** The market as the last point of a series. */
function currentPoint({ market, atMs }: { market: Market; atMs: number }): GpuPricesAt {
  const { pricePerGpu, rentable, providers, regions } = market;
  return {
    at: new Date(atMs).toISOString(),
    min: pricePerGpu?.min ?? null,
    p10: pricePerGpu?.p10 ?? null,
    median: pricePerGpu?.median ?? null,
    offers: rentable,
    providers,
    regions,
  };
}
