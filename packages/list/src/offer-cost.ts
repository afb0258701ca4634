import { hourlyCostMicros, isAtLeast, paidDisk, type Offer } from "@gpu-offers/domain";

/** Hourly cost in micro-dollars including the required disk. */
export function totalMicros(offer: Offer, neededGb: number | undefined): number {
  return hourlyCostMicros(offer, paidDisk(offer, neededGb));
}

/** Whether {@link totalMicros} is a lower bound. */
export function isTotalAtLeast(offer: Offer, neededGb: number | undefined): boolean {
  return isAtLeast(offer, paidDisk(offer, neededGb));
}
