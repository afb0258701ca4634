import { publishedOfferSchema, type Offer } from "@gpu-offers/domain";
import * as z from "zod";
import { fetchFrom, jsonOf } from "./http.ts";

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
