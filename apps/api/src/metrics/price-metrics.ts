import { Injectable } from "@nestjs/common";
import { findGpuModel, mergeMarket, type Market, type MarketPart } from "@gpu-offers/domain";
import { Registry } from "prom-client";
import { Catalog } from "../catalog/catalog.js";
import { GpuMarketCache } from "../gpus/gpu-market.js";
import { addGauges } from "../wire/read-metric.js";

/** The fields of a market that metrics have, by family. */
const STATS = ["min", "median"] as const;

/**
 * Prometheus metrics of prices, on request (PRICE_METRICS): three series for each family of GPUs that one can rent. Families
 * are those of the table of models, and slugs of listed GPUs that it doesn't have, never values from callers.
 */
@Injectable()
export class PriceMetrics {
  constructor(
    registry: Registry,
    private readonly catalog: Catalog,
    private readonly gpus: GpuMarketCache,
  ) {
    addGauges(
      registry,
      [
        "gpu_offers_price_usd",
        "Price per GPU and hour of what one can rent, by family and stat: min or median.",
        () =>
          this.#markets().flatMap(([family, { pricePerGpu }]) =>
            pricePerGpu === null ? [] : STATS.map((stat) => [{ family, stat }, pricePerGpu[stat]] as const),
          ),
        ["family", "stat"],
      ],
      [
        "gpu_offers_rentable_offers",
        "Number of offers that one can rent, by family.",
        () => this.#markets().map(([family, { rentable }]) => [{ family }, rentable] as const),
        ["family"],
      ],
    );
  }

  /** The market of each family; empty before the first catalog. */
  #markets(): [string, Market][] {
    if (this.catalog.snapshot === undefined) {
      return [];
    }
    const { snapshot, ageOf } = this.gpus.get();
    const families = Map.groupBy(snapshot.market, familyOf);
    return [...families].map(([family, parts]) => [family, mergeMarket(parts, ageOf)]);
  }
}

function familyOf({ gpu }: MarketPart): string {
  return findGpuModel(gpu.slug)?.family ?? gpu.slug;
}
