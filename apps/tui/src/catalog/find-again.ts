import { addSearchedFacts, atSearchedPrice, spotTermsOf, type Offer } from "@gpu-offers/domain";
import type { OfferSource } from "./offer-source.js";

/** The chosen offer as it is now, at its spot price if it was chosen at that; undefined if it is gone. */
export async function findAgain(source: OfferSource, chosen: Offer, signal?: AbortSignal): Promise<Offer | undefined> {
  const offer = await source.findOffer(chosen.id, signal);
  const facts = source.factsOf(chosen.id);
  if (offer === undefined || facts === undefined) {
    return offer;
  }
  addSearchedFacts(offer, facts);
  return atSearchedPrice(offer, spotTermsOf(chosen) !== undefined);
}
