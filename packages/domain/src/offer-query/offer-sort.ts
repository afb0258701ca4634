import type { Offer } from "../offer/offer-schema.js";

/** What `GET /api/v1/offers` sorts by. */
export const SORT_KEYS = ["pricePerGpu", "priceHourly", "gpuCount"] as const;

/** One of {@link SORT_KEYS}. */
export type SortKey = (typeof SORT_KEYS)[number];

/** Directions of a sort. */
export const SORT_ORDERS = ["asc", "desc"] as const;

/** One of {@link SORT_ORDERS}. */
export type SortOrder = (typeof SORT_ORDERS)[number];

/** Compares two offers for `Array.prototype.sort`. */
export type OfferComparator = (a: Offer, b: Offer) => number;

/**
 * Order of an offer list. The API leaves ties open: the direction applies only to the sort key; ties are sorted by
 * pricePerGpu, priceHourly and id, always ascending, so that pages never overlap or skip.
 */
export function listComparator(sort: { sort_by: SortKey; sort_order: SortOrder }): OfferComparator {
  const key = sort.sort_by;
  const byPrice: OfferComparator = (a, b) => a.pricePerGpu - b.pricePerGpu || a.priceHourly - b.priceHourly;
  return byNumber((offer) => offer[key], sort.sort_order, byPrice, byId);
}

/** By id, so that an order is complete. */
export function byId(a: Offer, b: Offer): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** Sorts by a number in a direction, and ties by the other orders, which have their own direction. */
export function byNumber(
  keyOf: (offer: Offer) => number,
  order: SortOrder,
  ...ties: OfferComparator[]
): OfferComparator {
  const direction = order === "asc" ? 1 : -1;
  return (a, b) => {
    const keyA = keyOf(a);
    const keyB = keyOf(b);
    if (keyA !== keyB) {
      return keyA < keyB ? -direction : direction;
    }
    return ties.reduce((difference, compare) => difference || compare(a, b), 0);
  };
}
