import {
  ListingCatalog,
  UNKNOWN_LISTING_FACTS,
  type ListedOffer,
  type ListingFacts,
  type RestrictedImage,
} from "@gpu-offers/domain";

/** An index over offers, whose positions are those of the array. */
export function listingCatalogOf(
  offers: readonly ListedOffer[],
  images: ReadonlyMap<string, readonly RestrictedImage[]>,
): ListingCatalog {
  return ListingCatalog.of(offers.map(listingOf), images);
}

/** The listing of an offer: beside it, what its source states beyond it. */
export function listingOf(offer: ListedOffer): ListingFacts & { offer: ListedOffer } {
  return { offer, ...(offer.listing ?? UNKNOWN_LISTING_FACTS) };
}
