import type { ListingFacts } from "./listing-schema.js";
import { pricePerGpu } from "./offer.js";
import type { Offer } from "./offer-schema.js";

/**
 * The offer at the price of a query: the spot price if `spot` is set, else the on-demand price. Filters, order and totals use
 * it. A listing without a spot price, which then never matches, keeps its own.
 */
export function pricedOffer({ offer, spot }: Pick<ListingFacts, "spot"> & { offer: Offer }, isSpot: boolean): Offer {
  return isSpot && spot !== null
    ? { ...offer, priceHourly: spot.priceHourly, pricePerGpu: pricePerGpu(spot.priceHourly, offer.gpuCount) }
    : offer;
}
