import type { ListingFacts, Spot } from "./listing-schema.js";
import type { Offer } from "./offer-schema.js";
import { pricedOffer } from "./priced-offer.js";

/** An offer with what its source states beyond its fields. Every offer is one. */
export interface ListedOffer extends Offer {
  /** What its source states beyond the offer; undefined if nothing is known. */
  listing?: ListingFacts | undefined;
  /** Its spot terms, if its prices are those. */
  spotTerms?: Spot;
  /** The offer at its own prices, if it can return to them. */
  own?: ListedOffer;
}

/** The offer at its spot price, USD per hour. One without known spot terms keeps its own. */
export function atSpotPrice(offer: ListedOffer): ListedOffer {
  const spotTerms = offer.listing?.spot;
  return spotTerms ? { ...pricedOffer({ offer, spot: spotTerms }, true), listing: offer.listing, spotTerms } : offer;
}

/** The offer at the spot price that searches ask for, or at its own price again. Minimum bids are no such prices. */
export function atSearchedPrice(offer: ListedOffer, isSpot: boolean): ListedOffer {
  const own = offer.own ?? offer;
  const isPriced = isSpot && own.spotTerms === undefined && own.listing?.spot?.kind === "price";
  return isPriced ? { ...atSpotPrice(own), own } : own;
}

/** The fields of the offer alone. */
export function plainOffer(offer: ListedOffer): Offer {
  const { listing: _, spotTerms: __, own: ___, ...plain } = offer;
  return plain;
}
