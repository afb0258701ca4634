import type { Offer } from "./offer-schema.js";
import type { Searched } from "./search-term.js";

// What searches of offers know beyond their fields. Offers are what the picker filters; their sources state the facts.

const factsByOffer = new WeakMap<Offer, Omit<Searched, "offer">>();

/** Lets searches find an offer by its instance type and spot price, for the lifetime of the offer. */
export function addSearchedFacts(offer: Offer, { instanceType, spot }: Omit<Searched, "offer">): void {
  factsByOffer.set(offer, { instanceType, spot });
}

/** The offer with the facts that were added. */
export function searchedOf(offer: Offer): Searched {
  return { offer, ...factsByOffer.get(offer) };
}
