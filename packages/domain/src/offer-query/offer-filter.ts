import type { ImageFilter } from "../image/image-filter.js";
import { fromMicros, isWithinBudget } from "../money/money.js";
import type { Offer } from "../offer/offer-schema.js";
import type { OfferSearch } from "../search/offer-search.js";
import { hourlyCostMicros } from "../offer/hourly-cost.js";
import { isDiskUnknown, paidDisk, pricedDisk } from "../offer/storage.js";

// One table of rules for the service's filters and the additional ones of the picker. Undefined filters match every offer;
// all others must match.

/** The filters of `GET /api/v1/offers` (docs/interface.md, Listing), by the names of its parameters. */
export interface ListFilter {
  /** GPU slugs in lower case; the offer has one of them. */
  gpu?: readonly string[] | undefined;
  /** Continent names; the offer is on one of them. */
  continent?: readonly string[] | undefined;
  /** Minimum number of GPUs per instance. */
  min_gpu_count?: number | undefined;
  /** Maximum number of GPUs per instance. */
  max_gpu_count?: number | undefined;
  /** Never: an {@link OfferFilter} must not be passed in place of this, because its counts would be ignored. */
  minGpuCount?: never;
  /** Maximum number of GPUs per instance. */
  maxGpuCount?: never;
}

/** All filters. The service supports those of {@link ListFilter}; the others apply to offers that are already loaded. */
export interface OfferFilter {
  /** GPU slugs in lower case; the offer has one of them. */
  gpu?: readonly string[] | undefined;
  /** Continent names; the offer is on one of them. */
  continent?: readonly string[] | undefined;
  /** Minimum number of GPUs per instance. */
  minGpuCount?: number | undefined;
  /** Maximum number of GPUs per instance. */
  maxGpuCount?: number | undefined;
  /** Compiled search text, such as `8xh100 eu`: see {@link compileSearch}. */
  search?: OfferSearch | undefined;
  /** Maximum price per GPU, USD per hour. */
  maxPricePerGpu?: number | undefined;
  /** Minimum memory per GPU, GB. */
  minVramGb?: number | undefined;
  /** Minimum total memory of all GPUs, GB. */
  minTotalVramGb?: number | undefined;
  /** Minimum RAM, GB. Offers with unknown RAM don't match. */
  minRamGb?: number | undefined;
  /** Minimum number of virtual CPUs. Offers with an unknown number don't match. */
  minVcpu?: number | undefined;
  /** True: only offers with NVLink; false: only offers without known NVLink. */
  nvlink?: boolean | undefined;
  /** Provider names. */
  provider?: readonly string[] | undefined;
  /** Countries as ISO 3166-1 alpha-2 codes in upper case. */
  country?: readonly string[] | undefined;
  /** Regions, as named by providers, in any case. A region includes its zones: `us-east-1/use1-az4`. */
  region?: readonly string[] | undefined;
  /** True: only available offers; false: only unavailable ones. */
  available?: boolean | undefined;
  /**
   * Required disk, GB, included or selectable. Offers with unknown disk options match, and their prices are minimums.
   */
  diskGb?: number | undefined;
  /** Maximum cost in USD per hour including that disk, or the smallest one if `diskGb` is undefined. */
  maxTotalHourly?: number | undefined;
  /** A budget for a number of hours of the instance including that disk. */
  budget?: Budget | undefined;
  /** Maximum price of the instance without a disk, USD per hour. */
  maxPriceHourly?: number | undefined;
  /** Deployment types. */
  deploymentType?: readonly string[] | undefined;
  /** Words in the network between instances, in any case. */
  interconnect?: string | undefined;
  /** An OS image that the offer's provider must have. */
  image?: Pick<ImageFilter, "wanted" | "providers"> | undefined;
  /** Never: a {@link ListFilter} must not be passed in place of this, because its counts would be ignored. */
  min_gpu_count?: never;
  /** Not here: the filter is `maxGpuCount`. */
  max_gpu_count?: never;
}

/** An amount in USD, and the hours that it must last. */
export interface Budget {
  /** Credit in USD. */
  usd: number;
  /** Hours that it must last. */
  hours: number;
}

/** Name of a filter. */
export type FilterKey = Exclude<keyof OfferFilter, "min_gpu_count" | "max_gpu_count">;

/** The filters that are lists of names, and the name of an offer that must be one of them. */
const names = {
  gpu: (offer: Offer) => offer.gpu.slug,
  continent: (offer: Offer) => offer.regionInfo.continent,
  provider: (offer: Offer) => offer.provider.name,
  country: (offer: Offer) => offer.regionInfo.countryCode,
};

/** The rules of the service's filters, by the names of its parameters. */
export const LIST_RULES = {
  gpu: (offer: Offer, slugs: readonly string[]): boolean => slugs.includes(offer.gpu.slug),
  continent: (offer: Offer, continents: readonly string[]): boolean => continents.includes(offer.regionInfo.continent),
  min_gpu_count: (offer: Offer, count: number): boolean => offer.gpuCount >= count,
  max_gpu_count: (offer: Offer, count: number): boolean => offer.gpuCount <= count,
};

type Rules = {
  [Key in FilterKey]-?: (offer: Offer, value: NonNullable<OfferFilter[Key]>, filter: OfferFilter) => boolean;
};

