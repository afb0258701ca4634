import type { Offer } from "./offer.js";
import { diskFor, hourlyCostMicros } from "./storage.js";

/** What `GET /api/v1/offers` sorts by: interface.md 4.1. */
export const SORT_KEYS = ["pricePerGpu", "priceHourly", "gpuCount"] as const;

/** One of {@link SORT_KEYS}. */
export type SortKey = (typeof SORT_KEYS)[number];

/** Directions of a sort: interface.md 4.1. */
export const SORT_ORDERS = ["asc", "desc"] as const;

/** One of {@link SORT_ORDERS}. */
export type SortOrder = (typeof SORT_ORDERS)[number];

/** Compares two offers for `Array.prototype.sort`. */
export type OfferComparator = (a: Offer, b: Offer) => number;

/**
 * Order of an offer list (interface.md 4.1, which leaves equal values open). The direction applies to the sort key alone; equal values follow by
 * pricePerGpu, priceHourly and id, always ascending, so that pages never overlap or skip.
 */
export function compareOffers(sort: { sort_by: SortKey; sort_order: SortOrder }): OfferComparator {
  const key = sort.sort_by;
  return byNumber((offer) => offer[key], sort.sort_order);
}

/**
 * Order by the hourly cost with a disk of at least `neededGb`; ties as in {@link compareOffers}. Offers
 * that have no such disk come last in both directions.
 */
export function compareTotalCost(neededGb: number, order: SortOrder): OfferComparator {
  return byNumber((offer) => {
    const diskGb = diskFor(offer, neededGb);
    const last = order === "asc" ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    return diskGb === undefined ? last : hourlyCostMicros(offer, diskGb);
  }, order);
}

function byNumber(keyOf: (offer: Offer) => number, order: SortOrder): OfferComparator {
  const direction = order === "asc" ? 1 : -1;
  return (a, b) => {
    const keyA = keyOf(a);
    const keyB = keyOf(b);
    if (keyA !== keyB) {
      return keyA < keyB ? -direction : direction;
    }
    return a.pricePerGpu - b.pricePerGpu || a.priceHourly - b.priceHourly || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  };
}
