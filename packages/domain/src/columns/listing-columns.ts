import { AVAILABILITIES, availabilityOf, type Availability } from "../offer/availability.js";
import type { ListingFacts } from "../offer/listing-schema.js";
import { storageOf, type DiskTerms, type StorageTerms } from "../offer/storage.js";
import type { Storage } from "../offer/storage-schema.js";
import type { Offer } from "../offer/offer-schema.js";
import { stockPercent } from "../offer/listing.js";
import { uuidText } from "../text/uuid-words.js";
import { memoized } from "../memoized.js";
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

/** A text of each shared value that few others have in common with it. */
const TEXT_OF: { [Key in SharedKey]: (value: Shared[Key]) => string | null } = {
  gpu: ({ slug }) => slug,
  provider: ({ name }) => name,
  place: ({ region }) => region,
  terms: ({ seller }) => seller,
  instanceType: (type) => type,
  storage: ({ storageCostPerGB, storageMaxGB }) => `${storageCostPerGB} ${storageMaxGB}`,
};
const SHARED_KEYS = ["gpu", "provider", "place", "terms", "instanceType", "storage"] as const;

/** The columns of numbers, and what each is of a listing. */
const NUMBER_OF = {
  gpuCount: ({ offer }) => offer.gpuCount,
  priceHourly: ({ offer }) => offer.priceHourly,
  pricePerGpu: ({ offer }) => offer.pricePerGpu,
  vcpu: ({ offer }) => offer.specs.vcpu,
  ram: ({ offer }) => offer.specs.ram,
  disk: ({ offer }) => offer.specs.disk,
  spotPrice: ({ spot }) => spot?.priceHourly ?? Number.NaN,
  stock: ({ stock14d }) => stockPercent(stock14d) ?? UNKNOWN_STOCK,
} satisfies Record<string, (listing: ColumnListing) => number>;

/** In the column of stock, whose other numbers are whole percent: not known. */
export const UNKNOWN_STOCK = 255;

/** Name of a column of numbers. */
export type NumberKey = keyof typeof NUMBER_OF;
const NUMBER_KEYS = Object.keys(NUMBER_OF) as NumberKey[];

/** A column of whole numbers, in as few bytes as they need. */
export type CodeColumn = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** A column of numbers, in as few bytes as they need. */
export type NumberColumn = CodeColumn | Float64Array<ArrayBuffer>;

/** Identifiers by position: as texts, or as UUIDs of four words each in ascending order, and the place of each position's. */
export type ListingIds =
  | readonly string[]
  | {
      /** Four words a UUID. */
      words: Uint32Array<ArrayBuffer>;
      /** Which UUID each position has. */
      places: Uint32Array<ArrayBuffer>;
    };

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

/** Adds listings one by one; the position of each is the number of those before it. */
export class ListingColumnsBuilder {
  readonly #ids: string[] = [];
  readonly #values: ListingColumnParts["values"] = newColumns(SHARED_KEYS, (): never[] => []);
  readonly #firsts = newColumns(SHARED_KEYS, (): number[] => []);
  readonly #codesByText = newColumns(SHARED_KEYS, () => new Map<string | null, number[]>());
  readonly #codes = newColumns(SHARED_KEYS, (): number[] => []);
  readonly #numbers = newColumns(NUMBER_KEYS, (): number[] => []);
  readonly #flags: number[] = [];

