import type { ListingGroup } from "../columns/listing-groups.js";
import type { ImageFilter } from "../image/image-filter.js";
import type { ModelFilter } from "../model/fits.js";
import type { Beside, BesideParameters, FilteredListing, ListingParameter } from "./listing-parameter.js";
import { LISTING_FILTER_NAMES, LISTING_PARAMETER_NAMES, parametersOf } from "./listing-parameter-names.js";
import { LISTING_PARAMETERS, type ListingParameterName } from "./listing-parameters.js";
import type { ListingQuery } from "./listing-query-schema.js";
import { gpuFacts } from "../gpu/gpu-facts.js";
import { isCountRangeEmpty } from "../gpu/gpu-count-range.js";
import { pricedOffer } from "../offer/priced-offer.js";
import { WORTH_KEYS } from "../offer/worth.js";
import type { AnySortKey, PickerOrder } from "./listing-order.js";
import type { SortOrder } from "../offer-query/offer-sort.js";

// Filters of listings: the rules of the parameters, applied. The index must return what matchesListing returns.

/** Values that aren't those of the query. */
interface ResolvedValues {
  /** True: only available offers. */
  available?: true | undefined;
  /** `not-false`: none that a marketplace hasn't verified; `true`: only verified ones. */
  verified?: "not-false" | "true" | undefined;
  /** `true`: only spot prices; `bid`: minimum bids, too. Prices then are spot prices. */
  spot?: "true" | "bid" | undefined;
  /** The image of `image`, `os` and `cuda`, and the providers that have it. */
  image?: ImageFilter | undefined;
  /** A model: only offers that it fits, be it tightly. */
  fits?: ModelFilter | undefined;
}

type RuledName = {
  [Name in ListingParameterName]: (typeof LISTING_PARAMETERS)[Name] extends { rule: object } ? Name : never;
}[ListingParameterName];
type RuleValue<Name extends RuledName> = NonNullable<ListingFilter[Name]>;

/**
 * A query whose names are resolved: slugs of GPUs in lower case, names of providers and continents, ISO codes of countries in
 * upper case. Words are evaluated apart, and values without effect, such as `verified: "any"`, are left out.
 */
export type ListingFilter = Omit<Pick<ListingQuery, RuledName | keyof BesideParameters>, keyof ResolvedValues> &
  ResolvedValues;

/** A given filter as a condition; `listing.offer` has the price of the query ({@link pricedOffer}). */
export interface ListingCondition {
  /** The filter. */
  name: ListingParameterName;
  /** The only facts that it depends on. */
  dependsOn: ListingGroup;
  /** Whether a listing meets it. */
  holds: (listing: FilteredListing) => boolean;
}

const RULES: {
  readonly [Name in RuledName]: {
    dependsOn: ListingGroup;
    needsFigures?: true;
    rule: (listing: FilteredListing, value: RuleValue<Name>, beside: Beside) => boolean;
  };
} = LISTING_PARAMETERS;

/** The filters that have a rule, in the order of documentation. */
const RULED_NAMES = LISTING_FILTER_NAMES.filter(isRuled);

function isRuled(name: ListingParameterName): name is RuledName {
  return "rule" in LISTING_PARAMETERS[name];
}

/** The conditions of a filter. */
export function conditionsOf(filter: ListingFilter): ListingCondition[] {
  const beside = { disk: filter.disk, hours: filter.hours };
  return RULED_NAMES.flatMap((name) => conditionOf(name, filter, beside));
}

function conditionOf<Name extends RuledName>(
  name: Name,
  filter: { [Key in Name]?: RuleValue<Key> | undefined },
  parameters: BesideParameters,
): ListingCondition[] {
  const { dependsOn, needsFigures, rule } = RULES[name];
  const value = filter[name];
  const beside = { ...parameters, factsOf: needsFigures === true ? gpuFacts : unexpectedFigures };
  return value === undefined ? [] : [{ name, dependsOn, holds: (listing) => rule(listing, value, beside) }];
}

function unexpectedFigures(): never {
  throw new Error("needsFigures isn't set.");
}

/** Whether a listing matches all filters. */
export function matchesListing(listing: FilteredListing, filter: ListingFilter): boolean {
  const priced = { ...listing, offer: pricedOffer(listing, filter.spot !== undefined) };
  return conditionsOf(filter).every(({ holds }) => holds(priced));
}

/** Whether a query can be evaluated with {@link plainFilter} alone, without the names of a catalog and the figures of GPUs. */
export function isPlainQuery(query: ListingQuery): boolean {
  return (
    LISTING_FILTER_NAMES.every((name) => query[name] === undefined || isPlain(LISTING_PARAMETERS[name])) &&
    !isCountRangeEmpty(query.min_gpu_count, query.max_gpu_count) &&
    !WORTH_KEYS.some((key) => key === query.sort_by && key !== "vramPrice")
  );
}

function isPlain({ named, needsFigures }: ListingParameter): boolean {
  return named === undefined && needsFigures !== true;
}

/** The filters of a query, without those that need the names of a catalog or a grammar, and without values without effect. */
export function plainFilter(query: ListingQuery): ListingFilter {
  const given = LISTING_FILTER_NAMES.flatMap((name) => {
    const { named, off }: ListingParameter = LISTING_PARAMETERS[name];
    const value = query[name];
    return named !== undefined || value === undefined || value === off ? [] : [[name, value] as const];
  });
  // Values of the query by their own names
  return Object.fromEntries(given) as ListingFilter;
}

/** Whether a query or filter limits the cost with the disk. */
export function limitsTotal({ max_total: maxTotal, budget }: Pick<ListingFilter, "max_total" | "budget">): boolean {
  return (maxTotal ?? budget) !== undefined;
}

/** The query of some values, each as `readParameter` reads it. */
export function queryOf(values: Iterable<readonly [ListingParameterName, unknown]>): ListingQuery {
  // Which value belongs to which name is lost in pairs
  return Object.fromEntries(values) as ListingQuery;
}

/** The query of agents' arguments, which are values by the names of `listingArgumentShape`. */
export function queryOfArguments(values: Readonly<Record<string, unknown>>): ListingQuery {
  const given = LISTING_PARAMETER_NAMES.map((name) => [name, values[LISTING_PARAMETERS[name].argument]] as const);
  return queryOf(given.filter(([, value]) => value !== undefined));
}

/** What the parameters of a query say of its image. */
export function imageParameters(query: ListingQuery): ListingQuery {
  return queryOf(parametersOf("image").flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])));
}

/** The direction of a key that has the best first. */
export function usualOrder(sort: AnySortKey): SortOrder {
  return sort === "stock" ? "desc" : "asc";
}

/** The order of a query. */
export function listingOrder({ sort_by = "pricePerGpu", sort_order, disk }: ListingQuery): PickerOrder {
  return { sort: sort_by, order: sort_order ?? usualOrder(sort_by), diskGb: disk === 0 ? undefined : disk };
}
