import type { Offer } from "../offer/offer-schema.js";
import { NO_CATALOG, readSearch, searchCatalogOf, type SearchCatalog, type SearchOptions } from "./read-search.js";
import { compileTerms } from "./search-match.js";
import type { KnownImages } from "./search-names.js";
import { searchedOf, type ParsedSearch } from "./search-term.js";

/** A compiled search, for filters and for `Array.prototype.filter`. */
export interface OfferSearch {
  (offer: Offer): boolean;
  /** The search text. */
  text: string;
  /** What it means. */
  parsed: ParsedSearch;
  /** The search as it is read for these offers, with their names; memoized by the list, which must not change. */
  among: (offers: readonly Offer[]) => OfferSearch;
  /** The search with the images of providers, which `among` then knows. */
  withImages: (images: KnownImages) => OfferSearch;
}

/**
 * Compiles a search text for matching many offers. Without a catalog, only names that are known everywhere have a meaning;
 * `among` reads the text again for a list of offers.
 */
export function compileSearch(
  text: string,
  options: SearchOptions = {},
  catalog: SearchCatalog = NO_CATALOG,
): OfferSearch {
  const parsed = readSearch(text, catalog, options);
  const matches = compileTerms(parsed.terms, { isSpot: parsed.wishes.spot === true });
  let last: { offers: readonly Offer[]; search: OfferSearch } | undefined;
  const among = (offers: readonly Offer[]): OfferSearch => {
    if (last?.offers !== offers) {
      const known = searchCatalogOf(offers);
      const { images } = options;
      const named = images === undefined ? known : known.withImages(images);
      last = { offers, search: compileSearch(text, options, named) };
    }
    return last.search;
  };
  const withImages = (images: KnownImages): OfferSearch => compileSearch(text, { ...options, images });
  return Object.assign((offer: Offer) => matches(searchedOf(offer)), { text, parsed, among, withImages });
}
