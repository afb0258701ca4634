import { Injectable } from "@nestjs/common";
import type { GpuEntry, GpuPricesAt, PriceChange } from "@gpu-offers/domain";
import { priceChange, seriesOfSteps } from "@gpu-offers/domain/history";
import { isUnreachable } from "@gpu-offers/store/database-error";
import { listChanges, lookBackMs } from "@gpu-offers/store/market-points";
import { listPriceSteps } from "@gpu-offers/store/price-steps";
import { Catalog } from "../catalog/catalog.js";
import type { Snapshot } from "../catalog/snapshot.js";
import { Foundation } from "../foundation.js";
import { ListingViewCache } from "../listings/listing-view.js";
import type { GpuMarket } from "../listings/gpu-market.js";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Number of GPUs with a tile, of the largest moves, and of GPUs with new machines. */
const TILES = 8;
const MOVES = 4;
const CAME = 4;

/** What is shown of a GPU at first sight. */
export interface MarketTile {
  gpu: GpuEntry;
  /** Its observed prices of 30 days, a point for each day. */
  series: readonly GpuPricesAt[];
  /** The change over these days. */
  change: PriceChange;
}

export interface MarketSummary {
  /** The GPUs of the most providers, one of each family, those for sale and then most first. */
  tiles: readonly MarketTile[];
  /** The largest changes within 7 days that are known, largest first. */
  moves: readonly { gpu: GpuEntry; percent: number; change: PriceChange }[];
  /** The GPUs with the most machines that providers have now and didn't have when they were read within 7 days. */
  came: readonly { gpu: GpuEntry; machines: number; providers: readonly string[] }[];
}

/** Reads the market at first sight, once for each catalog and hour. */
@Injectable()
export class MarketSummaryReader {
  #last: { snapshot: Snapshot; hour: number; summary: Promise<MarketSummary | undefined> } | undefined;
  #shown: MarketSummary | undefined;

  constructor(
    private readonly foundation: Foundation,
    private readonly views: ListingViewCache,
    private readonly catalog: Catalog,
  ) {}

  /** Without the database, what was read last; undefined if nothing was. @throws NoCatalogError until a catalog is loaded. */
  async get(): Promise<MarketSummary | undefined> {
    const { market } = this.views.get();
    const { nowMs } = this.catalog;
    const hour = Math.floor(nowMs / HOUR_MS);
    if (this.#last?.snapshot !== market.snapshot || this.#last.hour !== hour) {
      if (!this.catalog.reach.isReachable) {
        return this.#shown;
      }
      this.#last = { snapshot: market.snapshot, hour, summary: this.#readOrKeep(market, nowMs) };
    }
    return this.#last.summary;
  }

  async #readOrKeep(market: GpuMarket, nowMs: number): Promise<MarketSummary | undefined> {
    try {
      this.#shown = await this.#read(market, nowMs);
    } catch (error) {
      this.#last = undefined;
      if (!isUnreachable(error)) {
        throw error;
      }
    }
    return this.#shown;
  }

  async #read({ gpus }: GpuMarket, nowMs: number): Promise<MarketSummary> {
    const { database } = this.foundation;
    const listed = mostListed(gpus);
    const slugs = ["", ...listed.map(({ slug }) => slug)];
    const month = await listChanges(database, nowMs - 30 * DAY_MS, slugs);
    const week = await listChanges(database, nowMs - 7 * DAY_MS);
    const changeOf = (changes: typeof month, { slug }: GpuEntry): PriceChange =>
      changes.get(slug)?.change ?? priceChange(undefined, undefined);
    const moves = gpus.flatMap((gpu) => {
      const change = changeOf(week, gpu);
      const percent = change.medianPercent ?? 0;
      return percent === 0 ? [] : [{ gpu, percent, change }];
    });
    const came = gpus.flatMap((gpu) => {
      const { machines = 0, providers = [] } = week.get(gpu.slug)?.came ?? {};
      return machines === 0 ? [] : [{ gpu, machines, providers }];
    });
    const tiles: MarketTile[] = [];
    for (const gpu of listed) {
      const range = { sinceMs: nowMs - 30 * DAY_MS, untilMs: nowMs, step: "day" } as const;
      const steps = await listPriceSteps(database, [gpu.slug], { ...range, sinceMs: lookBackMs(range.sinceMs) });
      tiles.push({ gpu, series: seriesOfSteps(steps, range), change: changeOf(month, gpu) });
    }
    moves.sort((a, b) => Math.abs(b.percent) - Math.abs(a.percent));
    came.sort((a, b) => b.machines - a.machines);
    return { tiles, moves: moves.slice(0, MOVES), came: came.slice(0, CAME) };
  }
}

/**
 * The GPUs that the most providers rent out, of those with as many the fastest by memory, one of each family. Those that are
 * for sale come before those of the sample.
 */
function mostListed(gpus: readonly GpuEntry[]): GpuEntry[] {
  const families = new Map<string, GpuEntry>();
  const order = (a: GpuEntry, b: GpuEntry): number =>
    Number(a.market.sample) - Number(b.market.sample) ||
    b.market.providers - a.market.providers ||
    (b.memoryBandwidthGBs ?? 0) - (a.memoryBandwidthGBs ?? 0);
  for (const gpu of gpus.toSorted(order)) {
    const family = gpu.family ?? gpu.slug;
    if (gpu.market.pricePerGpu !== null && !families.has(family)) {
      families.set(family, gpu);
    }
  }
  return [...families.values()].slice(0, TILES);
}
