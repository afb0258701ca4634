import { listOffersQuerySchema, type SortKey, type SortOrder } from "@gpu-offers/domain";
import { checkedSearch } from "./checked-search.js";

/**
 * What to list, by the parameter names of interface.md 4.1. What is left out or undefined is not sent,
 * and the service's default holds.
 */
export interface OffersQuery {
  /** GPU slugs in any case: an array, or one text with commas. */
  readonly gpu?: string | readonly string[] | undefined;
  /** Continent names in any case: an array, or one text with commas. */
  readonly continent?: string | readonly string[] | undefined;
  /** Fewest GPUs per instance, from 1. */
  readonly min_gpu_count?: number | undefined;
  /** Most GPUs per instance, from 1 and not below min_gpu_count. */
  readonly max_gpu_count?: number | undefined;
  /** What to sort by; default pricePerGpu. */
  readonly sort_by?: SortKey | undefined;
  /** Direction; default asc. */
  readonly sort_order?: SortOrder | undefined;
  /** Page number, 0-indexed; default 0. */
  readonly page?: number | undefined;
  /** Offers a page, from 1 to 100; default 25. */
  readonly size?: number | undefined;
}

/**
 * The query string of a query, by {@link checkedSearch}.
 * @throws ArgumentError with every problem.
 */
export function offersSearch(query: OffersQuery): string {
  const texts = Object.entries(query).flatMap(([name, value]): [string, unknown][] =>
    value === undefined ? [] : [[name, textOf(value)]],
  );
  return checkedSearch(listOffersQuerySchema, Object.fromEntries(texts));
}

/** A value as a URL has it. What is neither number nor list goes to the rules as it is. */
function textOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.join(",");
  }
  return typeof value === "number" ? String(value) : value;
}
