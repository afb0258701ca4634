import type { ListingQuery } from "./listing-query-schema.js";
import { hourlyCostMicros } from "../offer/hourly-cost.js";
import { fromMicros } from "../money/money.js";
import type { ListingTotal } from "../offer/listing-schema.js";
import type { Offer } from "../offer/offer-schema.js";
import { paidDisk } from "../offer/storage.js";

/**
 * Cost of an instance with the disk of a query, at the price of the query (see `pricedOffer`), rounded up to micro-dollars.
 */
export function listingTotal(offer: Offer, { disk = 0, hours }: Pick<ListingQuery, "disk" | "hours">): ListingTotal {
  const micros = hourlyCostMicros(offer, paidDisk(offer, disk));
  const total = { hourly: fromMicros(micros), isAtLeast: !offer.costDataComplete };
  return hours === undefined ? total : { ...total, forHours: fromMicros(micros * hours) };
}
