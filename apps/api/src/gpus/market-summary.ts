import { Injectable } from "@nestjs/common";
import type { GpuEntry, GpuPricesAt, PriceChange } from "@gpu-offers/domain";
import { priceChange, priceSeries } from "@gpu-offers/domain/history";
import { listMachineEnds, listMarketPoints, lookBackMs } from "@gpu-offers/store/market-points";
import { Catalog } from "../catalog/catalog.js";
import { Foundation } from "../foundation.js";
import { GpuMarketCache, type GpuMarket } from "./gpu-market.js";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Number of GPUs with a tile, and of the largest moves. */
const TILES = 8;
const MOVES = 4;

/** What is shown of a GPU at first sight. */
export interface MarketTile {
  gpu: GpuEntry;
  /** Its observed prices of 30 days, a point for each day. */
  series: readonly GpuPricesAt[];
  /** The change over these days. */
  change: PriceChange;
}

export interface MarketSummary {
  /** The GPUs with the most offers, one of each family, most first. */
  tiles: readonly MarketTile[];
  /** The largest changes within 7 days that are known, largest first. */
  moves: readonly { gpu: GpuEntry; percent: number; change: PriceChange }[];
}

/** Reads the market at first sight, once for each catalog and hour. */
@Injectable()
export class MarketSummaryReader {
  #last: { market: GpuMarket; hour: number; summary: Promise<MarketSummary> } | undefined;

  constructor(
    private readonly foundation: Foundation,
    private readonly markets: GpuMarketCache,
    private readonly catalog: Catalog,
  ) {}

  /** @throws NoCatalogError until a catalog is loaded. */
  get(): Promise<MarketSummary> {
    const market = this.markets.get();
    const { nowMs } = this.catalog;
    const hour = Math.floor(nowMs / HOUR_MS);
    if (this.#last?.market !== market || this.#last.hour !== hour) {
      const summary = this.#read(market, nowMs);
      // A failure isn't kept.
      summary.catch(() => (this.#last = undefined));
      this.#last = { market, hour, summary };
    }
    return this.#last.summary;
  }

  async #read({ gpus }: GpuMarket, nowMs: number): Promise<MarketSummary> {
    const { database } = this.foundation;
    const month = await listMachineEnds(database, nowMs - 30 * DAY_MS);
    const week = await listMachineEnds(database, nowMs - 7 * DAY_MS);
    const changeOf = (ends: typeof month, { slug }: GpuEntry): PriceChange =>
      priceChange(ends.get(slug)?.from, ends.get(slug)?.until);
    const moves = gpus.flatMap((gpu) => {
      const change = changeOf(week, gpu);
      const percent = change.medianPercent ?? 0;
      return percent === 0 ? [] : [{ gpu, percent, change }];
    });
    const tiles: MarketTile[] = [];
    for (const gpu of mostListed(gpus)) {
      const range = { sinceMs: nowMs - 30 * DAY_MS, untilMs: nowMs, step: "day" } as const;
      const points = await listMarketPoints(database, [gpu.slug], { ...range, sinceMs: lookBackMs(range.sinceMs) });
      tiles.push({ gpu, series: priceSeries(points, range), change: changeOf(month, gpu) });
    }
    moves.sort((a, b) => Math.abs(b.percent) - Math.abs(a.percent));
    return { tiles, moves: moves.slice(0, MOVES) };
  }
}

/** The GPUs with the most rentable offers, one of each family. */
function mostListed(gpus: readonly GpuEntry[]): GpuEntry[] {
  const families = new Map<string, GpuEntry>();
  for (const gpu of gpus.toSorted((a, b) => b.market.rentable - a.market.rentable)) {
    const family = gpu.family ?? gpu.slug;
    if (gpu.market.pricePerGpu !== null && !families.has(family)) {
      families.set(family, gpu);
    }
  }
  return [...families.values()].slice(0, TILES);
}
