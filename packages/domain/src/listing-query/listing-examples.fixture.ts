import { LISTING_PARAMETER_DOCS, type ListingParameterDocs } from "./listing-parameter-docs.js";
import type { ListingParameter } from "./listing-parameter.js";
import { LISTING_PARAMETERS, type ListingParameterName } from "./listing-parameters.js";

// Values of every parameter of the listing query, for the tests of its doors and of its index: the documented examples.

/** Values that change a small catalog's list, where the first documented example doesn't. */
const FIRST: Partial<Record<ListingParameterName, string>> = {
  continent: "Europe",
  country: "NO",
  max_gpu_count: "4",
  verified: "true",
  max_price: "$2",
  budget: "2",
  sort_by: "vramPrice",
  sort_order: "desc",
  page: "1",
  size: "5",
};

/** What a parameter needs beside it to have an effect. */
export const BESIDE: Partial<Record<ListingParameterName, Partial<Record<ListingParameterName, string>>>> = {
  hours: { budget: "20" },
  max_total: { disk: "500" },
  page: { size: "5" },
};

/** A value that changes a small catalog's list. */
export function exampleOf(name: ListingParameterName): string {
  return FIRST[name] ?? LISTING_PARAMETER_DOCS[name].examples[0];
}

/** Values as people write them, {@link exampleOf} first: all that a table of choices allows, and the documented ones. */
export function examplesOf(name: ListingParameterName): string[] {
  const { kind, values = [] }: ListingParameter = LISTING_PARAMETERS[name];
  const { examples }: ListingParameterDocs = LISTING_PARAMETER_DOCS[name];
  return [...new Set([exampleOf(name), ...examples, ...values, ...(kind === "boolean" ? ["true", "false"] : [])])];
}
