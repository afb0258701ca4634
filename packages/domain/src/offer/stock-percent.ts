import type { ListingFacts } from "./listing-schema.js";

/** The share of the observed hours in which it was in stock, in whole percent; null if nothing was observed. */
export function stockPercent(sum: ListingFacts["stock14d"]): number | null {
  return sum == null || sum.observedHours === 0 ? null : Math.round((100 * sum.inStockHours) / sum.observedHours);
}
