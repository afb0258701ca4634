import {
  availabilityOf,
  hourlyCost,
  isAtLeast,
  isDiskUnknown,
  pricedOffer,
  stockSumSchema,
  type ListingFacts,
  type Offer,
  type Spot,
} from "@gpu-offers/domain";
import { rentUrl } from "@gpu-offers/domain/launching";
import * as z from "zod";

/** A compact offer. */
const offerRowSchema = z.object({
  id: z.string(),
  gpu: z.string(),
  provider: z.string(),
  region: z.string(),
  country: z.string(),
  usdPerHour: z.number(),
  atLeast: z.literal(true).optional(),
  diskGb: z.number().optional(),
  diskUnknown: z.literal(true).optional(),
  vcpu: z.number().optional(),
  ramGb: z.number().optional(),
  availability: z.string(),
  stockLevel: z.string().optional(),
  stock14d: stockSumSchema.optional(),
  instanceType: z.string().optional(),
  kind: z.string(),
  nvlink: z.literal(true).optional(),
  network: z.string().optional(),
  seller: z.string().optional(),
  verified: z.boolean().optional(),
  spot: z.string().optional(),
  spotUsdPerHour: z.number().optional(),
  asOf: z.string().optional(),
  rentUrl: z.string().optional(),
  sample: z.literal(true).optional(),
});

/** See {@link offerRowSchema}. */
export type OfferRow = z.infer<typeof offerRowSchema>;

/** What a row says beyond the offer. */
interface RowFacts extends Pick<ListingFacts, "instanceType" | "providerOfferId" | "seller" | "verified" | "spot"> {
  availability?: string | null | undefined;
  sample?: boolean | undefined;
  stockLevel: string | null | undefined;
  stock14d: ListingFacts["stock14d"];
  /** Whether `offer` has the spot price. */
  isSpot: boolean;
  /** Time of the price as ISO 8601. */
  pricesAsOf: string | undefined;
}

/** Formats an offer with a disk of `diskGb`. Unknown facts are omitted. */
export function offerRow(offer: Offer, diskGb: number, facts: RowFacts): OfferRow {
  const { specs, interconnect, deploymentType } = offer;
  const { instanceType, seller, verified, spot, isSpot, pricesAsOf, availability, stockLevel, stock14d, sample } =
    facts;
  const url = rentUrl(offer, () => facts);
  return {
    id: offer.id,
    gpu: gpuText(offer),
    provider: offer.provider.name,
    region: offer.region,
    country: offer.regionInfo.countryCode,
    usdPerHour: usdPerHour(offer, diskGb),
    ...(isAtLeast(offer, diskGb) ? { atLeast: true as const } : {}),
    ...(diskGb === 0 ? {} : { diskGb }),
    ...(isDiskUnknown(offer, diskGb || 1) ? { diskUnknown: true as const } : {}),
    ...(specs.vcpu === 0 ? {} : { vcpu: specs.vcpu }),
    ...(specs.ram === 0 ? {} : { ramGb: specs.ram }),
    availability: availabilityOf({ offer, availability, sample }),
    ...(stockLevel == null ? {} : { stockLevel }),
    ...(stock14d == null ? {} : { stock14d }),
    ...(instanceType === null ? {} : { instanceType }),
    kind: deploymentType,
    ...(offer.nvlinkEnabled ? { nvlink: true as const } : {}),
    ...(typeof interconnect === "string" ? { network: interconnect } : {}),
    ...(seller === null ? {} : { seller }),
    ...(verified === null ? {} : { verified }),
    ...(spot === null ? {} : isSpot ? { spot: spot.kind } : spotPrice(offer, spot, diskGb)),
    ...(pricesAsOf === undefined ? {} : { asOf: shortTime(pricesAsOf) }),
    ...(url === null ? {} : { rentUrl: url }),
    ...(sample === true ? { sample } : {}),
  };
}

/** The cost at the spot price, with the same disk; a minimum bid is no price. */
function spotPrice(offer: Offer, spot: Spot, diskGb: number): { spotUsdPerHour?: number } {
  return spot.kind === "price" ? { spotUsdPerHour: usdPerHour(pricedOffer({ offer, spot }, true), diskGb) } : {};
}

/** A time to the minute, or the day of a file: `2025-12-01`, `2026-11-20T10:05Z`. */
export function shortTime(iso: string): string {
  return iso.length === 10 || iso.endsWith("T00:00:00.000Z") ? iso.slice(0, 10) : `${iso.slice(0, 16)}Z`;
}

/** `8x H100 SXM 80GB` */
export function gpuText({ gpu, gpuCount }: Offer): string {
  const size = `${gpu.vramGB}GB`;
  return `${gpuCount}x ${gpu.name}${gpu.name.includes(size) ? "" : ` ${size}`}`;
}

/** USD per hour for an offer with a disk, at most 4 decimals, rounded up. */
export function usdPerHour(offer: Offer, diskGb: number): number {
  return Number(hourlyCost(offer, diskGb));
}
