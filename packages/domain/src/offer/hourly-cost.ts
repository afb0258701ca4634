import { formatMicrosUp, toMicrosUp } from "../money/money.js";
import { statedStorage, type DiskTerms } from "./storage.js";
import type { Storage } from "./storage-schema.js";

/**
 * Hourly cost in whole micro-dollars of an instance with a disk of `diskGb`. From the API's fields it is
 * priceHourly + diskGb x storageCostPerGB; every requested GB is charged, and a fixed disk costs nothing. Where a listing
 * has the price of a month, the disk is {@link diskMicros}.
 * Exact for a published offer; prices with more than 6 decimals are rounded up. {@link checkDisk} says whether an offer
 * has the disk.
 * @throws RangeError if the disk is not a whole number of at least 0, or if a price is not from 0 to {@link MAX_PRICE}; a valid
 * {@link offerSchema} never has one.
 */
export function hourlyCostMicros(offer: DiskTerms & { priceHourly: number }, diskGb: number): number {
  if (!Number.isInteger(diskGb) || diskGb < 0) {
    throw new RangeError(`A disk must be a whole number of GB from 0, not ${diskGb}.`);
  }
  const base = toMicrosUp(offer.priceHourly);
  const storage = statedStorage(offer);
  return base + (storage === undefined ? diskGb * toMicrosUp(offer.storageCostPerGB) : diskMicros(storage, diskGb));
}

/**
 * Micro-dollars an hour of a disk: the price of the month, rounded up once. 0 where the price is unknown. A larger disk
 * never costs less.
 */
export function diskMicros(storage: Storage, diskGb: number): number {
  const { includedGb, minAddedGb, pricePerGbMonth, steps, hoursPerMonth } = storage;
  const paidGb = diskGb - (includedGb ?? 0);
  if (paidGb <= 0) {
    return 0;
  }
  if (steps !== null) {
    const step = steps.find(({ gb }) => gb >= paidGb) ?? steps.at(-1);
    return perHourUp(1, step?.pricePerMonth ?? 0, hoursPerMonth);
  }
  return pricePerGbMonth === null ? 0 : perHourUp(Math.max(paidGb, minAddedGb ?? 0), pricePerGbMonth, hoursPerMonth);
}

/** Micro-dollars an hour, from a number of prices a month, USD with at most 9 decimals. */
function perHourUp(count: number, usdPerMonth: number, hours: number): number {
  const nanos = Math.round(usdPerMonth * 1e9);
  const total = count * nanos;
  const divisor = 1000 * hours;
  if (Number.isSafeInteger(total) && Number.isInteger(divisor)) {
    const rest = total % divisor;
    return (total - rest) / divisor + (rest > 0 ? 1 : 0);
  }
  return Math.ceil(total / divisor);
}

/** {@link hourlyCostMicros} as a decimal string in USD with 4 places, rounded up: `"1.9700"`. */
export function hourlyCost(offer: DiskTerms & { priceHourly: number }, diskGb: number): string {
  return formatMicrosUp(hourlyCostMicros(offer, diskGb));
}
