import type { FilteredListing } from "./listing-parameter.js";
import { AVAILABILITIES, availabilityOf, type Availability } from "../offer/availability.js";
import type { Offer } from "../offer/offer-schema.js";
import { storageOf, type StorageTerms } from "../offer/storage.js";
import type { Storage } from "../offer/storage-schema.js";
import { present } from "../present.js";

// Listings as columns of numbers, for filtering and sorting tens of thousands of them. Texts that many share are kept once.
// The columns are plain data, which one thread can transfer to another.

/** What is kept of a listing. Images, traffic prices and ids of marketplaces are neither filtered nor sorted by. */
export type ColumnListing = FilteredListing;

/** Texts that many listings share. */
export interface Shared {
  /** Model of each GPU. */
  gpu: Offer["gpu"];
  /** The provider. */
  provider: Offer["provider"];
  /** Region and location. */
  place: Pick<Offer, "region" | "regionInfo">;
  /** Deployment type, network, seller and verification. */
  terms: Pick<Offer, "deploymentType" | "interconnect"> & Pick<FilteredListing, "seller" | "verified">;
  /** What the provider calls the machine; null if unknown. */
  instanceType: string | null;
  /** Sizes and prices of disks, with the offer's fields. */
  storage: StorageTerms & { storage: Storage };
}

/** Name of a shared value. */
export type SharedKey = keyof Shared;

const SHARED_KEYS = ["gpu", "provider", "place", "terms", "instanceType", "storage"] as const;

/** Names of the columns of numbers. */
export const NUMBERS = ["gpuCount", "priceHourly", "pricePerGpu", "vcpu", "ram", "disk", "spotPrice"] as const;

/** Bits of the flags of a listing. */
export const AVAILABLE = 1;
export const COMPLETE = 2;
export const NVLINK = 4;
export const BID = 8;
/** Of the whole cost, also where the offer's own fields can't state it. */
export const COST_COMPLETE = 16;
/** Place of the availability, 2 bits: the number of its word. */
export const AVAILABILITY_SHIFT = 5;

/** The availability in the flags of a listing. */
export function availabilityIn(flags: number): Availability {
  return present(AVAILABILITIES[(flags >> AVAILABILITY_SHIFT) & 3]);
}

/** The parts of {@link ListingColumns}. */
export interface ListingColumnParts {
  /** Number of listings. */
  size: number;
  /** Identifiers of the offers, by position. */
  ids: string[];
  /** The distinct values of each shared part. */
  values: { [Key in keyof Shared]: Shared[Key][] };
  /** Position of the first listing with each value. */
  firsts: Record<SharedKey, number[]>;
  /** For each position, the index of its value. */
  codes: Record<SharedKey, Uint32Array<ArrayBuffer>>;
  /** Prices in USD per hour, sizes in GB and counts, by position. */
  numbers: Record<(typeof NUMBERS)[number], Float64Array<ArrayBuffer>>;
  /** Bits of availability, NVLink, cost data and verification, by position. */
  flags: Uint8Array<ArrayBuffer>;
}

