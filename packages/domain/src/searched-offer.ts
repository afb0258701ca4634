import type { Offer } from "./offer-schema.js";
import { pricedOffer } from "./priced-offer.js";
import type { Searched } from "./search-term.js";

// What searches of offers know beyond their fields. Offers are what the picker filters; their sources state the facts.

const factsByOffer = new WeakMap<Offer, Omit<Searched, "offer">>();

/** Lets searches find an offer by its instance type and spot price, for the lifetime of the offer. */
export function addSearchedFacts(offer: Offer, { instanceType, spot }: Omit<Searched, "offer">): void {
  factsByOffer.set(offer, { instanceType, spot });
}

/** The offers at their own prices, of those at their spot prices. */
const ownPriced = new WeakMap<Offer, Offer>();

/** The offer at its spot price, USD per hour, or at its own price again. One without a known spot price stays as it is. */
export function atSearchedPrice(offer: Offer, isSpot: boolean): Offer {
  const own = ownPriced.get(offer) ?? offer;
  const { instanceType, spot } = searchedOf(own);
  if (!isSpot || spot?.kind !== "price") {
    return own;
  }
  const priced = pricedOffer({ offer: own, spot }, true);
  addSearchedFacts(priced, { instanceType, spot });
  ownPriced.set(priced, own);
  return priced;
}

/** The offer with the facts that were added. */
export function searchedOf(offer: Offer): Searched {
  return { offer, ...factsByOffer.get(offer) };
}
