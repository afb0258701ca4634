import { ListingCursor, toMicrosUp, type Offer } from "@gpu-offers/domain";
import { memoizeLast } from "@gpu-offers/list";
import type { Catalog } from "./catalog.js";

// What each GPU costs in the list, and how an offer stands beside that.

interface GpuPrices {
  name: string;
  /** Per GPU-hour in micro-dollars, lowest first. */
  micros: Float64Array;
  providers: number;
}

/** Fewest offers and providers that a price is compared with. */
const FEWEST_OFFERS = 5;
const FEWEST_PROVIDERS = 2;

/** The prices of what can be rented of each GPU, by slug, as the market counts them: the sample only where nothing is sold. */
export const pricesByGpu = memoizeLast(({ list, index }: Catalog): ReadonlyMap<string, GpuPrices> => {
  const found = new Map<string, { name: string; isSample: boolean; micros: number[]; providers: Set<string> }>();
  const cursor = new ListingCursor(list.columns, false);
  for (let at = 0; at < index.size; at++) {
    cursor.at = at;
    const { sample: isSample, verified, availability } = cursor;
    const { gpu, provider, pricePerGpu } = cursor.offer;
    if (availability === "sold_out" || list.stale[at] === 1 || verified === false) {
      continue;
    }
    let own = found.get(gpu.slug);
    if (own === undefined || (own.isSample && !isSample)) {
      own = { name: gpu.name, isSample, micros: [], providers: new Set() };
      found.set(gpu.slug, own);
    }
    if (own.isSample === isSample) {
      own.micros.push(toMicrosUp(pricePerGpu));
      own.providers.add(provider.name);
    }
  }
  return new Map(
    [...found].map(([slug, { name, micros, providers }]) => [
      slug,
      { name, micros: Float64Array.from(micros).sort(), providers: providers.size },
    ]),
  );
});

/** By how many percent an offer is dearer per GPU than the median of its GPU; undefined if too few are known. */
export function percentOfMedian({ gpu, pricePerGpu }: Offer, catalog: Catalog): number | undefined {
  const prices = pricesByGpu(catalog).get(gpu.slug);
  if (prices === undefined || prices.micros.length < FEWEST_OFFERS || prices.providers < FEWEST_PROVIDERS) {
    return undefined;
  }
  const median = prices.micros[Math.ceil(prices.micros.length / 2) - 1] ?? 0;
  return median === 0 ? undefined : Math.round((toMicrosUp(pricePerGpu) / median - 1) * 100);
}
