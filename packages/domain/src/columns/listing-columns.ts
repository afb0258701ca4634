import { AVAILABILITIES, type Availability } from "../offer/availability.js";
import type { ListingFacts } from "../offer/listing-schema.js";
import type { DiskTerms, StorageTerms } from "../offer/storage.js";
import type { Storage } from "../offer/storage-schema.js";
import type { Offer } from "../offer/offer-schema.js";
import { compareUuidWords, uuidText } from "../text/uuid-words.js";
import { present } from "../present.js";

// Listings as columns of numbers, for filtering and sorting tens of thousands of them. Texts that many share are kept once.
// The columns are plain data, which one thread can transfer to another.

/** What is kept of a listing. Images, traffic prices and ids of marketplaces are neither filtered nor sorted by. */
export type ColumnListing = Pick<ListingFacts, "instanceType" | "seller" | "verified" | "spot"> &
  Pick<DiskTerms, "storage" | "isCostComplete"> & {
    /** Whether it can be had; null or undefined if its source says nothing about it. */
    availability?: ListingFacts["availability"] | undefined;
    /** Whether it is of the sample. */
    sample?: boolean | undefined;
    /** How often it was in stock; null or undefined if that isn't known. */
    stock14d?: ListingFacts["stock14d"];
    /** The offer: prices in USD per hour, sizes in GB. */
    offer: Offer;
  };

/** Texts that many listings share. */
export interface Shared {
  /** Model of each GPU. */
  gpu: Offer["gpu"];
  /** The provider. */
  provider: Offer["provider"];
  /** Region and location. */
  place: Pick<Offer, "region" | "regionInfo">;
  /** Deployment type, network, seller and verification. */
  terms: Pick<Offer, "deploymentType" | "interconnect"> & Pick<ColumnListing, "seller" | "verified">;
  /** What the provider calls the machine; null if unknown. */
  instanceType: string | null;
  /** Sizes and prices of disks, with the offer's fields. */
  storage: StorageTerms & {
    /** The disks that can be chosen. */
    storage: Storage;
  };
}

/** Name of a shared value. */
export type SharedKey = keyof Shared;

/** In the column of stock, whose other numbers are whole percent: not known. */
export const UNKNOWN_STOCK = 255;

/** Name of a column of numbers. */
export type NumberKey = "gpuCount" | "priceHourly" | "pricePerGpu" | "vcpu" | "ram" | "disk" | "spotPrice" | "stock";

/** A column of whole numbers, in as few bytes as they need. */
export type CodeColumn = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** A column of numbers, in as few bytes as they need. */
export type NumberColumn = CodeColumn | Float64Array<ArrayBuffer>;

/** Identifiers by position: as texts, or as UUIDs of four words each. */
export type ListingIds = readonly string[] | Uint32Array<ArrayBuffer>;

/** Bits of the flags of a listing. */
export const AVAILABLE = 1;
export const COMPLETE = 2;
export const NVLINK = 4;
export const BID = 8;
/** Of the whole cost, also where the offer's own fields can't state it. */
export const COST_COMPLETE = 16;
/** Place of the availability, 2 bits: the number of its word. */
export const AVAILABILITY_SHIFT = 5;
export const SAMPLE = 128;

/** The availability in the flags of a listing. */
export function availabilityIn(flags: number): Availability {
  return present(AVAILABILITIES[(flags >> AVAILABILITY_SHIFT) & 3]);
}

/** The parts of {@link ListingColumns}. */
export interface ListingColumnParts {
  /** Number of listings. */
  size: number;
  /** Identifiers of the offers, by position. */
  ids: ListingIds;
  /** The distinct values of each shared part. */
  values: { [Key in keyof Shared]: Shared[Key][] };
  /** Position of the first listing with each value. */
  firsts: Record<SharedKey, number[]>;
  /** For each position, the index of its value. */
  codes: Record<SharedKey, CodeColumn>;
  /** Prices in USD per hour, sizes in GB and counts, by position. */
  numbers: Record<NumberKey, NumberColumn>;
  /** Bits of availability, NVLink, cost data, verification and sample, by position. */
  flags: Uint8Array<ArrayBuffer>;
}

/** A column for each name. */
export function newColumns<Key extends string, Column>(
  names: readonly Key[],
  make: (name: Key) => Column,
): Record<Key, Column> {
  // A column for each name
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Key, Column>;
}

/** Codes in as few bytes as they need. */
export function narrowCodes(codes: ArrayLike<number>): CodeColumn {
  const column = new Uint32Array(codes);
  const most = column.reduce((one, other) => Math.max(one, other), 0);
  return most < 2 ** 8 ? new Uint8Array(column) : most < 2 ** 16 ? new Uint16Array(column) : column;
}

/** The identifier at a position. */
export function idAt(ids: ListingIds, position: number): string {
  return ids instanceof Uint32Array ? uuidText(ids.subarray(position * 4, position * 4 + 4)) : present(ids[position]);
}

/** Compares the identifiers at two positions, as their texts. */
export function compareIds(ids: ListingIds, a: number, b: number): number {
  if (ids instanceof Uint32Array) {
    return compareUuidWords(ids, a, ids, b);
  }
  const [idA, idB] = [present(ids[a]), present(ids[b])];
  return idA < idB ? -1 : idA > idB ? 1 : 0;
}
