import type { WrittenQuery } from "@gpu-offers/domain";
import { listingQuerySchema, type planQuerySchema } from "@gpu-offers/domain/query";
import { checkedSearch } from "./checked-search.js";

/**
 * Query of listings, by the names of its parameters. Lists are arrays or comma-separated strings; quantities are numbers, or
 * texts with a unit: `1TB`, `$2`. Undefined parameters are not sent.
 */
export type ListingsQuery = WrittenQuery;

/** A query of listings, and what is chosen of its best match, by the names of the parameters. */
export type PlanQuery = Omit<WrittenQuery, "page" | "size"> & {
  /** SkyPilot and dstack take the first of this number of matches of its GPU and count; default: 1. */
  top?: number | undefined;
  /** Number of machines; default: 1. */
  nodes?: number | undefined;
  /** Percent that the price may rise; default: 5. */
  ceiling?: number | undefined;
  /** Id of an OS image; default: the provider's default. */
  os_image_id?: string | undefined;
};

/** The query string of a query, by {@link checkedSearch}. Names of GPUs, providers and places are checked by the service. */
export function listingsSearch(
  query: ListingsQuery | PlanQuery,
  schema: typeof listingQuerySchema | typeof planQuerySchema = listingQuerySchema,
): string {
  const texts = Object.entries(query).map(([name, value]) => [name, typeof value === "boolean" ? `${value}` : value]);
  return checkedSearch(schema, Object.fromEntries(texts));
}
