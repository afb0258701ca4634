import type {
  Account,
  Balance,
  GpuEntry,
  GpuPrices,
  LaunchPlan,
  Listed,
  ListingDetails,
  ListingList,
  Offer,
  OfferList,
  OsImageList,
  PriceHistory,
  ProviderList,
  SourceList,
} from "@gpu-offers/domain";
import { launch } from "@gpu-offers/domain/launching";

// Examples of the documentation. A test validates each with its schema.

export const exampleOffer: Offer = {
  id: "5b0c1f0e-6f0a-5c1e-9a53-0d8a3c5b7e11",
  provider: { name: "hyperstack", slug: "hyperstack" },
  gpu: { name: "H100 PCIe", slug: "h100-pcie", vramGB: 80, architecture: "Hopper" },
  gpuCount: 1,
  region: "NORWAY-1",
  regionInfo: { countryCode: "NO", countryName: "Norway", cityState: "Oslo", continent: "Europe" },
  priceHourly: 1.9,
  pricePerGpu: 1.9,
  isAvailable: true,
  specs: { vcpu: 28, ram: 180, disk: 0 },
  storageCostPerGB: 0.00014,
  storageMinGB: 50,
  storageMaxGB: 2000,
  costDataComplete: true,
  deploymentType: "virtual",
  nvlinkEnabled: false,
  interconnect: null,
};

/** The example offer as a listing. */
const exampleListed: Listed = {
  offer: exampleOffer,
  instanceType: "n3-H100x1",
  providerOfferId: null,
  seller: "cloud",
  verified: null,
  reliability: null,
  toolNames: {},
  egressPerGB: null,
  spot: { priceHourly: 1.52, kind: "price" },
  pricesAsOf: "2026-11-20T12:00:00.000Z",
  isStale: false,
  stock: "live",
  source: "hyperstack",
  facts: {
    memoryBandwidthGBs: 2000,
    bf16Tflops: 756,
    fp16Tflops: 756,
    fp8Tflops: 1513,
    nvlinkGBs: 600,
    tdpW: 350,
    year: 2022,
  },
  total: { hourly: 1.97, isAtLeast: false },
};

export const exampleListingList: ListingList = {
  listings: [exampleListed],
  page: 0,
  totalPages: 1,
  totalElements: 1,
  hasMore: false,
  understood: [{ text: "h100", as: "h100, h100-nvl, h100-pcie, h100-sxm" }],
};

export const exampleListingDetails: ListingDetails = {
  ...exampleListed,
  images: [
    {
      id: "ubuntu-22.04-cuda-12.4",
      displayName: "Ubuntu 22.04 with CUDA 12.4",
      slug: "ubuntu-22.04-cuda-12.4",
      hasCuda: true,
      cudaVersion: "12.4",
      hasDocker: true,
      isDefault: true,
    },
  ],
};

export const exampleLaunchPlan: LaunchPlan = {
  deployment: { provider: "hyperstack", disk_gb: 500 },
  problems: [],
  total: { hourly: 1.97, isAtLeast: false },
  launch: launch(exampleListed, {
    diskGb: 500,
    image: { id: "ubuntu-22.04-cuda-12.4", displayName: "Ubuntu 22.04 with CUDA 12.4" },
  }),
};

export const exampleOfferList: OfferList = {
  offers: [exampleOffer],
  page: 0,
  totalPages: 1,
  totalElements: 1,
  hasMore: false,
};

export const exampleProviderList: ProviderList = { data: [{ name: "hyperstack", type: "vm" }] };

export const exampleOsImageList: OsImageList = {
  data: [
    {
      id: "ubuntu-22.04-cuda-12.4",
      displayName: "Ubuntu 22.04 with CUDA 12.4",
      slug: "ubuntu-22.04-cuda-12.4",
      hasCuda: true,
      cudaVersion: "12.4",
      hasDocker: true,
      isDefault: true,
    },
  ],
};

export const exampleAccount: Account = {
  id: "0b9d3a52-1f0e-4a52-9c0d-3b1f6d2c7a10",
  email: "ada@example.com",
  display_name: "Ada",
  created_at: "2026-11-01T09:30:00.000Z",
};

export const exampleBalance: Balance = { balance: "212.4000", currency: "USD" };

export const exampleSourceList: SourceList = {
  revision: 42,
  sources: [
    {
      name: "vast",
      providers: ["vast"],
      kind: "marketplace",
      state: "fresh",
      stock: "live",
      checkedAt: "2026-11-20T12:00:00.000Z",
      pricesAsOf: "2026-11-20T12:00:00.000Z",
      offers: 1742,
      nextRunAt: "2026-11-20T12:10:00.000Z",
      error: null,
      coverage: { scopes: 60, failed: [] },
      origin: null,
    },
  ],
};

export const examplePriceHistory: PriceHistory = {
  offer: exampleOffer.id,
  trackedSince: "2026-10-04T06:10:00.000Z",
  isComplete: true,
  prices: [
    { at: "2026-10-04T06:10:00.000Z", priceHourly: 2.1 },
    { at: "2026-11-12T18:10:00.000Z", priceHourly: 1.9 },
  ],
};

const h100Source = {
  title: "ai-dynamo/aiconfigurator, aic-core/src/aiconfigurator_core/systems",
  url: "https://github.com/ai-dynamo/aiconfigurator",
  maker: { title: "NVIDIA H100 Tensor Core GPU Datasheet", url: null, checked: false },
};

export const exampleGpu: GpuEntry = {
  slug: "h100-sxm",
  name: "H100 SXM",
  vendor: "NVIDIA",
  family: "h100",
  architecture: "Hopper",
  form: "SXM",
  vramGB: 80,
  memoryBandwidthGBs: 3350,
  bf16Tflops: 989.4,
  fp16Tflops: 989.4,
  fp8Tflops: 1978.9,
  nvlinkGBs: 900,
  tdpW: 700,
  year: 2022,
  note: null,
  sources: { memoryBandwidthGBs: h100Source, bf16Tflops: h100Source },
  market: {
    offers: 41,
    rentable: 27,
    providers: 9,
    regions: 22,
    pricePerGpu: { min: 1.99, p10: 2.1, median: 2.99, max: 12.29 },
    isAtLeast: true,
    cheapest: exampleOffer.id,
    spotMin: 1.25,
    pricesAsOf: "2026-11-20T12:00:00.000Z",
    basis: { live: 12, listed: 15 },
  },
};

export const exampleGpuPrices: GpuPrices = {
  gpu: "h100",
  slugs: ["h100", "h100-nvl", "h100-pcie", "h100-sxm"],
  trackedSince: "2026-09-01T00:00:00.000Z",
  step: "day",
  series: [
    {
      at: "2026-11-19T00:00:00.000Z",
      min: 2.05,
      p10: 2.2,
      median: 3.1,
      offers: 25,
      providers: 9,
      regions: 21,
    },
    { at: "2026-11-20T12:00:00.000Z", min: 1.99, p10: 2.1, median: 2.99, offers: 27, providers: 9, regions: 22 },
  ],
};
