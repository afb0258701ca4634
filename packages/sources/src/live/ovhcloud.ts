import { HOURS_OF_A_MONTH } from "@gpu-offers/domain";
import * as z from "zod";
import type { ReadDisk } from "../machine-disk.js";
import { Rejection } from "../rejection.js";
import { builtInSource } from "./built-in-source.js";
import { inRegions, type LiveMachine, type LiveRow } from "./live-offers.js";
import { bodyOf, matchingRows, nameSchema, responsesOf, rowsOf, sizeSchema } from "./response.js";

// https://api.us.ovhcloud.com/console/: the public cloud's order catalog, with the prices of the control panel.

/** Prices are multiples of this fraction of the currency unit, without VAT. */
const PRICE_UNIT = 1e-8;

const bodySchema = z.union([
  z.object({ locale: z.object({ currencyCode: z.string() }).nullish(), addons: z.array(z.unknown()) }),
  z.array(z.unknown()).transform((addons) => ({ locale: null, addons })),
]);

const diskSchema = z.object({ capacity: z.number().min(0).nullish(), number: z.number().min(0).nullish() });
const addonSchema = z.object({
  planCode: nameSchema,
  pricings: z.array(z.object({ price: z.int().min(0), formattedPrice: z.string().nullish() })),
  configurations: z.array(z.object({ name: z.string(), values: z.array(z.string()).nullish() })).nullish(),
  blobs: z
    .object({
      commercial: z.object({ brick: z.string().nullish() }).nullish(),
      technical: z
        .object({
          name: z.string().nullish(),
          os: z.object({ family: z.string().nullish() }).nullish(),
          cpu: z.object({ cores: sizeSchema }).nullish(),
          // GB.
          memory: z.object({ size: sizeSchema }).nullish(),
          // The memory is of one GPU, in GB.
          gpu: z
            .object({ model: z.string(), number: z.number(), memory: z.object({ size: sizeSchema }).nullish() })
            .nullish(),
          storage: z.object({ disks: z.array(diskSchema).nullish() }).nullish(),
        })
        .nullish(),
    })
    .nullish(),
});
type Addon = z.output<typeof addonSchema>;
type Technical = NonNullable<NonNullable<Addon["blobs"]>["technical"]>;

export const ovhcloud = builtInSource("ovhcloud", {
  requests: [{ part: "addons", url: "https://api.us.ovhcloud.com/1.0/order/catalog/public/cloud?ovhSubsidiary=US" }],

  items: (offers, replies) =>
    responsesOf(replies, "addons").flatMap((response) => {
      const { addons, locale } = bodyOf(response, bodySchema);
      const rows = rowsOf(addons, addonSchema, "addons");
      const volume = volumeIn(matchingRows(rows));
      return offers.items(rows, (addon) => rowsOfAddon(addon, locale?.currencyCode, volume));
    }),
});

/** The volume of the default kind; those of local zones and of three availability zones have names of their own. */
function volumeIn(addons: readonly Addon[]): ReadDisk | undefined {
  const pricing = addons.find(({ planCode }) => planCode === "volume.high-speed.consumption")?.pricings[0];
  return pricing === undefined || pricing.price === 0
    ? undefined
    : { pricePerGbMonth: pricing.price * PRICE_UNIT * HOURS_OF_A_MONTH };
}

/**
 * @param currency Currency of the whole catalog, if it states one.
 * @param volume The volume that can be added; undefined if the catalog doesn't have its price.
 */
function rowsOfAddon(
  addon: Addon,
  currency: string | undefined,
  volume: ReadDisk | undefined,
): readonly (LiveRow | Rejection)[] | Rejection | undefined {
  const technical = addon.blobs?.technical;
  if (technical == null || (addon.blobs?.commercial?.brick !== "gpu" && technical.gpu == null)) {
    return undefined;
  }
  // Monthly plans end in .monthly.postpaid. After .consumption there may be the kind of region.
  const isHourly = /\.consumption(?:\.|$)/.test(addon.planCode);
  if (!isHourly || addon.planCode.startsWith("win-") || technical.os?.family === "windows") {
    return new Rejection("other_terms", `${addon.planCode} is not an hourly price without a license.`);
  }
  const regions = addon.configurations?.find(({ name }) => name === "region")?.values ?? [];
  return inRegions(rowOf(addon, technical, currency, volume), regions);
}

function rowOf(
  { planCode, pricings }: Addon,
  technical: Technical,
  stated: string | undefined,
  volume: ReadDisk | undefined,
): LiveMachine | Rejection {
  const [pricing, ...others] = pricings;
  if (pricing === undefined) {
    return new Rejection("no_price", `${planCode} has no price.`);
  }
  if (others.some(({ price }) => price !== pricing.price)) {
    return new Rejection("bad_price", `${planCode} has several prices.`);
  }
  const formatted = pricing.formattedPrice ?? "";
  const currency = stated ?? currencyIn(formatted);
  if (currency === "") {
    return new Rejection("unknown_currency", `The currency of ${planCode} is unknown: ${formatted.slice(0, 20)}.`);
  }
  const { gpu, cpu, memory, storage } = technical;
  const diskGb = (storage?.disks ?? []).reduce((sum, disk) => sum + (disk.capacity ?? 0) * (disk.number ?? 1), 0);
  return {
    instanceType: planCode.replace(/\.consumption/, ""),
    gpu: { name: gpu?.model ?? "", count: gpu?.number, vramGb: gpu?.memory?.size || undefined },
    priceHourly: pricing.price * PRICE_UNIT,
    currency,
    vcpu: cpu?.cores,
    ramGb: memory?.size,
    disk: { kind: "included", sizeGb: diskGb, volume },
    // Plans are named after the flavor, with the kind of region behind.
    listing: { instanceType: planCode.replace(/\.consumption.*$/, ""), seller: "cloud" },
  };
}

/** A catalog without a locale shows its currency only in the texts of its prices. */
function currencyIn(formattedPrice: string): string {
  if (formattedPrice.includes("€")) {
    return "EUR";
  }
  return /^\$ ?[\d.,]+$|^US\$|USD/.test(formattedPrice) ? "USD" : "";
}
