// Generated from the schemas: `npx -y pnpm@12 exec vitest run --project domain schema-types -u`. The comments are the
// schemas' descriptions.

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
