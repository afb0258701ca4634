// Generated from the schemas: `npx -y pnpm@12 exec vitest run --project domain schema-types -u`. The comments are the
// schemas' descriptions.

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
  /**
   * Dense FP16 in TFLOPS, with FP32 accumulation, or the vector rate of cards without matrix units; null if unknown.
   */
  fp16Tflops: number | null;
  /** Dense FP8 in TFLOPS, with FP32 accumulation; null if unknown, or if it has none. */
  fp8Tflops: number | null;
  /**
   * NVLink in GB/s, both directions. PCIe and NVL cards have it with an optional bridge only: see nvlinkEnabled of an
   * offer. Null if unknown, or if it has none.
   */
  nvlinkGBs: number | null;
  /** Maximum board power in W; null if unknown. */
  tdpW: number | null;
  /** Year in which it was launched; null if unknown. */
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
