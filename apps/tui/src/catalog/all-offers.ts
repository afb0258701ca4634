import type { ListedOffer } from "@gpu-offers/domain";
import type { OfferSource } from "./offer-source.js";

/** All offers of a source. */
export async function readOffers(source: OfferSource): Promise<readonly ListedOffer[]> {
  let offers: ListedOffer[] = [];
  for await (const part of source.list()) {
    offers = part.kind === "restart" ? [] : offers.concat(part.offers);
  }
  return offers;
}
