import { hourlyCostMicros, pricedDisk, type Offer } from "@gpu-offers/domain";

/**
 * The disk in GB to pay for at an offer if `neededGb` are required: the smallest sufficient one. An offer without a
 * sufficient disk is priced with its smallest; excluding it is up to the disk filter.
 */
export function paidDiskGb(offer: Offer, neededGb: number | undefined): number {
  return pricedDisk(offer, neededGb ?? 0) ?? offer.storageMinGB;
}

/** Hourly cost in micro-dollars including the required disk. */
export function totalMicros(offer: Offer, neededGb: number | undefined): number {
  return hourlyCostMicros(offer, paidDiskGb(offer, neededGb));
}
