// Every name that other packages and repos may use. The nouns of the interface first, then rules.
export { accountSchema, type Account } from "./account.js";
export { balanceSchema, formatAmount, parseAmount, runwaySeconds, toBalance, type Balance } from "./balance.js";
export {
  composeDeployment,
  deploymentSchema,
  type Deployment,
  type DeploymentChoice,
  type DeploymentFault,
  type DeploymentResult,
} from "./deployment.js";
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
export { gpuSlugSchema, isGpuSlug, MAX_SLUG_LENGTH } from "./gpu-slug.js";
export {
  formatMicrosUp,
  fromMicros,
  isPrice,
  MAX_PRICE,
  PRICE_DECIMALS,
  roundPrice,
  toMicros,
} from "./money.js";
export {
  failedFilters,
  FILTER_KEYS,
  matchesOffer,
  matchesText,
  offerText,
  type FilterKey,
  type ListFilter,
  type OfferFilter,
} from "./offer-filter.js";
export { buildOfferIndex, type IndexedOffer, type OfferIndexParts, type Ordering } from "./offer-index-build.js";
export { OfferIndex, type OfferIndexPage } from "./offer-index.js";
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
  compareOffers,
  compareTotalCost,
  SORT_KEYS,
  SORT_ORDERS,
  type OfferComparator,
  type SortKey,
  type SortOrder,
} from "./offer-sort.js";
export { DEPLOYMENT_TYPES, offerSchema, pricePerGpu, publishedOfferSchema, type Offer } from "./offer.js";
export {
  compareOsImages,
  defaultOsImage,
  IMAGE_LIST_LIFETIME_SECONDS,
  imageFits,
  osImageListSchema,
  osImageSchema,
  publishedOsImageSchema,
  type OsImage,
  type OsImageList,
} from "./os-image.js";
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
  checkDisk,
  diskFor,
  hourlyCost,
  hourlyCostMicros,
  isDiskFixed,
  type DiskCheck,
  type StorageTerms,
} from "./storage.js";
export {
  findGpuModel,
  gpuModels,
  resolveGpu,
  type GpuHints,
  type GpuModel,
  type GpuResolution,
} from "./gpu.js";
