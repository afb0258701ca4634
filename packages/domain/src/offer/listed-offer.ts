import type { ListingFacts, Spot } from "./listing-schema.js";
import type { Offer } from "./offer-schema.js";
import { pricedOffer, type PricedOffer } from "./priced-offer.js";

/** An offer with what its source states beyond its fields. Every offer is one. */
export interface ListedOffer extends Offer {
  /** What its source states beyond the offer; undefined if nothing is known. */
  listing?: ListingFacts | undefined;
  /** Its spot terms, if its prices are those. */
  spotTerms?: Spot;
  /** The offer at its own prices, if it can return to them. */
  own?: ListedOffer;
}

/**
 * The offer at the price of a query, USD per hour: with `spot`, its spot price if it has one that isn't a minimum bid, and
 * with `bid` that as well; otherwise its own price.
 */
export function atPrice(offer: ListedOffer, spot: "true" | "bid" | undefined): ListedOffer {
  const own = offer.own ?? offer;
  const spotTerms = own.listing?.spot;
  return spot === undefined || !spotTerms || (spotTerms.kind === "bid" && spot !== "bid")
    ? own
    : { ...pricedOffer({ ...own.listing, offer: own, spot: spotTerms }, true), listing: own.listing, spotTerms, own };
}

/** The fields of the offer alone. */
export function plainOffer(offer: ListedOffer & PricedOffer): Offer {
  const {
    listing: _,
    spotTerms: __,
    own: ___,
    storage: ____,
    isCostComplete: _____,
    stockPercent: ______,
    ...plain
  } = offer;
  return plain;
}
