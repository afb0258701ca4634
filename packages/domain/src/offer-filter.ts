import type { WantedImage } from "./image-filter.js";
import { fromMicros } from "./money.js";
import type { Offer } from "./offer-schema.js";
import type { OfferSearch } from "./offer-search.js";
import { hourlyCostMicros, pricedDisk } from "./storage.js";

// One table of rules serves the server's filters and the richer ones of a picker. A filter that is
// left out (undefined) lets every offer pass; the filters that are given must all be met.

/** The filters of `GET /api/v1/offers` (interface.md 4.1), by the interface's names. */
export interface ListFilter {
  /** GPU slugs in lower case; the offer has one of them. */
  gpu?: readonly string[] | undefined;
  /** Continent names; the offer is on one of them. */
  continent?: readonly string[] | undefined;
  /** Minimum number of GPUs per instance. */
  min_gpu_count?: number | undefined;
  /** Maximum number of GPUs per instance. */
  max_gpu_count?: number | undefined;
}

/** All filters. The service knows those of {@link ListFilter}; the others apply to offers that are already here. */
export interface OfferFilter {
  /** GPU slugs in lower case; the offer has one of them. */
  gpu?: readonly string[] | undefined;
  /** Continent names; the offer is on one of them. */
  continent?: readonly string[] | undefined;
  /** Minimum number of GPUs per instance. */
  minGpuCount?: number | undefined;
  /** Maximum number of GPUs per instance. */
  maxGpuCount?: number | undefined;
  /** What a person typed, such as `8xh100 eu`, compiled: see {@link compileSearch}. */
  search?: OfferSearch | undefined;
  /** Maximum price per GPU, USD an hour. */
  maxPricePerGpu?: number | undefined;
  /** Minimum memory of one GPU, GB. */
  minVramGb?: number | undefined;
  /** Minimum memory of all GPUs of the instance together, GB. */
  minTotalVramGb?: number | undefined;
  /** Minimum memory of the machine, GB. An offer that does not tell its own fails. */
  minRamGb?: number | undefined;
  /** Minimum number of virtual CPUs. An offer that does not tell its own fails. */
  minVcpu?: number | undefined;
  /** True: only where NVLink joins the GPUs; false: only where it is not known to. */
  nvlink?: boolean | undefined;
  /** Provider names; the offer is of one of them. */
  provider?: readonly string[] | undefined;
  /** ISO 3166-1 alpha-2 codes, capitals; the offer runs in one of these countries. */
  country?: readonly string[] | undefined;
  /** Regions in the words of their providers, in any case; the offer runs in one of them. */
  region?: readonly string[] | undefined;
  /** True: only what can be rented now; false: only what cannot. */
  available?: boolean | undefined;
  /**
   * The disk that is needed, GB; the offer includes it or can be asked for it. Offers whose source says nothing about
   * disks pass, and their prices are minimums.
   */
  diskGb?: number | undefined;
  /** Maximum hourly cost with that disk (or with the smallest one, when `diskGb` is left out), USD an hour. */
  maxTotalHourly?: number | undefined;
  /** An amount that pays for some hours of the instance with that disk. */
  budget?: Budget | undefined;
  /** An image that a deployment starts from; the offer's provider has one. */
  image?: ImageFilter | undefined;
}

/** An amount in USD, and the hours that it has to pay for. */
export interface Budget {
  readonly usd: number;
  readonly hours: number;
}

/** What an image must be, and the providers that have such a one: see {@link providersWithImage}. */
export interface ImageFilter {
  readonly wanted: WantedImage;
  readonly providers: readonly string[];
}

/** Name of a filter. */
export type FilterKey = keyof OfferFilter;

type Rules = {
  [Key in FilterKey]-?: (offer: Offer, value: NonNullable<OfferFilter[Key]>, filter: OfferFilter) => boolean;
};

const rules: Rules = {
  gpu: (offer, slugs) => slugs.includes(offer.gpu.slug),
  continent: (offer, continents) => continents.includes(offer.regionInfo.continent),
  minGpuCount: (offer, count) => offer.gpuCount >= count,
  maxGpuCount: (offer, count) => offer.gpuCount <= count,
  search: (offer, matches) => matches(offer),
  maxPricePerGpu: (offer, usd) => offer.pricePerGpu <= usd,
  minVramGb: (offer, vramGb) => offer.gpu.vramGB >= vramGb,
  minTotalVramGb: (offer, vramGb) => offer.gpu.vramGB * offer.gpuCount >= vramGb,
  minRamGb: (offer, ramGb) => offer.specs.ram >= ramGb,
  minVcpu: (offer, vcpu) => offer.specs.vcpu >= vcpu,
  nvlink: (offer, isWanted) => offer.nvlinkEnabled === isWanted,
  provider: (offer, names) => names.includes(offer.provider.name),
  country: (offer, codes) => codes.includes(offer.regionInfo.countryCode),
  region: (offer, regions) => regions.some((region) => region.toLowerCase() === offer.region.toLowerCase()),
  available: (offer, isAvailable) => offer.isAvailable === isAvailable,
  diskGb: (offer, neededGb) => pricedDisk(offer, neededGb) !== undefined,
  maxTotalHourly: (offer, usd, filter) => fromMicros(neededMicros(offer, filter)) <= usd,
  budget: (offer, { usd, hours }, filter) => fromMicros(neededMicros(offer, filter)) * hours <= usd,
  image: (offer, { providers }) => providers.includes(offer.provider.name),
};

/** Hourly cost with the disk that is needed. A disk that the offer cannot have is a matter of `diskGb` alone. */
function neededMicros(offer: Offer, { diskGb }: OfferFilter): number {
  return hourlyCostMicros(offer, pricedDisk(offer, diskGb ?? 0) ?? offer.storageMinGB);
}

/** Names of all filters, those that the service knows first. */
// The keys of a literal are the names of its type
export const FILTER_KEYS = Object.keys(rules) as FilterKey[];

function meets(offer: Offer, key: FilterKey, filter: OfferFilter): boolean {
  const value = filter[key];
  // Rule and value have the same key, which is lost here
  return value === undefined || rules[key](offer, value as never, filter);
}

/** True when the offer meets every filter that is given. */
export function matchesOffer(offer: Offer, filter: OfferFilter): boolean {
  return FILTER_KEYS.every((key) => meets(offer, key, filter));
}

/** The filters that an offer fails: empty when it matches; where it is one alone, dropping that one lets the offer in. */
export function failedFilters(offer: Offer, filter: OfferFilter): FilterKey[] {
  return FILTER_KEYS.filter((key) => !meets(offer, key, filter));
}

/** The filters of the interface under the names of this package. */
export function toOfferFilter({ gpu, continent, min_gpu_count, max_gpu_count }: ListFilter): OfferFilter {
  return given({ gpu, continent, minGpuCount: min_gpu_count, maxGpuCount: max_gpu_count });
}

/** The part of a filter that the service knows, by the interface's names; what it leaves out applies here. */
export function toListFilter({ gpu, continent, minGpuCount, maxGpuCount }: OfferFilter): ListFilter {
  return given({ gpu, continent, min_gpu_count: minGpuCount, max_gpu_count: maxGpuCount });
}

function given<Filter extends object>(filter: Filter): Filter {
  // The same members, without those that say nothing
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as Filter;
}
