import { HOURS_OF_A_MONTH } from "@gpu-offers/domain";
import * as z from "zod";
import { Rejection } from "../rejection.js";
import { showValue } from "../shown-value.js";
import { builtInSource } from "./built-in-source.js";
import { pagesOf } from "./define-source.js";
import type { StatedDisk } from "../machine-disk.js";
import type { LiveRow } from "./live-offers.js";
import { bodiesOf, bodyOf, nameSchema, rowsOf, sizeSchema } from "./response.js";
import { currencyRejection, machineNamed, sellerOf, tierRejection } from "./terms.js";

// https://gpu.ai: a reseller's price list, paged by cursor. Pages may shift meanwhile, so an offering may appear twice.

const pageSchema = z.union([
  z.object({ data: z.array(z.unknown()), next_cursor: z.string().max(2000).nullish() }),
  z.array(z.unknown()).transform((data) => ({ data, next_cursor: null })),
]);

const offeringSchema = z.object({
  offering_id: z.union([nameSchema, z.number()]),
  gpu_type: nameSchema,
  gpu_count: z.number().min(0),
  // USD per hour of the whole configuration; the currency is not stated.
  price_per_hour: z.number().min(0),
  currency: z.string().nullish(),
  tier: z.string().nullish(),
  region: z.string().max(200).nullish(),
  // How many are free; an earlier form of the response says whether any is.
  available: z.union([z.number(), z.boolean()]).nullish(),
  cpu_cores: sizeSchema,
  // GB.
  ram_gb: sizeSchema,
  // Free disk of the host; 0 if unknown.
  storage_gb: sizeSchema,
  // The default disk, which can be changed if it is configurable.
  instance_disk_gb: sizeSchema,
  disk_configurable: z.boolean().nullish(),
  // USD per GB and hour.
  disk_price_per_gb_hour: z.number().min(0).nullish(),
  deployment_type: z.string().max(40).nullish(),
  capacity_class: z.string().max(40).nullish(),
});
type Offering = z.output<typeof offeringSchema>;

export const gpuai = builtInSource("gpuai", {
  requests: () =>
    pagesOf(
      (_, cursor?: string) => {
        const query = new URLSearchParams({ limit: "200", ...(cursor === undefined ? {} : { cursor }) });
        return { part: "pricing", url: `https://api.gpu.ai/v1/pricing?${query.toString()}` };
      },
      (reply) => bodyOf(reply, pageSchema).next_cursor,
    ),

  items(offers, replies) {
    const rows = bodiesOf(replies, "pricing", pageSchema).flatMap((body) => body.data);
    const seen = new Set<string>();
    return offers.items(rowsOf(rows, offeringSchema, "data"), (row) => {
      if (row.gpu_count === 0 || seen.has(String(row.offering_id))) {
        return undefined;
      }
      seen.add(String(row.offering_id));
      return tierRejection(row.tier, row.gpu_type) ?? currencyRejection(row.currency) ?? rowOf(row);
    });
  },
});

function rowOf(offering: Offering): LiveRow | Rejection {
  const deployment = offering.deployment_type ?? "";
  const type = machineNamed(deployment);
  if (type === undefined && deployment !== "") {
    return new Rejection("bad_row", `The deployment type is ${showValue(deployment)}, which is not known.`);
  }
  return {
    instanceType: String(offering.offering_id),
    region: offering.region || null,
    gpu: { name: offering.gpu_type, count: offering.gpu_count },
    priceHourly: offering.price_per_hour,
    isAvailable: Number(offering.available ?? 0) > 0,
    availability: offering.available == null ? "unknown" : undefined,
    stockLevel: typeof offering.available === "number" ? offering.available : null,
    vcpu: offering.cpu_cores,
    ramGb: offering.ram_gb,
    disk: diskOf(offering),
    listing: { providerOfferId: String(offering.offering_id), seller: sellerOf(offering.capacity_class) },
    type,
  };
}

/**
 * A disk of at least the default size, up to what the host has free. Whether the price includes the default isn't stated,
 * so all of it is charged: an estimate must never be too low.
 */
function diskOf({
  instance_disk_gb,
  storage_gb,
  disk_configurable,
  disk_price_per_gb_hour: price,
}: Offering): StatedDisk {
  const defaultGb = Math.floor(instance_disk_gb ?? 0);
  if (disk_configurable !== true) {
    return defaultGb > 0 ? { kind: "included", sizeGb: defaultGb } : { kind: "unpriced" };
  }
  return price == null || price === 0
    ? { kind: "unpriced" }
    : {
        kind: "chosen",
        pricePerGbMonth: price * HOURS_OF_A_MONTH,
        minGb: defaultGb,
        maxGb: Math.max(defaultGb, Math.floor(storage_gb ?? 0)),
      };
}
