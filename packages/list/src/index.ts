// What the picker and a page in the browser share: the query, its facets, rows and columns, and the words for prices,
// ages and filters. No I/O, no terminal, no DOM.

// The query of listings, its controls and chips.
export { evaluate, exclusions, leftOutOf, leftOutText, type Result, type SearchedCatalog } from "./evaluate.js";
export { chipOf, chipsOf, JOB_FILTERS, sortText } from "./filter-chips.js";
export {
  controls,
  toggled,
  typed,
  withoutFilter,
  withoutFilters,
  type Control,
  type ControlValue,
} from "./controls.js";
export { jobWords, withoutJobWords, type JobWords } from "./job-words.js";
export { givenQuery, MAX_COMPARED, pageQuery, quoted, readAddress, type Address } from "./page-address.js";
export { memoizeLast } from "./memoize.js";
export { valueCounts, type ValueCount, type ValueCounts } from "./value-counts.js";

// Rows, columns and the facts of an offer.
export { ListingKinds } from "./listing-kinds.js";
export { listingRows, type ListingRow, type RowColumns } from "./listing-rows.js";
export { cellFacts, COLUMNS, HIDDEN_AT_FIRST, HIDEABLE_COLUMNS, SCREEN_COLUMNS } from "./columns.js";
export type { Align, CellFacts, Column, ColumnId } from "./column.js";
export { findWorthColumn, WORTH_DECIMALS } from "./worth-column.js";
export { isTotalAtLeast, totalMicros } from "./offer-cost.js";
export { diskOf, shownDiskGb } from "./shown-disk.js";
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
export { priceHistoryFacts, priceLine, sparkline } from "./price-history-facts.js";
export { ageOf, ageRangeOf, ageRangeText, UNKNOWN_AGE, type AgeRange, type CatalogAge } from "./catalog-age.js";

export { sampleGpusLine, sampleLine, sourceNotices } from "./source-notices.js";

// All listings in one file.
export { type CompactList, type CompactListContent, type CompactSource } from "./compact-list.js";
export { decodeCompactList } from "./decode-compact-list.js";
export { encodeCompactList } from "./encode-compact-list.js";

// Texts.
export { ageSince, ageText, dateText } from "./age-text.js";
export { countOf, countText } from "./count-text.js";
export { creditText, decimalsFor, microsText, UNKNOWN, usdMicrosText, usdText, type Decimals } from "./price-text.js";
export { runwayOf, runwayText } from "./runway-text.js";
export { stockText } from "./stock-text.js";
export { stockNote, usualStock } from "./usual-stock.js";
export { printable } from "./printable.js";
