import { matchesOffer, type OfferFilter } from "./offer-filter.js";
import { keyComparator } from "./offer-sort.js";
import type { Offer } from "../offer/offer-schema.js";
import { hourlyCostMicros } from "../offer/hourly-cost.js";
import { pricedDisk } from "../offer/storage.js";

/** The cheapest offer and its disk. */
export interface CheapestOffer {
  /** The offer: prices in USD per hour, sizes in GB. */
  offer: Offer;
  /** The offer's smallest sufficient disk, GB. */
  diskGb: number;
  /** Hourly cost with that disk, micro-dollars. */
  hourlyMicros: number;
  /** Whether the offer's cost data is incomplete, so that the cost is a lower bound. */
  isAtLeast: boolean;
}

/**
 * The cheapest matching offer including a disk of at least `diskGb`, which is the filter's by default. At equal cost, the
 * bigger machine is chosen. Only available offers count; pass `available: undefined` to include unavailable offers, or `false` for those alone. Where a
 * disk is required, offers with unknown disk options follow all others; they are priced without a disk, and `isAtLeast`
 * then marks the cost as a lower bound.
 * @throws RangeError if `diskGb` is not a finite number of at least 0.
 */
export function cheapest(
  offers: Iterable<Offer>,
  filter: OfferFilter,
  diskGb = filter.diskGb ?? 0,
): CheapestOffer | undefined {
  if (!(diskGb >= 0 && diskGb < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`A disk must be a number of GB from 0, not ${diskGb}.`);
  }
  const wanted = { available: true, ...filter, diskGb };
  const compare = keyComparator({ sort: "total", order: "asc", diskGb });
  let best: Offer | undefined;
  for (const offer of offers) {
    if (matchesOffer(offer, wanted) && (best === undefined || compare(offer, best) < 0)) {
      best = offer;
    }
  }
  const disk = best === undefined ? undefined : pricedDisk(best, diskGb);
  return best === undefined || disk === undefined
    ? undefined
    : { offer: best, diskGb: disk, hourlyMicros: hourlyCostMicros(best, disk), isAtLeast: !best.costDataComplete };
}
