import {
  ListingCatalog,
  ListingCursor,
  nearSearches,
  SearchCatalog,
  SearchIndexBuilder,
  type ListingIndex,
  type ListingQuery,
  type NearSearch,
  type PreparedQuery,
  type RestrictedImage,
  type SearchIndex,
} from "@gpu-offers/domain";

// Words and names of queries, with the domain's grammar. It is loaded apart from the list, which doesn't need it until a
// query has words or names.

/** Number of listings to index before the page may react again: some milliseconds. */
const INDEXED_AT_ONCE = 1_000;

/** Reads queries as `GET /listings` does. */
export class NamedCatalog {
  readonly #catalog: ListingCatalog;
  readonly #search: SearchIndex;
  readonly #images: ReadonlyMap<string, readonly RestrictedImage[]>;

  private constructor(catalog: ListingCatalog, search: SearchIndex, images: NamedCatalog["images"]) {
    this.#catalog = catalog;
    this.#search = search;
    this.#images = images;
  }

  get images(): ReadonlyMap<string, readonly RestrictedImage[]> {
    return this.#images;
  }

  /** Indexes the listings in slices, with a pause after each. */
  static async of(
    index: ListingIndex,
    images: ReadonlyMap<string, readonly RestrictedImage[]>,
    pause: () => Promise<void>,
  ): Promise<NamedCatalog> {
    const words = new SearchIndexBuilder();
    const cursor = new ListingCursor(index.parts);
    for (let at = 0; at < index.size; at++) {
      if (at % INDEXED_AT_ONCE === INDEXED_AT_ONCE - 1) {
        await pause();
      }
      cursor.at = at;
      const { offer, instanceType, spot } = cursor.listing;
      words.add({
        offer,
        instanceType,
        spot: spot && { priceHourly: spot.priceHourly, kind: spot.kind === "bid" ? "bid" : "price" },
      });
    }
    const search = words.build();
    return new NamedCatalog(new ListingCatalog(index, search, images), search, images);
  }

  /** What a query means. */
  prepare(query: ListingQuery): PreparedQuery {
    return this.#catalog.prepare(query);
  }

  /** Similar texts that find something. */
  nearTo(text: string): NearSearch[] {
    return nearSearches(text, new SearchCatalog(this.#search, { images: this.#images }));
  }
}
