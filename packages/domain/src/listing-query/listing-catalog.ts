import type { ListingFilter } from "./listing-filter.js";
import { parametersOf } from "./listing-parameter-names.js";
import type { ListingParameterName } from "./listing-parameters.js";
import type { ListingQuery } from "./listing-query-schema.js";
import { ListingIndex, type ListingPage, type ListingSelection, type Page } from "./listing-index.js";
import type { ColumnListing } from "../columns/listing-columns.js";
import { listingColumns } from "../columns/listing-columns-builder.js";
import {
  HTTP_WORDS,
  resolveListingQuery,
  type DoorWords,
  type ListingNames,
  type QueryProblem,
} from "./listing-resolve.js";
import type { RestrictedImage } from "../image/image-filter.js";
import { finished } from "../finished.js";
import { nearSearches, type NearSearch } from "../search/near-searches.js";
import { readSearch, SearchCatalog, unknownUnderstood, type SearchOptions } from "../search/read-search.js";
import { SearchIndex } from "../search/search-index.js";
import { understoodText, type ParsedSearch, type SearchWishes, type Understood } from "../search/search-term.js";

// Evaluates the whole query over listings: words, names, filters, order and pages. The service, the picker and the agents' tools
// evaluate queries with it.

/** A query to evaluate, whose words may have set filters. */
export interface CatalogSelection extends ListingSelection {
  /** The filter without those that words set, such as `spot`; undefined if they set none. */
  filterWithoutWords?: ListingFilter | undefined;
}

/** A query that is understood, or what is wrong with it. */
export interface PreparedQuery {
  /** The query with what its words wish for. */
  query: ListingQuery;
  /** Its words as they were read; undefined without words. */
  search: ParsedSearch | undefined;
  /** Filter, order and words, with their names resolved. */
  selection: CatalogSelection;
  /** What names and words were taken for. */
  understood: readonly Understood[];
  /** If there are any, the query must not be evaluated. */
  problems: readonly QueryProblem[];
}

/** Filters that words may set. */
const WISHED_FILTERS = ["spot", "disk", "budget", "hours", "fits"] as const;

/** An index over listings, with the names that queries use. */
export class ListingCatalog {
  /** Names that queries can use. */
  readonly names: ListingNames;
  readonly #search: SearchIndex;
  readonly #words: SearchCatalog;

  constructor(
    /** The index below it. */
    readonly index: ListingIndex,
    images: ReadonlyMap<string, readonly RestrictedImage[]>,
    search = new SearchIndex(index.groups),
  ) {
    const { gpu, provider, place, instanceType } = index.parts.values;
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
    return new ListingCatalog(new ListingIndex(listingColumns(listings)), images);
  }

