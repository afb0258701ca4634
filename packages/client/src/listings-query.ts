import { LISTING_PARAMETER_NAMES, listingQuerySchema, type ListListingsQuery } from "@gpu-offers/domain";
import { checkedSearch } from "./checked-search.js";

/**
 * Query of listings, by the names of its parameters. Lists are arrays or comma-separated strings; quantities are numbers, or
 * texts with a unit: `1TB`, `$2`. Undefined parameters are not sent.
 */
export type ListingsQuery = {
  [Name in keyof ListListingsQuery]?: string | number | boolean | readonly string[] | undefined;
};

/**
 * The query string of a query, by {@link checkedSearch}. Names of GPUs, providers and places are checked by the service.
 * @throws ArgumentError with every problem.
 */
export function listingsSearch(query: ListingsQuery): string {
  const texts = Object.entries(query).flatMap(([name, value]): [string, unknown][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(",") : String(value)]],
  );
  const isKnown = (name: string) => LISTING_PARAMETER_NAMES.some((known) => known === name);
  // In the order of the documentation, so that equal queries have equal URLs.
  const order = (name: string) => (isKnown(name) ? LISTING_PARAMETER_NAMES.findIndex((known) => known === name) : -1);
  return checkedSearch(listingQuerySchema, Object.fromEntries(texts.sort(([a], [b]) => order(a) - order(b))));
}
