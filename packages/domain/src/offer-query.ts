import { matchesOffer, toOfferFilter } from "./offer-filter.js";
import type { ListOffersQuery, OfferList } from "./offer-query-schema.js";
import { listComparator } from "./offer-sort.js";
import type { Offer } from "./offer-schema.js";

// The limits of a query of GET /api/v1/offers, and the plain definition of its response, which the offer index has to
// equal.

/** Page size when the caller names none: interface.md 8. */
export const DEFAULT_PAGE_SIZE = 25;

/** Largest page size: interface.md 8. A larger one is an error, since a clamped size would skip offers. */
export const MAX_PAGE_SIZE = 100;

/** Largest integer that a parameter takes: 9 digits. interface.md 4.1 names no limit. */
export const MAX_PARAMETER_INTEGER = 999_999_999;

/** The counting part of an {@link OfferList}: page, totalPages, totalElements, hasMore (interface.md 2.2). */
export function pageCounts(
  totalElements: number,
  query: Pick<ListOffersQuery, "page" | "size">,
): Omit<OfferList, "offers"> {
  const totalPages = Math.ceil(totalElements / query.size);
  return { page: query.page, totalPages, totalElements, hasMore: query.page + 1 < totalPages };
}

/**
 * The response of `GET /api/v1/offers` over a list of offers: filter, sort, slice. It costs time with the
 * whole list; {@link OfferIndex} gives the same response at a cost that follows the page.
 */
export function listOffers(offers: readonly Offer[], query: ListOffersQuery): OfferList {
  const filter = toOfferFilter(query);
  const matching = offers.filter((offer) => matchesOffer(offer, filter)).sort(listComparator(query));
  const start = query.page * query.size;
  return { offers: matching.slice(start, start + query.size), ...pageCounts(matching.length, query) };
}
