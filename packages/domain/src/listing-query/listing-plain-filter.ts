import type { ListingFilter } from "./listing-filter.js";
import type { ListingParameterName } from "./listing-parameters.js";
import type { ListingQuery } from "./listing-query-schema.js";
import type { PickerOrder } from "../offer-query/offer-sort.js";

// The parts of a query that need neither names nor words: limits, choices and the order.

/** Hours that a budget must last, unless stated. */
export const DEFAULT_BUDGET_HOURS = 1;

/** Parameters whose values are resolved or checked with the names of a catalog, or with the grammar of words. */
const NAMED = [
  "q",
  "gpu",
  "provider",
  "continent",
  "country",
  "region",
  "instance_type",
  "image",
  "os",
  "cuda",
  "fits",
] as const satisfies readonly ListingParameterName[];

/** Whether a query can be evaluated with {@link plainListingFilter} alone, without the names of a catalog. */
export function isPlainQuery(query: ListingQuery): boolean {
  const { min_gpu_count: least = 0, max_gpu_count: most = Number.POSITIVE_INFINITY } = query;
  return NAMED.every((name) => query[name] === undefined) && least <= most;
}

/** The filters of a query, without those of names that a catalog resolves, and without words. */
export function plainListingFilter(query: ListingQuery): ListingFilter {
  return {
    region: query.region,
    minGpuCount: query.min_gpu_count,
    maxGpuCount: query.max_gpu_count,
    minVramGb: query.min_vram,
    minTotalVramGb: query.min_total_vram,
    minRamGb: query.min_ram,
    minVcpu: query.min_vcpu,
    minBandwidthGBs: query.min_bandwidth,
    nvlink: query.nvlink,
    interconnect: query.interconnect,
    available: query.available === true ? true : undefined,
    verified: query.verified === "any" ? undefined : query.verified,
    seller: query.seller,
    deploymentType: query.deployment_type,
    instanceType: query.instance_type,
    spot: query.spot === "false" ? undefined : query.spot,
    maxPricePerGpu: query.max_price,
    maxPriceHourly: query.max_hourly,
    maxTotalHourly: query.max_total,
    diskGb: query.disk === 0 ? undefined : query.disk,
    budget: query.budget === undefined ? undefined : { usd: query.budget, hours: query.hours ?? DEFAULT_BUDGET_HOURS },
  };
}

/** The order of a query. */
export function listingOrder({ sort_by = "pricePerGpu", sort_order = "asc", disk }: ListingQuery): PickerOrder {
  return { sort: sort_by, order: sort_order, diskGb: disk === 0 ? undefined : disk };
}
