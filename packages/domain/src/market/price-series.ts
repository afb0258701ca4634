import type { GpuPricesAt, PriceChange } from "./gpu-entry-schema.js";
import { memoized } from "../memoized.js";
import { present } from "../present.js";
import { joinedPrices, priceRange } from "./market.js";
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

/** What the readings of GPUs left of an hour, a day or a week. */
export interface PriceStep {
  /** Its start, in milliseconds since 1970. */
  atMs: number;
  /** The providers that were read and had offers. */
  selling: readonly string[];
  /** The providers that were read and had none. */
  without: readonly string[];
  /** What was rentable. */
  prices: Omit<GpuPricesAt, "at" | "observed" | "known">;
}

/** Folds points of one GPU or more, by time, into hours, days or weeks, oldest first. */
export function priceSteps(points: readonly MarketPoint[], step: SeriesStep): PriceStep[] {
  return [...byTime(points, (atMs) => stepStart(atMs, step))].map(([atMs, ofStep]) => {
    const latest = latestOf(ofStep);
    const selling = new Set(latest.filter(({ seller }) => seller.n > 0).map(({ provider }) => provider));
    const without = new Set(latest.map(({ provider }) => provider).filter((provider) => !selling.has(provider)));
    return { atMs, selling: [...selling], without: [...without], prices: pointOf(latest) };
  });
}

/**
 * The points of a range: one for each hour, day or week in which a provider was read that sells or sold the GPUs.
 * @param points days (or hours) of one GPU or more, by time; from {@link KNOWN_FOR_MS} before the range on, so that the then
 * known sellers can be counted.
 */
export function priceSeries(points: readonly MarketPoint[], range: SeriesRange): GpuPricesAt[] {
  return seriesOfSteps(priceSteps(points, range.step), range);
}

/** The same from points that are folded. */
export function seriesOfSteps(steps: readonly PriceStep[], { sinceMs, untilMs, step }: SeriesRange): GpuPricesAt[] {
  const soldAt = new Map<string, number>();
  const firstMs = stepStart(sinceMs, step);
  return steps.flatMap(({ atMs, selling, without, prices }) => {
    selling.forEach((provider) => soldAt.set(provider, atMs));
    const known = [...soldAt.values()].filter((soldMs) => atMs - soldMs <= KNOWN_FOR_MS).length;
    // Who was read and has none left is not known for later points.
    const observed = selling.length + without.filter((provider) => soldAt.delete(provider)).length;
    return atMs < firstMs || atMs > untilMs || observed === 0
      ? []
      : [{ at: new Date(atMs).toISOString(), ...prices, observed, known }];
  });
}

function byTime(points: readonly MarketPoint[], keyOf: (atMs: number) => number): Map<number, MarketPoint[]> {
  const groups = new Map<number, MarketPoint[]>();
  for (const point of points) {
    memoized<number, MarketPoint[]>(groups, keyOf(point.atMs), () => []).push(point);
  }
  return groups;
}

/** The last reading of each provider, of each GPU, from points by time. */
function latestOf(points: readonly MarketPoint[]): { provider: string; seller: SellerPoint }[] {
  const latest = new Map<string, { atMs: number; sellers: SellerPoint[] }>();
  for (const { atMs, sellers } of points) {
    for (const provider in sellers) {
      const known = latest.get(provider);
      const seller = present(sellers[provider]);
      if (known?.atMs === atMs) {
        known.sellers.push(seller);
      } else {
        latest.set(provider, { atMs, sellers: [seller] });
      }
    }
  }
  return [...latest].flatMap(([provider, { sellers }]) => sellers.map((seller) => ({ provider, seller })));
}

function pointOf(latest: readonly { provider: string; seller: SellerPoint }[]) {
  const lists: (readonly number[])[] = [];
  // By provider, because each names its regions as it likes
  const regions = new Map<string, Set<string>>();
  let isUnknown = false;
  for (const { provider, seller } of latest) {
    if (seller.r.length > 0) {
      for (const size in seller.p) {
        lists.push(present(seller.p[size]));
      }
      const own = memoized<string, Set<string>>(regions, provider, () => new Set());
      seller.r.forEach((region) => own.add(region));
      isUnknown ||= seller.u === 1;
    }
  }
  const prices = joinedPrices(lists);
  const range = priceRange(prices);
  return {
    min: range?.min ?? null,
    p10: range?.p10 ?? null,
    median: range?.median ?? null,
    p90: range?.p90 ?? null,
    offers: prices.length,
    providers: regions.size,
    regions: [...regions.values()].reduce((sum, { size }) => sum + size, 0),
    ...(isUnknown && { availability: "unknown" as const }),
  };
}

