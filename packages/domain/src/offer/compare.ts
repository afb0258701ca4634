import type { Balance } from "../account/balance-schema.js";
import { runwaySeconds } from "../account/balance.js";
import { fromMicros, HOURS_OF_30_DAYS } from "../money/money.js";
import type { Offer } from "./offer-schema.js";
import { hourlyCostMicros } from "./hourly-cost.js";
import { availabilityOfOffer } from "./availability.js";
import { stockPercent } from "./listing.js";
import type { ListingFacts } from "./listing-schema.js";
import { diskFor, isAtLeast, storageOf } from "./storage.js";

// Compares offers: facts that differ, by how much, and common facts.

/** Unit of a value: USD, GB, count, seconds, boolean, text. */
export type ComparedUnit = "usd" | "gb" | "count" | "seconds" | "boolean" | "text";

/** A value of an offer; null if it is unknown, or if the offer has none. */
export type ComparedValue = number | string | boolean | null;

/** One of the compared facts. */
export type ComparedKey = keyof typeof FACTS;

/** A row of a comparison. */
export interface ComparedFact {
  /** What is compared. */
  key: ComparedKey;
  /** Unit of the values. */
  unit: ComparedUnit;
  /** The value of each offer, in the order of the offers. */
  values: readonly ComparedValue[];
  /** Difference of each number to the first, in percent with one decimal; null for values without a number. */
  percent: readonly (number | null)[];
  /** Whether the offers have different values. */
  differs: boolean;
}

/** Context of a comparison. */
export interface CompareOptions {
  /** Required disk, GB. Offers are priced with their smallest sufficient disk, or without one if their disks are unknown. */
  diskGb?: number | undefined;
  /** Credit or budget, for the runway. */
  balance?: Balance | undefined;
  /** Date of an offer's prices: ISO 8601; undefined if unknown. */
  pricesAsOf?: ((offer: Offer) => string | undefined) | undefined;
}

type ListedAs = Offer & {
  listing?: Pick<ListingFacts, "storage" | "isCostComplete" | "availability" | "sample" | "stock14d"> | undefined;
};

type Reader = (offer: ListedAs, options: CompareOptions) => ComparedValue | undefined;

/** The compared facts, most important first. */
const FACTS = {
  totalHourly: ["usd", (offer, options) => usd(totalMicros(offer, options))],
  total30Days: ["usd", (offer, options) => usd(totalMicros(offer, options), HOURS_OF_30_DAYS)],
  runwaySeconds: ["seconds", runway],
  pricePerGpu: ["usd", (offer) => offer.pricePerGpu],
  priceHourly: ["usd", (offer) => offer.priceHourly],
  priceIsMinimum: ["boolean", (offer, { diskGb = 0 }) => isAtLeast(offer, diskGb)],
  availability: ["text", availabilityOfOffer],
  inStockPercent14d: ["count", ({ listing }) => stockPercent(listing?.stock14d) ?? undefined],
  pricesAsOf: ["text", (offer, { pricesAsOf }) => pricesAsOf?.(offer)],
  gpu: ["text", ({ gpu }) => gpu.name],
  gpuCount: ["count", (offer) => offer.gpuCount],
  vramGb: ["gb", ({ gpu }) => gpu.vramGB],
  totalVramGb: ["gb", (offer) => offer.gpu.vramGB * offer.gpuCount],
  nvlink: ["boolean", (offer) => offer.nvlinkEnabled],
  interconnect: ["text", ({ interconnect }) => (typeof interconnect === "string" ? interconnect : undefined)],
  architecture: ["text", ({ gpu }) => gpu.architecture],
  vcpu: ["count", ({ specs }) => known(specs.vcpu)],
  ramGb: ["gb", ({ specs }) => known(specs.ram)],
  diskGb: ["gb", (offer, { diskGb = 0 }) => diskFor(offer, diskGb) || undefined],
  storageMinGb: ["gb", (offer) => storageOf(offer).minGb ?? undefined],
  storageMaxGb: ["gb", (offer) => storageOf(offer).maxGb ?? undefined],
  storagePricePerGbMonth: ["usd", (offer) => storageOf(offer).pricePerGbMonth ?? undefined],
  provider: ["text", ({ provider }) => provider.name],
  deploymentType: ["text", (offer) => offer.deploymentType],
  region: ["text", (offer) => offer.region],
  country: ["text", ({ regionInfo }) => regionInfo.countryCode],
  city: ["text", ({ regionInfo }) => known(regionInfo.cityState)],
  continent: ["text", ({ regionInfo }) => regionInfo.continent],
} as const satisfies Readonly<Record<string, readonly [unit: ComparedUnit, read: Reader]>>;

/**
 * Compares offers fact by fact: facts that differ come first, then common ones, most important first. Numbers have their
 * difference to the first offer in percent. Facts unknown for all offers are omitted.
 */
export function compareOffers(offers: readonly ListedAs[], options: CompareOptions = {}): ComparedFact[] {
  // The keys of a literal are the names of its type
  const lines = (Object.keys(FACTS) as ComparedKey[]).flatMap((key): ComparedFact[] => {
    const [unit, read]: readonly [ComparedUnit, Reader] = FACTS[key];
    const values = offers.map((offer) => read(offer, options) ?? null);
    const isKnown = values.some((value) => value !== null);
    return isKnown ? [{ key, unit, values, percent: percentOf(values), differs: new Set(values).size > 1 }] : [];
  });
  return [...lines.filter(({ differs }) => differs), ...lines.filter(({ differs }) => !differs)];
}

function percentOf([first, ...others]: readonly ComparedValue[]): (number | null)[] {
  const percent = (value: ComparedValue | undefined): number | null =>
    typeof value === "number" && typeof first === "number" && first > 0
      ? Math.round(((value - first) / first) * 1000) / 10
      : null;
  return [first, ...others].map(percent);
}

/** Hourly cost including the required disk; undefined if the offer has no disk that large. */
function totalMicros(offer: Offer, { diskGb = 0 }: CompareOptions): number | undefined {
  const disk = diskFor(offer, diskGb);
  return disk === undefined ? undefined : hourlyCostMicros(offer, disk);
}

function runway(offer: Offer, options: CompareOptions): number | undefined {
  const micros = totalMicros(offer, options);
  const { balance } = options;
  const seconds = micros === undefined || balance === undefined ? undefined : runwaySeconds(balance, micros);
  // A free offer has no runway: its credit lasts forever.
  return seconds === Number.POSITIVE_INFINITY ? undefined : seconds;
}

function usd(micros: number | undefined, times = 1): number | undefined {
  return micros === undefined ? undefined : fromMicros(micros * times);
}

/** Zero and the empty string mean unknown. */
function known<Value extends number | string>(value: Value): Value | undefined {
  return value === 0 || value === "" ? undefined : value;
}
