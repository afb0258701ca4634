import type { Offer } from "../offer/offer-schema.js";
import { NO_CATALOG, readSearch, searchCatalogOf, type SearchCatalog, type SearchOptions } from "./read-search.js";
import { compileTerms } from "./search-match.js";
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
      last = { offers, search: compileSearch(text, options, searchCatalogOf(offers)) };
    }
    return last.search;
  };
  return Object.assign((offer: Offer) => matches(searchedOf(offer)), { text, parsed, among });
}
