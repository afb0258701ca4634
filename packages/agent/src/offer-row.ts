import {
  availabilityOf,
  fromMicros,
  hourlyCostMicros,
  isAtLeast,
  isDiskUnknown,
  stockSumSchema,
  type ListingFacts,
  type Offer,
} from "@gpu-offers/domain";
import { rentUrl } from "@gpu-offers/domain/launching";
import * as z from "zod";
import { daysSince } from "./oldest-price.js";

/** A compact offer. */
const offerRowSchema = z.object({
  id: z.string(),
  gpu: z.string(),
  provider: z.string(),
  region: z.string(),
  country: z.string(),
  usdPerHour: z.number(),
  diskGb: z.number().optional(),
  usdPerHourWithDisk: z.number().optional(),
  usdTotal: z.number().optional(),
  atLeast: z.literal(true).optional(),
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
  ageDays: z.number().optional(),
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
  /** Hours of all machines together that `usdTotal` is for. */
  machineHours: number | undefined;
  /** Time of the price as ISO 8601. */
  pricesAsOf: string | undefined;
}

/** Formats an offer with a disk of `diskGb`, 0 for none that costs more. Unknown facts are omitted. */
export function offerRow(offer: Offer, diskGb: number, facts: RowFacts): OfferRow {
  const { specs, interconnect, deploymentType } = offer;
  const {
    instanceType,
    seller,
    verified,
    spot,
    isSpot,
    pricesAsOf,
    availability,
    stockLevel,
    stock14d,
    sample,
    machineHours,
  } = facts;
  const url = rentUrl(offer, () => facts);
  return {
    id: offer.id,
    gpu: gpuText(offer),
    provider: offer.provider.name,
    region: offer.region,
    country: offer.regionInfo.countryCode,
    ...moneyOf(offer, diskGb, machineHours),
    ...(isAtLeast(offer, diskGb) ? { atLeast: true as const } : {}),
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
    ...(spot === null
      ? {}
      : isSpot
        ? { spot: spot.kind }
        : spot.kind === "price" && { spotUsdPerHour: spot.priceHourly }),
    ...(pricesAsOf === undefined ? {} : { ageDays: daysSince(pricesAsOf) }),
    ...(url === null ? {} : { rentUrl: url }),
    ...(sample === true ? { sample } : {}),
  };
}

/** `8x H100 SXM 80GB` */
export function gpuText({ gpu, gpuCount }: Offer): string {
  const size = `${gpu.vramGB}GB`;
  return `${gpuCount}x ${gpu.name}${gpu.name.includes(size) ? "" : ` ${size}`}`;
}

/** What a machine costs, exactly: per hour without and with its disk, and for some hours with it. */
export function moneyOf(
  offer: Offer,
  diskGb: number,
  hours: number | undefined,
): Pick<OfferRow, "usdPerHour" | "diskGb" | "usdPerHourWithDisk" | "usdTotal"> {
  const micros = hourlyCostMicros(offer, diskGb);
  return {
    usdPerHour: offer.priceHourly,
    ...(diskGb > 0 && { diskGb, usdPerHourWithDisk: fromMicros(micros) }),
    ...(hours !== undefined && { usdTotal: fromMicros(micros * hours) }),
  };
}
