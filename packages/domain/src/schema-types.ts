// Generated from the schemas: `npx -y pnpm@12 exec vitest run --project domain schema-types -u`. The comments are the
// schemas' descriptions.

/**
 * A JSON value; null if there is no network between instances, or it is unknown. Catalogs of this project have null or
 * a short text.
 */
export type Interconnect = string | number | boolean | null | readonly unknown[] | { readonly [name: string]: unknown };

/** Location of an offer. */
export interface RegionInfo {
  /** ISO 3166-1 alpha-2 code, or ZZ if the region is unknown. */
  countryCode: string;
  /** English name of the country, or Unknown. */
  countryName: string;
  /** City or state, as named by the provider; may be empty. */
  cityState: string;
  /** One of the seven continents, or Unknown. */
  continent: string;
}

/** The provider of the instance. */
export interface OfferProvider {
  /** Equals `name` of one provider of GET /api/v1/providers. */
  name: string;
  /** The same as `name`. */
  slug: string;
}

/** Model of each GPU. */
export interface Gpu {
  /** Display name. */
  name: string;
  /** GPU slug, the value of the `gpu` filter. */
  slug: string;
  /** Memory of one GPU in GB. */
  vramGB: number;
  /** Architecture, as named by the vendor. */
  architecture: string;
}

/** The machine around the GPUs. */
export interface Specs {
  /** Virtual CPUs; 0 if unknown. */
  vcpu: number;
  /** Memory in GB, as the provider states it; 0 if unknown. */
  ram: number;
  /** Included disk in GB, for information. The storage rule decides what is charged. */
  disk: number;
}

/** A rentable GPU instance. */
export interface Offer {
  /** Offer identifier. It stays the same when the catalog changes. */
  id: string;
  /** The provider of the instance. */
  provider: OfferProvider;
  /** Model of each GPU. */
  gpu: Gpu;
  /** GPUs per instance. */
  gpuCount: number;
  /** Region, as named by the provider. */
  region: string;
  /** Location of an offer. */
  regionInfo: RegionInfo;
  /** Price of the whole instance in USD per hour, without the disk. */
  priceHourly: number;
  /** priceHourly / gpuCount, rounded to 6 decimals. */
  pricePerGpu: number;
  /** Whether the offer is available, as far as its source states. */
  isAvailable: boolean;
  /** The machine around the GPUs. */
  specs: Specs;
  /** USD per hour for each GB of the chosen disk. */
  storageCostPerGB: number;
  /** Minimum disk size in GB. */
  storageMinGB: number;
  /** Maximum disk size in GB. */
  storageMaxGB: number;
  /** False if a part of the cost is unknown, so that prices are lower bounds. */
  costDataComplete: boolean;
  /** virtual, container or bare-metal. More values may be added. */
  deploymentType: string;
  /** True if the source confirms that NVLink connects the instance's GPUs; false if not, or if unknown. */
  nvlinkEnabled: boolean;
  /** Network between instances, such as 'InfiniBand 3200 Gbps'; null if there is none or it is unknown. */
  interconnect: Interconnect;
}

/** Query parameters with typed values. */
export interface ListOffersQuery {
  /**
   * Comma-separated GPU slugs, case-insensitive, such as `h100-sxm`, `a100-sxm-80gb` or `rtx-4090`. `GET /gpus` lists
   * all slugs. A valid slug without offers matches nothing.
   */
  gpu?: string[] | undefined;
  /**
   * Comma-separated continent names, case-insensitive: Africa, Antarctica, Asia, Europe, North America, Oceania, South
   * America.
   */
  continent?:
    | ("Africa" | "Antarctica" | "Asia" | "Europe" | "North America" | "Oceania" | "South America")[]
    | undefined;
  /** Minimum GPU count per instance. */
  min_gpu_count?: number | undefined;
  /** Maximum GPU count per instance; must not be below min_gpu_count. */
  max_gpu_count?: number | undefined;
  /** Sort key. Ties are broken by pricePerGpu, priceHourly and id, always ascending. */
  sort_by: "pricePerGpu" | "priceHourly" | "gpuCount";
  /** Sort direction: ascending or descending. */
  sort_order: "asc" | "desc";
  /** Page number, 0-indexed. A page past the end is empty, with the correct totals. */
  page: number;
  /** Page size. */
  size: number;
}

