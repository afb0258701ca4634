import { ListingCatalog, UNKNOWN_LISTING_FACTS, type ListedOffer, type RestrictedImage } from "@gpu-offers/domain";

/** An index over offers, whose positions are those of the array. */
export function listingCatalogOf(
  offers: readonly ListedOffer[],
  images: ReadonlyMap<string, readonly RestrictedImage[]>,
): ListingCatalog {
  return ListingCatalog.of(
    offers.map((offer) => ({ offer, ...(offer.listing ?? UNKNOWN_LISTING_FACTS) })),
    images,
  );
}
