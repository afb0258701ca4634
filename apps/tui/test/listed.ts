import { availabilityOf, listComparator, UNKNOWN_LISTING_FACTS, type Offer } from "@gpu-offers/domain";

// Responses of a service about offers of which nothing else is stated.

/** The listing of an offer. */
export function listingOf(offer: Offer): object {
  const known = { pricesAsOf: null, isStale: false, stock: "unknown", source: "test", facts: null };
  const total = { hourly: offer.priceHourly, isAtLeast: false };
  const availability = availabilityOf({ offer });
  return { offer, ...UNKNOWN_LISTING_FACTS, availability, ...known, total };
}

/** The details of an offer's listing. */
export function listingDetailsOf(offer: Offer): object {
  return { ...listingOf(offer), images: [] };
}

/** The response to a list of all offers. */
export function listingPageOf(offers: readonly Offer[], page = 0, size = 100): object {
  const inOrder = [...offers].sort(listComparator({ sort_by: "pricePerGpu", sort_order: "asc" }));
  const totalPages = Math.ceil(offers.length / size);
  return {
    listings: inOrder.slice(page * size, (page + 1) * size).map(listingOf),
    page,
    totalPages,
    totalElements: offers.length,
    hasMore: page + 1 < totalPages,
    understood: [],
  };
}