/** A page of matching offers. */
export interface OfferList {
  /** Offers of the requested page. */
  offers: Offer[];
  /** Current page number, 0-indexed. */
  page: number;
  /** Total number of pages; 0 if nothing matches. */
  totalPages: number;
  /** Total number of matching offers. */
  totalElements: number;
  /** Whether further pages follow. */
  hasMore: boolean;
}

/** A provider of GPU instances. */
export interface Provider {
  /** Value to pass as provider when creating a deployment, and path segment of the images endpoint. */
  name: string;
  /** vm, container or bare-metal. More values may be added. */
  type: string;
}

/** All providers, sorted by name. */
export interface ProviderList {
  /** All providers, sorted by name. */
  data: Provider[];
}

/** Query parameters with typed values. */
export interface ListOsImagesQuery {
  /** Only images available for this instance type, including images without restrictions. */
  instance_type?: string | undefined;
}

/** An operating system image for deployments. */
export interface OsImage {
  /** Pass as os_image_id when creating a deployment. */
  id: string;
  /** Human-readable name. */
  displayName: string;
  /** Image slug. */
  slug: string;
  /**
   * Whether the CUDA toolkit is pre-installed. Without it, the image still has NVIDIA drivers and Docker: install the
   * toolkit, or run a CUDA container.
   */
  hasCuda: boolean;
  /** Version of the CUDA toolkit if installed, otherwise null. */
  cudaVersion: string | null;
  /** Whether Docker is pre-installed. */
  hasDocker: boolean;
  /** Whether this is the default image, used if os_image_id is omitted. */
  isDefault: boolean;
}

/** A provider's images: the default image first, then by displayName. */
export interface OsImageList {
  /** The default image first, then by displayName. */
  data: OsImage[];
}

/** The caller's account. */
export interface Account {
  /** Account identifier. */
  id: string;
  /** Email address of the account. */
  email: string;
  /** Display name. */
  display_name: string;
  /** Creation time: ISO 8601, UTC, with fractional seconds. */
  created_at: string;
}

/** The caller's prepaid credit balance. */
export interface Balance {
  /** Current credit as a decimal string with exactly 4 decimal places. */
  balance: string;
  /** Always USD. */
  currency: "USD";
}

/** One problem of a request. */
export interface ErrorDetail {
  /** Part of the request: query, path or header. */
  in: string;
  /** Name of the parameter. */
  name: string;
  /** What is invalid, and what would be valid. */
  reason: string;
}

/** What is invalid, and what to do. */
export interface ErrorBody {
  /** Stable, machine-readable code. */
  code: string;
  /** Human-readable sentence. */
  message: string;
  /** All problems of the request, if known. */
  details?: ErrorDetail[] | undefined;
  /** Request id, also in the X-Request-Id header and the service's log. */
  requestId: string;
  /** Path of this error's documentation on the same service. */
  docUrl?: string | undefined;
}

/** Parameters of a deployment. */
export interface Deployment {
  /** `name` of the offer's provider. */
  provider: string;
  /** `id` of the image; default: the provider's default image. */
  os_image_id?: string | undefined;
  /** Disk size in GB; omitted if the disk is fixed and included. */
  disk_gb?: number | undefined;
}

/** Query parameters with typed values. */
export interface PriceHistoryQuery {
  /** Identifier of the offer, which may no longer exist. */
  offer: string;
}

/** A price of an offer, and its start time. */
export interface PricePoint {
  /** Start of this price: ISO 8601 UTC. */
  at: string;
  /** Price in USD per hour; null while it was not offered. */
  priceHourly: number | null;
}

/** Price history of an offer. */
export interface PriceHistory {
  /** Identifier of the offer. */
  offer: string;
  /** Start of the recorded history: ISO 8601 UTC. */
  trackedSince: string;
  /** Whether `prices` begins at `trackedSince`; otherwise it has the latest 200. */
  isComplete: boolean;
  /** The first price and each later change, oldest first. */
  prices: PricePoint[];
}

