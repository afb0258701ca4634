import {
  failedFilters,
  FILTER_KEYS,
  matchesOffer,
  PICKER_SORT_KEYS,
  pickerComparator,
  toListFilter,
  type FilterKey,
  type ListFilter,
  type Offer,
  type OfferComparator,
  type OfferFilter,
  type PickerSortKey,
  type SortKey,
  type SortOrder,
} from "@gpu-offers/domain";
import { memoizeLast } from "./memoize.js";

// What a person is looking for: which offers, in which order. The rules are the domain's.

/** What a list can be ordered by: the service's own keys, and the price with the disk that is needed. */
export const SORTS = PICKER_SORT_KEYS;

/** One of {@link SORTS}. */
export type SortBy = PickerSortKey;

/** A request to the catalog. */
export interface Query {
  filter: OfferFilter;
  sort: SortBy;
  order: SortOrder;
}

/** The part of a request that the service responds by itself. */
export interface ServerQuery extends ListFilter {
  sort_by: SortKey;
  sort_order: SortOrder;
}

/** Every offer, the cheapest per GPU first. */
export const EMPTY_QUERY: Query = { filter: {}, sort: "pricePerGpu", order: "asc" };

/** The comparator of a request. */
export function comparatorOf({ filter, sort, order }: Query): OfferComparator {
  return pickerComparator({ sort, order, diskGb: filter.diskGb });
}

/** Whether two requests put offers into the same order. */
export function sameOrder(a: Query, b: Query): boolean {
  return a.sort === b.sort && a.order === b.order && (a.sort !== "total" || a.filter.diskGb === b.filter.diskGb);
}

/** What the service is asked; the rest is done here. A sort that it does not know is asked for as the nearest one. */
export function serverQuery({ filter, sort, order }: Query, asked: ListFilter = serverFilter(filter)): ServerQuery {
  return { ...asked, sort_by: sort === "total" ? "priceHourly" : sort, sort_order: order };
}

/** The filters that the service knows. It rejects counts that contradict each other; here they match nothing. */
export function serverFilter(filter: OfferFilter): ListFilter {
  const { minGpuCount = 0, maxGpuCount = Number.POSITIVE_INFINITY } = filter;
  return toListFilter(minGpuCount > maxGpuCount ? { ...filter, maxGpuCount: undefined } : filter);
}

/** Whether the response to `held` holds every offer that `wanted` asks for: each of its filters is asked for, too. */
export function covers(held: ListFilter, wanted: ListFilter): boolean {
  return Object.entries(held).every(
    ([name, value]) =>
      value === undefined || JSON.stringify(value) === JSON.stringify(wanted[name as keyof ListFilter]),
  );
}

/** The filter with one part set, or dropped. */
export function withFilter<Key extends FilterKey>(
  filter: OfferFilter,
  key: Key,
  value: OfferFilter[Key] | undefined,
): OfferFilter {
  return withoutUndefined({ ...filter, [key]: value });
}

/** Names of the filters that are given. */
export function givenFilters(filter: OfferFilter): FilterKey[] {
  return FILTER_KEYS.filter((key) => filter[key] !== undefined);
}

/** The offers that match, in the order that they have. */
export function matching(offers: readonly Offer[], filter: OfferFilter): Offer[] {
  return offers.filter((offer) => matchesOffer(offer, filter));
}

/** How many offers each filter alone keeps out. Filters that would let none in are left out; the most useful first. */
export const leaveOneOut = memoizeLast((offers: readonly Offer[], filter: OfferFilter) => {
  const counts = new Map<FilterKey, number>();
  for (const offer of offers) {
    const [only, ...others] = failedFilters(offer, filter);
    if (only !== undefined && others.length === 0) {
      counts.set(only, (counts.get(only) ?? 0) + 1);
    }
  }
  return [...counts].map(([key, count]) => ({ key, count })).sort((a, b) => b.count - a.count);
});

function withoutUndefined<Values extends object>(values: Values): Values {
  // The same members, without those that say nothing
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values;
}
