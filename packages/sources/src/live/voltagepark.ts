import * as z from "zod";
import { Rejection } from "../rejection.js";
import { builtInSource } from "./built-in-source.js";
import { inPlaces, type LiveMachine, type LivePlace, type LiveRow } from "./live-offers.js";
import { decimalSchema, listOf, listUnder, nameSchema, rowsIn, sizeSchema } from "./response.js";

// https://docs.voltagepark.com: presets of virtual machines, and whole nodes by location.

const API = "https://cloud-api.voltagepark.com/api/v1";

const presetSchema = z.object({
  id: nameSchema,
  resources: z.object({
    gpus: z.record(nameSchema, z.object({ count: z.int().min(0) })).default({}),
    vcpu_count: sizeSchema,
    ram_gb: sizeSchema,
    storage_gb: sizeSchema,
  }),
  // USD per hour for the whole machine, as text; both are charged.
  compute_rate_hourly: decimalSchema,
  storage_rate_hourly: decimalSchema,
  location_ids_with_availability: listOf(nameSchema),
});
type PresetMachine = Omit<z.output<typeof presetSchema>, "location_ids_with_availability">;

const locationSchema = z.object({
  id: nameSchema,
  gpu_count_ethernet: z.number().min(0).nullish(),
  // USD per GPU and hour; set even if none is free.
  gpu_price_ethernet: decimalSchema.nullish(),
  gpu_count_infiniband: z.number().min(0).nullish(),
  gpu_price_infiniband: decimalSchema.nullish(),
  specs_per_node: z.object({
    gpu_model: nameSchema,
    gpu_count: z.int().min(1),
    cpu_count: sizeSchema,
    ram_gb: sizeSchema,
    storage_gb: sizeSchema,
  }),
});
type Location = z.output<typeof locationSchema>;

// Presets by location: the newer list of the same machines.
const siteSchema = z.object({
  id: nameSchema,
  available_presets: z.array(presetSchema.extend({ available_vms: z.number().min(0).nullish() })),
});
const rowSchema = z.union([presetSchema, siteSchema, locationSchema]);

export const voltagepark = builtInSource("voltagepark", {
  requests: [
    { part: "presets", url: `${API}/instant-deploy-presets/`, alsoAt: ["GET virtual-machines/instant/locations"] },
    { part: "bare-metal", url: `${API}/bare-metal/locations` },
  ],

  items: (offers, replies) =>
    ["presets", "bare-metal"].flatMap((part) =>
      offers.items(rowsIn(replies, part, listUnder("", "results"), rowSchema), (row) => {
        if ("specs_per_node" in row) {
          return nodesOf(row);
        }
        if ("resources" in row) {
          const places = row.location_ids_with_availability.map((region) => ({ region, isAvailable: true }));
          return rowsOfPreset(row, places);
        }
        const presets = row.available_presets.flatMap(({ available_vms: free, ...preset }) => {
          const isFree = (free ?? 0) > 0;
          const availability = free == null ? "unknown" : undefined;
          const region = isFree ? row.id : null;
          return rowsOfPreset(preset, [{ region, isAvailable: isFree, availability, stockLevel: free }]) ?? [];
        });
        return presets.length === 0 ? undefined : presets;
      }),
    ),
});

/** The machine of a preset in its places; undefined if it has no GPU. */
function rowsOfPreset(preset: PresetMachine, places: readonly LivePlace[]): (LiveRow | Rejection)[] | undefined {
  const { gpus, vcpu_count: vcpu, ram_gb: ramGb, storage_gb: sizeGb } = preset.resources;
  const [first, ...others] = Object.entries(gpus).filter(([, { count }]) => count > 0);
  if (first === undefined) {
    return undefined;
  }
  if (others.length > 0) {
    return [new Rejection("ambiguous_gpu", `The preset ${preset.id} has several kinds of GPUs.`)];
  }
  const [name, { count }] = first;
  const machine: LiveMachine = {
    instanceType: preset.id,
    gpu: { name, count },
    priceHourly: preset.compute_rate_hourly + preset.storage_rate_hourly,
    vcpu,
    ramGb,
    disk: { kind: "included", sizeGb: sizeGb ?? 0 },
    listing: { instanceType: preset.id, seller: "cloud" },
  };
  return inPlaces(machine, places);
}

function nodesOf(location: Location): LiveRow[] {
  const { id: region, specs_per_node: node } = location;
  const networks = [
    { network: "ethernet", interconnect: null } as const,
    { network: "infiniband", interconnect: "InfiniBand" } as const,
  ];
  return networks.flatMap(({ network, interconnect }): LiveRow[] => {
    const { [`gpu_count_${network}` as const]: free, [`gpu_price_${network}` as const]: price } = location;
    if (price == null) {
      return [];
    }
    const row: LiveRow = {
      instanceType: `bare-metal-${node.gpu_count}x-${node.gpu_model}-${network}`,
      region,
      gpu: { name: node.gpu_model, count: node.gpu_count },
      priceHourly: price * node.gpu_count,
      isAvailable: (free ?? 0) >= node.gpu_count,
      availability: free == null ? "unknown" : undefined,
      stockLevel: free == null ? null : `${free} GPUs`,
      vcpu: node.cpu_count,
      ramGb: node.ram_gb,
      disk: { kind: "included", sizeGb: node.storage_gb ?? 0 },
      interconnect,
      // What one rents is nodes of a location; they have no type.
      listing: { seller: "cloud" },
      type: "bare-metal",
    };
    return [row];
  });
}
