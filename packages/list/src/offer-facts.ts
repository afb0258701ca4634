import {
  availabilityOf,
  availabilityWords,
  HOURS_OF_30_DAYS,
  isDiskFixed,
  isDiskUnknown,
  paidDisk,
  runwaySeconds,
  storageOf,
  toMicrosUp,
  worth,
  type Balance,
  type ListingFacts,
  type Offer,
  type WorthKey,
} from "@gpu-offers/domain";
import { dateText } from "./age-text.js";
import { countText } from "./count-text.js";
import { isTotalAtLeast, totalMicros } from "./offer-cost.js";
import { usdMicrosText, usdText } from "./price-text.js";
import { printable } from "./printable.js";
import { stockText } from "./stock-text.js";
import { runwayOf, runwayText } from "./runway-text.js";

// The facts of an offer for its details, and the sentences about its price and disk.

/** Context of an offer's facts. */
export interface FactOptions {
  diskGb?: number | undefined;
  /** Hours whose cost is a fact of its own. */
  hours?: number | undefined;
  balance?: Balance | undefined;
  /** Date of the prices by provider. */
  pricesAsOf?: ReadonlyMap<string, string> | undefined;
  /** The time, in milliseconds since 1970; by default the clock's. */
  nowMs?: number | undefined;
  /** What the source states beyond the offer. */
  stated?: Partial<ListingFacts> | undefined;
}

/** Names and values of all facts of an offer, for the details. */
export function offerFacts(
  offer: Offer,
  { diskGb: neededGb, hours, balance, pricesAsOf, nowMs = Date.now(), stated }: FactOptions,
): [string, string][] {
  const { gpu, regionInfo, specs } = offer;
  const network = offer.interconnect ?? "unknown";
  const parts = [regionInfo.cityState, regionInfo.countryName, regionInfo.continent].filter((part) => part !== "");
  const known = (count: number, unit: string): string => (count === 0 ? "unknown" : `${countText(count)}${unit}`);
  const micros = totalMicros(offer, neededGb);
  const atLeast = lowerBound(offer);
  const totalAtLeast = lowerBound(offer, neededGb);
  const asOf = pricesAsOf?.get(offer.provider.name);
  const facts: Fact[] = [
    ["GPU", `${offer.gpuCount} × ${gpu.name}`],
    ["VRAM", `${gpu.vramGB} GB each, ${countText(gpu.vramGB * offer.gpuCount)} GB total`],
    ["architecture", `${gpu.architecture}${offer.nvlinkEnabled ? ", NVLink" : ""}`],
    ["provider", `${offer.provider.name} (${offer.deploymentType})`],
    ["region", offer.region],
    ["location", [...new Set(parts)].join(", ")],
    ["CPU, memory", `${known(specs.vcpu, " vCPU")}, ${known(specs.ram, " GB")}`],
    ["disk", diskSentence(offer)],
    ["network", typeof network === "string" ? network : JSON.stringify(network)],
    ...statedFacts(stated ?? {}),
    ["availability", availabilityText(offer, stated)],
    ["14 days", stated?.stock14d && stockText(stated.stock14d, nowMs)],
    ["per GPU", `${atLeast}${usdText(offer.pricePerGpu)}/h`],
    ["instance", `${atLeast}${usdText(offer.priceHourly)}/h without disk`],
    ["with disk", priceSentence(offer, neededGb)],
    ["worth", worthSentence(offer)],
    ...(hours === undefined
      ? []
      : [[`${countText(hours)} h`, `${totalAtLeast}${exactText((micros * hours) / 1e6)}`] as const]),
    ["30 days", `${totalAtLeast}${monthText(micros)}`],
    ["$25 buys", runwayText(runwaySeconds({ balance: "25.0000", currency: "USD" }, micros))],
    ["runway", runwayOf(balance, micros)],
    [
      "prices as of",
      `${asOf === undefined ? "unknown" : dateText(asOf)}${stated?.sample === true ? " (sample, not for sale)" : ""}`,
    ],
    ["id", offer.id],
  ];
  return facts.flatMap(([name, value]): [string, string][] => (value == null ? [] : [[name, printable(value)]]));
}

/** A fact; one without a value is left out. */
type Fact = readonly [name: string, value: string | null | undefined];

/** `in stock: High`, `listed`. */
function availabilityText(offer: Offer, stated: FactOptions["stated"]): string {
  const words = availabilityWords(availabilityOf({ ...stated, offer }));
  return stated?.stockLevel == null ? words : `${words}: ${stated.stockLevel}`;
}

