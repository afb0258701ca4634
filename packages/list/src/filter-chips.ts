import {
  listingOrder,
  LISTING_FILTER_NAMES,
  LISTING_PARAMETERS,
  type AnySortKey,
  type ListingParameter,
  type ListingParameterName,
  type ListingQuery,
} from "@gpu-offers/domain";
import { usdText } from "./price-text.js";
import { printable } from "./printable.js";

// Short descriptions of a query's filters and order.

/** The filters that the page asks for a job with, in the order of its sentence. */
export const JOB_FILTERS = LISTING_FILTER_NAMES.flatMap((name) => {
  const { control }: ListingParameter = LISTING_PARAMETERS[name];
  return control?.job === undefined ? [] : [{ name, rank: control.job.rank }];
})
  .sort((a, b) => a.rank - b.rank)
  .map(({ name }) => name);

/** Describes a given filter with its value; only its name if the query doesn't have it. */
export function chipOf(name: ListingParameterName, query: ListingQuery): string {
  const { kind, chip }: ListingParameter = LISTING_PARAMETERS[name];
  const value = query[name];
  const words = name.replaceAll("_", " ");
  if (value === undefined) {
    return words;
  }
  const text = typeof value === "object" ? listText(value) : kind === "usd" ? usdText(Number(value)) : String(value);
  return printable(chip?.(text, query) ?? `${words} ${text}`);
}

/** All given filters. */
export function chipsOf(query: ListingQuery): { name: ListingParameterName; text: string }[] {
  return LISTING_FILTER_NAMES.filter((name) => query[name] !== undefined).map((name) => ({
    name,
    text: chipOf(name, query),
  }));
}

function listText([first = "", ...others]: readonly string[]): string {
  return others.length > 1 ? `${first} +${others.length}` : [first, ...others].join(" ");
}

const SORT_TEXTS: Readonly<Record<AnySortKey, string>> = {
  pricePerGpu: "price per GPU",
  priceHourly: "instance price, without disk",
  total: "price with the smallest disk; to set a size, press f",
  gpuCount: "number of GPUs",
  stock: "how often in stock in 14 days",
  totalVram: "memory of all GPUs",
  vramPrice: "price per GB of VRAM",
  bandwidthPrice: "price per TB/s of memory bandwidth",
  bf16Price: "price per PFLOPS of BF16",
  fp8Price: "price per PFLOPS of FP8",
};

/** Describes the order of a list. */
export function sortText({ disk = 0, ...query }: ListingQuery): string {
  const { sort, order } = listingOrder(query);
  const text = sort === "total" && disk > 0 ? `price with a ${disk} GB disk` : SORT_TEXTS[sort];
  return `${order === "asc" ? "↑" : "↓"} ${text}`;
}
