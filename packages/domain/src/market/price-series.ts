import type { GpuPricesAt, PriceChange } from "./gpu-entry-schema.js";
import { memoized } from "../memoized.js";
import { countRegions, priceRange } from "./market.js";
import type { SeriesStep } from "./series-step.js";

// Prices over time, from what each observation left: a series has a point only where a provider was read. What one reading
// found of a GPU is folded into the day and the hour of it when it is written.

/** What a reading of a provider found of one GPU. The keys are short, because it is stored for each day. */
export interface SellerPoint {
  /** Number of listed offers, rentable or not. */
  n: number;
  /** Prices per GPU in USD per hour of what was rentable, lowest first, by GPUs per instance; `0` if that isn't known. */
  p: Readonly<Record<string, readonly number[]>>;
  /** Their distinct regions, as named by the provider. */
  r: readonly string[];
  /** 1 if it isn't known what was rentable: then all listed offers count. */
  u?: 1;
}

/** The last reading of each provider in a day or an hour, of one GPU. */
export interface MarketPoint {
  /** Start of the day or hour, in milliseconds since 1970. */
  atMs: number;
  /** By the provider's name. */
  sellers: Readonly<Record<string, SellerPoint>>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STEP_MS: Readonly<Record<SeriesStep, number>> = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS };
/** 1970-01-05 was a Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** A provider that wasn't read for so long is no longer a known seller. */
export const KNOWN_FOR_MS = 30 * DAY_MS;

/** Fewest machines that are compared. */
const FEWEST_MACHINES = 3;

/** What to calculate, in milliseconds since 1970. */
export interface SeriesRange {
  /** Start, in milliseconds since 1970. */
  sinceMs: number;
  /** End, in milliseconds since 1970. */
  untilMs: number;
  /** Distance of the points. */
  step: SeriesStep;
}

/** The date of prices from a file: what it states, else when they were written. */
export function priceDate(asOf: string | null | undefined, committedAt: string): string {
  const isStated = typeof asOf === "string" && !Number.isNaN(Date.parse(asOf));
  const date = isStated ? new Date(asOf).toISOString() : committedAt;
  // A source can't have prices of the future; its clock is wrong.
  return date > committedAt ? committedAt : date;
}

/** Start of the hour, day or week in UTC that contains a time. Weeks begin on Monday. */
export function stepStart(atMs: number, step: SeriesStep): number {
  const originMs = step === "week" ? FIRST_MONDAY_MS : 0;
  return originMs + Math.floor((atMs - originMs) / STEP_MS[step]) * STEP_MS[step];
}

/** Maximum number of points of a series, for checking it before it is calculated. */
export function countSeriesTimes({ sinceMs, untilMs, step }: SeriesRange): number {
  return Math.max(0, Math.floor((untilMs - sinceMs) / STEP_MS[step]) + 1);
}

/**
 * The points of a range: one for each hour, day or week in which a provider was read that sells or sold the GPUs.
 * @param points days (or hours) of one GPU or more, by time; from {@link KNOWN_FOR_MS} before the range on, so that the then
 * known sellers can be counted.
 */
export function priceSeries(points: readonly MarketPoint[], range: SeriesRange): GpuPricesAt[] {
  const steps = byTime(points, (atMs) => stepStart(atMs, range.step));
  const soldAt = new Map<string, number>();
  const firstMs = stepStart(range.sinceMs, range.step);
  return [...steps].flatMap(([atMs, ofStep]) => {
    const latest = latestOf(ofStep);
    for (const { provider, seller } of latest) {
      if (seller.n > 0) {
        soldAt.set(provider, atMs);
      }
    }
    const observed = new Set(latest.map(({ provider }) => provider).filter((provider) => soldAt.has(provider)));
    const known = [...soldAt].filter(([, soldMs]) => atMs - soldMs <= KNOWN_FOR_MS).map(([provider]) => provider);
    // Who was read and has none left is not known for later points.
    const left = new Set(latest.filter(({ seller }) => seller.n > 0).map(({ provider }) => provider));
    observed.forEach((provider) => left.has(provider) || soldAt.delete(provider));
    return atMs < firstMs || atMs > range.untilMs || observed.size === 0
      ? []
      : [{ at: new Date(atMs).toISOString(), ...pointOf(latest), observed: observed.size, known: known.length }];
  });
}

