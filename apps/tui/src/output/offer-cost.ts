import { hourlyCostMicros, pricedDisk, type Offer } from "@gpu-offers/domain";

/**
 * The disk that a person who needs `neededGb` pays for at an offer, in GB: the smallest that holds it. An offer that
 * has none is priced with its smallest; the disk filter is what leaves it out.
 */
export function paidDiskGb(offer: Offer, neededGb: number | undefined): number {
  return pricedDisk(offer, neededGb ?? 0) ?? offer.storageMinGB;
}

/** Hourly cost in micro-dollars with the disk that is needed. */
export function totalMicros(offer: Offer, neededGb: number | undefined): number {
  return hourlyCostMicros(offer, paidDiskGb(offer, neededGb));
}