  /** Adds a listing at the next position. */
  add(listing: ColumnListing): void {
    const { offer, instanceType, seller, verified, spot, storage, isCostComplete } = listing;
    const { deploymentType, interconnect, region, regionInfo } = offer;
    const { storageCostPerGB, storageMinGB, storageMaxGB } = offer;
    this.#share("gpu", offer.gpu);
    this.#share("provider", offer.provider);
    this.#share("place", { region, regionInfo });
    this.#share("terms", { deploymentType, interconnect, seller, verified });
    this.#share("instanceType", instanceType);
    this.#share("storage", { storageCostPerGB, storageMinGB, storageMaxGB, storage: storage ?? storageOf(offer) });
    for (const key of NUMBER_KEYS) {
      this.#numbers[key].push(NUMBER_OF[key](listing));
    }
    this.#flags.push(
      (offer.isAvailable ? AVAILABLE : 0) |
        (offer.costDataComplete ? COMPLETE : 0) |
        (offer.nvlinkEnabled ? NVLINK : 0) |
        (spot?.kind === "bid" ? BID : 0) |
        ((isCostComplete ?? offer.costDataComplete) ? COST_COMPLETE : 0) |
        (AVAILABILITIES.indexOf(availabilityOf(listing)) << AVAILABILITY_SHIFT) |
        (listing.sample === true ? SAMPLE : 0),
    );
    this.#ids.push(offer.id);
  }

  /** The columns. The builder can't be used afterwards. @param ids the same ids in less memory. */
  build(ids: ListingIds = this.#ids): ListingColumnParts {
    return {
      size: this.#ids.length,
      ids,
      values: this.#values,
      firsts: this.#firsts,
      codes: mapped(this.#codes, narrowCodes),
      numbers: mapped(this.#numbers, narrow),
      flags: new Uint8Array(this.#flags),
    };
  }

  /** Adds the code of a value to its column. */
  #share<Key extends keyof Shared>(key: Key, value: Shared[Key]): void {
    const values = this.#values[key];
    const alike = memoized(this.#codesByText[key], TEXT_OF[key](value), () => []);
    let code = alike.find((known) => isSame(values[known], value));
    if (code === undefined) {
      code = values.push(value) - 1;
      alike.push(code);
      this.#firsts[key].push(this.#ids.length);
    }
    this.#codes[key].push(code);
  }
}

/** A column for each name. */
export function newColumns<Key extends string, Column>(
  names: readonly Key[],
  make: (name: Key) => Column,
): Record<Key, Column> {
  // A column for each name
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Key, Column>;
}

function mapped<Key extends string, Column, Mapped>(
  columns: Record<Key, Column>,
  map: (column: Column) => Mapped,
): Record<Key, Mapped> {
  // The same keys
  return Object.fromEntries(Object.entries<Column>(columns).map(([key, column]) => [key, map(column)])) as Record<
    Key,
    Mapped
  >;
}

/** Codes in as few bytes as they need. */
export function narrowCodes(codes: ArrayLike<number>): CodeColumn {
  const column = new Uint32Array(codes);
  const most = column.reduce((one, other) => Math.max(one, other), 0);
  return most < 2 ** 8 ? new Uint8Array(column) : most < 2 ** 16 ? new Uint16Array(column) : column;
}

/** Most counts and sizes are small whole numbers. */
function narrow(numbers: readonly number[]): NumberColumn {
  const areWhole = numbers.every((value) => value >>> 0 === value && !Object.is(value, -0));
  return areWhole ? narrowCodes(numbers) : new Float64Array(numbers);
}

/** Whether two values of plain data are equal. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b || typeof a !== "object" || typeof b !== "object" || a === null || b === null) {
    return a === b;
  }
  for (const key in a) {
    // Plain data, read by name
    if (!isSame((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key])) {
      return false;
    }
  }
  return Object.keys(a).length === Object.keys(b).length;
}

/** The identifier at a position. */
export function idAt(ids: ListingIds, position: number): string {
  if ("words" in ids) {
    const place = present(ids.places[position]) * 4;
    return uuidText(ids.words.subarray(place, place + 4));
  }
  return present(ids[position]);
}

/** Compares the identifiers at two positions, as their texts. */
export function compareIds(ids: ListingIds, a: number, b: number): number {
  if ("words" in ids) {
    return present(ids.places[a]) - present(ids.places[b]);
  }
  const [idA, idB] = [present(ids[a]), present(ids[b])];
  return idA < idB ? -1 : idA > idB ? 1 : 0;
}
