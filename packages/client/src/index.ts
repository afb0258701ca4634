// The package's public API.

export {
  createClient,
  type Client,
  type GpuPricesOptions,
  type ListingStockOptions,
  type LaunchOptions,
  type OsImagesOptions,
} from "./client.js";
export type { CallOptions } from "./connection.js";
export {
  ResponseError,
  ArgumentError,
  CatalogChangedError,
  ConnectionError,
  isClientError,
  ServiceError,
  TimeoutError,
  type ClientError,
  type ClientErrorKind,
} from "./errors.js";
export type { ListingsQuery, OffersQuery } from "./queries.js";
export { OPERATIONS, type OperationName } from "./operations.js";
export type { ClientOptions, Fetch, FetchChunk, FetchRequest, FetchResponse } from "./options.js";
export type {
  AllListingsQuery,
  AllOffersOptions,
  AllOffersQuery,
  ListingsEvent,
  ListingsPageEvent,
  OffersEvent,
  PageEvent,
  RestartEvent,
} from "./pages.js";