const rules: Rules = {
  gpu: (offer, slugs) => slugs.includes(names.gpu(offer)),
  continent: (offer, continents) => continents.includes(names.continent(offer)),
  minGpuCount: (offer, count) => offer.gpuCount >= count,
  maxGpuCount: (offer, count) => offer.gpuCount <= count,
  search: (offer, matches) => matches(offer),
  maxPricePerGpu: (offer, usd) => offer.pricePerGpu <= usd,
  minVramGb: (offer, vramGb) => offer.gpu.vramGB >= vramGb,
  minTotalVramGb: (offer, vramGb) => offer.gpu.vramGB * offer.gpuCount >= vramGb,
  minRamGb: (offer, ramGb) => offer.specs.ram >= ramGb,
  minVcpu: (offer, vcpu) => offer.specs.vcpu >= vcpu,
  nvlink: (offer, isWanted) => offer.nvlinkEnabled === isWanted,
  provider: (offer, providers) => providers.includes(names.provider(offer)),
  country: (offer, codes) => codes.includes(names.country(offer)),
  region: (offer, regions) => regions.some((region) => isWithin(offer.region.toLowerCase(), region.toLowerCase())),
  available: (offer, isAvailable) => offer.isAvailable === isAvailable,
  diskGb: (offer, neededGb) => pricedDisk(offer, neededGb) !== undefined,
  maxTotalHourly: (offer, usd, filter) => isPriced(offer, filter) && fromMicros(neededMicros(offer, filter)) <= usd,
  budget: (offer, budget, filter) => isPriced(offer, filter) && isWithinBudget(neededMicros(offer, filter), budget),
  maxPriceHourly: (offer, usd) => offer.priceHourly <= usd,
  deploymentType: (offer, types) => types.includes(offer.deploymentType),
  interconnect: (offer, words) =>
    typeof offer.interconnect === "string" && offer.interconnect.toLowerCase().includes(words.toLowerCase()),
  image: (offer, { providers }) => providers.includes(offer.provider.name),
};

function isWithin(zone: string, region: string): boolean {
  return zone === region || zone.startsWith(`${region}/`);
}

/** Whether the price of the required disk is known. A limit on an unknown price can't be met. */
function isPriced(offer: Offer, { diskGb = 0 }: OfferFilter): boolean {
  return diskGb === 0 || !isDiskUnknown(offer);
}

/** Hourly cost including the required disk. Insufficient disks are only rejected by `diskGb`. */
function neededMicros(offer: Offer, { diskGb }: OfferFilter): number {
  return hourlyCostMicros(offer, paidDisk(offer, diskGb));
}

/** Names of all filters, those of the service first. */
// The keys of a literal are the names of its type
export const FILTER_KEYS = Object.keys(rules) as FilterKey[];

/** Whether an offer matches one filter. */
export function meetsFilter(offer: Offer, key: FilterKey, filter: OfferFilter): boolean {
  const value = filter[key];
  // Rule and value have the same key, which is lost here
  return value === undefined || rules[key](offer, value as never, filter);
}

/** Whether an offer matches all filters. */
export function matchesOffer(offer: Offer, filter: OfferFilter): boolean {
  return FILTER_KEYS.every((key) => meetsFilter(offer, key, filter));
}

/** The filters that an offer fails; empty if it matches. If it is a single one, dropping it makes the offer match. */
export function failedFilters(offer: Offer, filter: OfferFilter): FilterKey[] {
  return FILTER_KEYS.filter((key) => !meetsFilter(offer, key, filter));
}

/**
 * A function that returns the only filter that an offer fails, `none` if it matches, or `several`. It stops at the second
 * failure, so counting what each filter excludes takes one pass over the offers.
 */
export function soleFailure(filter: OfferFilter): (offer: Offer) => FilterKey | "none" | "several" {
  const checks = filterChecks(filter);
  return (offer) => {
    let failed: FilterKey | undefined;
    for (const { key, isMet } of checks) {
      if (!isMet(offer)) {
        if (failed !== undefined) {
          return "several";
        }
        failed = key;
      }
    }
    return failed ?? "none";
  };
}

/** A given filter, and whether an offer meets it. */
interface FilterCheck {
  key: FilterKey;
  isMet: (offer: Offer) => boolean;
}

/** The checks of the given filters, for thousands of offers: names are looked up in sets. */
function filterChecks(filter: OfferFilter): readonly FilterCheck[] {
  return FILTER_KEYS.filter((key) => filter[key] !== undefined).map((key) => {
    if (isNameKey(key)) {
      const wanted = new Set<string>(filter[key]);
      return { key, isMet: (offer) => wanted.has(names[key](offer)) };
    }
    const rule = rules[key];
    const value = filter[key];
    // As in `meetsFilter`
    return { key, isMet: (offer) => rule(offer, value as never, filter) };
  });
}

function isNameKey(key: FilterKey): key is keyof typeof names {
  return key in names;
}

/** The API's filters under the names of this package. */
export function toOfferFilter({ gpu, continent, min_gpu_count, max_gpu_count }: ListFilter): OfferFilter {
  return given({ gpu, continent, minGpuCount: min_gpu_count, maxGpuCount: max_gpu_count });
}

/** The part of a filter that the service supports, by the API's names. The rest must be applied locally. */
export function toListFilter({ gpu, continent, minGpuCount, maxGpuCount }: OfferFilter): ListFilter {
  return given({ gpu, continent, min_gpu_count: minGpuCount, max_gpu_count: maxGpuCount });
}

function given<Filter extends object>(filter: Filter): Filter {
  // The same members, without those that say nothing
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as Filter;
}
