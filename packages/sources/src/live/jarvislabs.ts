import * as z from "zod";
import { Rejection } from "../rejection.js";
import { builtInSource } from "./built-in-source.js";
import { bearer } from "./define-source.js";
import type { LiveRow } from "./live-offers.js";
import { decimalSchema, listUnder, nameSchema, rowsIn, sizeSchema } from "./response.js";
import { spotTerms } from "./terms.js";

// https://docs.jarvislabs.ai: GPUs by region, once for containers and once for virtual machines, with what is free. The
// user chooses how many GPUs a machine has.

const groupSchema = z.object({
  gpu_type: nameSchema,
  region: nameSchema,
  num_free_devices: sizeSchema,
  effective_num_free_devices: sizeSchema,
  // USD per hour of one GPU.
  price_per_hour: z.number().min(0).nullable(),
  spot_price: z.number().min(0).nullish(),
  // GB of one GPU, as text.
  vram: decimalSchema.nullish(),
  cpus_per_gpu: sizeSchema,
  ram_per_gpu: sizeSchema,
  // Older rows have none; their machines are virtual.
  workload_type: z.string().nullish(),
  // Most GPUs of one machine, as text.
  num_gpus: decimalSchema.nullish(),
});
type Group = z.output<typeof groupSchema>;

const MAX_GPUS = 16;

export const jarvislabs = builtInSource("jarvislabs", {
  auth: bearer,
  requests: [{ part: "server_meta", url: "https://backendn.jarvislabs.net/misc/server_meta" }],

  items: (offers, replies) =>
    offers.items(rowsIn(replies, "server_meta", listUnder("server_meta"), groupSchema), (row) => {
      const counts = Math.max(1, Math.min(Math.floor(row.num_gpus ?? 1), MAX_GPUS));
      return Array.from({ length: counts }, (_, index) => rowOf(row, index + 1));
    }),
});

function rowOf(group: Group, count: number): LiveRow | Rejection {
  const type = group.workload_type ?? "vm";
  if (type !== "vm" && type !== "container") {
    return new Rejection("other_terms", `${group.gpu_type} is for ${type.slice(0, 40)}, which is no machine.`);
  }
  if (group.price_per_hour === null) {
    return new Rejection("no_price", `${group.gpu_type} has no price.`);
  }
  const stated = group.effective_num_free_devices ?? group.num_free_devices;
  const free = stated ?? 0;
  return {
    instanceType: `${count}x ${group.gpu_type} (${type})`,
    region: group.region,
    gpu: { name: group.gpu_type, count, vramGb: group.vram ?? undefined },
    priceHourly: count * group.price_per_hour,
    isAvailable: count <= free,
    availability: stated == null ? "unknown" : undefined,
    stockLevel: stated,
    vcpu: group.cpus_per_gpu == null ? null : count * group.cpus_per_gpu,
    ramGb: group.ram_per_gpu == null ? null : count * group.ram_per_gpu,
    disk: { kind: "unpriced" },
    type,
    listing: {
      instanceType: group.gpu_type,
      seller: "cloud",
      spot: spotTerms(group.spot_price == null ? null : count * group.spot_price),
    },
  };
}
