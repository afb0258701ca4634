import { AVAILABILITIES, availabilityOf } from "../offer/availability.js";
import { stockPercent } from "../offer/listing.js";
import { storageOf } from "../offer/storage.js";
import { memoized } from "../memoized.js";
import {
  AVAILABILITY_SHIFT,
  AVAILABLE,
  BID,
  COMPLETE,
  COST_COMPLETE,
  narrowCodes,
  newColumns,
  NVLINK,
  SAMPLE,
  UNKNOWN_STOCK,
  type ColumnListing,
  type ListingColumnParts,
  type ListingIds,
  type NumberColumn,
  type NumberKey,
  type Shared,
  type SharedKey,
} from "./listing-columns.js";

// Makes columns of listings. It is apart from them, because a page gets its columns from the service.

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
const NUMBER_OF: Record<NumberKey, (listing: ColumnListing) => number> = {
  gpuCount: ({ offer }) => offer.gpuCount,
  priceHourly: ({ offer }) => offer.priceHourly,
  pricePerGpu: ({ offer }) => offer.pricePerGpu,
  vcpu: ({ offer }) => offer.specs.vcpu,
  ram: ({ offer }) => offer.specs.ram,
  disk: ({ offer }) => offer.specs.disk,
  spotPrice: ({ spot }) => spot?.priceHourly ?? Number.NaN,
  stock: ({ stock14d }) => stockPercent(stock14d) ?? UNKNOWN_STOCK,
};

// The keys of a literal are the names of its type
const NUMBER_KEYS = Object.keys(NUMBER_OF) as NumberKey[];

/** The columns of listings, whose positions are those of the input. */
export function listingColumns(listings: Iterable<ColumnListing>): ListingColumnParts {
  const builder = new ListingColumnsBuilder();
  for (const listing of listings) {
    builder.add(listing);
  }
  return builder.build();
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
