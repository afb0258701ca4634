import type { WrittenQuery } from "@gpu-offers/domain";
import { listingQuerySchema } from "@gpu-offers/domain/query";
import { checkedSearch } from "./checked-search.js";

/**
 * Query of listings, by the names of its parameters. Lists are arrays or comma-separated strings; quantities are numbers, or
 * texts with a unit: `1TB`, `$2`. Undefined parameters are not sent.
 */
export type ListingsQuery = WrittenQuery;

/** The query string of a query, by {@link checkedSearch}. Names of GPUs, providers and places are checked by the service. */
export function listingsSearch(query: ListingsQuery): string {
  const texts = Object.entries(query).map(([name, value]) => [name, typeof value === "boolean" ? `${value}` : value]);
  return checkedSearch(listingQuerySchema, Object.fromEntries(texts));
}
