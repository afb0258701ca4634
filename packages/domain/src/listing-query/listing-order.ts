import { isSoldOut } from "../offer/availability.js";
import { hourlyCostMicros } from "../offer/hourly-cost.js";
import type { ListedOffer } from "../offer/listed-offer.js";
import type { Offer } from "../offer/offer-schema.js";
import { diskFor, isAtLeast, isDiskUnknown, paidDisk } from "../offer/storage.js";
import type { PricedOffer } from "../offer/priced-offer.js";
import { stockPercent } from "../offer/listing.js";
import { WORTH_KEYS, worthReader, type WorthKey } from "../offer/worth.js";
import { byId, byNumber, type OfferComparator, type SortOrder } from "../offer-query/offer-sort.js";

// The order of listings, and of those that are equal by what they are sorted by.

/** Sort keys for people: those of the service, the hourly cost with the required disk, and the memory of all GPUs. */
const PICKER_SORT_KEYS = ["pricePerGpu", "priceHourly", "total", "gpuCount", "totalVram"] as const;

/** One of {@link PICKER_SORT_KEYS}. */
export type PickerSortKey = (typeof PICKER_SORT_KEYS)[number];

/** All sort keys: those for people, how often it was in stock, and prices by what a GPU has. */
export const ALL_SORT_KEYS = [...PICKER_SORT_KEYS, "stock", ...WORTH_KEYS] as const;

/** One of {@link ALL_SORT_KEYS}. */
export type AnySortKey = (typeof ALL_SORT_KEYS)[number];

/** What {@link pickerComparator} sorts by. */
export interface PickerOrder {
  /** What to sort by. */
  sort: AnySortKey;
  /** Direction: `asc` or `desc`. */
  order: SortOrder;
  /** Disk of `total`, GB. */
  diskGb?: number | undefined;
}

/**
 * Order of a list for people: what is sold out comes last, because it cannot be rented, and each part is sorted by
 * {@link keyComparator}.
 */
export function pickerComparator(query: PickerOrder): (a: ListedOffer, b: ListedOffer) => number {
  const compare = keyComparator(query);
  return (a, b) => Number(isSoldOut(a)) - Number(isSoldOut(b)) || compare(a, b);
}

/**
 * {@link pickerComparator} for offers of which availability doesn't matter: like v1's order, except that of two
 * offers with the same price the bigger machine comes first, by GPU memory, NVLink, memory, processors and included disk.
 * With a disk, offers whose disk price is unknown come last, because their prices are lower bounds. `total` is the hourly
 * cost with a disk of at least `diskGb`; costs that are lower bounds follow all others. Offers without such a disk come
 * last in both directions, and so do GPUs without the figure that a {@link WorthKey} needs.
 */
export function keyComparator(query: PickerOrder): OfferComparator {
  const isLowerBound = isPricedFromBelow(query);
  const compare = byNumber(sortNumber(query), query.order, compareTies, byId);
  return (a, b) => Number(isLowerBound(a)) - Number(isLowerBound(b)) || compare(a, b);
}

/** Whether what an offer is sorted by is a lower bound: its cost, or its price if its disk options are unknown. */
export function isPricedFromBelow({ sort, diskGb = 0 }: Omit<PickerOrder, "order">): (offer: Offer) => boolean {
  if (sort === "total") {
    return (offer) => isAtLeast(offer, paidDisk(offer, diskGb));
  }
  return (offer) => isDiskUnknown(offer, diskGb);
}

/** The number that offers are sorted by; infinite, so that it is last in the direction, if an offer has none. */
export function sortNumber({ sort, order, diskGb = 0 }: PickerOrder): (offer: Offer) => number {
  const keyOf = sortedNumber(sort, diskGb);
  const last = order === "asc" ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  return (offer) => keyOf(offer) ?? last;
}

/** What equal offers of a list for people are sorted by, all ascending: prices, then the bigger machine first. */
export const TIE_NUMBERS: readonly ((offer: Offer) => number)[] = [
  ({ pricePerGpu }) => pricePerGpu,
  ({ priceHourly }) => priceHourly,
  ({ gpu }) => -gpu.vramGB,
  ({ nvlinkEnabled }) => -Number(nvlinkEnabled),
  ({ specs }) => -specs.ram,
  ({ specs }) => -specs.vcpu,
  ({ specs }) => -specs.disk,
];

/** Order by {@link TIE_NUMBERS}. */
function compareTies(a: Offer, b: Offer): number {
  return TIE_NUMBERS.reduce((difference, numberOf) => difference || numberOf(a) - numberOf(b), 0);
}

/** The number to sort by; undefined or null if the offer has none. */
function sortedNumber(sort: AnySortKey, diskGb: number): (offer: Offer) => number | null | undefined {
  if (sort === "total") {
    return (offer) => {
      const disk = diskFor(offer, diskGb);
      return disk === undefined ? undefined : hourlyCostMicros(offer, disk);
    };
  }
  if (sort === "stock") {
    return stockPercentOf;
  }
  if (sort === "totalVram") {
    return ({ gpu, gpuCount }) => gpu.vramGB * gpuCount;
  }
  return isWorthKey(sort) ? worthReader(sort) : (offer) => offer[sort];
}

/** How often an offer was in stock: in columns, or as its listing says. */
export function stockPercentOf(offer: ListedOffer & PricedOffer): number | null {
  return offer.stockPercent ?? stockPercent(offer.listing?.stock14d);
}

function isWorthKey(sort: AnySortKey): sort is WorthKey {
  return WORTH_KEYS.some((key) => key === sort);
}
