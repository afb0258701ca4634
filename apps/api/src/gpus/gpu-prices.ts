import { MAX_SERIES_POINTS, type GpuPrices, type GpuPricesQuery } from "@gpu-offers/domain";
import { countSeriesTimes, seriesOfSteps, stepStart, type SeriesRange } from "@gpu-offers/domain/history";
import { Injectable } from "@nestjs/common";
import { findObservedDays, findTrackedSince, lookBackMs } from "@gpu-offers/store/market-points";
import { KeptPrices } from "@gpu-offers/store/price-steps";
import { Foundation } from "../foundation.js";
import { UNITS } from "../http/work-units.js";
import { invalidParameters } from "../wire/api-error.js";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Maximum number of hours of a series: more would hold up other requests. */
const MAX_HOURS = 14 * 24 + 1;

/** Maximum number of hours of a series times its GPUs: two weeks of a family, half a day of a maker. */
const MAX_GPU_HOURS = 2_400;

const DEFAULT_DAYS = 90;

/** Prices of GPUs over time, from what was observed. */
@Injectable()
export class GpuPriceReader {
  readonly #prices: KeptPrices;

  constructor(private readonly foundation: Foundation) {
    this.#prices = new KeptPrices(foundation.database);
  }

  /**
   * The prices of some slugs.
   * @param nowMs the clock.
   * @param charge takes the units of this from the caller.
   * @throws ApiError for an invalid range, or if the caller has too few units left.
   */
  async read(
    gpu: string,
    slugs: readonly string[],
    query: GpuPricesQuery,
    nowMs: number,
    charge: (units: number) => void,
  ): Promise<GpuPrices> {
    const range = rangeOf(query, nowMs, slugs.length);
    charge(UNITS.gpuPrices(countSeriesTimes(range), slugs.length));
    const days = await findObservedDays(this.foundation.database, slugs, range);
    // Nothing changes within an hour but what is observed.
    const hours = [range.sinceMs, range.untilMs].map((atMs) => stepStart(atMs, "hour"));
    const key = ["prices", gpu, slugs, range.step, hours, days];
    return this.#prices.keep(key, () => this.#read(gpu, slugs, range));
  }

  async #read(gpu: string, slugs: readonly string[], range: SeriesRange): Promise<GpuPrices> {
    const { sinceMs, untilMs, step } = range;
    const lookBack = lookBackMs(stepStart(sinceMs, "week"));
    const hoursMs = step === "hour" ? stepStart(sinceMs, "day") : undefined;
    const days = { step: step === "week" ? "week" : "day", sinceMs: lookBack, untilMs } as const;
    const steps = await this.#prices.steps(slugs, hoursMs === undefined ? days : { ...days, untilMs: hoursMs - 1 });
    if (hoursMs !== undefined) {
      steps.push(...(await this.#prices.steps(slugs, { step: "hour", sinceMs: hoursMs, untilMs })));
    }
    return {
      gpu,
      slugs: [...slugs],
      trackedSince: await findTrackedSince(this.foundation.database, slugs),
      step: range.step,
      change: await this.#prices.change(slugs, range),
      series: seriesOfSteps(steps, range),
    };
  }
}

function rangeOf({ since, until, step }: GpuPricesQuery, nowMs: number, gpus: number): SeriesRange {
  const atMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const untilMs = Math.min(until === undefined ? atMs : Date.parse(until), atMs);
  const statedMs = since === undefined ? untilMs - DEFAULT_DAYS * DAY_MS : Date.parse(since);
  const sinceMs = statedMs <= nowMs ? Math.min(statedMs, atMs) : statedMs;
  if (sinceMs > untilMs) {
    const reason = statedMs > atMs ? "must not be in the future" : "must not be after until";
    throw invalidParameters([{ name: "since", reason }]);
  }
  const range = { sinceMs, untilMs, step };
  const points = countSeriesTimes(range);
  const maximum = step === "hour" ? Math.min(MAX_HOURS, Math.floor(MAX_GPU_HOURS / gpus)) : MAX_SERIES_POINTS;
  if (points > maximum) {
    const reason = `must be longer: the series would have ${points} points, and at most ${maximum} are allowed`;
    throw invalidParameters([{ name: "step", reason }]);
  }
  return range;
}