  /**
   * Resolves the words and names of a query.
   * @param door How hints write parameters; by default as the HTTP API.
   * @param options How the words are read; by default they are finished.
   */
  prepare(query: ListingQuery, door: DoorWords = HTTP_WORDS, options: SearchOptions = {}): PreparedQuery {
    const search = query.q === undefined ? undefined : readSearch(query.q, this.#words, options);
    const wished = withWishes(query, search?.wishes ?? {});
    const resolved = resolveListingQuery(wished, this.names, door);
    const { filter, sort, understood, problems } = resolved;
    const unknown = (search?.unknown ?? []).map(unknownUnderstood);
    const wishedFilters = WISHED_FILTERS.filter((name) => query[name] === undefined && wished[name] !== undefined);
    const words = search && this.#search.find(search.terms, { isSpot: filter.spot !== undefined });
    const told = [...(search === undefined ? [] : heldUnderstood(search, query)), ...understood, ...unknown];
    const doubtful = query.strict === true ? told.filter((one) => one.doubt !== undefined || one.nearest) : [];
    return {
      query: wished,
      search,
      selection: {
        filter,
        sort,
        words,
        filterWithoutWords:
          wishedFilters.length === 0
            ? undefined
            : { ...filter, ...Object.fromEntries(wishedFilters.map((name) => [name, undefined])) },
      },
      understood: told,
      problems: [
        ...problems,
        ...doubtful.map((one): QueryProblem => ({ parameter: "q", reason: `is doubtful: ${understoodText(one)}` })),
      ],
    };
  }

  /** The catalog with the images of providers that are known now. */
  withImages(images: ReadonlyMap<string, readonly RestrictedImage[]>): ListingCatalog {
    return new ListingCatalog(this.index, images, this.#search);
  }

  /** Similar texts that find something among what the other filters leave, nearest first; none if the text itself does. */
  nearTo(
    text: string,
    { filter, filterWithoutWords = filter }: Pick<CatalogSelection, "filter" | "filterWithoutWords"> = { filter: {} },
  ): NearSearch[] {
    const within = this.index.matches({ filter: filterWithoutWords });
    return nearSearches(text, new SearchCatalog(this.#search, { images: this.names.images, within }));
  }

  /** A page of the matches. */
  select(selection: CatalogSelection, page: Page): ListingPage {
    return finished(this.selecting(selection, page));
  }

  /** {@link ListingCatalog.select} in slices, see {@link ListingIndex.selecting}. */
  *selecting({ filterWithoutWords, ...selection }: CatalogSelection, page: Page): Generator<void, ListingPage> {
    const found = yield* this.index.selecting(selection, page);
    if (found.total > 0 || filterWithoutWords === undefined) {
      return found;
    }
    // Without the words, the filters that they set go, too.
    const { sort } = selection;
    const { total } = yield* this.index.selecting({ filter: filterWithoutWords, sort }, { page: 0, size: 0 });
    return { ...found, excludedBy: new Map([...found.excludedBy, ["q", total]]) };
  }
}

/**
 * How many would match without each parameter, by the names of a door. A filter that several parameters set counts for the
 * first that is given.
 */
export function excludedByParameter(
  counts: ReadonlyMap<ListingParameterName, number>,
  query: ListingQuery,
  nameOf: (parameter: ListingParameterName) => string = (name) => name,
): Record<string, number> {
  return Object.fromEntries(
    [...counts].map(([filter, count]) => {
      return [nameOf(parametersOf(filter).find((name) => query[name] !== undefined) ?? filter), count];
    }),
  );
}

/** The query with what its words wish for, unless a parameter says otherwise. */
export function withWishes(
  query: ListingQuery,
  { spot, diskGb, sortBy, sortOrder, ...wishes }: SearchWishes,
): ListingQuery {
  return {
    ...query,
    spot: query.spot ?? (spot === true ? "true" : undefined),
    disk: query.disk ?? diskGb,
    sort_by: query.sort_by ?? sortBy,
    sort_order: query.sort_order ?? (query.sort_by === undefined ? sortOrder : undefined),
    budget: query.budget ?? wishes.budgetUsd,
    hours: query.hours ?? wishes.hours,
    fits: query.fits ?? wishes.fits,
  };
}

const PRICE_SORTS: ReadonlySet<ListingQuery["sort_by"]> = new Set(["pricePerGpu", "priceHourly", "total", "vramPrice"]);

/** What words were taken for, without wishes that a parameter overrules, such as `cheapest` in a list by GPU count. */
export function heldUnderstood(
  { understood, wishes }: Pick<ParsedSearch, "understood" | "wishes">,
  {
    sort_by: sortBy = wishes.sortBy,
    sort_order: order = wishes.sortOrder,
    spot,
  }: Pick<ListingQuery, "sort_by" | "sort_order" | "spot">,
): Understood[] {
  const isByPrice = wishes.sortOrder === undefined && PRICE_SORTS.has(wishes.sortBy);
  const isOfPrice = order !== "desc" && PRICE_SORTS.has(sortBy);
  const isOverruled = {
    sortBy: isByPrice ? !isOfPrice : sortBy !== wishes.sortBy || order !== wishes.sortOrder,
    spot: spot !== undefined && (spot !== "false") !== wishes.spot,
  };
  return understood.flatMap(({ text, as, doubt, instead, wish }) =>
    wish !== undefined && isOverruled[wish] ? [] : [{ text, as, doubt, instead }],
  );
}
