import { HOURS_OF_A_MONTH, resolveGpu } from "@gpu-offers/domain";
import * as z from "zod";
import { Rejection } from "../rejection.js";
import { builtInSource } from "./built-in-source.js";
import { bearer } from "./define-source.js";
import type { LiveRow } from "./live-offers.js";
import { listOf, listUnder, nameSchema, nestedRowsOf, rowsIn } from "./response.js";

// https://dashboard.tensordock.com/api/docs/fetch-hostnodes: locations with the GPUs that can be deployed there now. GPUs,
// vCPUs, memory and disk are sold apart, so the price of a machine is the sum of its parts.

const bodySchema = z.object({ data: listUnder("locations") }).transform(({ data }) => data);

const locationSchema = z.object({
  id: nameSchema,
  city: z.string().nullish(),
  stateprovince: z.string().nullish(),
  country: z.string().nullish(),
  gpus: listOf(z.unknown()),
});
type Location = z.output<typeof locationSchema>;

const gpuSchema = z.object({
  v0Name: nameSchema,
  displayName: z.string().nullish(),
  max_count: z.int().min(0),
  // USD per hour of one GPU.
  price_per_hr: z.number().min(0),
  resources: z.object({
    max_vcpus: z.number().min(0),
    max_ram_gb: z.number().min(0),
    max_storage_gb: z.number().min(0),
  }),
  // USD per hour.
  pricing: z.object({
    per_vcpu_hr: z.number().min(0),
    per_gb_ram_hr: z.number().min(0),
    per_gb_storage_hr: z.number().min(0),
  }),
});
type LocationGpu = z.output<typeof gpuSchema>;

const MAX_GPUS = 16;
/** https://dashboard.tensordock.com/api/docs/instance-creation: "Minimum storage: 100GB". */
const MIN_DISK_GB = 100;

export const tensordock = builtInSource("tensordock", {
  auth: bearer,
  requests: [{ part: "locations", url: "https://dashboard.tensordock.com/api/v2/locations" }],

  items: (offers, replies) =>
    offers.each(rowsIn(replies, "locations", bodySchema, locationSchema), (location, where) =>
      location.gpus.length === 0
        ? [{ kind: "skipped", where }]
        : offers.items(nestedRowsOf(location.gpus, gpuSchema, `${where}.gpus`), (row) => {
            const counts = Math.min(row.max_count, MAX_GPUS);
            return counts === 0
              ? undefined
              : Array.from({ length: counts }, (_, index) => rowOf(location, row, index + 1));
          }),
    ),
});

function rowOf(location: Location, gpu: LocationGpu, count: number): LiveRow | Rejection {
  const { resources, pricing, v0Name } = gpu;
  const card = resolveGpu(v0Name);
  const size =
    card.kind === "gpu"
      ? machineSize(card.model.vramGb * count, resources.max_vcpus, resources.max_ram_gb)
      : { vcpu: 0, ramGb: 0 };
  if (size === undefined || resources.max_storage_gb < MIN_DISK_GB) {
    return new Rejection("not_rentable", `${v0Name} has too little memory, vCPUs or disk left for a machine.`);
  }
  const { vcpu, ramGb } = size;
  return {
    // The location's id, because a city may have several.
    instanceType: `${location.id} ${count}x ${v0Name}`,
    region: placeName(location),
    regionIdentifies: false,
    place: { country: location.country ?? undefined, city: location.city ?? undefined },
    // The item of an unknown or ambiguous card contains the reason.
    gpu: { name: v0Name, otherNames: gpu.displayName == null ? [] : [gpu.displayName], count },
    priceHourly: count * gpu.price_per_hr + vcpu * pricing.per_vcpu_hr + ramGb * pricing.per_gb_ram_hr,
    isAvailable: true,
    stockLevel: `up to ${gpu.max_count} GPUs`,
    vcpu,
    ramGb,
    disk: {
      kind: "chosen",
      pricePerGbMonth: pricing.per_gb_storage_hr * HOURS_OF_A_MONTH,
      minGb: MIN_DISK_GB,
      maxGb: Math.floor(resources.max_storage_gb),
    },
    // A machine is rented at a location, with these GPUs.
    listing: { instanceType: v0Name, providerOfferId: location.id },
  };
}

/** `Austin, Texas, United States`. */
function placeName({ city, stateprovince, country }: Location): string | null {
  const names = [city, stateprovince, country].filter((name) => name != null && name !== "");
  return names.length === 0 ? null : names.join(", ").slice(0, 200);
}

/**
 * The machine to list for GPUs with this much memory in GB: as much memory, and one vCPU for each 4 GB, within what is free;
 * undefined if nothing is.
 */
function machineSize(vramGb: number, maxVcpu: number, maxRamGb: number): { vcpu: number; ramGb: number } | undefined {
  const ramGb = Math.min(Math.ceil(vramGb), Math.floor(maxRamGb));
  const vcpu = Math.min(Math.ceil(ramGb / 4), Math.floor(maxVcpu));
  return vcpu >= 1 && ramGb >= 1 ? { vcpu, ramGb } : undefined;
}
