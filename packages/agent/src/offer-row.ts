import {
  availabilityOf,
  fromMicros,
  hourlyCostMicros,
  isAtLeast,
  isDiskUnknown,
  type ListingFacts,
  type Offer,
} from "@gpu-offers/domain";
import type { StockSum } from "@gpu-offers/domain/history";
import { rentUrl } from "@gpu-offers/domain/launching";
import { daysSince } from "./oldest-price.js";

interface RowFacts
  extends
    Pick<ListingFacts, "instanceType" | "providerOfferId" | "seller" | "verified" | "spot">,
    Partial<Pick<ListingFacts, "stockLevel" | "rentableUntil" | "bootSeconds" | "spotInterruption">> {
  availability?: string | null | undefined;
  sample?: boolean | undefined;
  stock14d: StockSum | null | undefined;
  /** Whether `offer` has the spot price. */
  isSpot: boolean;
  /** Hours of all machines together that `usdTotal` is for. */
  machineHours: number | undefined;
  /** Time of the price as ISO 8601. */
  pricesAsOf: string | undefined;
}

/** A compact offer with a disk of `diskGb`, 0 for none that costs more. Unknown facts are undefined. */
export function offerRow(
  offer: Offer,
  diskGb: number,
  facts: RowFacts,
): { id: string; usdPerHour: number; [fact: string]: unknown } {
  const { specs, interconnect } = offer;
  const { seller, verified, spot, isSpot, pricesAsOf } = facts;
  return {
    id: offer.id,
    gpu: gpuText(offer),
    provider: offer.provider.name,
    region: offer.region,
    country: offer.regionInfo.countryCode,
    ...moneyOf(offer, diskGb, facts.machineHours),
    vcpu: specs.vcpu || undefined,
    ramGb: specs.ram || undefined,
    availability: availabilityOf({ ...facts, offer }),
    stockLevel: facts.stockLevel ?? undefined,
    stock14d: facts.stock14d ?? undefined,
    instanceType: facts.instanceType ?? undefined,
    kind: offer.deploymentType,
    nvlink: offer.nvlinkEnabled || undefined,
    network: interconnect ?? undefined,
    seller: seller ?? undefined,
    verified: verified ?? undefined,
    spot: isSpot ? spot?.kind : undefined,
    spotUsdPerHour: !isSpot && spot?.kind === "price" ? spot.priceHourly : undefined,
    spotInterruption: facts.spotInterruption ?? undefined,
    rentableUntil: facts.rentableUntil ?? undefined,
    bootSeconds: facts.bootSeconds ?? undefined,
    ageDays: pricesAsOf === undefined ? undefined : daysSince(pricesAsOf),
    rentUrl: rentUrl(offer, () => facts) ?? undefined,
    sample: facts.sample || undefined,
  };
}

/** `8x H100 SXM 80GB` */
export function gpuText({ gpu, gpuCount }: Offer): string {
  const size = `${gpu.vramGB}GB`;
  return `${gpuCount}x ${gpu.name}${gpu.name.includes(size) ? "" : ` ${size}`}`;
}

/** What a machine costs, exactly: per hour without and with its disk, and for some hours with it; and what is unknown of that. */
export function moneyOf(offer: Offer, diskGb: number, hours: number | undefined) {
  const micros = hourlyCostMicros(offer, diskGb);
  return {
    usdPerHour: offer.priceHourly,
    diskGb: diskGb || undefined,
    usdPerHourWithDisk: diskGb > 0 ? fromMicros(micros) : undefined,
    usdTotal: hours === undefined ? undefined : fromMicros(micros * hours),
    atLeast: isAtLeast(offer, diskGb) || undefined,
    diskUnknown: isDiskUnknown(offer, diskGb || 1) || undefined,
  };
}
