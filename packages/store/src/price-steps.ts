import { setImmediate as nextTurn } from "node:timers/promises";
import type { PriceChange } from "@gpu-offers/domain";
import {
  comparingPrices,
  everyHour,
  priceSteps,
  stepStart,
  type PriceStep,
  type SeriesRange,
} from "@gpu-offers/domain/history";
import type { Database } from "./database.js";
import { findChangedPoints, findMachines, findObservedDays, listMarketPoints } from "./market-points.js";
import { listFoldedSteps } from "./folded-steps.js";
import { listObservedHours } from "./observed-hours.js";

const DAY_MS = 86_400_000;
const DAYS = { hour: 1, day: 1, week: 7 };

/** Rows that are read before other requests get their turn. */
const ROWS_A_TURN = 120;

/** Days and weeks that are kept, each with some hundred bytes. */
const MOST_KEPT = 40_000;

/** Changes that are kept until the next observation. */
const MOST_CHANGES = 1_000;

/**
 * The hours, days and weeks of GPUs. Reading and sorting the prices of a family takes ten times as long as a page of offers,
 * so its days and weeks are kept until another observation of them.
 */
export class PriceSteps {
  readonly #kept = new Map<string, Map<number, readonly PriceStep[]>>();
  readonly #changes = new Map<string, PriceChange>();
  #lastId = 0;
  #firstDay: string | undefined;

  constructor(private readonly database: Database) {}

  /** The steps of a range, oldest first. */
  async read(slugs: readonly string[], { step, sinceMs, untilMs }: SeriesRange): Promise<PriceStep[]> {
    await this.#forgetChanged();
    const lastId = this.#lastId;
    const folded = await listFoldedSteps(this.database, slugs, { step, sinceMs, untilMs });
    // Hours would be too many.
    const kept = step === "hour" ? new Map<number, readonly PriceStep[]>() : this.#keptOf(`${step} ${slugs.join(" ")}`);
    const lengthMs = DAYS[step] * DAY_MS;
    // Hours are held until the end of their day.
    const mostAtOnce = step === "hour" ? 1 : Math.max(1, Math.floor(ROWS_A_TURN / (slugs.length * DAYS[step])));
    const found: PriceStep[] = [];
    const end = stepStart(untilMs, "day") + DAY_MS;
    // A week may be cut off, and is kept by its end.
    const isWhole = (startMs: number): boolean => startMs + lengthMs <= end;
    const keyOf = (startMs: number): number => (isWhole(startMs) ? startMs : end - 1);
    const stepsAt = (startMs: number) =>
      (isWhole(startMs) ? folded.get(startMs) : undefined) ?? kept.get(keyOf(startMs));
    let atMs = stepStart(sinceMs, step === "week" ? "week" : "day");
    while (atMs < end) {
      const starts: number[] = [];
      for (; starts.length < mostAtOnce && atMs < end && stepsAt(atMs) === undefined; atMs += lengthMs) {
        starts.push(atMs);
      }
      const [firstMs] = starts;
      if (firstMs === undefined) {
        found.push(...(stepsAt(atMs) ?? []));
        atMs += lengthMs;
        continue;
      }
      const loaded = await this.#load(slugs, { step, sinceMs: firstMs, untilMs: Math.min(atMs - 1, untilMs) });
      found.push(...loaded);
      // An observation may have come meanwhile.
      if (this.#lastId === lastId) {
        const byStart = Map.groupBy(loaded, (one) => one.atMs);
        starts.forEach((at) => kept.set(keyOf(at), byStart.get(at) ?? []));
      }
      await nextTurn();
    }
    return found;
  }

  /** By how much the prices of the first and of the last observed day of a range differ. Call it after reading the range. */
  async change(slugs: readonly string[], range: SeriesRange): Promise<PriceChange> {
    const lastId = this.#lastId;
    const days = await findObservedDays(this.database, slugs, range);
    const name = JSON.stringify([days, slugs]);
    const known = this.#changes.get(name);
    if (known !== undefined) {
      return known;
    }
    const from = await findMachines(this.database, slugs, days?.fromMs);
    const comparing = comparingPrices(from, await findMachines(this.database, slugs, days?.untilMs));
    let compared = comparing.next();
    while (compared.done !== true) {
      await nextTurn();
      compared = comparing.next();
    }
    const change = compared.value;
    if (this.#lastId === lastId && this.#changes.size < MOST_CHANGES) {
      this.#changes.set(name, change);
    }
    return change;
  }

  async #load(slugs: readonly string[], range: SeriesRange): Promise<PriceStep[]> {
    const { step } = range;
    if (step !== "hour") {
      return priceSteps(await listMarketPoints(this.database, slugs, { ...range, step: "day" }), step);
    }
    const changes = await listMarketPoints(this.database, slugs, { ...range, step });
    const providers = [...new Set(changes.flatMap(({ sellers }) => Object.keys(sellers)))];
    const span = { since: new Date(range.sinceMs).toISOString(), until: new Date(range.untilMs).toISOString() };
    const read = await listObservedHours(this.database, providers, span);
    const hours = [...Map.groupBy(changes, ({ slug }) => slug).values()].flatMap((own) => everyHour(own, read));
    return priceSteps(
      hours.sort((a, b) => a.atMs - b.atMs),
      step,
    );
  }

  #keptOf(name: string): Map<number, readonly PriceStep[]> {
    const kept = this.#kept.get(name) ?? new Map<number, readonly PriceStep[]>();
    // Those that were not asked for the longest time make room.
    this.#kept.delete(name);
    for (const [oldest] of this.#kept) {
      if ([...this.#kept.values()].reduce((sum, { size }) => sum + size, kept.size) <= MOST_KEPT) {
        break;
      }
      this.#kept.delete(oldest);
    }
    this.#kept.set(name, kept);
    return kept;
  }

  /** Forgets the days from the first one on that was observed again, and all when the oldest days were removed. */
  async #forgetChanged(): Promise<void> {
    const { lastId, sinceMs, firstDay } = await findChangedPoints(this.database, this.#lastId);
    if (firstDay !== this.#firstDay) {
      this.#kept.clear();
    }
    if (lastId !== this.#lastId || firstDay !== this.#firstDay) {
      this.#changes.clear();
    }
    for (const [name, steps] of sinceMs === undefined ? [] : this.#kept) {
      const lengthMs = DAYS[name.startsWith("week") ? "week" : "day"] * DAY_MS;
      [...steps.keys()].filter((atMs) => atMs + lengthMs > (sinceMs ?? 0)).forEach((atMs) => steps.delete(atMs));
    }
    [this.#lastId, this.#firstDay] = [lastId, firstDay];
  }
}
