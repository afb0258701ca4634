import type { Offer, OfferList } from "@gpu-offers/domain";
import { exampleOffer } from "@gpu-offers/domain/offer.fixture";

/** An offer; its id and price contain its number, so that numbers are in list order. */
export function offerOf(number: number, changes: Partial<Offer> = {}): Offer {
  const price = 1 + number / 1000;
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  return exampleOffer({ id, priceHourly: price, pricePerGpu: price, ...changes });
}

export function offersOf(count: number, changes: Partial<Offer> = {}): Offer[] {
  return Array.from({ length: count }, (_, number) => offerOf(number, changes));
}

/** The response to a list query without filters. */
export function pageOf(offers: readonly Offer[], page = 0, size = 25): OfferList {
  const totalPages = Math.ceil(offers.length / size);
  return {
    offers: offers.slice(page * size, (page + 1) * size),
    page,
    totalPages,
    totalElements: offers.length,
    hasMore: page + 1 < totalPages,
  };
}
