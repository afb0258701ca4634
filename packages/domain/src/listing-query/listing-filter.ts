import { gpuFacts } from "../gpu/gpu-facts.js";
import type { ModelFilter } from "../model/model-filter.js";
import { FILTER_KEYS, meetsFilter, type FilterKey, type OfferFilter } from "../offer-query/offer-filter.js";
import type { Offer } from "../offer/offer-schema.js";
import { imageFits } from "../image/os-image.js";
import { pricedOffer } from "../offer/priced-offer.js";
import type { ListingFacts } from "../offer/listing-schema.js";
import type { SPOT_FILTERS, VERIFIED_FILTERS } from "../provider/seller.js";

// Filters of listings: those of offers, and those of what a source states beyond them.

/** What filters see of a listing. */
export type FilteredListing = Pick<ListingFacts, "instanceType" | "seller" | "verified" | "spot"> & {
  /** The offer: prices in USD per hour, sizes in GB. */
  offer: Offer;
};

/** All filters of listings. With `spot`, prices are spot prices. */
export interface ListingFilter extends OfferFilter {
  /** `not-false`: none that a marketplace hasn't verified; `true`: only verified ones. */
  verified?: Exclude<(typeof VERIFIED_FILTERS)[number], "any"> | undefined;
  /** Who provides the machine: one of these. */
  seller?: readonly string[] | undefined;
  /** Instance types, in any case. */
  instanceType?: readonly string[] | undefined;
  /** Minimum memory bandwidth of a GPU, GB/s. GPUs without a published figure don't match. */
  minBandwidthGBs?: number | undefined;
  /** A model: only offers that it fits, be it tightly. */
  fits?: ModelFilter | undefined;
  /** `true`: only spot prices; `bid`: minimum bids, too. */
  spot?: Exclude<(typeof SPOT_FILTERS)[number], "false"> | undefined;
}

/** Name of a filter of listings. */
export type ListingFilterKey = FilterKey | "verified" | "seller" | "instanceType" | "spot" | "minBandwidthGBs" | "fits";

type OwnKey = Exclude<ListingFilterKey, FilterKey | "instanceType">;

const rules: { [Key in OwnKey]: (listing: FilteredListing, value: NonNullable<ListingFilter[Key]>) => boolean } = {
  verified: ({ verified }, wanted) => (wanted === "true" ? verified === true : verified !== false),
  seller: ({ seller }, sellers) => seller !== null && sellers.includes(seller),
  minBandwidthGBs: ({ offer }, bandwidth) => (gpuFacts(offer.gpu.slug)?.memoryBandwidthGBs ?? 0) >= bandwidth,
  fits: ({ offer }, { matches }) => matches(offer),
  spot: ({ spot }, wanted) => spot !== null && (wanted === "bid" || spot.kind === "price"),
};

/** Names of all filters. */
// The keys of a literal are the names of its type
export const LISTING_FILTER_KEYS: readonly ListingFilterKey[] = [
  ...(Object.keys(rules) as OwnKey[]),
  "instanceType",
  ...FILTER_KEYS,
];

/** A filter as a list of conditions; `listing.offer` has the price of the query ({@link pricedOffer}). */
export interface ListingCondition {
  key: ListingFilterKey;
  holds: (listing: FilteredListing) => boolean;
}

/** The conditions of a filter, the fastest first. */
export function conditionsOf(filter: ListingFilter): ListingCondition[] {
  return LISTING_FILTER_KEYS.filter((key) => filter[key] !== undefined).map((key) => ({
    key,
    holds: conditionOf(filter, key),
  }));
}

function conditionOf(filter: ListingFilter, key: ListingFilterKey): (listing: FilteredListing) => boolean {
  if (key === "instanceType") {
    const types = new Set(filter.instanceType?.map((type) => type.toLowerCase()));
    return ({ instanceType }) => instanceType !== null && types.has(instanceType.toLowerCase());
  }
  if (isOwn(key)) {
    const value = filter[key];
    // Rule and value have the same key, which is lost here
    return (listing) => rules[key](listing, value as never);
  }
  if (key === "image" && filter.image !== undefined) {
    const { providers, instanceTypes } = filter.image;
    return ({ offer, instanceType }) =>
      providers.includes(offer.provider.name) &&
      imageFits(instanceTypes?.get(offer.provider.name), instanceType ?? undefined);
  }
  return ({ offer }) => meetsFilter(offer, key, filter);
}

function isOwn(key: ListingFilterKey): key is OwnKey {
  return Object.hasOwn(rules, key);
}

/** Whether a listing matches all filters. */
export function matchesListing(listing: FilteredListing, filter: ListingFilter): boolean {
  const priced = { ...listing, offer: pricedOffer(listing, filter.spot !== undefined) };
  return conditionsOf(filter).every(({ holds }) => holds(priced));
}
