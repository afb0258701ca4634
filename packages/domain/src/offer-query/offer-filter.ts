import type { Offer } from "../offer/offer-schema.js";

// The filters of `GET /api/v1/offers` (docs/interface.md, Listing). Those of `GET /api/v2/listings` are LISTING_PARAMETERS.

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
