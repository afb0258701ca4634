import { setImmediate as nextTurn } from "node:timers/promises";
import type { PriceChange } from "@gpu-offers/domain";
import {
  everyHour,
  priceChange,
  priceSteps,
  stepStart,
  type PriceStep,
  type SeriesRange,
} from "@gpu-offers/domain/history";
import { findBound, type Database } from "./database.js";
import {
  countMachineBytes,
  findMachines,
  findObservedDays,
  listMarketPoints,
  listObservedDays,
  periodOf,
} from "./market-points.js";
import { listFoldedSteps } from "./folded-steps.js";
import { listObservedHours } from "./observed-hours.js";

const DAY_MS = 86_400_000;
const DAYS = { hour: 1, day: 1, week: 7 };

/** Rows that are read before other requests get their turn. */
const ROWS_A_TURN = 120;

/** Most bytes of the machines of two days that are compared, of about 26,000 each: they take most of the time of a request. */
const MAX_COMPARED_BYTES = 900_000;

/** Maximum number of results kept until the next observation; the largest take about 100 kB. */
const MOST_KEPT = 500;

/**
 * The hours of whole days, the days or the whole weeks of GPUs, from the one of `sinceMs` to that of `untilMs`, oldest first: those
 * that are folded, and others from their points.
 * @param unfolded makes those of a part of the range, whose first observed day or hour it also gets.
 */
export async function listPriceSteps(
  database: Database,
  slugs: readonly string[],
  { step, sinceMs, untilMs }: SeriesRange,
  unfolded: (range: SeriesRange, firstMs: number) => Promise<PriceStep[]> = (range) =>
    unfoldedSteps(database, slugs, range),
): Promise<PriceStep[]> {
  const rows = step === "week" ? "week" : "day";
  let atMs = stepStart(sinceMs, rows);
  const lengthMs = DAYS[step] * DAY_MS;
  const end = stepStart(untilMs, rows) + lengthMs;
  const whole = { sinceMs: atMs, untilMs: end - 1 };
  const folded = await listFoldedSteps(database, slugs, { step, ...whole });
  // Hours are held until the end of their day.
  const mostAtOnce = step === "hour" ? 1 : Math.max(1, Math.floor(ROWS_A_TURN / (slugs.length * DAYS[step])));
  const found: PriceStep[] = [];
  const observed = await findObservedDays(database, slugs, whole);
  const isEmpty = (startMs: number): boolean =>
    observed === undefined || startMs + lengthMs <= observed.fromMs || startMs > observed.untilMs;
  const stepsAt = (startMs: number) => folded.get(startMs) ?? (isEmpty(startMs) ? [] : undefined);
  while (atMs < end) {
    const firstMs = atMs;
    while (atMs < Math.min(end, firstMs + mostAtOnce * lengthMs) && stepsAt(atMs) === undefined) {
      atMs += lengthMs;
    }
    if (atMs > firstMs) {
      const range = { step, sinceMs: firstMs, untilMs: atMs - 1 };
      found.push(...(await unfolded(range, Math.max(firstMs, observed?.fromMs ?? 0))));
      await nextTurn();
    } else {
      found.push(...(stepsAt(atMs) ?? []));
      atMs += lengthMs;
    }
  }
  return found;
}

/**
 * Builds a week from its folded days. It has the last reading of each provider, so only the days of these are read, and none if the
 * last day has all that still sell: others add nothing to prices. Undefined if a day isn't folded.
 */
async function weekOfDays(
  database: Database,
  slugs: readonly string[],
  range: SeriesRange,
): Promise<PriceStep[] | undefined> {
  const folded = await listFoldedSteps(database, slugs, { ...range, step: "day" });
  const observed = folded.size === 0 ? [] : await listObservedDays(database, slugs, range);
  const days = observed.flatMap((dayMs) => folded.get(dayMs) ?? []);
  const last = days.at(-1);
  if (last === undefined || days.length < observed.length) {
    return undefined;
  }
  const latest = new Map(days.flatMap((day) => [...day.selling, ...day.without].map((name) => [name, day] as const)));
  if ([...latest].every(([name, day]) => day === last || day.without.includes(name))) {
    const without = [...latest.keys()].filter((name) => !last.selling.includes(name));
    return [{ atMs: range.sinceMs, selling: last.selling, without, prices: last.prices }];
  }
  const points = [];
  for (const { atMs } of new Set(latest.values())) {
    points.push(...(await listMarketPoints(database, slugs, { step: "day", sinceMs: atMs, untilMs: atMs })));
    await nextTurn();
  }
  return priceSteps(
    points.sort((a, b) => a.atMs - b.atMs),
    "week",
  );
}

