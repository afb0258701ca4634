// Every name that other packages and repos may use, in the order of interface.md: its resources, its list
// query, its errors; then the rules that follow from it, the facts of GPUs, and the index.

// Resources: interface.md 2.
export { DEPLOYMENT_TYPES, offerSchema, pricePerGpu, publishedOfferSchema, type Offer } from "./offer.js";
export {
  continentCode,
  CONTINENTS,
  findContinent,
  placeCode,
  regionInfoSchema,
  UNKNOWN_CONTINENT,
  UNKNOWN_REGION,
  type Continent,
  type RegionInfo,
} from "./region.js";
export {
  PROVIDER_TYPES,
  providerListSchema,
  providerNameSchema,
  providerSchema,
  publishedProviderSchema,
  type Provider,
  type ProviderList,
} from "./provider.js";
export {
  compareOsImages,
  defaultOsImage,
  IMAGE_LIST_LIFETIME_SECONDS,
  imageFits,
  listOsImagesQuerySchema,
  osImageListSchema,
  osImageSchema,
  publishedOsImageSchema,
  type ListOsImagesQuery,
  type OsImage,
  type OsImageList,
} from "./os-image.js";
export { accountSchema, type Account } from "./account.js";
export {
  balanceSchema,
  formatAmount,
  MAX_AMOUNT_E4,
  parseAmount,
  runwaySeconds,
  toBalance,
  type Balance,
} from "./balance.js";

// The offer list and its query: interface.md 2.2, 4.1 and 8.
export {
  DEFAULT_PAGE_SIZE,
  listOffers,
  listOffersQuerySchema,
  MAX_PAGE_SIZE,
  MAX_PARAMETER_INTEGER,
  offerListSchema,
  pageCounts,
  type ListOffersQuery,
  type OfferList,
} from "./offer-query.js";
export {
  failedFilters,
  FILTER_KEYS,
  matchesOffer,
  toListFilter,
  toOfferFilter,
  type Budget,
  type FilterKey,
  type ImageFilter,
  type ListFilter,
  type OfferFilter,
} from "./offer-filter.js";
export { describeImage, matchesImage, providersWithImage, type WantedImage } from "./image-filter.js";
export {
  listComparator,
  PICKER_SORT_KEYS,
  pickerComparator,
  SORT_KEYS,
  SORT_ORDERS,
  type OfferComparator,
  type PickerSortKey,
  type SortKey,
  type SortOrder,
} from "./offer-sort.js";

export { recheck, type ChosenOffer, type CurrentOffer, type Recheck } from "./recheck.js";
export {
  compareOffers,
  type ComparedFact,
  type ComparedKey,
  type ComparedUnit,
  type ComparedValue,
  type CompareOptions,
} from "./compare.js";
export { cheapest, type CheapestOffer } from "./cheapest.js";

// What people type and say.
export { compileSearch, matchesSearch, type OfferSearch } from "./offer-search.js";
export {
  parseSearch,
  type SearchField,
  type SearchOperator,
  type SearchTerm,
  type SearchWord,
} from "./search-words.js";
export { nearestReading, nearestReadings, type Reading } from "./nearest-reading.js";
export { gpuSlugs } from "./gpu-names.js";
export { continentsCalled, countriesCalled, type Named } from "./place-names.js";
export { providersCalled } from "./provider-names.js";
export { nearNames } from "./near-names.js";

// Errors: interface.md 7.
export {
  ERROR_CODES,
  ERRORS,
  errorBodySchema,
  errorDetailSchema,
  OFFER_NOT_FOUND,
  PROVIDER_NOT_FOUND,
  type ErrorBody,
  type ErrorCode,
  type ErrorDetail,
} from "./error.js";

// Money, disks and deployments: interface.md 1 and the storage rule of 2.1.
export {
  formatMicrosUp,
  fromMicros,
  isPrice,
  MAX_PRICE,
  PRICE_DECIMALS,
  priceSchema,
  roundPrice,
  toMicros,
  toMicrosUp,
} from "./money.js";
export {
  checkDisk,
  diskFor,
  hourlyCost,
  hourlyCostMicros,
  isDiskFixed,
  isDiskUnknown,
  pricedDisk,
  type DiskCheck,
  type DiskPricing,
  type StorageTerms,
} from "./storage.js";
export {
  composeDeployment,
  deploymentSchema,
  type Deployment,
  type DeploymentChoice,
  type DeploymentFault,
  type DeploymentResult,
} from "./deployment.js";

// Where offers come from, and how old their prices are.
export {
  findSource,
  SOURCE_STATES,
  sourceListSchema,
  sourceStatusSchema,
  type SourceList,
  type SourceStatus,
} from "./source-status.js";

// What a catalog may hold.
export { isPlainText, PLAIN_TEXT_PATTERN, plainTextSchema } from "./plain-text.js";
export { findGpuSlug, gpuSlugSchema, isGpuSlug, MAX_SLUG_LENGTH } from "./gpu-slug.js";
export {
  findGpuModel,
  gpuModels,
  resolveGpu,
  type FactSource,
  type GpuHints,
  type GpuModel,
  type GpuResolution,
} from "./gpu.js";

// The list at a cost that follows the page.
export { present } from "./present.js";
export { OfferIndexBuilder, type IndexedOffer, type OfferIndexParts, type Ordering } from "./offer-index-build.js";
export { OfferIndex, type OfferIndexPage } from "./offer-index.js";
