import type { ListingQuery } from "./listing-query-schema.js";
import { hourlyCostMicros } from "../offer/hourly-cost.js";
import { fromMicros } from "../money/money.js";
import type { Offer } from "../offer/offer-schema.js";
import { isDiskUnknown, paidDisk } from "../offer/storage.js";

/** What an instance costs with the disk of a query. */
export interface ListingTotal {
  /** USD per hour. */
  hourly: number;
  /** True if a part of the cost is unknown, so that these are lower bounds. */
  isAtLeast: boolean;
  /** USD for the hours of the query; only if it states hours. */
  forHours?: number;
}

/**
 * Cost of an instance with the disk of a query, at the price of the query (see `pricedOffer`), rounded up to micro-dollars.
 */
export function listingTotal(offer: Offer, { disk = 0, hours }: Pick<ListingQuery, "disk" | "hours">): ListingTotal {
  const micros = hourlyCostMicros(offer, paidDisk(offer, disk));
  const total = {
    hourly: fromMicros(micros),
    isAtLeast: !offer.costDataComplete || (disk > 0 && isDiskUnknown(offer)),
  };
  return hours === undefined ? total : { ...total, forHours: fromMicros(micros * hours) };
}
