import {
  atPrice,
  parametersOf,
  withDoorDefaults,
  type ListedOffer,
  type ListingCatalog,
  type ListingOutcomes,
  type ListingQuery,
  type PreparedQuery,
  type SearchOptions,
} from "@gpu-offers/domain";
import { exclusions } from "@gpu-offers/list";
import { FLAG_WORDS } from "../catalog/query-words.js";

/** The parameter that sets a filter, and how many more offers would match without it. */
type Exclusion = ReturnType<typeof exclusions>[number];

/**
 * What a query shows of the loaded offers. Its query has what is the default, and what its words wish for. A filter that
 * can't be right matches nothing.
 */
export interface Found extends PreparedQuery {
  positions: Uint32Array;
  outcomes: ListingOutcomes;
  /** The filters that alone exclude offers, most first. */
  exclusions: readonly Exclusion[];
}

/** Evaluates a query over the loaded offers, with the defaults of doors. */
export function findOffers(catalog: ListingCatalog, given: ListingQuery, reading: SearchOptions): Found {
  const prepared = catalog.prepare(withDoorDefaults(given), FLAG_WORDS, reading);
  const { selection } = prepared;
  const { sort, filter } = selection;
  const query = { ...prepared.query, sort_by: sort.sort, sort_order: sort.order, disk: filter.disk };
  const evaluated = catalog.index.evaluate(selection);
  const found = { ...prepared, query, ...evaluated };
  return { ...found, exclusions: exclusionsOf(found, catalog) };
}

/** Number of offers that a query matches. */
export function countFound(catalog: ListingCatalog, given: ListingQuery, reading: SearchOptions): number {
  return catalog.index.count(catalog.prepare(withDoorDefaults(given), FLAG_WORDS, reading).selection);
}

function exclusionsOf(found: Omit<Found, "exclusions">, catalog: ListingCatalog): Exclusion[] {
  const { query, selection, positions } = found;
  const counted = exclusions(found).map(({ name, count }): Exclusion => {
    return { name: parametersOf(name).find((parameter) => query[parameter] !== undefined) ?? name, count };
  });
  if (positions.length > 0 || selection.filterWithoutWords === undefined) {
    return counted;
  }
  // Without the words, the filters that they set go, too.
  const count = catalog.index.count({ filter: selection.filterWithoutWords });
  return [...counted.filter(({ name }) => name !== "q"), ...(count === 0 ? [] : [{ name: "q" as const, count }])].sort(
    (a, b) => b.count - a.count,
  );
}

const priced = new WeakMap<ListedOffer, ListedOffer>();

/** An offer at the price of a query. Each has one object for its spot price. */
export function pricedFor(offer: ListedOffer, { selection: { filter } }: Found): ListedOffer {
  if (filter.spot === undefined) {
    return offer;
  }
  const known = priced.get(offer) ?? atPrice(offer, "bid");
  priced.set(offer, known);
  return known;
}
