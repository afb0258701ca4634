import type { ListingFacts } from "./listing-schema.js";
import { pricePerGpu } from "./offer.js";
import type { Offer } from "./offer-schema.js";
import type { DiskTerms } from "./storage.js";

/** An offer with the disks of its listing, which totals outside the API include. */
export type PricedOffer = Offer &
  Pick<DiskTerms, "storage" | "isCostComplete"> & {
    /** Percent of the observed hours in which it was in stock; undefined if unknown. */
    stockPercent?: number | undefined;
  };

/**
 * The offer at the price of a query: the spot price if `spot` is set, else the on-demand price, with the disks of its
 * listing. Filters, order and totals use it. A minimum bid is a lower bound of what one pays, so that its cost is
 * incomplete. A listing without a spot price, which then never matches, keeps its own.
 */
export function pricedOffer(
  listing: Pick<ListingFacts, "spot"> & Pick<DiskTerms, "storage" | "isCostComplete"> & { offer: Offer },
  isSpot: boolean,
): PricedOffer {
  const { offer, spot, storage, isCostComplete } = listing;
  const listed = storage == null && isCostComplete == null ? offer : { ...offer, storage, isCostComplete };
  if (!isSpot || spot === null) {
    return listed;
  }
  const { priceHourly, kind } = spot;
  return {
    ...listed,
    priceHourly,
    pricePerGpu: pricePerGpu(priceHourly, offer.gpuCount),
    ...(kind === "bid" && { costDataComplete: false, isCostComplete: false }),
  };
}
