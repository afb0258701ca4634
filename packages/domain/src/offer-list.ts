import { matchesOffer, toOfferFilter } from "./offer-filter.js";
import type { ListOffersQuery, OfferList } from "./offer-query-schema.js";
import { listComparator } from "./offer-sort.js";
import type { Offer } from "./offer-schema.js";

// The reference implementation of the response of GET /api/v1/offers, which the index must equal.

/** The counting part of an {@link OfferList}: page, totalPages, totalElements, hasMore. */
export function pageCounts(
  totalElements: number,
  query: Pick<ListOffersQuery, "page" | "size">,
): Omit<OfferList, "offers"> {
  const totalPages = Math.ceil(totalElements / query.size);
  return { page: query.page, totalPages, totalElements, hasMore: query.page + 1 < totalPages };
}

/**
 * The response of `GET /api/v1/offers` for a list of offers: filter, sort, slice. It takes O(n log n);
 * {@link OfferIndex} returns the same response in time that depends on the page size.
 */
export function listOffers(offers: readonly Offer[], query: ListOffersQuery): OfferList {
  const filter = toOfferFilter(query);
  const matching = offers.filter((offer) => matchesOffer(offer, filter)).sort(listComparator(query));
  const start = query.page * query.size;
  return { offers: matching.slice(start, start + query.size), ...pageCounts(matching.length, query) };
}
