import type { ListedOffer } from "../offer/listed-offer.js";
import { positionsIn } from "../position-bits.js";
import { NO_CATALOG, readSearch, searchCatalogOf, type SearchOptions } from "./read-search.js";
import { SearchIndex } from "./search-index.js";
import { searchedOf, type ParsedSearch } from "./search-term.js";

/** A compiled search, for filters and for `Array.prototype.filter`. */
export interface OfferSearch {
  (offer: ListedOffer): boolean;
  /** The search text. */
  text: string;
  /** What it means. */
  parsed: ParsedSearch;
  /** The search as it is read for these offers, with their names. It tells those apart quickly. */
  among: (offers: readonly ListedOffer[]) => OfferSearch;
}

/**
 * Compiles a search text. Without a catalog, only names that are known everywhere have a meaning; `among` reads the text again
 * for a list of offers.
 */
export function compileSearch(text: string, options: SearchOptions = {}): OfferSearch {
  const searchIn = (offers?: readonly ListedOffer[]): OfferSearch => {
    const catalog = offers === undefined ? NO_CATALOG : searchCatalogOf(offers);
    const parsed = readSearch(text, catalog, options);
    const isSpot = parsed.wishes.spot === true;
    const found = offers && new Set(positionsIn(catalog.find(parsed.terms, isSpot)).map((at) => offers[at]));
    const known = new Set(offers);
    const finds = (offer: ListedOffer): boolean =>
      known.has(offer)
        ? found?.has(offer) === true
        : SearchIndex.of([searchedOf(offer)]).find(parsed.terms, { isSpot })[0] === 1;
    return Object.assign(finds, { text, parsed, among: searchIn });
  };
  return searchIn();
}
