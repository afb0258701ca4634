import { MAX_PRICE, nearestGpus, providerNameSchema, type Offer, type PROVIDER_TYPES } from "@gpu-offers/domain";
import type { GpuAliases } from "./gpu-alias.js";
import { LiveOffers } from "./live/live-offers.js";
import { Rejection } from "./rejection.js";
import { countryCodeOf, findCountryCode } from "./region/country.js";
import { showValue } from "./shown-value.js";
import { itemOf, type OfferItem, type RejectionItem } from "./source-item.js";

/** A machine on a price list of one's own. */
export interface OfferFacts {
  /** Who rents it out: lower-case letters, digits and hyphens, such as `acme`. */
  provider: string;
  /** The GPU as people write it: `H100 SXM`, `RTX 4090`, `NVIDIA A100 80GB PCIe`, or a slug. */
  gpu: string;
  /** GPUs per instance; default: 1. */
  gpuCount?: number | undefined;
  /** Price of the whole instance in USD per hour. */
  priceHourly: number;
  /** Country by its English name or ISO 3166-1 code: `Norway`, `NO`, `NOR`; default: unknown. */
  country?: string | undefined;
  /** City or state; default: unknown. */
  city?: string | undefined;
  /** Region as the provider names it; default: the city, or the country's code. */
  region?: string | undefined;
  /** Disk that is included in the price, in GB; if it is unknown, the cost is a lower bound. */
  disk?: number | undefined;
  /** Memory of one GPU in GB, if the name leaves it open: 80 for `A100`. */
  vramGb?: number | undefined;
  /** Virtual CPUs of the instance; default: unknown. */
  vcpu?: number | undefined;
  /** Memory of the instance in GB; default: unknown. */
  ram?: number | undefined;
  /** What the provider calls the machine. It tells apart machines with the same GPUs in one region. */
  instanceType?: string | undefined;
  /** Spot price of the whole instance in USD per hour; default: there is none. */
  spotHourly?: number | undefined;
  /** Whether it can be rented now; default: true. */
  available?: boolean | undefined;
  /** What one gets: a virtual machine, a container or a whole server; default: `vm`. */
  type?: (typeof PROVIDER_TYPES)[number] | undefined;
}

/** Names of GPUs that no table has. */
export interface OfferFactsOptions {
  /** Your own GPU names, as `parseGpuAliases` reads them. */
  gpuAliases?: GpuAliases | undefined;
}

/**
 * Makes a complete offer from the few facts of a price list. Its id depends on provider, region and machine, not on the
 * price. GPU models, memory and places come from the tables of this package.
 * @throws RangeError that says which fact is invalid, and what would be valid.
 * @example offerOf({ provider: "acme", gpu: "H100 SXM", gpuCount: 8, priceHourly: 15.2, country: "Norway", disk: 2000 })
 */
export function offerOf(facts: OfferFacts, options: OfferFactsOptions = {}): Offer {
  const item = itemOfFacts("offer", facts, options);
  if (item.kind === "rejection") {
    throw new RangeError(item.reason);
  }
  return item.offer;
}

/** The item of a row with these facts. */
export function itemOfFacts(
  where: string,
  facts: OfferFacts,
  { gpuAliases = new Map() }: OfferFactsOptions = {},
): OfferItem | RejectionItem {
  const { provider, gpu, gpuCount = 1, disk, available = true, spotHourly, type = "vm" } = facts;
  const place = placeOf(facts);
  const problem = place instanceof Rejection ? place : problemOf(facts);
  if (problem !== undefined || place instanceof Rejection) {
    return itemOf(where, problem ?? new Rejection("bad_row", "The row is not valid."));
  }
  const offers = new LiveOffers({ name: provider, type }, { settings: {}, aliases: gpuAliases });
  const item = offers.item(where, {
    instanceType: facts.instanceType ?? `${gpuCount}x ${gpu}`,
    region: facts.region ?? facts.city ?? place.countryCode ?? null,
    place,
    // Two cards may have the same name of a type.
    typeFixesGpu: false,
    gpu: { name: gpu, count: gpuCount, vramGb: facts.vramGb },
    priceHourly: facts.priceHourly,
    isAvailable: available,
    vcpu: facts.vcpu,
    ramGb: facts.ram,
    disk: disk === undefined ? { kind: "unpriced" } : { kind: "included", sizeGb: disk },
    listing: {
      instanceType: facts.instanceType ?? null,
      spot: spotHourly === undefined ? null : { priceHourly: spotHourly, kind: "price" },
    },
  });
  if (item.kind === "rejection") {
    return item.code === "unknown_gpu" ? { ...item, reason: item.reason + nearText(gpu) } : item;
  }
  if (item.kind !== "offer") {
    throw new RangeError(`A row became an item of the kind ${item.kind}.`);
  }
  return item;
}

type Place = { countryCode?: string; city?: string };

function placeOf({ country = "", city = "" }: OfferFacts): Place | Rejection {
  const code = country.trim() === "" ? undefined : (countryCodeOf(country) ?? findCountryCode(country));
  if (country.trim() !== "" && code === undefined) {
    const reason = `The country is ${showValue(country)}, which is neither an English name nor an ISO 3166-1 code of a country.`;
    return new Rejection("unknown_country", reason);
  }
  return { ...(code !== undefined && { countryCode: code }), ...(city !== "" && { city }) };
}

/** What the rules of offers would only say of a field that people don't know. */
function problemOf(facts: OfferFacts): Rejection | undefined {
  const name = providerNameSchema.safeParse(facts.provider);
  if (!name.success) {
    const reason = `The provider is ${showValue(facts.provider)}; it must be lower-case letters and digits, joined by single hyphens or points, such as acme.`;
    return new Rejection("bad_provider_name", reason);
  }
  const amounts = { priceHourly: facts.priceHourly, spotHourly: facts.spotHourly };
  for (const [field, amount] of Object.entries(amounts)) {
    if (amount !== undefined && !(amount > 0 && amount <= MAX_PRICE)) {
      return new Rejection("bad_price", `${field} is ${amount}; it must be USD per hour, above 0.`);
    }
  }
  for (const [field, size] of Object.entries({ disk: facts.disk, ram: facts.ram, vcpu: facts.vcpu })) {
    if (size !== undefined && !(size >= 0 && size < Number.POSITIVE_INFINITY)) {
      const unit = field === "vcpu" ? "a number of virtual CPUs" : "a number of GB";
      return new Rejection("bad_number", `${field} is ${size}; it must be ${unit} from 0.`);
    }
  }
  return undefined;
}

function nearText(gpu: string): string {
  const near = nearestGpus(gpu, []);
  return near.length === 0 ? "" : ` Did you mean ${near.join(", ")}?`;
}
