// The package's public API: resources, list query, errors; then derived rules, facts about
// GPUs, and the index.

// Resources.
export { offerSchema, publishedOfferSchema, type Interconnect, type Offer } from "./offer/offer-schema.js";
export { DEPLOYMENT_TYPES, pricePerGpu } from "./offer/offer.js";
export {
  listedSchema,
  listingDetailsSchema,
  listingListSchema,
  listingSchema,
  stockSumSchema,
} from "./offer/listing-schema.js";
export type { Listed, Listing, ListingDetails, ListingList, ListingTotal } from "./offer/listing-schema.js";
export { listingFactsSchema, spotSchema, statedFactsSchema } from "./offer/listing-schema.js";
export type { ListingFacts, Spot, StatedFacts, StockSum } from "./offer/listing-schema.js";
export { launchPlanSchema, launchQuerySchema, queryPlanSchema } from "./offer/listing-schema.js";
export type { LaunchPlan, LaunchQuery, QueryPlan } from "./offer/listing-schema.js";
export { AVAILABILITIES, NOT_SOLD_OUT, statedAvailability, type Availability } from "./offer/availability.js";
export { availabilityOf, availabilityOfOffer, availabilityWords, isSoldOut } from "./offer/availability.js";
export { isSample, sampleText } from "./offer/sample.js";
export { findSpot, isAnyFactKnown, listingFacts, stockPercent, UNKNOWN_LISTING_FACTS } from "./offer/listing.js";
export { SELLERS, SPOT_FILTERS, SPOT_KINDS, VERIFIED_FILTERS, type Seller, type SpotKind } from "./provider/seller.js";
export { regionInfoSchema, type RegionInfo } from "./place/region-schema.js";
export { continentCode, CONTINENTS, findContinent, UNKNOWN_CONTINENT, type Continent } from "./place/continent.js";
export { placeCode, UNKNOWN_REGION } from "./place/region.js";
export { providerListSchema, providerSchema } from "./provider/provider-schema.js";
export { providerNameSchema, publishedProviderSchema } from "./provider/provider-schema.js";
export type { Provider, ProviderList } from "./provider/provider-schema.js";
export { PROVIDER_TYPES } from "./provider/provider.js";
export {
  listOsImagesQuerySchema,
  osImageListSchema,
  osImageSchema,
  publishedOsImageSchema,
} from "./image/os-image-schema.js";
export type { ListOsImagesQuery, OsImage, OsImageList } from "./image/os-image-schema.js";
export { isCountRangeEmpty } from "./gpu/gpu-count-range.js";
export { compareOsImages, defaultOsImage, IMAGE_LIST_LIFETIME_SECONDS, imageFits } from "./image/os-image.js";
export { accountSchema, type Account } from "./account/account-schema.js";
export { balanceSchema, type Balance } from "./account/balance-schema.js";
export { formatAmount, MAX_AMOUNT_E4, parseAmount, runwaySeconds, toBalance } from "./account/balance.js";

// The offer list and its query.
export { listOffersQuerySchema, offerListSchema } from "./offer-query/offer-query-schema.js";
export type { ListOffersQuery, OfferList } from "./offer-query/offer-query-schema.js";
export { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, MAX_PARAMETER_INTEGER } from "./page-size.js";
export { listOffers, matchesOffer, pageCounts, type ListFilter } from "./offer-query/offer-list.js";
export { imageFilter, matchesImage, providersWithImage } from "./image/image-filter.js";
export { cudaVersions, describeImage, imageSystem } from "./image/image-filter.js";
export type { ImageFilter, RestrictedImage, WantedImage } from "./image/image-filter.js";
export { listComparator, SORT_KEYS, SORT_ORDERS } from "./offer-query/offer-sort.js";
export type { OfferComparator, SortKey, SortOrder } from "./offer-query/offer-sort.js";

