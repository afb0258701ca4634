import type { BesideParameters } from "./listing-parameter.js";
import { hourlyCostMicros } from "../offer/hourly-cost.js";
import { fromMicros } from "../money/money.js";
import type { ListingTotal } from "../offer/listing-schema.js";
import type { PricedOffer } from "../offer/priced-offer.js";
import { isAtLeast, paidDisk } from "../offer/storage.js";

/**
 * Cost of an instance with the disk of a query, at the price of the query (see `pricedOffer`), rounded up to micro-dollars.
 */
export function listingTotal(offer: PricedOffer, { disk = 0, hours }: BesideParameters): ListingTotal {
  const micros = neededMicros(offer, disk);
  const total = { hourly: fromMicros(micros), isAtLeast: isAtLeast(offer, paidDisk(offer, disk)) };
  return hours === undefined ? total : { ...total, forHours: fromMicros(micros * hours) };
}

/** Hourly cost including the required disk, in whole micro-dollars. Only `disk` rejects offers without such a disk. */
export function neededMicros(offer: PricedOffer, diskGb: number | undefined): number {
  return hourlyCostMicros(offer, paidDisk(offer, diskGb));
}
