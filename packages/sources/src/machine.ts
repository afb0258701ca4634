import {
  HOURS_OF_30_DAYS,
  listingFacts,
  MAX_PRICE,
  pricePerGpu,
  publishedOfferSchema,
  type GpuModel,
  type Offer,
  type RegionInfo,
  type StatedFacts,
} from "@gpu-offers/domain";
import { chooseOrDoubt, ContradictedRule, type GpuChoice, type GpuClaim } from "./choose-gpu.js";
import { converted, dollars, rateOf, type MoneyOf } from "./currencies.js";
import { issueText } from "./issue-text.js";
import { machineDisk, roundUp, type DiskMoney, type MachineDisk, type StatedDisk } from "./machine-disk.js";
import { offerId } from "./offer-id.js";
import { Rejection } from "./rejection.js";
import { locate, type StatedPlace } from "./region/locate.js";
import { showValue } from "./shown-value.js";
import { rejectionItem, type OfferItem, type RejectionItem } from "./source-item.js";
import { contradictedItem } from "./suspended-rules.js";

// The only place where a price becomes an offer. Readers of files, feeds, APIs and price lists state the facts of their rows;
// what a currency, an identity, a card and a place mean is decided here, so that the same facts give the same offer.

/** A price of the whole machine, as its source states it. */
export interface StatedPrice {
  /** The amount, with any number of decimals. */
  amount: number;
  /** ISO 4217; default: USD. */
  currency?: string | undefined;
  /** Time that the amount is for; default: an hour. A month has 720 hours, as the monthly costs that we show. */
  per?: "hour" | "month" | undefined;
  /** Tax that the amount includes, in percent. Offers are without tax; default: none. */
  taxPercent?: number | undefined;
}

/** GPUs that a source states in full. */
export interface KnownGpus extends Pick<GpuChoice, "gpuCount" | "nvlinkEnabled" | "interconnect"> {
  model: GpuModel | Offer["gpu"];
  documented?: GpuChoice["documented"];
}

/** A machine that someone rents out, as its source states it. */
export interface Machine {
  /** Name of the provider, as offers have it. */
  provider: string;
  /** Provider whose regions and instance types apply; default: `provider`. */
  tables?: string | undefined;
  /** The offer's id, or the name that tells the machine apart from others of its provider in a region. */
  identity: { id: string } | MachineName;
  /** Instance type whose name or documentation may tell the GPUs. */
  instanceType?: string | undefined;
  /** What the source states about its GPUs, or the GPUs themselves. */
  gpu: Omit<GpuClaim, "provider" | "instanceType"> | KnownGpus;
  /** Region of the offer. */
  region: string;
  /** What the source states about the location besides the region of the offer, or the whole location. */
  place: Omit<StatedPlace, "provider"> | RegionInfo;
  /** The price. */
  price: StatedPrice;
  /** Price of one GPU per hour, if the source states it, too; maybe rounded. */
  pricePerGpu?: number | undefined;
  /** Whether it can be rented now, as the source states it. */
  isAvailable: boolean;
  /** Unset if the source does not state it; the documented instance type is used then. */
  vcpu?: number | null | undefined;
  /** GB as the provider states it; unset like `vcpu`. */
  ramGb?: number | null | undefined;
  /** The disk. */
  disk: StatedDisk;
  /** False if a part of the cost is unknown; default: whether the cost of the disk is known. */
  costDataComplete?: boolean | undefined;
  /** What one gets: `virtual`, `container`, `bare-metal`. */
  deploymentType: Offer["deploymentType"];
  /** True if the source states that NVLink joins the GPUs. */
  nvlink?: boolean | undefined;
  /** The network between instances; null or unset if the source states none. */
  interconnect?: string | null | undefined;
  /** What the row states beyond the offer, with prices in the currency of the machine's price. */
  listing?: StatedFacts;
}

/** What a machine's id is made from. */
export interface MachineName {
  /** Names the configuration in the source. */
  name: string;
  /** Region, if the name alone doesn't identify the machine; default: that of the offer. */
  region?: string;
  /** Set if rows of one name have different GPUs: the card identifies the offer then, or the card and its count. */
  gpu?: "card" | "count and card" | undefined;
}

/** A spot price above the price is left out; one that is this many times as high is in another unit. */
const MAX_SPOT_FACTOR = 10;

/** The item of a row that states a machine, or of one that was rejected before. */
export function machineItem(
  where: string,
  machine: Machine | Rejection,
  money: MoneyOf = dollars,
): OfferItem | RejectionItem {
  if (machine instanceof Rejection) {
    return rejectionItem(where, machine);
  }
  const { listing = {}, price } = machine;
  const { currency = "USD" } = price;
  // A currency without a rate is the reason, whatever else is wrong.
  const rate = rateOf(money(currency));
  if (rate instanceof Rejection) {
    return rejectionItem(where, rate);
  }
  const isConverted = currency !== "USD";
  const usd = (amount: number) => (isConverted ? converted(amount, rate) : amount);
  const exchange = { currency, rate, isConverted, usd };
  const disk = machineDisk(diskedMachine(machine), exchange);
  if (disk instanceof Rejection) {
    return rejectionItem(where, disk);
  }
  const offer = offerOfMachine(machine, exchange, disk);
  if (offer instanceof ContradictedRule) {
    return contradictedItem(where, offer, (gpu) => machineItem(where, { ...machine, gpu }, money));
  }
  if (offer instanceof Rejection) {
    return rejectionItem(where, offer);
  }
  const { spot, egressPerGB: egress, ingressPerGB: ingress } = listing;
  if (spot != null && usd(spot.priceHourly) > MAX_SPOT_FACTOR * offer.priceHourly) {
    const reason = `The spot price is ${spot.priceHourly}, more than ${MAX_SPOT_FACTOR} times the price.`;
    return rejectionItem(where, new Rejection("bad_price", reason));
  }
  const isCostComplete = disk.isPriced && (machine.costDataComplete ?? true);
  const inDollars = {
    ...(spot != null && { spot: { ...spot, priceHourly: usd(spot.priceHourly) } }),
    ...(egress != null && { egressPerGB: usd(egress) }),
    ...(ingress != null && { ingressPerGB: usd(ingress) }),
  };
  const cost = {
    storage: disk.storage,
    // Where the offer's own field says the same, it isn't stated.
    isCostComplete: isCostComplete === offer.costDataComplete ? null : isCostComplete,
    converted: isConverted ? currency : null,
  };
  return { kind: "offer", where, offer, listing: listingFacts({ ...cost, ...listing, ...inDollars }, offer) };
}

