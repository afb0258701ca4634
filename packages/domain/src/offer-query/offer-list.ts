import type { ListOffersQuery, OfferList } from "./offer-query-schema.js";
import { listComparator } from "./offer-sort.js";
import type { Offer } from "../offer/offer-schema.js";

// The filters of `GET /api/v1/offers` (docs/interface.md, Listing), and the reference implementation of its response, which the
// index must equal. The filters of `GET /api/v2/listings` are LISTING_PARAMETERS.

/** The filters of `GET /api/v1/offers`, by the names of its parameters. What is undefined matches every offer. */
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

/** The rules of the filters. */
export const LIST_RULES = {
  gpu: (offer: Offer, slugs: readonly string[]): boolean => slugs.includes(offer.gpu.slug),
  continent: (offer: Offer, continents: readonly string[]): boolean => continents.includes(offer.regionInfo.continent),
  min_gpu_count: (offer: Offer, count: number): boolean => offer.gpuCount >= count,
  max_gpu_count: (offer: Offer, count: number): boolean => offer.gpuCount <= count,
};

/** Whether an offer matches all filters. */
export function matchesOffer(offer: Offer, { gpu, continent, min_gpu_count, max_gpu_count }: ListFilter): boolean {
  return (
    (gpu === undefined || LIST_RULES.gpu(offer, gpu)) &&
    (continent === undefined || LIST_RULES.continent(offer, continent)) &&
    (min_gpu_count === undefined || LIST_RULES.min_gpu_count(offer, min_gpu_count)) &&
    (max_gpu_count === undefined || LIST_RULES.max_gpu_count(offer, max_gpu_count))
  );
}

/** The parameters that a list follows. */
const FOLLOWED = {
  gpu: true,
  continent: true,
  min_gpu_count: true,
  max_gpu_count: true,
  sort_by: true,
  sort_order: true,
  page: true,
  size: true,
} satisfies Record<keyof ListOffersQuery, true>;

/**
 * Checks that a query has no parameter that lists don't follow: one that was ignored would list too much.
 * @throws RangeError that names it.
 */
export function assertFollowed(query: object): void {
  for (const name in query) {
    if (!(name in FOLLOWED) && Reflect.get(query, name) !== undefined) {
      throw new RangeError(`A list of offers has no parameter ${name}.`);
    }
  }
}

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
 * @throws RangeError for a parameter that a list doesn't have.
 */
export function listOffers(offers: readonly Offer[], query: ListOffersQuery): OfferList {
  assertFollowed(query);
  const matching = offers.filter((offer) => matchesOffer(offer, query)).sort(listComparator(query));
  const start = query.page * query.size;
  return { offers: matching.slice(start, start + query.size), ...pageCounts(matching.length, query) };
}
