import { NOT_SOLD_OUT } from "../offer/availability.js";
import { plainFilter, queryOf, type ListingFilter } from "./listing-filter.js";
import type { ListingParameter } from "./listing-parameter.js";
import { LISTING_FILTER_NAMES } from "./listing-parameter-names.js";
import { LISTING_PARAMETERS, type ListingParameterName } from "./listing-parameters.js";
import type { ListingQuery } from "./listing-query-schema.js";
import { NO_CATALOG, readSearch } from "../search/read-search.js";

// What doors for people and agents leave out unless they are asked for it, and what they say of it. GET /api/v2/listings lists all.

/** What is assumed of a query, by parameter. */
export const DOOR_DEFAULTS: ListingQuery = queryOf(
  LISTING_FILTER_NAMES.flatMap((name) => {
    const { doorDefault }: ListingParameter = LISTING_PARAMETERS[name];
    return doorDefault === undefined ? [] : [[name, doorDefault.value] as const];
  }),
);

/** The query with the defaults of doors, where it doesn't say otherwise. */
export function withDoorDefaults(query: ListingQuery): ListingQuery {
  const missing = LISTING_FILTER_NAMES.filter((name) => query[name] === undefined && DOOR_DEFAULTS[name] !== undefined);
  return { ...query, ...queryOf(missing.map((name) => [name, DOOR_DEFAULTS[name]])) };
}

/** The query, without what is sold out unless it says otherwise. */
export function onOffer(query: ListingQuery): ListingQuery {
  return query.available === undefined && query.availability === undefined
    ? { ...query, availability: NOT_SOLD_OUT }
    : query;
}

/**
 * The query by the cost with the disk, unless it or its words say another order.
 * @param isOne Whether only the first is used: the cheapest is then the one that costs least, whatever its GPUs cost.
 */
export function byTotal({ sort_by: sort, ...query }: ListingQuery, isOne = false): ListingQuery {
  const { sortBy, sortOrder } = query.q === undefined ? {} : readSearch(query.q, NO_CATALOG).wishes;
  const isOverruled = isOne && sortBy === "pricePerGpu" && sortOrder === undefined;
  return { ...query, sort_by: sort ?? (sortBy === undefined || isOverruled ? "total" : undefined) };
}

/** Whether a parameter of a query, or of its filter, has the default of doors. */
export function isDoorDefault(name: ListingParameterName, query: ListingQuery | ListingFilter): boolean {
  const values: Partial<Record<ListingParameterName, unknown>> = query;
  return DOOR_DEFAULTS[name] !== undefined && values[name] === DOOR_DEFAULTS[name];
}

/** The filter of all offers that a query chooses from: the defaults that it doesn't set off. */
export function defaultFilter(query: ListingQuery): ListingFilter {
  const isSetOff = (name: ListingParameterName): boolean => {
    const { off }: ListingParameter = LISTING_PARAMETERS[name];
    return query[name] === off;
  };
  return plainFilter(
    queryOf(LISTING_FILTER_NAMES.map((name) => [name, isSetOff(name) ? undefined : DOOR_DEFAULTS[name]])),
  );
}

/** Offers that a default leaves out. */
export interface LeftOut {
  /** The parameter. */
  name: ListingParameterName;
  /** Number of the offers that match otherwise. */
  count: number;
  /** Which they are: `of unverified hosts`. */
  words: string;
  /** The value of the parameter that includes them. */
  off: string;
}

/**
 * What the defaults of doors leave out of a list.
 * @param query the query, or its filter.
 * @param excludedBy how many offers each filter alone excludes.
 */
export function leftOut(
  query: ListingQuery | ListingFilter,
  excludedBy: ReadonlyMap<ListingParameterName, number>,
): LeftOut[] {
  return LISTING_FILTER_NAMES.filter((name) => isDoorDefault(name, query)).flatMap((name) => {
    const { doorDefault, off }: ListingParameter = LISTING_PARAMETERS[name];
    const count = excludedBy.get(name) ?? 0;
    return count === 0 ? [] : [{ name, count, words: doorDefault?.leavesOut ?? "", off: String(off) }];
  });
}