function statedFacts({
  instanceType,
  seller,
  verified,
  reliability,
  spot,
  spotInterruption,
  egressPerGB,
  ingressPerGB,
  rentableUntil,
  bootSeconds,
}: Partial<ListingFacts>): Fact[] {
  return [
    ["type", instanceType],
    ["seller", sellerText(seller ?? null, verified ?? null)],
    ["reliability", typeof reliability === "number" ? `${Math.round(reliability * 1000) / 10}%` : null],
    ["spot", spot && `${usdText(spot.priceHourly)}/h${spot.kind === "bid" ? " (minimum bid)" : ""}`],
    ["taken back", spotInterruption && `${spotInterruption} of spot instances a month`],
    ["egress", typeof egressPerGB === "number" ? `${usdText(egressPerGB)}/GB` : null],
    ["ingress", typeof ingressPerGB === "number" ? `${usdText(ingressPerGB)}/GB` : null],
    ["until", rentableUntil && dateText(rentableUntil)],
    ["boots in", bootSeconds && `${bootSeconds.min}-${bootSeconds.max} s`],
  ];
}

function sellerText(seller: string | null, verified: boolean | null): string | null {
  const host = verified === null ? "" : verified ? ", verified" : ", not verified";
  return seller === null && verified === null ? null : `${seller ?? "unknown"}${host}`;
}

/** `$1.97/h with 500 GB`; `$1.90/h` if the disk is included; `at least $1.90/h` if cost data is incomplete. */
export function priceSentence(offer: Offer, neededGb: number | undefined): string {
  const diskGb = paidDisk(offer, neededGb);
  const disk = isDiskFixed(offer) || diskGb === 0 ? "" : ` with ${countText(diskGb)} GB`;
  return `${lowerBound(offer, neededGb)}${totalText(offer, neededGb)}${disk}`;
}

/** `$0.0238 per GB, $0.57 per TB/s, $1.92 per BF16 PFLOPS`; figures that are unknown are left out. */
function worthSentence(offer: Offer): string {
  const units: readonly (readonly [key: WorthKey, unit: string])[] = [
    ["vramPrice", "GB"],
    ["bandwidthPrice", "TB/s"],
    ["bf16Price", "BF16 PFLOPS"],
    ["fp8Price", "FP8 PFLOPS"],
  ];
  const known = units.flatMap(([key, unit]) => {
    const usd = worth(offer, key);
    return usd === null ? [] : [`${usdText(Math.ceil(usd * 1e4) / 1e4)} per ${unit}`];
  });
  return `${lowerBound(offer)}${known.join(", ")}`;
}

/** Prefix of a price that is a lower bound, because a part of it is unknown: that of the instance, or with a disk. */
export function lowerBound(offer: Offer, neededGb?: number): string {
  return isTotalAtLeast(offer, neededGb) ? "at least " : "";
}

/** `$1.97/h`, including the required disk. */
export function totalText(offer: Offer, neededGb: number | undefined): string {
  return `${usdMicrosText(totalMicros(offer, neededGb))}/h`;
}

/**
 * Describes the disks of an offer: `8–16,384 GB at $0.08/GB-month (gp3, 2026-07-12)`, `720 GB included, more at an unknown
 * price`.
 */
export function diskSentence(offer: Offer): string {
  const storage = storageOf(offer);
  const { includedGb, minGb, maxGb, pricePerGbMonth, steps, product, asOf } = storage;
  const price =
    steps === null
      ? pricePerGbMonth === null
        ? "an unknown price"
        : `$${pricePerGbMonth}/GB-month`
      : "prices by size";
  const about = [product, asOf].filter((text) => text !== null).join(", ");
  const at = `at ${price}${about === "" ? "" : ` (${about})`}`;
  if (isDiskFixed(offer)) {
    return maxGb === 0 ? "none" : `${countText(maxGb ?? 0)} GB included`;
  }
  if (includedGb !== null && includedGb > 0) {
    return `${countText(includedGb)} GB included, ${maxGb === null ? "more" : `up to ${countText(maxGb)} GB`} ${at}`;
  }
  const unknown = isDiskUnknown(offer) ? "unknown" : `unknown, more ${at}`;
  return minGb === null ? unknown : `${countText(minGb)}–${maxGb === null ? "" : countText(maxGb)} GB ${at}`;
}

/** Cost of 30 days at an hourly cost in micro-dollars, rounded up to a dollar. */
export function monthText(micros: number): string {
  return `$${countText(Math.ceil((micros * HOURS_OF_30_DAYS) / 1e6))}`;
}

/** USD with all of their decimals, at least two: `$1,309.5704`. */
function exactText(usd: number): string {
  const micros = toMicrosUp(usd);
  const decimals = String(micros % 1e6).padStart(6, "0");
  return `$${countText(Math.floor(micros / 1e6))}.${decimals.replace(/0{1,4}$/, "")}`;
}
