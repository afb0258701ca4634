import type { FilteredListing } from "./listing-filter.js";
import type { Spot } from "./listing-schema.js";
import type { Offer } from "./offer-schema.js";
import { pricePerGpu } from "./offer.js";
import { present } from "./present.js";

// Listings as columns of numbers, for filtering and sorting tens of thousands of them. Texts that many share are kept once.
// The columns are plain data, which one thread can transfer to another.

/** What is kept of a listing. Images, traffic prices and ids of marketplaces are neither filtered nor sorted by. */
export type ColumnListing = FilteredListing;

/** Texts that many listings share. */
interface Shared {
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
}

/** Name of a shared value. */
export type SharedKey = keyof Shared;

const SHARED_KEYS = ["gpu", "provider", "place", "terms", "instanceType"] as const;

const NUMBERS = [
  "gpuCount",
  "priceHourly",
  "pricePerGpu",
  "vcpu",
  "ram",
  "disk",
  "storageCostPerGB",
  "storageMinGB",
  "storageMaxGB",
  "spotPrice",
] as const;

const AVAILABLE = 1;
const COMPLETE = 2;
const NVLINK = 4;
const BID = 8;

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
  readonly #values: ListingColumnParts["values"] = { gpu: [], provider: [], place: [], terms: [], instanceType: [] };
  readonly #firsts: ListingColumnParts["firsts"] = { gpu: [], provider: [], place: [], terms: [], instanceType: [] };
  readonly #codeByText = new Map<string, number>();
  #codes = newCodes(this.#capacity);
  #numbers = newNumbers(this.#capacity);
  #flags = new Uint8Array(this.#capacity);

  /** Adds a listing at the next position. */
  add({ offer, instanceType, seller, verified, spot }: ColumnListing): void {
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
    const numbers: Record<(typeof NUMBERS)[number], number> = {
      gpuCount: offer.gpuCount,
      priceHourly: offer.priceHourly,
      pricePerGpu: offer.pricePerGpu,
      vcpu: offer.specs.vcpu,
      ram: offer.specs.ram,
      disk: offer.specs.disk,
      storageCostPerGB: offer.storageCostPerGB,
      storageMinGB: offer.storageMinGB,
      storageMaxGB: offer.storageMaxGB,
      spotPrice: spot?.priceHourly ?? Number.NaN,
    };
    for (const key of NUMBERS) {
      this.#numbers[key][at] = numbers[key];
    }
    this.#flags[at] =
      (offer.isAvailable ? AVAILABLE : 0) |
      (offer.costDataComplete ? COMPLETE : 0) |
      (offer.nvlinkEnabled ? NVLINK : 0) |
      (spot?.kind === "bid" ? BID : 0);
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
    const codes = newCodes(this.#capacity);
    const numbers = newNumbers(this.#capacity);
    for (const key of SHARED_KEYS) {
      codes[key].set(this.#codes[key]);
    }
    for (const key of NUMBERS) {
      numbers[key].set(this.#numbers[key]);
    }
    const flags = new Uint8Array(this.#capacity);
    flags.set(this.#flags);
    this.#codes = codes;
    this.#numbers = numbers;
    this.#flags = flags;
  }
}

/** All memory of the columns: transfer it when passing the parts to another thread. */
export function columnBuffers({ codes, numbers, flags }: ListingColumnParts): ArrayBuffer[] {
  return [...Object.values(codes), ...Object.values(numbers), flags].map(({ buffer }) => buffer);
}

/**
 * A listing in columns that moves from one position to the next, so that the rules of offers can be applied to each without
 * creating objects. Don't keep it: {@link ListingCursor.listing} returns an object of its own.
 */
export class ListingCursor implements FilteredListing {
  readonly #parts: ListingColumnParts;
  /** Whether prices are spot prices, where there are any. */
  readonly isSpot: boolean;
  /** The offer at the position. */
  readonly offer: Offer;
  /** The position to read. */
  at = 0;

  constructor(parts: ListingColumnParts, isSpot = false) {
    this.#parts = parts;
    this.isSpot = isSpot;
    this.offer = new CursorOffer(this, parts, isSpot);
  }

  /** What the provider calls the machine; null if unknown. */
  get instanceType(): string | null {
    return this.#shared("instanceType");
  }

  /** Who provides the machine; null if unknown. */
  get seller(): string | null {
    return this.#shared("terms").seller;
  }

  /** Whether the marketplace has verified the host; null if unknown. */
  get verified(): boolean | null {
    return this.#shared("terms").verified;
  }

  /** Spot terms, USD per hour; null if there are none. */
  get spot(): Spot | null {
    const priceHourly = present(this.#parts.numbers.spotPrice[this.at]);
    const isBid = (present(this.#parts.flags[this.at]) & BID) !== 0;
    return Number.isNaN(priceHourly) ? null : { priceHourly, kind: isBid ? "bid" : "price" };
  }

  /** The listing at the position as an object. */
  get listing(): FilteredListing {
    const { offer } = this;
    return {
      offer: {
        id: offer.id,
        provider: offer.provider,
        gpu: offer.gpu,
        gpuCount: offer.gpuCount,
        region: offer.region,
        regionInfo: offer.regionInfo,
        priceHourly: offer.priceHourly,
        pricePerGpu: offer.pricePerGpu,
        isAvailable: offer.isAvailable,
        // A spread has no getters of a class.
        specs: { vcpu: offer.specs.vcpu, ram: offer.specs.ram, disk: offer.specs.disk },
        storageCostPerGB: offer.storageCostPerGB,
        storageMinGB: offer.storageMinGB,
        storageMaxGB: offer.storageMaxGB,
        costDataComplete: offer.costDataComplete,
        deploymentType: offer.deploymentType,
        nvlinkEnabled: offer.nvlinkEnabled,
        interconnect: offer.interconnect,
      },
      instanceType: this.instanceType,
      seller: this.seller,
      verified: this.verified,
      spot: this.spot,
    };
  }

  #shared<Key extends keyof Shared>(key: Key): Shared[Key] {
    return sharedAt(this.#parts, key, this.at);
  }
}

function sharedAt<Key extends keyof Shared>(parts: ListingColumnParts, key: Key, at: number): Shared[Key] {
  const values: Shared[Key][] = parts.values[key];
  // null is a value of instanceType.
  return values[present(parts.codes[key][at])] as Shared[Key];
}

/** The offer of a cursor. */
class CursorOffer implements Offer {
  readonly #cursor: ListingCursor;
  readonly #parts: ListingColumnParts;
  readonly #isSpot: boolean;
  readonly specs: Offer["specs"];

  constructor(cursor: ListingCursor, parts: ListingColumnParts, isSpot: boolean) {
    this.#cursor = cursor;
    this.#parts = parts;
    this.#isSpot = isSpot;
    this.specs = new CursorSpecs(cursor, parts);
  }

  get id(): string {
    return present(this.#parts.ids[this.#cursor.at]);
  }
  get gpu(): Offer["gpu"] {
    return sharedAt(this.#parts, "gpu", this.#cursor.at);
  }
  get provider(): Offer["provider"] {
    return sharedAt(this.#parts, "provider", this.#cursor.at);
  }
  get region(): string {
    return sharedAt(this.#parts, "place", this.#cursor.at).region;
  }
  get regionInfo(): Offer["regionInfo"] {
    return sharedAt(this.#parts, "place", this.#cursor.at).regionInfo;
  }
  get deploymentType(): string {
    return sharedAt(this.#parts, "terms", this.#cursor.at).deploymentType;
  }
  get interconnect(): Offer["interconnect"] {
    return sharedAt(this.#parts, "terms", this.#cursor.at).interconnect;
  }
  get gpuCount(): number {
    return this.#number("gpuCount");
  }
  get priceHourly(): number {
    const spot = this.#isSpot ? this.#number("spotPrice") : Number.NaN;
    return Number.isNaN(spot) ? this.#number("priceHourly") : spot;
  }
  get pricePerGpu(): number {
    const spot = this.#isSpot ? this.#number("spotPrice") : Number.NaN;
    return Number.isNaN(spot) ? this.#number("pricePerGpu") : pricePerGpu(spot, this.gpuCount);
  }
  get storageCostPerGB(): number {
    return this.#number("storageCostPerGB");
  }
  get storageMinGB(): number {
    return this.#number("storageMinGB");
  }
  get storageMaxGB(): number {
    return this.#number("storageMaxGB");
  }
  get isAvailable(): boolean {
    return this.#flag(AVAILABLE);
  }
  get costDataComplete(): boolean {
    // As of `pricedOffer`: a minimum bid is a lower bound.
    return this.#flag(COMPLETE) && !(this.#isSpot && this.#flag(BID));
  }
  get nvlinkEnabled(): boolean {
    return this.#flag(NVLINK);
  }

  #number(key: (typeof NUMBERS)[number]): number {
    return present(this.#parts.numbers[key][this.#cursor.at]);
  }
  #flag(flag: number): boolean {
    return (present(this.#parts.flags[this.#cursor.at]) & flag) !== 0;
  }
}

class CursorSpecs implements Readonly<Offer["specs"]> {
  readonly #cursor: ListingCursor;
  readonly #parts: ListingColumnParts;

  constructor(cursor: ListingCursor, parts: ListingColumnParts) {
    this.#cursor = cursor;
    this.#parts = parts;
  }

  get vcpu(): number {
    return present(this.#parts.numbers.vcpu[this.#cursor.at]);
  }
  get ram(): number {
    return present(this.#parts.numbers.ram[this.#cursor.at]);
  }
  get disk(): number {
    return present(this.#parts.numbers.disk[this.#cursor.at]);
  }
}

function newCodes(capacity: number): ListingColumnParts["codes"] {
  return {
    gpu: new Uint32Array(capacity),
    provider: new Uint32Array(capacity),
    place: new Uint32Array(capacity),
    terms: new Uint32Array(capacity),
    instanceType: new Uint32Array(capacity),
  };
}

function newNumbers(capacity: number): ListingColumnParts["numbers"] {
  const column = () => new Float64Array(capacity);
  return {
    gpuCount: column(),
    priceHourly: column(),
    pricePerGpu: column(),
    vcpu: column(),
    ram: column(),
    disk: column(),
    storageCostPerGB: column(),
    storageMinGB: column(),
    storageMaxGB: column(),
    spotPrice: column(),
  };
}

function mapped<Key extends string, Column>(columns: Record<Key, Column>, map: (column: Column) => Column) {
  // The same keys
  return Object.fromEntries(Object.entries<Column>(columns).map(([key, column]) => [key, map(column)])) as Record<
    Key,
    Column
  >;
}
