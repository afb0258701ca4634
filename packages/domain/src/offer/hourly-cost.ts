import { formatMicrosUp, toMicrosUp } from "../money/money.js";
import { isDiskFixed, type StorageTerms } from "./storage.js";

/**
 * Hourly cost in whole micro-dollars of an instance with a disk of `diskGb`:
 * priceHourly + diskGb x storageCostPerGB. Every requested GB is charged; a fixed disk costs nothing.
 * Exact for a published offer; prices with more than 6 decimals are rounded up. {@link checkDisk} says whether an offer
 * has the disk.
 * @throws RangeError if the disk is not a whole number of at least 0, or if a price is not from 0 to {@link MAX_PRICE}; a valid
 * {@link offerSchema} never has one.
 */
export function hourlyCostMicros(offer: StorageTerms & { priceHourly: number }, diskGb: number): number {
  if (!Number.isInteger(diskGb) || diskGb < 0) {
    throw new RangeError(`A disk must be a whole number of GB from 0, not ${diskGb}.`);
  }
  const base = toMicrosUp(offer.priceHourly);
  return isDiskFixed(offer) ? base : base + diskGb * toMicrosUp(offer.storageCostPerGB);
}

/** {@link hourlyCostMicros} as a decimal string in USD with 4 places, rounded up: `"1.9700"`. */
export function hourlyCost(offer: StorageTerms & { priceHourly: number }, diskGb: number): string {
  return formatMicrosUp(hourlyCostMicros(offer, diskGb));
}
