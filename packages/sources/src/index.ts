// The public API of the package: catalog readers and the writer, live sources, plausibility gates, and GPU and region
// lookup.
export type { Chunks } from "./input/utf8.js";
export type { ByteStream, CatalogContent, CatalogFile, CatalogResponse } from "./input/content.js";
export { chooseGpu, type GpuChoice, type GpuClaim } from "./choose-gpu.js";
export { parseGpuAliases, readGpuAliasFile, type GpuAliases } from "./gpu-alias.js";
export { MAX_DOCUMENT_BYTES, MAX_RECORD_BYTES } from "./input/limits.js";
export {
  CatalogDifference,
  findGateTrips,
  gatedOffer,
  OFFERS_FOR_RANGE,
  priceRanges,
  uniformFactor,
  type Gate,
  type GatedOffer,
  type GateKind,
  type GateTrip,
  type PriceRanges,
} from "./catalog-gates.js";
export { DISK_PROVIDERS, diskProducts, type DiskProducts } from "./machine-disk.js";
export { findInstanceType, type InstanceType } from "./instance/instance-type.js";
export { readTypeName, type TypeName } from "./instance/type-name.js";
export { ecbRequest, readEcbRate, type Rate } from "./live/ecb.js";
export { MAX_REQUESTS, runRequests, type LiveRun } from "./live/live-run.js";
export {
  isFailure,
  isKeyless,
  isVerified,
  missingSecrets,
  providersOf,
  stockOf,
  type KeptResponse,
  type LiveContext,
  type LiveFailure,
  type LiveItem,
  type LiveReply,
  type LiveRequest,
  type LiveResponse,
  type LiveScopes,
  type LiveSettings,
  type LiveSource,
} from "./live/live-source.js";
export { recordedBody, recordedResponse, recordedResponses, type Recorded, type Recording } from "./live/recording.js";
export { findLiveSource, liveSources, nearestLiveSource, registerLiveSources } from "./live/live-sources.js";
export { NATIVE_FORMAT } from "./native/native-schema.js";
export type { NativeOptions } from "./native/native-offer.js";
export { readNative } from "./native/read-native.js";
export { writeNative, type CatalogOffer, type NativeHeader } from "./native/write-native.js";
export { offerId } from "./offer-id.js";
export { offerOf, type OfferFacts, type OfferFactsOptions } from "./offer-of.js";
export {
  PRICE_LIST_FIELDS,
  readPriceList,
  type PriceListColumns,
  type PriceListField,
  type PriceListOptions,
} from "./price-list.js";
export { readApiResponse, type ApiResponseOptions } from "./read-api-response.js";
export { findTables, TABLE_NAMES, type ProviderTables } from "./provider-tables.js";
export { REJECTIONS, type RejectionCode } from "./rejection.js";
export {
  catalogOf,
  openCatalog,
  readCatalog,
  detectFormat,
  CATALOG_FORMATS,
  type Catalog,
  type CatalogFormat,
  type CatalogListing,
  type CatalogOptions,
  type OpenedCatalog,
} from "./open-catalog.js";
export {
  canHaveNvlink,
  CatalogQuality,
  OFFERS_FOR_MEDIAN,
  type QualityFindings,
  type SuspiciousPrice,
  type UnknownNvlink,
  type UnlocatedRegion,
} from "./catalog-quality.js";
export { CrossProductDetector, MIN_CROSS_PRODUCT, withdrawCrossProducts, type CrossProduct } from "./cross-product.js";
export { currencyOf } from "./currencies.js";
export { compareDuplicates, duplicateItem, isMarketplace } from "./duplicates.js";
export { locate, type StatedPlace } from "./region/locate.js";
export type { SkypilotOptions } from "./skypilot/offer-rows.js";
export { readSkypilot } from "./skypilot/read-skypilot.js";
export { SourceError, type SourceProblem } from "./source-error.js";
export type {
  OfferItem,
  ProviderType,
  RejectionItem,
  SourceImage,
  SourceItem,
  SourceNote,
  SourceProvider,
  UnavailableReason,
} from "./source-item.js";
