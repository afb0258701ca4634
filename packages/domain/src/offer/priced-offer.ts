import type { ListingFacts } from "./listing-schema.js";
import { pricePerGpu } from "./offer.js";
import type { Offer } from "./offer-schema.js";

/**
 * The offer at the price of a query: the spot price if `spot` is set, else the on-demand price. Filters, order and totals use
 * it. A minimum bid is a lower bound of what one pays, so that its cost is incomplete. A listing without a spot price, which
 * then never matches, keeps its own.
 */
export function pricedOffer({ offer, spot }: Pick<ListingFacts, "spot"> & { offer: Offer }, isSpot: boolean): Offer {
  if (!isSpot || spot === null) {
    return offer;
  }
  const { priceHourly, kind } = spot;
  return {
    ...offer,
    priceHourly,
    pricePerGpu: pricePerGpu(priceHourly, offer.gpuCount),
    costDataComplete: offer.costDataComplete && kind !== "bid",
  };
}