// The one query of listings.
export { ALL_SORT_KEYS, isPricedFromBelow, pickerComparator, stockPercentOf } from "./listing-query/listing-order.js";
export type { AnySortKey, PickerOrder, PickerSortKey } from "./listing-query/listing-order.js";
export { readQuantity, type QuantityKind, type ReadQuantity } from "./text/quantity.js";
export type { ListingParameterDocs } from "./listing-query/listing-parameter-docs.js";
export type { FilteredListing, ListingParameter } from "./listing-query/listing-parameter.js";
export { filterOf, isListingParameter, parametersOf } from "./listing-query/listing-parameter-names.js";
export { LISTING_FILTER_NAMES, LISTING_PARAMETER_NAMES } from "./listing-query/listing-parameter-names.js";
export { LISTING_PARAMETERS, type ListingParameterName } from "./listing-query/listing-parameters.js";
export { ambiguousIdText, idsCalled, SHORT_ID } from "./offer/offer-id.js";
export { byTotal, onOffer, withDoorDefaults } from "./listing-query/door-defaults.js";
export { defaultFilter, isDoorDefault, leftOut } from "./listing-query/door-defaults.js";
export { DOOR_DEFAULTS, type LeftOut } from "./listing-query/door-defaults.js";
export { parameterText, readParameter, type ReadParameter } from "./listing-query/read-parameter.js";
export type { ListingQuery, ListListingsQuery, WrittenQuery } from "./listing-query/listing-query-schema.js";
export { matchesListing, plainFilter, type ListingFilter } from "./listing-query/listing-filter.js";
export {
  conditionsOf,
  limitsTotal,
  imageParameters,
  isPlainQuery,
  listingOrder,
  queryOf,
  queryOfArguments,
  usualOrder,
} from "./listing-query/listing-filter.js";
export { resolveListingQuery } from "./listing-query/listing-resolve.js";
export type { DoorWords, ListingNames, QueryProblem, ResolvedQuery } from "./listing-query/listing-resolve.js";
export { excludedByParameter, heldUnderstood, ListingCatalog, withWishes } from "./listing-query/listing-catalog.js";
export type { CatalogSelection, PreparedQuery } from "./listing-query/listing-catalog.js";
export { listingTotal } from "./listing-query/listing-total.js";
export { listingColumns, ListingColumnsBuilder } from "./columns/listing-columns-builder.js";
export { newColumns, UNKNOWN_STOCK } from "./columns/listing-columns.js";
export { compareIds, narrowCodes } from "./columns/listing-columns.js";
export type { CodeColumn, ColumnListing, ListingColumnParts } from "./columns/listing-columns.js";
export { memoized } from "./memoized.js";
export { ListingCursor } from "./columns/listing-cursor.js";
export type { ListingOutcomes } from "./listing-query/listing-conditions.js";
export { ListingGroups, type ListingGroup, type ListingGroupColumn } from "./columns/listing-groups.js";
export { ListingIndex } from "./listing-query/listing-index.js";
export type { ListingPage, ListingSelection, PreparedIndex } from "./listing-query/listing-index.js";

export { recheck, type ChosenOffer, type CurrentOffer, type Recheck } from "./offer/recheck.js";
export { compareOffers } from "./offer/compare.js";
export type { ComparedFact, ComparedKey, ComparedUnit, ComparedValue, CompareOptions } from "./offer/compare.js";
export { cheapestListings, type PricedListing } from "./listing-query/cheapest-listings.js";

// Searches and names.
export { compileSearch, type OfferSearch } from "./search/offer-search.js";
export { pricedOffer, type PricedOffer } from "./offer/priced-offer.js";
export { atPrice, plainOffer, type ListedOffer } from "./offer/listed-offer.js";
export { IMAGES_UNKNOWN } from "./search/search-phrases.js";
export { NO_CATALOG, SearchCatalog, searchCatalogOf } from "./search/read-search.js";
export { readSearch, unknownUnderstood, type SearchOptions } from "./search/read-search.js";
export { positionsIn, type PositionBits } from "./position-bits.js";
export { SearchIndex } from "./search/search-index.js";
export { wholeWordsSource, wordSource, type MatchOptions } from "./search/search-match.js";
export { type KnownImages } from "./search/search-names.js";
export { nearSearches, nearTexts, type NearSearch } from "./search/near-searches.js";
export { understoodText, withoutPiece } from "./search/search-term.js";
export type {
  Searched,
  SearchField,
  SearchOperator,
  SearchPiece,
  SearchTerm,
  SearchWishes,
} from "./search/search-term.js";
export type { ParsedSearch, Understood, UnknownWord } from "./search/search-term.js";
export { gpuSlugs } from "./search/gpu-filter-names.js";
export { continentsCalled, countriesCalled, EUROPEAN_UNION, type Named } from "./search/place-names.js";
export { providersCalled } from "./search/provider-names.js";
export { providerKey } from "./provider/provider-key.js";
export { asSentence } from "./text/sentence.js";
export { editDistance, nearNames } from "./text/near-names.js";
export { meantNames, unknownParameter } from "./listing-query/unknown-parameter.js";

