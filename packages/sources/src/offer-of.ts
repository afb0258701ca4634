import { MAX_PRICE, nearestGpus, providerNameSchema, type Offer, type PROVIDER_TYPES } from "@gpu-offers/domain";
import { moneyOfFile, type FileMoney, type MoneyOf } from "./currencies.js";
import type { GpuAliases } from "./gpu-alias.js";
import { machineItem, type Machine } from "./machine.js";
import { Rejection } from "./rejection.js";
import { countryCodeOf, findCountryCode } from "./region/country.js";
import { showValue } from "./shown-value.js";
import { DEPLOYMENT_TYPE_OF, type OfferItem, type RejectionItem } from "./source-item.js";

/** A machine on a price list of one's own. */
export interface OfferFacts {
  /** Who rents it out: lower-case letters, digits and hyphens, such as `acme`. */
  provider: string;
  /** The GPU as people write it: `H100 SXM`, `RTX 4090`, `NVIDIA A100 80GB PCIe`, or a slug. */
  gpu: string;
  /** GPUs per instance; default: 1. */
  gpuCount?: number | undefined;
  /** Price of the whole instance per hour. */
  priceHourly?: number | undefined;
  /** Price of the whole instance per month of 720 hours, instead of `priceHourly`. */
  priceMonthly?: number | undefined;
  /** Currency of the prices, ISO 4217; default: USD. Others need a rate in the options. */
  currency?: string | undefined;
  /** Tax that the prices include, in percent. Offers are without tax; default: none. */
  taxPercent?: number | undefined;
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
  /** What the provider calls the machine. Without it, GPUs, vCPUs, memory, disk and type tell machines apart. */
  instanceType?: string | undefined;
  /** Spot price of the whole instance per hour; default: there is none. */
  spotHourly?: number | undefined;
  /** Whether it can be rented now; default: true. */
  available?: boolean | undefined;
  /** What one gets: a virtual machine, a container or a whole server; default: `vm`. */
  type?: (typeof PROVIDER_TYPES)[number] | undefined;
}

/** Names of GPUs that no table has, and rates of other currencies than USD. */
export interface OfferFactsOptions extends FileMoney {
  /** Your own GPU names, as `parseGpuAliases` reads them. */
  gpuAliases?: GpuAliases | undefined;
}

/**
 * Makes a complete offer from the few facts of a price list. Its id depends on provider, region and machine, not on the
 * price. Prices in other currencies are converted with the rate in the options. GPU models, memory and places come from the tables of this package.
 * @throws RangeError that says which fact is invalid, and what would be valid.
 * @example offerOf({ provider: "acme", gpu: "H100 SXM", gpuCount: 8, priceHourly: 15.2, country: "Norway", disk: 2000 })
 */
export function offerOf(facts: OfferFacts, options: OfferFactsOptions = {}): Offer {
  const item = itemOfFacts("offer", facts, { ...options, money: moneyOfFile({ ...options, ...facts }) });
  if (item.kind === "rejection") {
    throw new RangeError(item.reason);
  }
  return item.offer;
}

interface ItemOptions extends Pick<OfferFactsOptions, "gpuAliases"> {
  money: MoneyOf;
  /** Set if machines of one type differ, so that the type doesn't tell them apart. */
  isTypeShared?: boolean;
}

/** The item of a row with these facts. */
export function itemOfFacts(where: string, facts: OfferFacts, options: ItemOptions): OfferItem | RejectionItem {
  const machine = machineOf(facts, options);
  const item = machineItem(where, machine, options.money);
  return item.kind === "rejection" && item.code === "unknown_gpu"
    ? { ...item, reason: item.reason + nearText(facts.gpu) }
    : item;
}

function machineOf(facts: OfferFacts, { gpuAliases: aliases, isTypeShared = false }: ItemOptions): Machine | Rejection {
  const place = placeOf(facts);
  const problem = place instanceof Rejection ? place : problemOf(facts);
  if (problem !== undefined || place instanceof Rejection) {
    return problem ?? new Rejection("bad_row", "The row is not valid.");
  }
  const { provider, gpu: name, gpuCount: count = 1, vcpu, ram, disk, instanceType, type = "vm" } = facts;
  const { priceHourly, priceMonthly, spotHourly, currency, taxPercent } = facts;
  const region = facts.region ?? facts.city ?? place.countryCode;
  const named = instanceType === undefined || isTypeShared ? nameOfMachine(facts) : instanceType;
  return {
    provider,
    // Two cards may have the same name of a type.
    identity: { name: named, gpu: "count and card" },
    instanceType,
    gpu: { name, count, vramGb: facts.vramGb, aliases },
    region: region ?? "unknown",
    place: { ...place, region: region ?? "" },
    price: {
      amount: priceHourly ?? priceMonthly ?? 0,
      currency,
      taxPercent,
      per: priceHourly === undefined ? "month" : "hour",
    },
    isAvailable: facts.available ?? true,
    vcpu,
    ramGb: ram,
    disk: disk === undefined ? { kind: "unpriced" } : { kind: "included", sizeGb: disk },
    deploymentType: DEPLOYMENT_TYPE_OF[type],
    listing: {
      instanceType: instanceType ?? null,
      spot: spotHourly === undefined ? null : { priceHourly: spotHourly, kind: "price" },
    },
  };
}

/** All that tells machines apart. Only stated facts count, so that rows that state few keep their ids. */
export function nameOfMachine({ instanceType, gpu, gpuCount = 1, vcpu, ram, disk, type = "vm" }: OfferFacts): string {
  const specs = Object.entries({ vcpu, ram, disk }).filter(([, size]) => size !== undefined);
  const sizes = specs.map(([name, size]) => `${name} ${size}`);
  return [instanceType ?? `${gpuCount}x ${gpu}`, ...sizes, ...(type === "vm" ? [] : [type])].join(", ");
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
  const amounts = { priceHourly: facts.priceHourly, priceMonthly: facts.priceMonthly, spotHourly: facts.spotHourly };
  for (const [field, amount] of Object.entries(amounts)) {
    if (amount !== undefined && !(amount > 0 && amount <= MAX_PRICE)) {
      return new Rejection("bad_price", `${field} is ${amount}; it must be an amount above 0.`);
    }
  }
  if ((facts.priceHourly === undefined) === (facts.priceMonthly === undefined)) {
    return new Rejection("no_price", "State either priceHourly or priceMonthly.");
  }
  if (!/^[A-Z]{3}$/.test(facts.currency ?? "USD")) {
    const reason = `currency is ${showValue(facts.currency)}; it must be an ISO 4217 code, such as EUR.`;
    return new Rejection("unknown_currency", reason);
  }
  if (facts.taxPercent !== undefined && !(facts.taxPercent >= 0 && facts.taxPercent < 100)) {
    return new Rejection("bad_number", `taxPercent is ${facts.taxPercent}; it must be a percentage below 100.`);
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