async function unfoldedSteps(database: Database, slugs: readonly string[], range: SeriesRange): Promise<PriceStep[]> {
  const { step } = range;
  if (step !== "hour") {
    const isOneWeek = step === "week" && stepStart(range.untilMs, "week") === range.sinceMs;
    const week = isOneWeek ? await weekOfDays(database, slugs, range) : undefined;
    if (week !== undefined) {
      return week;
    }
    const points = [];
    const lengthMs = Math.max(1, Math.floor(ROWS_A_TURN / slugs.length)) * DAY_MS;
    for (let sinceMs = stepStart(range.sinceMs, "day"); sinceMs <= range.untilMs; sinceMs += lengthMs) {
      const untilMs = Math.min(sinceMs + lengthMs - 1, range.untilMs);
      points.push(...(await listMarketPoints(database, slugs, { step: "day", sinceMs, untilMs })));
      await nextTurn();
    }
    return priceSteps(points, step);
  }
  const changes = await listMarketPoints(database, slugs, { ...range, step });
  const providers = [...new Set(changes.flatMap(({ sellers }) => Object.keys(sellers)))];
  const span = { since: new Date(range.sinceMs).toISOString(), until: new Date(range.untilMs).toISOString() };
  const read = await listObservedHours(database, providers, span);
  const hours = [...Map.groupBy(changes, ({ slug }) => slug).values()].flatMap((own) => everyHour(own, read));
  hours.sort((a, b) => a.atMs - b.atMs);
  return priceSteps(hours, step);
}

/** What is computed of many points, kept until the next observation. */
export class KeptPrices {
  readonly #values = new Map<string, unknown>();
  #lastId = 0;

  constructor(private readonly database: Database) {}

  /** {@link listPriceSteps}. Those that aren't folded may have many points. */
  steps(slugs: readonly string[], range: SeriesRange): Promise<PriceStep[]> {
    return listPriceSteps(this.database, slugs, range, (part, firstMs) =>
      this.keep(["steps", slugs, part, firstMs], () => unfoldedSteps(this.database, slugs, part)),
    );
  }

  /** By how much the prices of the first and of the last observed day of a range differ. */
  async change(slugs: readonly string[], range: SeriesRange): Promise<PriceChange> {
    const days = await findObservedDays(this.database, slugs, range);
    if (days === undefined || days.fromMs === days.untilMs) {
      const only = days && { day: periodOf(days.fromMs), machines: [] };
      return priceChange(only, only);
    }
    const [from, until] = [periodOf(days.fromMs), periodOf(days.untilMs)];
    if ((await countMachineBytes(this.database, slugs, [from, until])) > MAX_COMPARED_BYTES) {
      return { from, until, machines: 0, medianPercent: null, reason: "too many machines to compare" };
    }
    const before = await findMachines(this.database, slugs, days.fromMs);
    return priceChange(before, await findMachines(this.database, slugs, days.untilMs));
  }

  /** What is made once of a key, which says its kind and all that it is made of besides observations. */
  async keep<Value>(key: readonly unknown[], make: () => Promise<Value>): Promise<Value> {
    const lastId = (await findBound(this.database.selectFrom("observation"), "max", "id")) ?? 0;
    if (lastId !== this.#lastId) {
      this.#lastId = lastId;
      this.#values.clear();
    }
    const name = JSON.stringify(key);
    // Its kind of key has this type
    const known = (this.#values.get(name) as Value | undefined) ?? (await make());
    if (this.#lastId === lastId) {
      // At the end: the first one is the least recently used.
      this.#values.delete(name);
      this.#values.set(name, known);
      const [oldest] = this.#values.keys();
      if (this.#values.size > MOST_KEPT && oldest !== undefined) {
        this.#values.delete(oldest);
      }
    }
    return known;
  }
}