/** A source of offers, and the age of its prices. */
export interface SourceStatus {
  /** Name of the source; for an imported file, the name of its provider. */
  name: string;
  /** Providers whose offers come from it, or will: it takes over imported ones. */
  providers: string[];
  /** `list`: a provider's price list; `marketplace`; `feed`: a third-party collection; `import`: an imported file. */
  kind: string;
  /**
   * `fresh`; `stale`: not confirmed for too long, so its offers are unavailable; `failing`: the last run failed;
   * `quarantined`: the last run's changes were implausible and await review; `stopped`: the provider rejected the key;
   * `needs_key`; `pending`: not run yet; `off`; `imported`: from a file, never stale.
   */
  state: string;
  /** Basis of isAvailable: `live` stock, `listed` in the provider's price list, or `unknown`. */
  stock: string;
  /**
   * When its offers were last confirmed (the earliest time, if parts fail independently). Null if never, or if imported
   * from a file.
   */
  checkedAt: string | null;
  /** Time or date of its prices; null if unknown. */
  pricesAsOf: string | null;
  /** Number of offers in the catalog. */
  offers: number;
  /** Time of the next run; null if it is not scheduled. */
  nextRunAt: string | null;
  /** Error of its last run; null if there was none. */
  error: {
    /** Kind of the error, such as timeout or unauthorized. */
    code: string;
    /** What failed, in a sentence. */
    message: string;
    /** When the run failed: ISO 8601 UTC; null if unknown. */
    at: string | null;
  } | null;
  /** Parts that can fail independently, such as zones; null if there are none. */
  coverage: {
    /** Number of parts. */
    scopes: number;
    /** Names of the parts that failed in the last run. */
    failed: string[];
  } | null;
  /** Who collects the data, if not the provider itself. */
  origin: string | null;
}

/** Sources of the offers, and the age of their prices. */
export interface SourceList {
  /** Revision of the served catalog. */
  revision: number;
  /** All sources, sorted by name. */
  sources: SourceStatus[];
}

/**
 * Terms of the instance if it may be taken back at any time; null if there are none or they are unknown. The price is
 * USD per hour of the whole instance, without the disk.
 */
export interface Spot {
  /** USD per hour of the whole instance, without the disk. */
  priceHourly: number;
  /** `price`: what is charged; `bid`: the minimum bid, which a higher one takes the instance from. */
  kind: string;
}

/** What the source states about the offer beyond its price. */
export interface ListingFacts {
  /** What the provider calls the machine and takes when one rents it, such as `p5.48xlarge`; null if unknown. */
  instanceType: string | null;
  /** The marketplace's own id of what one rents; null if there is none. It may be short-lived. */
  providerOfferId: string | null;
  /**
   * `cloud`: the provider's own machine; `partner`: a vetted data center of a marketplace; `host`: an individual's
   * machine; null if unknown.
   */
  seller: string | null;
  /** Whether the marketplace has verified the host; null if it doesn't say. */
  verified: boolean | null;
  /** Reliability of the host from 0 to 1, as the marketplace states it; null if it doesn't say. */
  reliability: number | null;
  /** What only SkyPilot (`sky`) and dstack (`dstack`) call the machine. */
  toolNames: {
    /** Name of the instance type in SkyPilot. */
    sky?: string | undefined;
    /** Name of the machine in dstack. */
    dstack?: string | undefined;
  };
  /** USD for each GB of outbound traffic; null if unknown. */
  egressPerGB: number | null;
  /**
   * Terms of the instance if it may be taken back at any time; null if there are none or they are unknown. The price is
   * USD per hour of the whole instance, without the disk.
   */
  spot: Spot | null;
}

/** An offer, what to rent, who sells it, and how old its price is. */
export interface Listing {
  /** A rentable GPU instance. */
  offer: Offer;
  /** What the provider calls the machine and takes when one rents it, such as `p5.48xlarge`; null if unknown. */
  instanceType: string | null;
  /** The marketplace's own id of what one rents; null if there is none. It may be short-lived. */
  providerOfferId: string | null;
  /**
   * `cloud`: the provider's own machine; `partner`: a vetted data center of a marketplace; `host`: an individual's
   * machine; null if unknown.
   */
  seller: string | null;
  /** Whether the marketplace has verified the host; null if it doesn't say. */
  verified: boolean | null;
  /** Reliability of the host from 0 to 1, as the marketplace states it; null if it doesn't say. */
  reliability: number | null;
  /** What only SkyPilot (`sky`) and dstack (`dstack`) call the machine. */
  toolNames: {
    /** Name of the instance type in SkyPilot. */
    sky?: string | undefined;
    /** Name of the machine in dstack. */
    dstack?: string | undefined;
  };
  /** USD for each GB of outbound traffic; null if unknown. */
  egressPerGB: number | null;
  /**
   * Terms of the instance if it may be taken back at any time; null if there are none or they are unknown. The price is
   * USD per hour of the whole instance, without the disk.
   */
  spot: Spot | null;
  /** Time or date of the price; null if unknown. */
  pricesAsOf: string | null;
  /** True if the source hasn't confirmed the offer for too long, so that it counts as unavailable. */
  isStale: boolean;
  /** Basis of isAvailable: `live` stock, `listed` in the provider's price list, or `unknown`. */
  stock: string;
  /** Name of its source in `GET /sources`. */
  source: string;
}

