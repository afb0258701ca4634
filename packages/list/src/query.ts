import {
  FILTER_KEYS,
  heldUnderstood,
  matchesOffer,
  ALL_SORT_KEYS,
  pickerComparator,
  soleFailure,
  SORT_KEYS,
  toListFilter,
  type AnySortKey,
  type FilterKey,
  type ListFilter,
  type Offer,
  type OfferComparator,
  type OfferFilter,
  type SortKey,
  type SortOrder,
  type Understood,
} from "@gpu-offers/domain";

// The user's query: filters and order. The rules are in the domain.

/** Sort keys: those of the service, the price including the required disk, and prices by what a GPU has. */
export const SORTS = ALL_SORT_KEYS;

/** One of {@link SORTS}. */
export type SortBy = AnySortKey;

/** A query of the catalog. */
export interface Query {
  filter: OfferFilter;
  sort: SortBy;
  order: SortOrder;
}

/** The part of a query that the service supports. */
export interface ServerQuery extends ListFilter {
  sort_by: SortKey;
  sort_order: SortOrder;
}

/** All offers, lowest price per GPU first. */
export const EMPTY_QUERY: Query = { filter: {}, sort: "pricePerGpu", order: "asc" };

/** The comparator of a query. */
export function comparatorOf({ filter, sort, order }: Query): OfferComparator {
  return pickerComparator({ sort, order, diskGb: filter.diskGb });
}

/** Whether two queries have the same order. */
export function sameOrder(a: Query, b: Query): boolean {
  return a.sort === b.sort && a.order === b.order && (a.sort !== "total" || a.filter.diskGb === b.filter.diskGb);
}

/** The service's part of a query; the rest is applied locally. Unsupported sort keys are replaced by the nearest one. */
export function serverQuery(
  { filter, sort, order }: Query,
  listFilter: ListFilter = serverFilter(filter),
): ServerQuery {
  return { ...listFilter, sort_by: serverSort(sort), sort_order: order };
}

function serverSort(sort: SortBy): SortKey {
  return isServerSort(sort) ? sort : sort === "total" ? "priceHourly" : "pricePerGpu";
}

/** Whether the service's lists have this order. */
export function isServerSort(sort: SortBy): sort is SortKey {
  return SORT_KEYS.some((key) => key === sort);
}

/** The filters that the service supports. It rejects contradictory counts; locally they match nothing. */
export function serverFilter(filter: OfferFilter): ListFilter {
  const { minGpuCount = 0, maxGpuCount = Number.POSITIVE_INFINITY } = filter;
  return toListFilter(minGpuCount > maxGpuCount ? { ...filter, maxGpuCount: undefined } : filter);
}

/** Whether the offers of `loaded` include all of `wanted`: each filter of `loaded` is also one of `wanted`. */
export function covers(loaded: ListFilter, wanted: ListFilter): boolean {
  return Object.entries(loaded).every(
    ([name, value]) =>
      value === undefined || JSON.stringify(value) === JSON.stringify(wanted[name as keyof ListFilter]),
  );
}

/** The filter with one part set or removed. */
export function withFilter<Key extends FilterKey>(
  filter: OfferFilter,
  key: Key,
  value: OfferFilter[Key] | undefined,
): OfferFilter {
  return withoutUndefined({ ...filter, [key]: value });
}

/** Names of the set filters. */
export function givenFilters(filter: OfferFilter): FilterKey[] {
  return FILTER_KEYS.filter((key) => filter[key] !== undefined);
}

/** The matching offers, in unchanged order. */
export function matching(offers: readonly Offer[], filter: OfferFilter): Offer[] {
  const read = filterAmong(offers, filter);
  return offers.filter((offer) => matchesOffer(offer, read));
}

/** The filter with its search text as it is read for these offers: with their names, and where a reading finds something. */
export function filterAmong(offers: readonly Offer[], filter: OfferFilter): OfferFilter {
  return filter.search === undefined ? filter : { ...filter, search: filter.search.among(offers) };
}

/** What the words of a query are taken for among these offers, if otherwise than written. */
export function understoodIn(offers: readonly Offer[], { filter: { search }, sort, order }: Query): Understood[] {
  const parsed = search?.among(offers).parsed;
  return parsed === undefined ? [] : heldUnderstood(parsed, { sort_by: sort, sort_order: order });
}

/** Number of offers that each filter alone excludes, highest first, without zeros. */
export function leaveOneOut(offers: readonly Offer[], filter: OfferFilter): { key: FilterKey; count: number }[] {
  const counts = new Map<FilterKey, number>();
  const failureOf = soleFailure(filterAmong(offers, filter));
  for (const offer of offers) {
    const failed = failureOf(offer);
    if (failed !== "none" && failed !== "several") {
      counts.set(failed, (counts.get(failed) ?? 0) + 1);
    }
  }
  return [...counts].map(([key, count]) => ({ key, count })).sort((a, b) => b.count - a.count);
}

/** The same properties, without undefined ones. */
export function withoutUndefined<Values extends object>(values: Values): Given<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<Values>;
}

type Given<Values> = { [Key in keyof Values]: Exclude<Values[Key], undefined> };
