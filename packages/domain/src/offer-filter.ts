import { fromMicros } from "./money.js";
import type { Offer } from "./offer.js";
import { placeCode } from "./region.js";
import { diskFor, hourlyCostMicros } from "./storage.js";

// One table of rules serves the server's filters and the richer ones of a picker. A filter that is
// left out (undefined) lets every offer pass; the filters that are given must all be met.

/** The filters of `GET /api/v1/offers` (interface.md 4.1), by the interface's names. */
export interface ListFilter {
  /** GPU slugs in lower case; the offer has one of them. */
  gpu?: readonly string[] | undefined;
  /** Continent names; the offer is on one of them. */
  continent?: readonly string[] | undefined;
  /** Fewest GPUs per instance. */
  min_gpu_count?: number | undefined;
  /** Most GPUs per instance. */
  max_gpu_count?: number | undefined;
}

/** Filters that the service does not have; they apply to offers that are already here. */
export interface OfferFilter extends ListFilter {
  /**
   * Words that must all occur in what a person reads of the offer (GPU, provider, region, country,
   * place code such as `EU-NO`). A word without capitals matches in any case, one with a capital exactly.
   */
  text?: string | undefined;
  /** Highest price per GPU, USD an hour. */
  maxPricePerGpu?: number | undefined;
  /** Least memory of one GPU, GB. */
  minVramGb?: number | undefined;
  /** Provider names; the offer is of one of them. */
  provider?: readonly string[] | undefined;
  /** ISO 3166-1 alpha-2 codes, capitals; the offer runs in one of these countries. */
  country?: readonly string[] | undefined;
  /** True: only what can be rented now; false: only what can not. */
  available?: boolean | undefined;
  /** The disk that is needed, GB; the offer includes it or can be asked for it. */
  diskGb?: number | undefined;
  /** Highest hourly cost with that disk (or with the smallest one, when `diskGb` is left out), USD an hour. */
  maxTotalHourly?: number | undefined;
}

/** Name of a filter. */
export type FilterKey = keyof OfferFilter;

type Rules = {
  [Key in FilterKey]-?: (offer: Offer, value: NonNullable<OfferFilter[Key]>, filter: OfferFilter) => boolean;
};

const rules: Rules = {
  gpu: (offer, slugs) => slugs.includes(offer.gpu.slug),
  continent: (offer, continents) => continents.includes(offer.regionInfo.continent),
  min_gpu_count: (offer, count) => offer.gpuCount >= count,
  max_gpu_count: (offer, count) => offer.gpuCount <= count,
  text: (offer, text) => matchesText(offerText(offer), text),
  maxPricePerGpu: (offer, usd) => offer.pricePerGpu <= usd,
  minVramGb: (offer, vramGb) => offer.gpu.vramGB >= vramGb,
  provider: (offer, names) => names.includes(offer.provider.name),
  country: (offer, codes) => codes.includes(offer.regionInfo.countryCode),
  available: (offer, isAvailable) => offer.isAvailable === isAvailable,
  diskGb: (offer, neededGb) => diskFor(offer, neededGb) !== undefined,
  maxTotalHourly: (offer, usd, filter) => {
    // A disk that the offer cannot have is the fault of `diskGb` alone.
    const diskGb = diskFor(offer, filter.diskGb ?? 0) ?? offer.storageMinGB;
    return fromMicros(hourlyCostMicros(offer, diskGb)) <= usd;
  },
};

/** Names of all filters, the interface's own first. */
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

/** What a text filter searches: everything of the offer that a person would type, with spaces between. */
export function offerText(offer: Offer): string {
  const { gpu, provider, region, regionInfo } = offer;
  return [
    gpu.name,
    gpu.slug,
    gpu.architecture,
    `${offer.gpuCount}x`,
    provider.name,
    region,
    placeCode(regionInfo),
    regionInfo.countryName,
    regionInfo.cityState,
    regionInfo.continent,
    offer.deploymentType,
  ].join(" ");
}

/** Whether every word of `words` occurs in `text`. A word with a capital letter is matched exactly (smart case). */
export function matchesText(text: string, words: string): boolean {
  const folded = text.toLowerCase();
  // Between two spaces is an empty word, which occurs in every text.
  return words.split(/\s/).every((word) => (word === word.toLowerCase() ? folded : text).includes(word));
}