/** Adds listings one by one; the position of each is the number of those before it. */
export class ListingColumnsBuilder {
  #size = 0;
  #capacity = 1024;
  readonly #ids: string[] = [];
  readonly #values: ListingColumnParts["values"] = {
    gpu: [],
    provider: [],
    place: [],
    terms: [],
    instanceType: [],
    storage: [],
  };
  readonly #firsts = newColumns(SHARED_KEYS, (): number[] => []);
  readonly #codeByText = new Map<string, number>();
  #codes = newColumns(SHARED_KEYS, () => new Uint32Array(this.#capacity));
  #numbers = newColumns(NUMBERS, () => new Float64Array(this.#capacity));
  #flags = new Uint8Array(this.#capacity);

  /** Adds a listing at the next position. */
  add({ offer, instanceType, seller, verified, spot, storage, isCostComplete, availability }: ColumnListing): void {
    const at = this.#size++;
    if (at === this.#capacity) {
      this.#grow();
    }
    this.#ids.push(offer.id);
    const { deploymentType, interconnect, region, regionInfo } = offer;
    this.#codes.gpu[at] = this.#code("gpu", offer.gpu);
    this.#codes.provider[at] = this.#code("provider", offer.provider);
    this.#codes.place[at] = this.#code("place", { region, regionInfo });
    this.#codes.terms[at] = this.#code("terms", { deploymentType, interconnect, seller, verified });
    this.#codes.instanceType[at] = this.#code("instanceType", instanceType);
    const { storageCostPerGB, storageMinGB, storageMaxGB } = offer;
    this.#codes.storage[at] = this.#code("storage", {
      storageCostPerGB,
      storageMinGB,
      storageMaxGB,
      storage: storageOf({ ...offer, storage }),
    });
    const { vcpu, ram, disk } = offer.specs;
    const numbers = { ...offer, vcpu, ram, disk, spotPrice: spot?.priceHourly ?? Number.NaN };
    for (const key of NUMBERS) {
      this.#numbers[key][at] = numbers[key];
    }
    this.#flags[at] =
      (offer.isAvailable ? AVAILABLE : 0) |
      (offer.costDataComplete ? COMPLETE : 0) |
      (offer.nvlinkEnabled ? NVLINK : 0) |
      (spot?.kind === "bid" ? BID : 0) |
      ((isCostComplete ?? offer.costDataComplete) ? COST_COMPLETE : 0) |
      (AVAILABILITIES.indexOf(availabilityOf({ offer, availability })) << AVAILABILITY_SHIFT);
  }

  /** The columns. The builder can't be used afterwards. */
  build(): ListingColumnParts {
    const size = this.#size;
    return {
      size,
      ids: this.#ids,
      values: this.#values,
      firsts: this.#firsts,
      codes: mapped(this.#codes, (column) => column.slice(0, size)),
      numbers: mapped(this.#numbers, (column) => column.slice(0, size)),
      flags: this.#flags.slice(0, size),
    };
  }

  #code<Key extends keyof Shared>(key: Key, value: Shared[Key]): number {
    const text = `${key} ${JSON.stringify(value)}`;
    let code = this.#codeByText.get(text);
    if (code === undefined) {
      code = this.#values[key].length;
      this.#values[key].push(value);
      this.#firsts[key].push(this.#size - 1);
      this.#codeByText.set(text, code);
    }
    return code;
  }

  #grow(): void {
    this.#capacity *= 2;
    const grown = <Column extends Uint32Array | Float64Array | Uint8Array>(column: Column, larger: Column): Column => {
      larger.set(column);
      return larger;
    };
    this.#codes = mapped(this.#codes, (column) => grown(column, new Uint32Array(this.#capacity)));
    this.#numbers = mapped(this.#numbers, (column) => grown(column, new Float64Array(this.#capacity)));
    this.#flags = grown(this.#flags, new Uint8Array(this.#capacity));
  }
}

/** All memory of the columns: transfer it when passing the parts to another thread. */
export function columnBuffers({ codes, numbers, flags }: ListingColumnParts): ArrayBuffer[] {
  return [...Object.values(codes), ...Object.values(numbers), flags].map(({ buffer }) => buffer);
}

/** An empty column for each name. */
function newColumns<Key extends string, Column>(names: readonly Key[], make: () => Column): Record<Key, Column> {
  // A column for each name
  return Object.fromEntries(names.map((name) => [name, make()])) as Record<Key, Column>;
}

function mapped<Key extends string, Column>(columns: Record<Key, Column>, map: (column: Column) => Column) {
  // The same keys
  return Object.fromEntries(Object.entries<Column>(columns).map(([key, column]) => [key, map(column)])) as Record<
    Key,
    Column
  >;
}
