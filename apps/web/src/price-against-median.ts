import { ListingCursor, MarketParts, mergeMarket, type Market, type Offer } from "@gpu-offers/domain";
import { memoizeLast } from "@gpu-offers/list";
import type { Catalog } from "./catalog.js";

// What each GPU costs in the list, and how an offer stands beside that.

/** Fewest offers and providers that a price is compared with. */
const FEWEST_OFFERS = 5;
const FEWEST_PROVIDERS = 2;

/** The market of each GPU in the list, with its name, by slug. */
export const marketByGpu = memoizeLast(({ list, index }: Catalog): ReadonlyMap<string, Market & { name: string }> => {
  const parts = new MarketParts();
  const cursor = new ListingCursor(list.columns, false);
  for (let at = 0; at < index.size; at++) {
    cursor.at = at;
    const { offer, verified, availability, sample } = cursor;
    parts.add({ offer, spot: null, verified, availability, sample, isStale: list.stale[at] === 1 });
  }
  const byGpu = Map.groupBy(parts.build(), ({ gpu }) => gpu.slug);
  return new Map(
    [...byGpu].map(([slug, own]) => [slug, { name: own[0]?.gpu.name ?? slug, ...mergeMarket(own, () => undefined) }]),
  );
});

/** By how many percent an offer is dearer per GPU than the median of its GPU; undefined if too few are known. */
export function percentOfMedian({ gpu, pricePerGpu }: Offer, catalog: Catalog): number | undefined {
  const market = marketByGpu(catalog).get(gpu.slug);
  const isKnown = market !== undefined && market.rentable >= FEWEST_OFFERS && market.providers >= FEWEST_PROVIDERS;
  const median = isKnown ? market.pricePerGpu?.median : undefined;
  return median ? Math.round((pricePerGpu / median - 1) * 100) : undefined;
}
