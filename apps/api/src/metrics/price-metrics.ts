import { findGpuModel, mergeMarket, type Market, type MarketPart } from "@gpu-offers/domain";
import { Gauge, type Registry } from "prom-client";
import type { Catalog } from "../catalog/catalog.js";
import type { GpuMarketCache } from "../gpus/gpu-market.js";

/** The fields of a market that metrics have, by family. */
const STATS = ["min", "median"] as const;

/**
 * Prometheus metrics of prices, on request (PRICE_METRICS): three series for each family of GPUs that one can rent. Families
 * are those of the table of models, and slugs of listed GPUs that it doesn't have, never values from callers.
 */
export class PriceMetrics {
  constructor(
    registry: Registry,
    private readonly catalog: Pick<Catalog, "snapshot">,
    private readonly gpus: GpuMarketCache,
  ) {
    const collect = (set: (gauge: Gauge, family: string, market: Market) => void) => {
      const markets = (): [string, Market][] => this.#markets();
      return function collectFamilies(this: Gauge): void {
        this.reset();
        for (const [family, market] of markets()) {
          set(this, family, market);
        }
      };
    };
    const price = new Gauge({
      name: "gpu_offers_price_usd",
      help: "Price per GPU and hour of what one can rent, by family and stat: min or median.",
      labelNames: ["family", "stat"],
      registers: [],
      collect: collect((gauge, family, { pricePerGpu }) => {
        for (const stat of STATS) {
          if (pricePerGpu !== null) {
            gauge.set({ family, stat }, pricePerGpu[stat]);
          }
        }
      }),
    });
    const offers = new Gauge({
      name: "gpu_offers_rentable_offers",
      help: "Number of offers that one can rent, by family.",
      labelNames: ["family"],
      registers: [],
      collect: collect((gauge, family, { rentable }) => gauge.set({ family }, rentable)),
    });
    for (const gauge of [price, offers]) {
      registry.registerMetric(gauge);
    }
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