// Errors.
export { errorBodySchema, errorDetailSchema, type ErrorBody, type ErrorDetail } from "./error/error-schema.js";
export {
  codeOf,
  ERROR_CODES,
  ERRORS,
  OFFER_NOT_FOUND,
  parseRetryAfter,
  PROVIDER_NOT_FOUND,
  reasonOf,
  type ErrorCode,
} from "./error/error.js";

// Money, disks and deployments.
export { formatMicrosUp, fromMicros, isPrice, roundPrice, toMicros, toMicrosUp } from "./money/money.js";
export { HOURS_OF_30_DAYS, HOURS_OF_A_MONTH, MAX_PRICE, PRICE_DECIMALS } from "./money/money.js";
export { priceSchema } from "./money/money-schema.js";
export { storageSchema, type Storage } from "./offer/storage-schema.js";
export { diskMicros, hourlyCost, hourlyCostMicros } from "./offer/hourly-cost.js";
export {
  checkDisk,
  DEFAULT_DISK_GB,
  diskFor,
  paidDisk,
  sizesText,
  storageOf,
  UNKNOWN_STORAGE,
  usualDisk,
} from "./offer/storage.js";
export { isAtLeast, isDiskFixed, isDiskUnknown } from "./offer/storage.js";
export type { DiskCheck, DiskTerms, StorageTerms } from "./offer/storage.js";
export { composeDeployment } from "./offer/deployment.js";
export type { DeploymentChoice, DeploymentProblem, DeploymentResult } from "./offer/deployment.js";
export { deploymentSchema, type Deployment } from "./offer/deployment-schema.js";

export { shellWord } from "./text/shell-word.js";

// Sources of offers, and the age of prices.
export type { PriceHistory, PriceHistoryQuery, PricePoint } from "./market/price-history-schema.js";
export { sourceListSchema, sourceStatusSchema } from "./provider/source-status-schema.js";
export type { SourceList, SourceStatus } from "./provider/source-status-schema.js";

// Rules of published catalogs.
export { plainTextSchema } from "./text/plain-text-schema.js";
export { isPlainText, PLAIN_TEXT_PATTERN } from "./text/plain-text.js";
export { gpuSlugSchema } from "./gpu/gpu-slug-schema.js";
export { findGpuSlug, isGpuSlug, MAX_SLUG_LENGTH } from "./gpu/gpu-slug.js";
export { gpuModels, type FactSource, type GpuModel } from "./gpu/gpu-models.js";
export { findGpuModel, resolveGpu, type GpuHints, type GpuResolution } from "./gpu/resolve-gpu.js";

export { gpuFacts } from "./gpu/gpu-facts.js";
export type { GpuFacts } from "./gpu/gpu-facts-schema.js";

// What GPUs give for their price, and what fits into them.
export { worth, WORTH_KEYS, worthReader, type WorthKey } from "./offer/worth.js";
export { modelNeedProblem, parseBits, parseModelNeed, parseTokens, weightsDiskGb } from "./text/model-need.js";
export { DEFAULT_BITS, DEFAULT_CONTEXT_TOKENS } from "./text/model-need.js";
export type { ModelNeed, ParsedModelNeed } from "./text/model-need.js";
export { memoryNeed, type MemoryNeed, type MemoryPart } from "./model/memory-need.js";
export { cheapestFits, fitOf, fits, modelFilter } from "./model/fits.js";
export type { Fit, FitResult, FittingOffer, ModelFilter } from "./model/fits.js";

// What GPUs cost, now and over time.
export { marketStand, market, MarketParts, marketParts, mergeMarket } from "./market/market.js";
export type { MarketListing, MarketPart, PartListing, ProviderAge } from "./market/market.js";
export { MAX_SERIES_POINTS, SERIES_STEPS, type SeriesStep } from "./market/series-step.js";
export { nearestGpus, selectGpus, type GpuSelection } from "./market/gpu-selection.js";
export type { GpuEntry, GpuList, Market, PriceRange } from "./market/gpu-entry-schema.js";
export type { GpuPrices, GpuPricesAt, GpuPricesQuery, PriceChange } from "./market/gpu-entry-schema.js";

export { present } from "./present.js";