/**
 * Repeats what each reading left of a GPU in the hours in which its provider was read again without a change.
 * @param changes hours of one GPU with a change; each provider's first reading of a day is one.
 * @param readMs the hours in which each provider was read.
 */
export function everyHour(
  changes: readonly MarketPoint[],
  readMs: ReadonlyMap<string, readonly number[]>,
): MarketPoint[] {
  const hours = new Map<number, Record<string, SellerPoint>>();
  const inOrder = changes.toSorted((a, b) => a.atMs - b.atMs);
  for (const [provider, read] of readMs) {
    const own = inOrder.filter(({ sellers }) => sellers[provider] !== undefined);
    let next = 0;
    let held: SellerPoint | undefined;
    for (const atMs of read) {
      for (let change = own[next]; change !== undefined && change.atMs <= atMs; change = own[++next]) {
        held = change.sellers[provider];
      }
      if (held !== undefined) {
        memoized<number, Record<string, SellerPoint>>(hours, atMs, () => ({}))[provider] = held;
      }
    }
  }
  return [...hours].map(([atMs, sellers]) => ({ atMs, sellers })).sort((a, b) => a.atMs - b.atMs);
}

/** Prices per GPU in USD per hour of single machines, by provider and machine. */
export type MachinePrices = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The machines of one day: prices of each GPU. */
export interface MachineDay {
  /** Such as `2026-11-01`. */
  day: string;
  /** Prices of the machines of each GPU; days that are compared have them in the same order. */
  machines: readonly MachinePrices[];
}

/** By how much the prices changed of the machines that were seen on both days. */
export function priceChange(from: MachineDay | undefined, until: MachineDay | undefined): PriceChange {
  const days = { from: from?.day ?? null, until: until?.day ?? null };
  if (from === undefined || until === undefined || from.day === until.day) {
    const reason = from === undefined ? "nothing was observed" : "observed on one day only";
    return { ...days, machines: 0, medianPercent: null, reason };
  }
  const [earlier, later]: [number[], number[]] = [[], []];
  for (const [index, sellers] of until.machines.entries()) {
    for (const provider in sellers) {
      const before = from.machines[index]?.[provider] ?? {};
      const now = present(sellers[provider]);
      for (const machine in now) {
        const price = before[machine];
        if (price !== undefined) {
          earlier.push(price);
          later.push(present(now[machine]));
        }
      }
    }
  }
  const median = (prices: readonly number[]): number => priceRange(new Float64Array(prices).sort())?.median ?? 0;
  const first = median(earlier);
  const percent = ((median(later) - first) / first) * 100;
  const isKnown = later.length >= FEWEST_MACHINES && first > 0;
  return {
    ...days,
    machines: later.length,
    medianPercent: isKnown ? Math.round(percent * 10) / 10 : null,
    reason: isKnown ? null : `fewer than ${FEWEST_MACHINES} machines were observed on both days`,
  };
}

/** Machines that a day has and an earlier one hasn't. */
export interface NewMachines {
  /** Number of machines. */
  machines: number;
  /** The providers of them. */
  providers: readonly string[];
}

/** The machines that came between two days, of the providers that were read and had some on both. Hosts of marketplaces change all the time. */
export function newMachines(
  from: MachineDay | undefined,
  until: MachineDay | undefined,
  isMarketplace: (provider: string) => boolean = () => false,
): NewMachines {
  const came = (until?.machines ?? []).flatMap((sellers, index) =>
    Object.entries(sellers).flatMap(([provider, machines]) => {
      const had = from?.machines[index]?.[provider];
      return Object.keys(machines).flatMap((name) =>
        had === undefined || name in had || isMarketplace(provider) ? [] : [provider],
      );
    }),
  );
  return { machines: came.length, providers: [...new Set(came)] };
}
