import { atPrice, type ListedOffer } from "@gpu-offers/domain";
import type { OfferSource } from "./offer-source.js";

/** The chosen offer as it is now, at the kind of price that it was chosen at; undefined if it is gone. */
export async function findAgain(
  source: OfferSource,
  { id, spotTerms }: ListedOffer,
  signal?: AbortSignal,
): Promise<ListedOffer | undefined> {
  const offer = await source.findOffer(id, signal);
  return offer && atPrice(offer, spotTerms && "bid");
}