/** Cost with the disk of the query, at its spot or on-demand price. */
export interface ListingTotal {
  /** USD per hour of the instance with the disk. */
  hourly: number;
  /** True if a part of the cost is unknown, so that the amounts are lower bounds. */
  isAtLeast: boolean;
  /** USD for the hours of the query; only if it states hours. */
  forHours?: number | undefined;
}

/** A listing, the figures of its GPU, and its cost with the disk of the query. */
export interface Listed {
  /** A rentable GPU instance. */
  offer: Offer;
  /** What the provider calls the machine and takes when one rents it, such as `p5.48xlarge`; null if unknown. */
  instanceType: string | null;
  /** The marketplace's own id of what one rents; null if there is none. It may be short-lived. */
  providerOfferId: string | null;
  /**
   * `cloud`: the provider's own machine; `partner`: a vetted data center of a marketplace; `host`: an individual's
   * machine; null if unknown.
   */
  seller: string | null;
  /** Whether the marketplace has verified the host; null if it doesn't say. */
  verified: boolean | null;
  /** Reliability of the host from 0 to 1, as the marketplace states it; null if it doesn't say. */
  reliability: number | null;
  /** What only SkyPilot (`sky`) and dstack (`dstack`) call the machine. */
  toolNames: {
    /** Name of the instance type in SkyPilot. */
    sky?: string | undefined;
    /** Name of the machine in dstack. */
    dstack?: string | undefined;
  };
  /** USD for each GB of outbound traffic; null if unknown. */
  egressPerGB: number | null;
  /**
   * Terms of the instance if it may be taken back at any time; null if there are none or they are unknown. The price is
   * USD per hour of the whole instance, without the disk.
   */
  spot: Spot | null;
  /** Time or date of the price; null if unknown. */
  pricesAsOf: string | null;
  /** True if the source hasn't confirmed the offer for too long, so that it counts as unavailable. */
  isStale: boolean;
  /** Basis of isAvailable: `live` stock, `listed` in the provider's price list, or `unknown`. */
  stock: string;
  /** Name of its source in `GET /sources`. */
  source: string;
  /** Published figures of one GPU, as in `GET /gpus`; null for an unknown GPU. */
  facts: {
    /** Memory bandwidth in GB/s; null if unknown. */
    memoryBandwidthGBs: number | null;
    /** Dense BF16 in TFLOPS; null if unknown, or if it has none. */
    bf16Tflops: number | null;
    /** Dense FP16 in TFLOPS; null if unknown. */
    fp16Tflops: number | null;
    /** Dense FP8 in TFLOPS; null if unknown, or if it has none. */
    fp8Tflops: number | null;
    /** NVLink in GB/s, both directions; null if unknown, or if it has none. */
    nvlinkGBs: number | null;
    /** Maximum board power in W; null if unknown. */
    tdpW: number | null;
    /** Year in which it was launched; null if unknown. */
    year: number | null;
  } | null;
  /** Cost with the disk of the query, at its spot or on-demand price. */
  total: ListingTotal;
}

