import {
  countSeriesTimes,
  MAX_SERIES_POINTS,
  mergeMarket,
  priceSeries,
  type GpuPrices,
  type GpuPricesQuery,
  type PriceCommit,
  type SeriesRange,
} from "@gpu-offers/domain";
import { Injectable } from "@nestjs/common";
import { listPriceCommits } from "@gpu-offers/store/price-log";
import { LRUCache } from "lru-cache";
import { Foundation } from "../foundation.js";
import { UNITS } from "../http/work-units.js";
import { invalidParameters } from "../wire/api-error.js";
import type { Exchange } from "../wire/exchange.js";
import type { GpuMarket } from "./gpu-market.js";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Days of a series, unless told. */
const DEFAULT_DAYS = 90;

/** GPUs whose prices are kept until the catalog changes. */
const MAX_KEPT = 100;

/** Prices of GPUs over time, from the log of prices. */
@Injectable()
export class GpuPriceReader {
  readonly #kept = new LRUCache<string, { market: GpuMarket; commits: Promise<readonly PriceCommit[]> }>({
    max: MAX_KEPT,
  });

  constructor(private readonly foundation: Foundation) {}

  /**
   * The prices of some slugs.
   * @param nowMs the clock; the point of now is that of its minute, so that the response is the same for a minute.
   * @param exchange the request to charge for it; undefined if it is charged already.
   * @throws ApiError for an invalid range, or if the caller of the request has too few units left.
   */
  async read(
    gpu: string,
    slugs: readonly string[],
    query: GpuPricesQuery,
    market: GpuMarket,
    nowMs: number,
    exchange?: Exchange,
  ): Promise<GpuPrices> {
    const atMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
    const range = rangeOf(query, nowMs, atMs);
    exchange?.admit(UNITS.gpuPrices(countSeriesTimes(range), partsOf(market, slugs).length));
    const commits = await this.#commitsOf(slugs, market);
    // There may be more than a call takes arguments.
    const trackedMs = commits.reduce(
      (first, { prices, datedMs }) => (prices.length > 0 && datedMs < first ? datedMs : first),
      Infinity,
    );
    const current = { atMs, market: mergeMarket(partsOf(market, slugs), market.ageOf) };
    return {
      gpu,
      slugs: [...slugs],
      trackedSince: trackedMs === Infinity ? null : new Date(trackedMs).toISOString(),
      step: range.step,
      series: priceSeries(commits, range, range.untilMs >= atMs ? current : undefined),
    };
  }

  #commitsOf(slugs: readonly string[], market: GpuMarket): Promise<readonly PriceCommit[]> {
    const key = slugs.join(" ");
    const kept = this.#kept.get(key);
    if (kept?.market.snapshot.revision.mark === market.snapshot.revision.mark) {
      return kept.commits;
    }
    const commits = listPriceCommits(this.foundation.database, slugs);
    this.#kept.set(key, { market, commits });
    // A failed read is not kept.
    commits.catch(() => this.#kept.delete(key));
    return commits;
  }
}

function partsOf({ snapshot }: GpuMarket, slugs: readonly string[]) {
  const wanted = new Set(slugs);
  return snapshot.market.filter(({ gpu }) => wanted.has(gpu.slug));
}

/** @param atMs the time of the point of now, at most a minute before it. */
function rangeOf({ since, until, step }: GpuPricesQuery, nowMs: number, atMs: number): SeriesRange {
  const untilMs = Math.min(until === undefined ? atMs : Date.parse(until), atMs);
  const statedMs = since === undefined ? untilMs - DEFAULT_DAYS * DAY_MS : Date.parse(since);
  const sinceMs = statedMs <= nowMs ? Math.min(statedMs, atMs) : statedMs;
  if (sinceMs > untilMs) {
    throw invalidParameters([
      { name: "since", reason: statedMs > atMs ? "must not be in the future" : "must not be after until" },
    ]);
  }
  const range = { sinceMs, untilMs, step };
  const points = countSeriesTimes(range);
  if (points > MAX_SERIES_POINTS) {
    throw invalidParameters([
      {
        name: "step",
        reason: `must be longer: the series would have ${points} points, and at most ${MAX_SERIES_POINTS} are allowed`,
      },
    ]);
  }
  return range;
}
