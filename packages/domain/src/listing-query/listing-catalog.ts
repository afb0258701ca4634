import { ListingIndex, type ListingPage, type ListingSelection, type Page } from "./listing-index.js";
import type { ColumnListing } from "./listing-columns.js";
import type { ListingFilter, ListingFilterKey } from "./listing-filter.js";
import { LISTING_PARAMETER_NAMES, LISTING_PARAMETERS, type ListingParameterName } from "./listing-parameters.js";
import type { ListingQuery } from "./listing-query-schema.js";
import { plainListingFilter } from "./listing-plain-filter.js";
import {
  HTTP_WORDS,
  resolveListingQuery,
  type DoorWords,
  type ListingNames,
  type QueryProblem,
  type RestrictedImage,
} from "./listing-resolve.js";
import { heldUnderstood, withWishes } from "./listing-wishes.js";
import { readSearch, SearchCatalog } from "../search/read-search.js";
import { SearchIndex } from "../search/search-index.js";
import type { Understood } from "../search/search-term.js";
import { unknownUnderstood } from "../search/unknown-word.js";

// Evaluates the whole query over listings: words, names, filters, order and pages. The service, the picker and the agents' tools
// evaluate queries with it.

/** A query to evaluate, whose words may have set filters. */
export interface CatalogSelection extends ListingSelection {
  /** The filter without those that words set, such as `spot`; undefined if they set none. */
  filterWithoutWords?: ListingFilter | undefined;
}

/** A query that is understood, or what is wrong with it. */
export interface PreparedQuery {
  /** Filter, order and words, with their names resolved. */
  selection: CatalogSelection;
  /** What names and words were taken for. */
  understood: readonly Understood[];
  /** If there are any, the query must not be evaluated. */
  problems: readonly QueryProblem[];
}

/** An index over listings, with the names that queries use. */
export class ListingCatalog {
  /** The index below it. */
  readonly index: ListingIndex;
  /** Names that queries can use. */
  readonly names: ListingNames;
  readonly #search: SearchIndex;
  readonly #words: SearchCatalog;

  constructor(index: ListingIndex, search: SearchIndex, images: ReadonlyMap<string, readonly RestrictedImage[]>) {
    const { gpu, provider, place, instanceType } = index.parts.values;
    this.index = index;
    this.#search = search;
    this.#words = new SearchCatalog(search, { images });
    this.names = {
      gpus: gpu,
      providers: provider.map(({ name }) => name).sort(),
      regions: [...new Set(place.map(({ region }) => region))],
      instanceTypes: instanceType.filter((type) => type !== null),
      images,
    };
  }

  /** A catalog of listings in memory. */
  static of(
    listings: readonly ColumnListing[],
    images: ReadonlyMap<string, readonly RestrictedImage[]> = new Map(),
  ): ListingCatalog {
    const searched = listings.map(({ offer, instanceType, spot }) => ({
      offer,
      instanceType,
      spot:
        spot === null
          ? null
          : ({ priceHourly: spot.priceHourly, kind: spot.kind === "bid" ? "bid" : "price" } as const),
    }));
    return new ListingCatalog(ListingIndex.of(listings), SearchIndex.of(searched), images);
  }

  /**
   * Resolves the words and names of a query.
   * @param door How hints write parameters; by default as the HTTP API.
   */
  prepare(query: ListingQuery, door: DoorWords = HTTP_WORDS): PreparedQuery {
    const search = query.q === undefined ? undefined : readSearch(query.q, this.#words);
    const resolved = resolveListingQuery(withWishes(query, search?.wishes ?? {}), this.names, door);
    const { filter, sort, understood, problems } = resolved;
    const unknown = (search?.unknown ?? []).map(unknownUnderstood);
    const { spot, diskGb } = plainListingFilter(query);
    const isFilteredByWords = spot !== filter.spot || diskGb !== filter.diskGb;
    const words = search && this.#search.find(search.terms, { isSpot: filter.spot !== undefined });
    return {
      selection: {
        filter,
        sort,
        words,
        filterWithoutWords: isFilteredByWords ? { ...filter, spot, diskGb } : undefined,
      },
      understood: [...(search === undefined ? [] : heldUnderstood(search, query)), ...understood, ...unknown],
      problems,
    };
  }

  /** A page of the matches. */
  select({ filterWithoutWords, ...selection }: CatalogSelection, page: Page): ListingPage {
    const found = this.index.select(selection, page);
    if (found.total > 0 || filterWithoutWords === undefined) {
      return found;
    }
    // Without the words, the filters that they set go, too.
    const count = this.index.count({ filter: filterWithoutWords });
    return { ...found, excludedBy: new Map([...found.excludedBy, ["search", count]]) };
  }
}

/**
 * How many would match without each parameter, by the names of a door. A filter that several parameters set counts for the
 * first that is given.
 */
export function excludedByParameter(
  counts: ReadonlyMap<ListingFilterKey, number>,
  query: ListingQuery,
  nameOf: (parameter: ListingParameterName) => string | null = (name) => name,
): Record<string, number> {
  const named: Record<string, number> = {};
  for (const [key, count] of counts) {
    const given = LISTING_PARAMETER_NAMES.filter((name) => LISTING_PARAMETERS[name].filter === key);
    const parameter = given.find((name) => query[name] !== undefined) ?? given[0];
    const name = parameter === undefined ? null : nameOf(parameter);
    if (name !== null) {
      named[name] = count;
    }
  }
  return named;
}
