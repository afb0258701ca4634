import {
  availabilityIn,
  AVAILABLE,
  BID,
  COMPLETE,
  COST_COMPLETE,
  idAt,
  NVLINK,
  SAMPLE,
  UNKNOWN_STOCK,
  type ColumnListing,
  type ListingColumnParts,
  type NumberKey,
  type Shared,
} from "./listing-columns.js";
import type { Availability } from "../offer/availability.js";
import type { Spot } from "../offer/listing-schema.js";
import type { Offer } from "../offer/offer-schema.js";
import { pricePerGpu } from "../offer/offer.js";
import type { PricedOffer } from "../offer/priced-offer.js";
import type { Storage } from "../offer/storage-schema.js";
import { present } from "../present.js";

// Reads listings from columns without creating an object for each.

/**
 * A listing in columns that moves from one position to the next, so that the rules of offers can be applied to each without
 * creating objects. Don't keep it: {@link ListingCursor.listing} returns an object of its own.
 */
export class ListingCursor implements ColumnListing {
  readonly #parts: ListingColumnParts;
  /** Whether prices are spot prices, where there are any. */
  readonly isSpot: boolean;
  /** The offer at the position. */
  readonly offer: PricedOffer;
  /** The position to read. */
  at = 0;

  constructor(parts: ListingColumnParts, isSpot = false) {
    this.#parts = parts;
    this.isSpot = isSpot;
    this.offer = new CursorOffer(this);
  }

  /** The identifier of the offer. */
  get id(): string {
    return idAt(this.#parts.ids, this.at);
  }

  /** What the provider calls the machine; null if unknown. */
  get instanceType(): string | null {
    return this.shared("instanceType");
  }

  /** Whether it is of the sample. */
  get sample(): boolean {
    return this.has(SAMPLE);
  }

  /** Who provides the machine; null if unknown. */
  get seller(): string | null {
    return this.shared("terms").seller;
  }

  /** Whether the marketplace has verified the host; null if unknown. */
  get verified(): boolean | null {
    return this.shared("terms").verified;
  }

  /** Whether it can be had. */
  get availability(): Availability {
    return availabilityIn(present(this.#parts.flags[this.at]));
  }

  /** Spot terms, USD per hour; null if there are none. */
  get spot(): Spot | null {
    const priceHourly = this.number("spotPrice");
    return Number.isNaN(priceHourly) ? null : { priceHourly, kind: this.has(BID) ? "bid" : "price" };
  }

  /** The disks that it can have, and what they cost. */
  get storage(): Storage {
    return this.shared("storage").storage;
  }

  /** Whether the whole cost with its smallest disk is known. */
  get isCostComplete(): boolean {
    return this.has(COST_COMPLETE);
  }

  /** The number at the position in a column. */
  number(key: NumberKey): number {
    return present(this.#parts.numbers[key][this.at]);
  }

  /** Whether a flag is set at the position. */
  has(flag: number): boolean {
    return (present(this.#parts.flags[this.at]) & flag) !== 0;
  }

  /** The listing at the position as an object. */
  get listing(): ColumnListing & {
    /** The offer: prices in USD per hour, sizes in GB. */
    offer: PricedOffer;
  } {
    const { offer } = this;
    // A spread has no getters of a class. The keys are those of an offer.
    const fields = Object.fromEntries(OFFER_FIELDS.map((key) => [key, offer[key]])) as unknown as PricedOffer;
    return {
      offer: { ...fields, specs: { vcpu: offer.specs.vcpu, ram: offer.specs.ram, disk: offer.specs.disk } },
      instanceType: this.instanceType,
      seller: this.seller,
      verified: this.verified,
      spot: this.spot,
      storage: this.storage,
      isCostComplete: this.isCostComplete,
      availability: this.availability,
      sample: this.sample,
    };
  }

  /** What the listing shares with others. */
  shared<Key extends keyof Shared>(key: Key): Shared[Key] {
    const values: Shared[Key][] = this.#parts.values[key];
    // null is a value of instanceType.
    return values[present(this.#parts.codes[key][this.at])] as Shared[Key];
  }
}

class CursorOffer implements PricedOffer {
  readonly #cursor: ListingCursor;
  readonly specs: Offer["specs"];

  constructor(cursor: ListingCursor) {
    this.#cursor = cursor;
    this.specs = new CursorSpecs(cursor);
  }

  get id(): string {
    return this.#cursor.id;
  }
  get provider(): Offer["provider"] {
    return this.#cursor.shared("provider");
  }
  get gpu(): Offer["gpu"] {
    return this.#cursor.shared("gpu");
  }
  get gpuCount(): number {
    return this.#cursor.number("gpuCount");
  }
  get region(): string {
    return this.#cursor.shared("place").region;
  }
  get regionInfo(): Offer["regionInfo"] {
    return this.#cursor.shared("place").regionInfo;
  }
  get priceHourly(): number {
    const spot = this.#spotPrice();
    return Number.isNaN(spot) ? this.#cursor.number("priceHourly") : spot;
  }
  get pricePerGpu(): number {
    const spot = this.#spotPrice();
    return Number.isNaN(spot) ? this.#cursor.number("pricePerGpu") : pricePerGpu(spot, this.gpuCount);
  }
  get isAvailable(): boolean {
    return this.#cursor.has(AVAILABLE);
  }
  get storageCostPerGB(): number {
    return this.#cursor.shared("storage").storageCostPerGB;
  }
  get storageMinGB(): number {
    return this.#cursor.shared("storage").storageMinGB;
  }
  get storageMaxGB(): number {
    return this.#cursor.shared("storage").storageMaxGB;
  }
  get costDataComplete(): boolean {
    return this.#isPriced(COMPLETE);
  }
  get deploymentType(): string {
    return this.#cursor.shared("terms").deploymentType;
  }
  get nvlinkEnabled(): boolean {
    return this.#cursor.has(NVLINK);
  }
  get interconnect(): Offer["interconnect"] {
    return this.#cursor.shared("terms").interconnect;
  }
  get stockPercent(): number | undefined {
    const percent = this.#cursor.number("stock");
    return percent === UNKNOWN_STOCK ? undefined : percent;
  }
  get storage(): Storage {
    return this.#cursor.storage;
  }
  get isCostComplete(): boolean {
    return this.#isPriced(COST_COMPLETE);
  }

  /** The price of queries for spot prices; NaN for others, and without one. */
  #spotPrice(): number {
    return this.#cursor.isSpot ? this.#cursor.number("spotPrice") : Number.NaN;
  }
  /** As of `pricedOffer`: a minimum bid is a lower bound. */
  #isPriced(flag: number): boolean {
    return this.#cursor.has(flag) && !(this.#cursor.isSpot && this.#cursor.has(BID));
  }
}

/** The fields of the offer in a listing of its own: the disks are those of the listing. */
const OFFER_FIELDS = Object.keys(Object.getOwnPropertyDescriptors(CursorOffer.prototype)).filter(
  (key) => !["constructor", "storage", "isCostComplete"].includes(key),
  // The getters are those of an offer
) as (keyof PricedOffer)[];

class CursorSpecs implements Readonly<Offer["specs"]> {
  readonly #cursor: ListingCursor;

  constructor(cursor: ListingCursor) {
    this.#cursor = cursor;
  }

  get vcpu(): number {
    return this.#cursor.number("vcpu");
  }
  get ram(): number {
    return this.#cursor.number("ram");
  }
  get disk(): number {
    return this.#cursor.number("disk");
  }
}