function byTime(points: readonly MarketPoint[], keyOf: (atMs: number) => number): Map<number, MarketPoint[]> {
  const groups = new Map<number, MarketPoint[]>();
  for (const point of points) {
    memoized<number, MarketPoint[]>(groups, keyOf(point.atMs), () => []).push(point);
  }
  return groups;
}

/** The last reading of each provider, of each GPU. */
function latestOf(points: readonly MarketPoint[]): { provider: string; seller: SellerPoint }[] {
  const days = byTime(points, (atMs) => atMs);
  const latest = new Map<string, SellerPoint[]>();
  for (const ofDay of days.values()) {
    const read = new Map<string, SellerPoint[]>();
    for (const { sellers } of ofDay) {
      for (const [provider, seller] of Object.entries(sellers)) {
        read.set(provider, [...(read.get(provider) ?? []), seller]);
      }
    }
    read.forEach((sellers, provider) => latest.set(provider, sellers));
  }
  return [...latest].flatMap(([provider, sellers]) => sellers.map((seller) => ({ provider, seller })));
}

function pointOf(latest: readonly { provider: string; seller: SellerPoint }[]) {
  const rentable = latest.filter(({ seller }) => seller.r.length > 0);
  const prices = Float64Array.from(rentable.flatMap(({ seller }) => Object.values(seller.p).flat())).sort();
  const range = priceRange(prices);
  return {
    min: range?.min ?? null,
    p10: range?.p10 ?? null,
    median: range?.median ?? null,
    offers: prices.length,
    providers: new Set(rentable.map(({ provider }) => provider)).size,
    regions: countRegions(rentable.map(({ provider, seller }) => ({ provider, regions: seller.r }))),
    ...(rentable.some(({ seller }) => seller.u === 1) && { availability: "unknown" as const }),
  };
}

/**
 * Repeats what each reading left in the hours in which its provider was read again without a change.
 * @param changes hours with a change; each provider's first reading of a day is one.
 * @param readMs the hours in which each provider was read.
 */
export function everyHour(
  changes: readonly MarketPoint[],
  readMs: ReadonlyMap<string, readonly number[]>,
): MarketPoint[] {
  return [...readMs]
    .flatMap(([provider, hours]) => {
      const own = changes.filter(({ sellers }) => sellers[provider] !== undefined);
      return hours.flatMap((atMs) => {
        const seller = own.findLast((change) => change.atMs <= atMs)?.sellers[provider];
        return seller === undefined ? [] : [{ atMs, sellers: { [provider]: seller } }];
      });
    })
    .sort((a, b) => a.atMs - b.atMs);
}

/** Prices per GPU in USD per hour of single machines, by provider and machine. */
export type MachinePrices = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The machines of one day: prices of each GPU. */
export interface MachineDay {
  /** Such as `2026-11-01`. */
  day: string;
  /** Prices of the machines of each GPU. */
  machines: readonly MachinePrices[];
}

/** By how much the prices changed of the machines that were seen on both days. */
export function priceChange(from: MachineDay | undefined, until: MachineDay | undefined): PriceChange {
  const days = { from: from?.day ?? null, until: until?.day ?? null };
  if (from === undefined || until === undefined || from.day === until.day) {
    const reason = from === undefined ? "nothing was observed" : "observed on one day only";
    return { ...days, machines: 0, medianPercent: null, reason };
  }
  const before = new Map(from.machines.flatMap(entriesOf));
  const pairs = until.machines.flatMap(entriesOf).flatMap(([machine, price]) => {
    const earlier = before.get(machine);
    return earlier === undefined ? [] : [{ earlier, price }];
  });
  const median = (prices: readonly number[]): number => priceRange(Float64Array.from(prices).sort())?.median ?? 0;
  const first = median(pairs.map(({ earlier }) => earlier));
  const percent = ((median(pairs.map(({ price }) => price)) - first) / first) * 100;
  const isKnown = pairs.length >= FEWEST_MACHINES && first > 0;
  return {
    ...days,
    machines: pairs.length,
    medianPercent: isKnown ? Math.round(percent * 10) / 10 : null,
    reason: isKnown ? null : `fewer than ${FEWEST_MACHINES} machines were observed on both days`,
  };
}

function entriesOf(machines: MachinePrices): [machine: string, price: number][] {
  return Object.entries(machines).flatMap(([provider, prices]) =>
    Object.entries(prices).map(([machine, price]): [string, number] => [`${provider} ${machine}`, price]),
  );
}
