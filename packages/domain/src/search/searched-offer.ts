import type { ListingFacts } from "../offer/listing-schema.js";
import type { Offer } from "../offer/offer-schema.js";
import { pricedOffer } from "../offer/priced-offer.js";
import type { Searched } from "./search-term.js";

// What searches of offers know beyond their fields. Offers are what the picker filters; their sources state the facts.

/** What searches know of an offer, and what else its source stated. */
type KnownFacts = Omit<Searched, "offer"> & Partial<ListingFacts>;

const factsByOffer = new WeakMap<Offer, KnownFacts>();

/** Lets searches find an offer by its instance type and spot price, for the lifetime of the offer. */
export function addSearchedFacts(offer: Offer, facts: KnownFacts): void {
  factsByOffer.set(offer, facts);
}

/** What was added of an offer; empty if nothing was. */
export function addedFactsOf(offer: Offer): Partial<ListingFacts> {
  return factsByOffer.get(offer) ?? {};
}

/** The offers at their own prices, of those at their spot prices. */
const ownPriced = new WeakMap<Offer, Offer>();

/** The offer at its spot price, USD per hour, or at its own price again. One without a known spot price stays as it is. */
export function atSearchedPrice(offer: Offer, isSpot: boolean): Offer {
  const own = ownPriced.get(offer) ?? offer;
  const facts = factsByOffer.get(own);
  const { spot } = searchedOf(own);
  if (!isSpot || spot?.kind !== "price") {
    return own;
  }
  const priced = pricedOffer({ offer: own, spot }, true);
  addSearchedFacts(priced, { ...facts });
  ownPriced.set(priced, own);
  return priced;
}

/** The offer with the facts that were added. */
export function searchedOf(offer: Offer): Searched {
  const { instanceType, spot } = factsByOffer.get(offer) ?? {};
  return { offer, instanceType, spot };
}
