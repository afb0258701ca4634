import { hourlyCost, isDiskUnknown, type ListingFacts, type Offer } from "@gpu-offers/domain";
import * as z from "zod";

/** A compact offer. */
export const offerRowSchema = z.object({
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
  unavailable: z.literal(true).optional(),
  instanceType: z.string().optional(),
  kind: z.string().optional(),
  nvlink: z.literal(true).optional(),
  network: z.string().optional(),
  seller: z.string().optional(),
  verified: z.boolean().optional(),
});

/** See {@link offerRowSchema}. */
export type OfferRow = z.infer<typeof offerRowSchema>;

/** What a row says beyond the offer. */
type RowFacts = Pick<ListingFacts, "instanceType" | "seller" | "verified">;

/** Formats an offer with a disk of `diskGb`. Unknown facts are omitted, and so is what most offers are. */
export function offerRow(offer: Offer, diskGb: number, facts?: RowFacts): OfferRow {
  const { specs, interconnect, deploymentType } = offer;
  const { instanceType = null, seller = null, verified = null } = facts ?? {};
  return {
    id: offer.id,
    gpu: gpuText(offer),
    provider: offer.provider.name,
    region: offer.region,
    country: offer.regionInfo.countryCode,
    usdPerHour: usdPerHour(offer, diskGb),
    ...(offer.costDataComplete ? {} : { atLeast: true as const }),
    ...(diskGb === 0 ? {} : { diskGb }),
    ...(isDiskUnknown(offer) ? { diskUnknown: true as const } : {}),
    ...(specs.vcpu === 0 ? {} : { vcpu: specs.vcpu }),
    ...(specs.ram === 0 ? {} : { ramGb: specs.ram }),
    ...(offer.isAvailable ? {} : { unavailable: true as const }),
    ...(instanceType === null ? {} : { instanceType }),
    ...(deploymentType === "virtual" ? {} : { kind: deploymentType }),
    ...(offer.nvlinkEnabled ? { nvlink: true as const } : {}),
    ...(typeof interconnect === "string" ? { network: interconnect } : {}),
    ...(seller === null ? {} : { seller }),
    ...(verified === null ? {} : { verified }),
  };
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
