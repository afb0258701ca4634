import { listOffersQuerySchema, type ErrorDetail, type SortKey, type SortOrder } from "@gpu-offers/domain";
import { ArgumentError } from "./errors.js";
import { searchOf } from "./operations.js";

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
 * The query string of a query, with its question mark, or nothing where nothing was given. Texts are sent
 * in the form that the rules make of them, so that equal questions are equal URLs.
 * @throws ArgumentError with every fault, by the very rules that the service has.
 */
export function offersSearch(query: OffersQuery): string {
  const texts = Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, textOf(value)]])),
  );
  const result = listOffersQuerySchema.safeParse(texts);
  if (!result.success) {
    throw new ArgumentError(result.error.issues.flatMap(explain), result.error);
  }
  return searchOf(Object.entries(result.data).filter(([name]) => name in texts));
}

/** A value as a URL has it. What is neither number nor list goes to the rules as it is. */
function textOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.join(",");
  }
  return typeof value === "number" ? String(value) : value;
}

function explain(issue: {
  code: string;
  path: readonly PropertyKey[];
  message: string;
  keys?: readonly string[];
}): ErrorDetail[] {
  return issue.keys === undefined
    ? [{ in: "query", name: String(issue.path[0] ?? "query"), reason: issue.message }]
    : issue.keys.map((name) => ({ in: "query", name, reason: "is unknown" }));
}