/** Query parameters with typed values. */
export interface ListListingsQuery {
  /** Search words, as in the picker. What they were taken for is in `understood`. */
  q?: string | undefined;
  /**
   * GPU names, separated by commas. A family means all of its forms (`h100`), an exact form only itself (`h100-sxm`),
   * and so does a slug after an equals sign (`=h100`).
   */
  gpu?: readonly string[] | undefined;
  /** Providers, separated by commas. */
  provider?: readonly string[] | undefined;
  /**
   * Continents, by name or code. `EU` is Europe, with Norway and the United Kingdom; the members of the Union are
   * `country=European Union`.
   */
  continent?: readonly string[] | undefined;
  /** Countries, by English name or ISO code, and groups of them: `European Union`, `nordics`. */
  country?: readonly string[] | undefined;
  /** Regions, as named by the providers. A region includes its zones. */
  region?: readonly string[] | undefined;
  /** Minimum number of GPUs per instance. */
  min_gpu_count?: number | undefined;
  /** Maximum number of GPUs per instance; must not be below min_gpu_count. */
  max_gpu_count?: number | undefined;
  /** Minimum memory of one GPU, in GB. */
  min_vram?: number | undefined;
  /** Minimum memory of all GPUs together, in GB. */
  min_total_vram?: number | undefined;
  /** Minimum RAM of the machine, in GB. Offers with unknown RAM don't match. */
  min_ram?: number | undefined;
  /** Minimum number of virtual CPUs. Offers with an unknown number don't match. */
  min_vcpu?: number | undefined;
  /** Minimum memory bandwidth of the GPU, in GB/s. GPUs without a published figure don't match. */
  min_bandwidth?: number | undefined;
  /** `true`: only offers whose GPUs are known to be joined by NVLink; `false`: only others. */
  nvlink?: boolean | undefined;
  /** Words in the network between instances, in any case, such as `InfiniBand`. */
  interconnect?: string | undefined;
  /** `true`: only available offers. By default all are listed, the available ones first. */
  available?: boolean | undefined;
  /**
   * `not-false` leaves out hosts that their marketplace hasn't verified; `true` leaves out all that aren't known to be
   * verified; `any` leaves out none.
   */
  verified?: "any" | "not-false" | "true" | undefined;
  /**
   * Who provides the machine: `cloud` its own, `partner` a vetted data center of a marketplace, `host` an individual.
   */
  seller?: readonly ("cloud" | "partner" | "host")[] | undefined;
  /** Kind of instance. */
  deployment_type?: readonly ("virtual" | "container" | "bare-metal")[] | undefined;
  /** Instance types, as the providers call them, in any case. */
  instance_type?: readonly string[] | undefined;
  /** An OS image that the offer can boot, by id or slug. */
  image?: string | undefined;
  /** Words in the name of an OS image that the offer can boot. */
  os?: string | undefined;
  /** CUDA version, or its beginning, of an OS image that the offer can boot. */
  cuda?: string | undefined;
  /**
   * `true`: only offers with a spot price, which then is the price in filters, order and totals; `bid` adds minimum
   * bids.
   */
  spot?: "false" | "true" | "bid" | undefined;
  /** Maximum price of a GPU, in USD per hour. */
  max_price?: number | undefined;
  /** Maximum price of the instance without a disk, in USD per hour. */
  max_hourly?: number | undefined;
  /**
   * Maximum price of the instance including the disk, in USD per hour. Offers with an unknown disk price don't match.
   */
  max_total?: number | undefined;
  /**
   * Required disk, in GB: only offers that have it, priced with it. Offers with an unknown disk price follow all
   * others.
   */
  disk?: number | undefined;
  /** Hours that the budget must last; alone, it sets `total.forHours`. */
  hours?: number | undefined;
  /** Amount in USD that must last for `hours` (default 1), including the disk. */
  budget?: number | undefined;
  /**
   * A model that fits, with some memory to spare: billions of parameters, and optionally bits per weight and tokens of
   * context.
   */
  fits?: string | undefined;
  /** Sort key. Available offers come first; ties put the bigger machine first. */
  sort_by?:
    | "pricePerGpu"
    | "priceHourly"
    | "total"
    | "gpuCount"
    | "vramPrice"
    | "bandwidthPrice"
    | "bf16Price"
    | "fp8Price"
    | undefined;
  /** Sort direction: ascending or descending. */
  sort_order?: "asc" | "desc" | undefined;
  /** Page number, 0-indexed. A page past the end is empty, with the correct totals. */
  page: number;
  /** Page size, at most 100. */
  size: number;
}

