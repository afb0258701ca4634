import {
  unknownParameter,
  type ErrorDetail,
  type SortKey,
  type SortOrder,
  type WrittenQuery,
} from "@gpu-offers/domain";
import { listingQuerySchema, type planQuerySchema } from "@gpu-offers/domain/query";
import type * as z from "zod";
import { ArgumentError } from "./errors.js";
import { searchOf } from "./operations.js";

/**
 * Query of the offer list, by the names of its parameters (docs/interface.md, Listing). Undefined parameters are not sent, so the
 * service's defaults apply.
 */
export interface OffersQuery {
  /** GPU slugs in any case: an array, or a comma-separated string. */
  gpu?: string | readonly string[] | undefined;
  /** Continent names in any case: an array, or a comma-separated string. */
  continent?: string | readonly string[] | undefined;
  /** Minimum GPUs per instance, from 1. */
  min_gpu_count?: number | undefined;
  /** Maximum GPUs per instance, from 1 and not below min_gpu_count. */
  max_gpu_count?: number | undefined;
  /** Sort key; default: pricePerGpu. */
  sort_by?: SortKey | undefined;
  /** Sort direction; default: asc. */
  sort_order?: SortOrder | undefined;
  /** Page number, 0-indexed; default: 0. */
  page?: number | undefined;
  /** Page size, from 1 to 100; default: 25. */
  size?: number | undefined;
}

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

/**
 * The query string of the given parameters, with its leading `?`, or an empty text. What is undefined is omitted, lists are
 * joined by commas. Values are normalized, so that equal requests have equal URLs.
 * @throws ArgumentError with every problem, by the same rules as in the service.
 */
export function checkedSearch(schema: z.ZodType<object> & { shape: object }, values: object): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const texts = Object.fromEntries(given.map(([name, value]) => [name, textOf(value)]));
  const result = schema.safeParse(texts);
  if (!result.success) {
    const problems = result.error.issues.flatMap((issue) => explain(issue, Object.keys(schema.shape)));
    throw new ArgumentError(problems, result.error);
  }
  return searchOf(Object.entries(result.data).filter(([name]) => name in texts));
}

/** Formats a value for a URL. Values of other types are validated as they are. */
function textOf(value: unknown): unknown {
  return Array.isArray(value) || typeof value === "number" ? String(value) : value;
}

function explain(
  issue: { code: string; path: readonly PropertyKey[]; message: string; keys?: readonly string[] },
  known: readonly string[],
): ErrorDetail[] {
  return issue.keys === undefined
    ? [{ in: "query", name: String(issue.path[0] ?? "query"), reason: issue.message }]
    : issue.keys.map((name) => ({ in: "query", name, reason: unknownParameter(name, known) }));
}
