import type { ListingColumnParts, RestrictedImage, SourceStatus } from "@gpu-offers/domain";

// All listings of a catalog in one small file, for the page: columns of numbers, and dictionaries of what many listings
// share. It has no ids, which can't be compressed: the position in list order does their work. `GET /api/v1/offers?size=1&page=<position>`
// returns the offer with its id. Service and page are of one version, so the file is checked, but not converted.

/** Changes with the format. */
export const COMPACT_VERSION = 5;

/** What the page shows of a source. */
export type CompactSource = Pick<SourceStatus, "name" | "providers" | "state" | "stock" | "pricesAsOf" | "offers">;

interface CompactHead {
  /** Entity tag of the catalog, as of `GET /api/v1/offers`. */
  etag: string;
  sources: readonly CompactSource[];
  /** What to say above the list. */
  notices: readonly string[];
  images: ReadonlyMap<string, readonly RestrictedImage[]>;
  /** Ids of the last listings, which `GET /api/v1/offers` doesn't have: they are gone. */
  gone: readonly string[];
}

/** What a file is written from. Its columns are those of the service, in any order. */
export interface CompactListContent extends CompactHead {
  columns: ListingColumnParts;
  /** Positions in list order: by pricePerGpu, priceHourly and id; then those that are gone. */
  order: ArrayLike<number>;
  /** 1 for listings that weren't confirmed for too long. */
  stale: ArrayLike<number>;
  /** Reliability of the host, from 0 to 1; null if unknown. */
  reliabilityAt: (position: number) => number | null;
}

/** All listings in list order. */
export interface CompactList extends CompactHead {
  /** The ids are order numbers: of equal listings, they are in the order of the real ids. */
  columns: ListingColumnParts;
  /** Listings of one kind differ in place, price and availability only. */
  kinds: Uint32Array<ArrayBuffer>;
  /** 1 for listings that weren't confirmed for too long. */
  stale: Uint8Array<ArrayBuffer>;
  /** NaN if unknown. */
  reliability: Float64Array<ArrayBuffer>;
}

/** Shared values of a kind, by their codes. */
export const KIND_CODES = ["gpu", "provider", "terms", "instanceType", "storage"] as const;
export const KIND_NUMBERS = ["gpuCount", "vcpu", "ram", "disk"] as const;

/** The distinct kinds, a column for each value. */
export type KindColumns = Record<(typeof KIND_CODES)[number] | (typeof KIND_NUMBERS)[number], number[]>;

/** The file as parsed JSON. Prices are micro-dollars. */
export interface CompactFile extends Omit<CompactHead, "images"> {
  v: number;
  images: [provider: string, images: RestrictedImage[]][];
  values: ListingColumnParts["values"];
  kinds: KindColumns;
  kind: number[];
  place: number[];
  /** Differences to the last one for as many GPUs. In list order they are small: a tenth less to compress. */
  price: number[];
  /** 0 without a spot price. */
  spot: number[];
  /** See ListingColumnParts. */
  flags: number[];
  /** Empty if unknown for all. */
  reliability: (number | null)[];
  /** How often each was in stock, as in ListingColumnParts; empty if unknown for all. */
  stock: number[];
  stale: number[];
  /** Positions whose order number isn't the position, each as its distance from the last one, and by how much it differs. */
  order: [steps: number[], differences: number[]];
}