/** A page of matching listings. */
export interface ListingList {
  /** Listings of the requested page. */
  listings: Listed[];
  /** Current page number, 0-indexed. */
  page: number;
  /** Total number of pages; 0 if nothing matches. */
  totalPages: number;
  /** Total number of matching listings. */
  totalElements: number;
  /** Whether further pages follow. */
  hasMore: boolean;
  /** Names and words that were taken for something else than written. */
  understood: {
    /** The name or words, as written. */
    text: string;
    /** What they were taken for. */
    as: string;
    /** Only of a word that no name contains: names like it, nearest first. */
    nearest?: string[] | undefined;
  }[];
  /** If nothing matches: by parameter, how many would match without it. */
  excludedBy?: Record<string, number> | undefined;
}

/** A listing with its OS images. */
export interface ListingDetails {
  /** A rentable GPU instance. */
  offer: Offer;
  /** What the provider calls the machine and takes when one rents it, such as `p5.48xlarge`; null if unknown. */
  instanceType: string | null;
  /** The marketplace's own id of what one rents; null if there is none. It may be short-lived. */
  providerOfferId: string | null;
  /**
   * `cloud`: the provider's own machine; `partner`: a vetted data center of a marketplace; `host`: an individual's
   * machine; null if unknown.
   */
  seller: string | null;
  /** Whether the marketplace has verified the host; null if it doesn't say. */
  verified: boolean | null;
  /** Reliability of the host from 0 to 1, as the marketplace states it; null if it doesn't say. */
  reliability: number | null;
  /** What only SkyPilot (`sky`) and dstack (`dstack`) call the machine. */
  toolNames: {
    /** Name of the instance type in SkyPilot. */
    sky?: string | undefined;
    /** Name of the machine in dstack. */
    dstack?: string | undefined;
  };
  /** USD for each GB of outbound traffic; null if unknown. */
  egressPerGB: number | null;
  /**
   * Terms of the instance if it may be taken back at any time; null if there are none or they are unknown. The price is
   * USD per hour of the whole instance, without the disk.
   */
  spot: Spot | null;
  /** Time or date of the price; null if unknown. */
  pricesAsOf: string | null;
  /** True if the source hasn't confirmed the offer for too long, so that it counts as unavailable. */
  isStale: boolean;
  /** Basis of isAvailable: `live` stock, `listed` in the provider's price list, or `unknown`. */
  stock: string;
  /** Name of its source in `GET /sources`. */
  source: string;
  /** Published figures of one GPU, as in `GET /gpus`; null for an unknown GPU. */
  facts: {
    /** Memory bandwidth in GB/s; null if unknown. */
    memoryBandwidthGBs: number | null;
    /** Dense BF16 in TFLOPS; null if unknown, or if it has none. */
    bf16Tflops: number | null;
    /** Dense FP16 in TFLOPS; null if unknown. */
    fp16Tflops: number | null;
    /** Dense FP8 in TFLOPS; null if unknown, or if it has none. */
    fp8Tflops: number | null;
    /** NVLink in GB/s, both directions; null if unknown, or if it has none. */
    nvlinkGBs: number | null;
    /** Maximum board power in W; null if unknown. */
    tdpW: number | null;
    /** Year in which it was launched; null if unknown. */
    year: number | null;
  } | null;
  /** Cost with the disk of the query, at its spot or on-demand price. */
  total: ListingTotal;
  /** OS images that it can boot; empty if none are known, and the provider's default is used. */
  images: OsImage[];
}

/** Query parameters with typed values. */
export interface LaunchQuery {
  /** Disk in GB; omit it if the disk is fixed. */
  disk_gb?: number | undefined;
  /** Id of an OS image; by default the provider's default. */
  os_image_id?: string | undefined;
  /** Hours to estimate the cost for. */
  hours?: number | undefined;
  /** Whether to launch with spot terms. */
  spot?: "true" | "false" | undefined;
}

/** How to launch the listing with one tool. */
export interface LaunchText {
  /** `sky`, `dstack`, or `cli`: the provider's own command line or API. */
  kind: string;
  /** Name of the program. */
  tool: string;
  /** What the text is, for a heading. */
  title: string;
  /** File or command, with placeholders in angle brackets. */
  text: string;
  /** What to replace in the text. */
  placeholders: string[];
  /** Document that the form is from. */
  source: {
    /** Title of the document. */
    title: string;
    /** Its address. */
    url: string;
  };
}