function diskedMachine({ provider, tables = provider, region, instanceType, identity, disk }: Machine) {
  return { provider: tables, region, instanceType: instanceType ?? ("name" in identity ? identity.name : ""), disk };
}

/** How amounts of a machine become dollars. */
interface Exchange extends DiskMoney {
  isConverted: boolean;
  usd(amount: number): number;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

// Sources may round the price of one GPU to cents. A larger difference means another price.
const PRICE_TOLERANCE = 0.005 + 1e-9;

function offerOfMachine(machine: Machine, exchange: Exchange, disk: MachineDisk): Offer | Rejection {
  const gpu = gpusOf(machine);
  if (gpu instanceof Rejection) {
    return gpu;
  }
  const priceHourly = hourlyPrice(exchange.usd(perHour(machine.price)));
  if (priceHourly instanceof Rejection) {
    return priceHourly;
  }
  const { gpuCount, documented } = gpu;
  const { provider } = machine;
  // Some APIs name places by ids that mean nothing to people.
  const region = UUID.test(machine.region) ? "unknown" : machine.region;
  const perGpu = pricePerGpu(priceHourly, gpuCount);
  const stated = exchange.isConverted ? perGpu : (machine.pricePerGpu ?? perGpu);
  if (Math.abs(perGpu - stated) > PRICE_TOLERANCE) {
    return invalidOffer(`pricePerGpu is ${stated}, but priceHourly / gpuCount is ${perGpu}`);
  }
  return publishedOffer({
    id: idOf(machine, gpu),
    provider: { name: provider, slug: provider },
    gpu: "vramGB" in gpu.model ? gpu.model : gpuFacts(gpu.model),
    gpuCount,
    region,
    regionInfo: placeOf(machine),
    priceHourly,
    pricePerGpu: perGpu,
    isAvailable: machine.isAvailable,
    specs: {
      vcpu: Math.floor(machine.vcpu ?? documented?.vcpu ?? 0),
      ram: Math.floor(machine.ramGb ?? documented?.ramGb ?? 0),
      disk: disk.localGb,
    },
    ...disk.terms,
    // Exchange rates move, so a converted price is approximate.
    costDataComplete: !exchange.isConverted && (machine.costDataComplete ?? true) && disk.areTermsComplete,
    deploymentType: machine.deploymentType,
    nvlinkEnabled: gpu.nvlinkEnabled || (gpuCount > 1 && machine.nvlink === true),
    interconnect: machine.interconnect ?? gpu.interconnect,
  });
}

function perHour({ amount, per = "hour", taxPercent = 0 }: StatedPrice): number {
  return amount / (per === "month" ? HOURS_OF_30_DAYS : 1) / (1 + taxPercent / 100);
}

function gpusOf({ gpu, provider, tables = provider, instanceType = "" }: Machine): KnownGpus | Rejection {
  return "model" in gpu ? gpu : chooseOrDoubt({ ...gpu, provider: tables, instanceType });
}

function idOf({ identity, provider, region }: Machine, { gpuCount, model }: KnownGpus): string {
  if ("id" in identity) {
    return identity.id;
  }
  const card = identity.gpu === "card" ? model.slug : `${gpuCount} x ${model.slug}`;
  return offerId(provider, identity.name, identity.region ?? region, identity.gpu === undefined ? undefined : card);
}

function placeOf({ place, provider, tables = provider }: Machine): RegionInfo {
  return "countryName" in place ? place : locate({ ...place, provider: tables });
}

/** The hourly price of an instance, rounded up, or a rejection. */
function hourlyPrice(usd: number): number | Rejection {
  if (!(usd > 0 && usd <= MAX_PRICE)) {
    return new Rejection("bad_price", `The hourly price is ${showValue(usd)}, which is not above 0.`);
  }
  return roundUp(usd);
}

/** The offer with its fields in the API's order, or a rejection with the rules that it breaks. */
function publishedOffer(offer: Offer): Offer | Rejection {
  const result = publishedOfferSchema.safeParse(offer);
  return result.success ? result.data : invalidOffer(issueText(result.error));
}

/** Rejects an offer as invalid. `problem` is a clause without a period. */
export function invalidOffer(problem: string): Rejection {
  return new Rejection("invalid_offer", `The offer is not valid: ${problem}.`);
}

function gpuFacts({ name, slug, vramGb, architecture }: GpuModel): Offer["gpu"] {
  return { name, slug, vramGB: vramGb, architecture };
}
