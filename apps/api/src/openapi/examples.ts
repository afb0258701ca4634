import type {
  GpuEntry,
  GpuPrices,
  LaunchPlan,
  ListingDetails,
  ListingList,
  Offer,
  OfferList,
  OsImage,
  OsImageList,
  ProviderList,
  QueryPlan,
} from "@gpu-offers/domain";
import { launchPlan, rentUrl } from "@gpu-offers/domain/launching";
import examples from "./examples.json" with { type: "json" };

// Examples of the documentation, made of the parts in examples.json. A test validates each with its schema.

const page = { page: 0, totalPages: 1, totalElements: 1, hasMore: false };
const image = examples.image as OsImage;

export const exampleOffer = examples.offer as Offer;

const exampleListed = {
  offer: exampleOffer,
  ...examples.listed,
  rentUrl: rentUrl(exampleOffer, () => examples.listed),
} as ListingDetails;

export const exampleListingList: ListingList = {
  listings: [exampleListed],
  ...page,
  understood: examples.understood,
};

export const exampleListingDetails: ListingDetails = { ...exampleListed, images: [image] };

export const exampleLaunchPlan: LaunchPlan = launchPlan(exampleListed, [image], { diskGb: 500, hours: 24 });

export const exampleQueryPlan: QueryPlan = {
  ...exampleLaunchPlan,
  listing: exampleListed,
  understood: examples.understood,
};

export const exampleOfferList: OfferList = { offers: [exampleOffer], ...page };

export const exampleProviderList: ProviderList = { data: [{ name: exampleOffer.provider.name, type: "vm" }] };

export const exampleOsImageList: OsImageList = { data: [image] };

export const exampleGpu = examples.gpu as GpuEntry;

export const exampleGpuPrices = examples.gpuPrices as GpuPrices;

export const exampleListingStock = { id: exampleOffer.id, ...examples.listingStock };

export const {
  account: exampleAccount,
  balance: exampleBalance,
  sources: exampleSourceList,
  history: examplePriceHistory,
  gpuStock: exampleGpuStock,
} = examples;