/** How to launch a listing. */
export interface LaunchPlan {
  /** Parameters of a deployment; null if there are problems. */
  deployment: Deployment | null;
  /** Why the choice is not valid; empty if it is. */
  problems: {
    /** Part of the choice, such as disk_gb. */
    field: string;
    /** What is invalid, and what would be valid. */
    reason: string;
  }[];
  /** Cost of the choice; null if there are problems. */
  total: ListingTotal | null;
  /** Empty if it isn't known what to ask the provider for. */
  launch: LaunchText[];
}

/** What one can rent, and what it costs. */
export interface GpuMarket {
  /** Number of listings, rentable or not. */
  offers: number;
  /**
   * Number of listings that are available, not stale, and not of a host that isn't verified. All other values are
   * theirs.
   */
  rentable: number;
  /** Number of providers. */
  providers: number;
  /** Number of regions, each provider's own. */
  regions: number;
  /**
   * On-demand prices per GPU in USD per hour, without disks, by nearest rank: each is one of the prices. Null if
   * nothing is rentable.
   */
  pricePerGpu: {
    /** Lowest price in USD per hour. */
    min: number;
    /** Price in USD per hour that a tenth of the offers don't exceed. */
    p10: number;
    /** Price in USD per hour that half of the offers don't exceed. */
    median: number;
    /** Highest price in USD per hour. */
    max: number;
  } | null;
  /** Whether the cost of a listing is incomplete, so that its price is a lower bound. */
  isAtLeast: boolean;
  /** Identifier of the cheapest listing; null if nothing is rentable. */
  cheapest: string | null;
  /** Lowest spot price per GPU in USD per hour, bids excluded; null if there is none. */
  spotMin: number | null;
  /** Time or date of the oldest price; null if none is known. */
  pricesAsOf: string | null;
  /** What availability rests on: number of listings with live stock, and of those from price lists. */
  basis: {
    /** Number of listings with live stock. */
    live: number;
    /** Number of listings from price lists. */
    listed: number;
  };
}

/** A GPU model, its facts with their sources, and what it costs now. */
export interface GpuEntry {
  /** GPU slug, the value of the `gpu` filter. */
  slug: string;
  /** Display name. */
  name: string;
  /** Null if the model is not in the table of known models. */
  vendor: string | null;
  /** Common part of all forms and sizes of a card: `h100` of `h100-sxm`. */
  family: string | null;
  /** Architecture, as named by the vendor. */
  architecture: string;
  /** SXM, PCIe, NVL, OAM ...; null if the name leaves it open. */
  form: string | null;
  /** Memory of one GPU in GB. */
  vramGB: number;
  /** Memory bandwidth in GB/s; null if unknown. */
  memoryBandwidthGBs: number | null;
  /** Dense BF16 in TFLOPS, with FP32 accumulation; null if unknown, or if it has none. */
  bf16Tflops: number | null;
  /** Dense FP16 in TFLOPS; the vector rate of cards without matrix units. */
  fp16Tflops: number | null;
  /** Dense FP8 in TFLOPS; null if unknown, or if it has none. */
  fp8Tflops: number | null;
  /**
   * NVLink in GB/s, both directions. PCIe and NVL cards have it with an optional bridge only: see nvlinkEnabled of an
   * offer.
   */
  nvlinkGBs: number | null;
  /** Maximum board power in W. */
  tdpW: number | null;
  /** Year in which it was launched. */
  year: number | null;
  /** How figures were derived, and which tables disagree; null if there is nothing to add. */
  note: string | null;
  /** The source of each known figure. */
  sources: Partial<
    Record<
      "memoryBandwidthGBs" | "bf16Tflops" | "fp16Tflops" | "fp8Tflops" | "nvlinkGBs" | "tdpW" | "year",
      {
        /** The table in which the figure was read; null if it is in no stored table. */
        title: string | null;
        /** Address of the table; null if it has none. */
        url: string | null;
        /** The maker's document; null if there is none. */
        maker: {
          /** Title of the document. */
          title: string;
          /** Its address; null if it has none. */
          url: string | null;
          /** Whether the document itself was read. */
          checked: boolean;
        } | null;
      }
    >
  >;
  /** What one can rent, and what it costs. */
  market: GpuMarket;
}

