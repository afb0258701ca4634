import * as fc from "fast-check";
import { CONTINENTS, publishedOfferSchema, SORT_KEYS, SORT_ORDERS, type Offer } from "@gpu-offers/domain";
import * as z from "zod";
import { fetchFrom, jsonOf } from "./http.ts";

// Queries for the list of offers, and everything in the list.

/** A page as published by the service: only the API's fields, and every rule holds. */
export const publishedPageSchema = z.strictObject({
  offers: z.array(publishedOfferSchema),
  page: z.int(),
  totalPages: z.int(),
  totalElements: z.int(),
  hasMore: z.boolean(),
});

/** Every offer of a service in list order, fetched page by page. */
export async function allOffers(service: { port: number }): Promise<Offer[]> {
  const offers: Offer[] = [];
  for (let page = 0, hasMore = true; hasMore; page++) {
    const response = publishedPageSchema.parse(
      jsonOf(await fetchFrom(service, `/api/v1/offers?size=100&page=${page}`)),
    );
    offers.push(...response.offers);
    hasMore = response.hasMore;
  }
  return offers;
}

/** Valid queries as text, some of them for GPUs without offers. */
export function arbitraryQuery(slugs: readonly string[]): fc.Arbitrary<Record<string, string>> {
  const list = (words: readonly string[]) =>
    fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }).map((items) => items.join(","));
  return fc
    .record(
      {
        gpu: list([...slugs, "no-such-gpu"]),
        continent: list(CONTINENTS),
        count: fc.constantFrom(1, 2, 4, 8),
        more: fc.constantFrom(0, 4),
        sort_by: fc.constantFrom(...SORT_KEYS),
        sort_order: fc.constantFrom(...SORT_ORDERS),
        page: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant(999_999_999)).map(String),
        size: fc.integer({ min: 1, max: 100 }).map(String),
      },
      { requiredKeys: [] },
    )
    .map(({ count, more, ...query }) =>
      Object.assign(
        query,
        count === undefined ? {} : { min_gpu_count: String(count) },
        more === undefined ? {} : { max_gpu_count: String((count ?? 1) + more) },
      ),
    );
}
