// Generated from the schemas: `npx -y pnpm@12 exec vitest run --project domain schema-types -u`. The comments are the
// schemas' descriptions.

import type { RegionInfo } from "./place/region-types.js";
import type { GpuFacts } from "./gpu/gpu-facts-types.js";
import type { Offer } from "./offer/offer-types.js";
import type { ListOffersQuery, OfferList } from "./offer-query/offer-query-types.js";
import type { Provider, ProviderList } from "./provider/provider-types.js";
import type { ListOsImagesQuery, OsImage, OsImageList } from "./image/os-image-types.js";
import type { Account } from "./account/account-types.js";
import type { Balance } from "./account/balance-types.js";
import type { ErrorDetail, ErrorBody } from "./error/error-types.js";
import type { Deployment } from "./offer/deployment-types.js";
import type { PriceHistoryQuery, PricePoint, PriceHistory } from "./market/price-history-types.js";
import type { SourceStatus, SourceList } from "./provider/source-status-types.js";
import type {
  Spot,
  ListingFacts,
  Listing,
  Listed,
  ListingList,
  ListingDetails,
  LaunchQuery,
  LaunchPlan,
} from "./offer/listing-types.js";
import type { ListListingsQuery } from "./listing-query/listing-query-types.js";
import type { GpuEntry, GpuList, GpuPricesQuery, GpuPrices } from "./market/gpu-entry-types.js";

/** All of these types, by their names. */
export interface SchemaTypes {
  RegionInfo: RegionInfo;
  GpuFacts: GpuFacts;
  Offer: Offer;
  ListOffersQuery: ListOffersQuery;
  OfferList: OfferList;
  Provider: Provider;
  ProviderList: ProviderList;
  ListOsImagesQuery: ListOsImagesQuery;
  OsImage: OsImage;
  OsImageList: OsImageList;
  Account: Account;
  Balance: Balance;
  ErrorDetail: ErrorDetail;
  ErrorBody: ErrorBody;
  Deployment: Deployment;
  PriceHistoryQuery: PriceHistoryQuery;
  PricePoint: PricePoint;
  PriceHistory: PriceHistory;
  SourceStatus: SourceStatus;
  SourceList: SourceList;
  Spot: Spot;
  ListingFacts: ListingFacts;
  Listing: Listing;
  Listed: Listed;
  ListingList: ListingList;
  ListingDetails: ListingDetails;
  LaunchQuery: LaunchQuery;
  LaunchPlan: LaunchPlan;
  ListListingsQuery: ListListingsQuery;
  GpuEntry: GpuEntry;
  GpuList: GpuList;
  GpuPricesQuery: GpuPricesQuery;
  GpuPrices: GpuPrices;
}