/** All GPU models that are known or listed. */
export interface GpuList {
  /** Known models and listed ones, by slug. */
  gpus: GpuEntry[];
}

/** Query parameters with typed values. */
export interface GpuPricesQuery {
  /** Start: a date or a time in UTC, such as `2026-11-01`. Default: 90 days ago. */
  since?: string | undefined;
  /** End: a date or a time in UTC, such as `2026-11-15T12:00:00Z`. Default: now. */
  until?: string | undefined;
  /** Distance of the points. A response has at most 2500. */
  step: "hour" | "day" | "week";
}

/** Prices per GPU in USD per hour at one time, by nearest rank. */
export interface GpuPricesAt {
  /** ISO 8601 UTC. */
  at: string;
  /** Lowest price in USD per hour; null if nothing was rentable. */
  min: number | null;
  /** Price that a tenth of the offers didn't exceed; null if there was none. */
  p10: number | null;
  /** Price that half of the offers didn't exceed; null if there was none. */
  median: number | null;
  /** Number of rentable offers. */
  offers: number;
  /** Number of providers. */
  providers: number;
  /** Number of regions, each provider's own. */
  regions: number;
  /** Only present if it isn't known what was rentable: then all listed offers count. */
  availability?: "unknown" | undefined;
}

/** What a GPU cost over time, dated by the date of the prices. */
export interface GpuPrices {
  /** The slug or family that was asked for. */
  gpu: string;
  /** The slugs that it means. */
  slugs: string[];
  /** Date of the first known price; null if there was never an offer. */
  trackedSince: string | null;
  /** Distance of the points. */
  step: "hour" | "day" | "week";
  /** Oldest first. A series until now ends with the market of now; times before the first price are left out. */
  series: GpuPricesAt[];
}

/** All of these types, by their names. */
export interface SchemaTypes {
  /** See {@link RegionInfo}. */
  RegionInfo: RegionInfo;
  /** See {@link Offer}. */
  Offer: Offer;
  /** See {@link ListOffersQuery}. */
  ListOffersQuery: ListOffersQuery;
  /** See {@link OfferList}. */
  OfferList: OfferList;
  /** See {@link Provider}. */
  Provider: Provider;
  /** See {@link ProviderList}. */
  ProviderList: ProviderList;
  /** See {@link ListOsImagesQuery}. */
  ListOsImagesQuery: ListOsImagesQuery;
  /** See {@link OsImage}. */
  OsImage: OsImage;
  /** See {@link OsImageList}. */
  OsImageList: OsImageList;
  /** See {@link Account}. */
  Account: Account;
  /** See {@link Balance}. */
  Balance: Balance;
  /** See {@link ErrorDetail}. */
  ErrorDetail: ErrorDetail;
  /** See {@link ErrorBody}. */
  ErrorBody: ErrorBody;
  /** See {@link Deployment}. */
  Deployment: Deployment;
  /** See {@link PriceHistoryQuery}. */
  PriceHistoryQuery: PriceHistoryQuery;
  /** See {@link PricePoint}. */
  PricePoint: PricePoint;
  /** See {@link PriceHistory}. */
  PriceHistory: PriceHistory;
  /** See {@link SourceStatus}. */
  SourceStatus: SourceStatus;
  /** See {@link SourceList}. */
  SourceList: SourceList;
  /** See {@link Spot}. */
  Spot: Spot;
  /** See {@link ListingFacts}. */
  ListingFacts: ListingFacts;
  /** See {@link Listing}. */
  Listing: Listing;
  /** See {@link Listed}. */
  Listed: Listed;
  /** See {@link ListListingsQuery}. */
  ListListingsQuery: ListListingsQuery;
  /** See {@link ListingList}. */
  ListingList: ListingList;
  /** See {@link ListingDetails}. */
  ListingDetails: ListingDetails;
  /** See {@link LaunchQuery}. */
  LaunchQuery: LaunchQuery;
  /** See {@link LaunchPlan}. */
  LaunchPlan: LaunchPlan;
  /** See {@link GpuEntry}. */
  GpuEntry: GpuEntry;
  /** See {@link GpuList}. */
  GpuList: GpuList;
  /** See {@link GpuPricesQuery}. */
  GpuPricesQuery: GpuPricesQuery;
  /** See {@link GpuPrices}. */
  GpuPrices: GpuPrices;
}
