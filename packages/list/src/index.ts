// What the picker and a page in the browser share: the query, its facets, rows and columns, and the words for prices,
// ages and filters. No I/O, no terminal, no DOM.

// The query and its facets.
export {
  comparatorOf,
  covers,
  EMPTY_QUERY,
  givenFilters,
  leaveOneOut,
  filterAmong,
  isServerSort,
  matching,
  sameOrder,
  serverFilter,
  serverQuery,
  SORTS,
  understoodIn,
  withFilter,
  withoutUndefined,
  type Query,
  type ServerQuery,
  type SortBy,
} from "./query.js";
export { filterChip, filterChips, sortWords } from "./filter-words.js";
export { facetRows, foundFacets, toggleFacet, typeFacet } from "./facets.js";
export { facetCounts, type FacetCounts } from "./facet-counts.js";
export type { FacetRow, ImageKey, NumberFacet, ValueKey, ValueRow } from "./facet-row.js";
export { withProviderImages, type KnownImages } from "./image-facets.js";
export { memoizeLast } from "./memoize.js";

// The query of listings, its controls and chips.
export { evaluate, exclusions, unverifiedCount, type Result, type SearchedCatalog } from "./evaluate.js";
export { chipOf, chipsOf, sortText } from "./filter-chips.js";
export {
  BESIDE_WORDS,
  controls,
  toggled,
  typed,
  withoutFilter,
  withoutFilters,
  type Control,
  type ControlValue,
} from "./controls.js";
export { valueCounts, type ValueCount, type ValueCounts } from "./value-counts.js";

// Rows, columns and the facts of an offer.
export { listingRows, type ListingRow, type RowColumns } from "./listing-rows.js";
export { holds, OfferKinds, rowsOf, type OfferRow } from "./offer-rows.js";
export { cellFacts, COLUMNS, HIDDEN_AT_FIRST, HIDEABLE_COLUMNS, SCREEN_COLUMNS } from "./columns.js";
export type { Align, CellFacts, Column, ColumnId } from "./column.js";
export { UNKNOWN } from "./price-cell.js";
export { findWorthColumn, WORTH_DECIMALS } from "./worth-column.js";
export { totalMicros } from "./offer-cost.js";
export { cityText, gpuText, placesText, placeText } from "./offer-names.js";
export {
  diskSentence,
  lowerBound,
  monthText,
  offerFacts,
  priceSentence,
  totalText,
  type FactOptions,
} from "./offer-facts.js";
export { COMPARED_NAMES, comparedDistance, comparedText } from "./compared-fact.js";
export { priceHistoryFacts, priceLine } from "./price-history-facts.js";
export { ageOf, ageRangeOf, ageRangeText, UNKNOWN_AGE, type AgeRange, type CatalogAge } from "./catalog-age.js";

// All listings in one file.
export { type CompactList, type CompactListContent, type CompactSource } from "./compact-list.js";
export { decodeCompactList } from "./decode-compact-list.js";
export { encodeCompactList } from "./encode-compact-list.js";

// Texts.
export { ageSince, ageText, dateText } from "./age-text.js";
export { countOf, countText } from "./count-text.js";
export { creditText, decimalsFor, microsText, usdMicrosText, usdText, type Decimals } from "./price-text.js";
export { runwayOf, runwayText } from "./runway-text.js";
export { printable } from "./printable.js";
