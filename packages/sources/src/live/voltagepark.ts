import * as z from "zod";
import { Rejection } from "../rejection.js";
import { LiveOffers, uniqueOffers, type LiveRow } from "./live-offers.js";
import type { LiveItem, LiveReply, LiveSource } from "./live-source.js";
import { bodyOf, decimalSchema, listOf, nameSchema, responsesOf, rowsOf, sizeSchema } from "./response.js";

// https://docs.voltagepark.com: presets of virtual machines, and whole nodes by location.

const API = "https://cloud-api.voltagepark.com/api/v1";

const listSchema = z.union([
  z.array(z.unknown()),
  z.object({ results: z.array(z.unknown()) }).transform(({ results }) => results),
]);

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
type Preset = z.output<typeof presetSchema>;

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

export const voltagepark: LiveSource = {
  name: "voltagepark",
  title: "Voltage Park",
  homepage: "https://www.voltagepark.com",
  type: "vm",
  kind: "list",
  secrets: [],
  optionalSecrets: [],
  hosts: ["cloud-api.voltagepark.com"],
  intervalSeconds: 1800,
  maxBytes: 4 * 1024 * 1024,
  spacingMs: 1000,
  stock: "live",
  verified: true,
  currency: "USD",
  mayBeEmpty: false,
  scopes: null,
  terms: "The provider's public API; presets and locations are readable without a key.",
  includes: "price, stock by location, vCPUs, memory, included disk",
  omits: "where its locations are",
  unit: "USD per hour, whole machine in two parts, as text; bare metal of one GPU",

  *requests() {
    yield {
      part: "presets",
      main: true,
      method: "GET",
      url: `${API}/instant-deploy-presets/`,
      alsoAt: ["GET virtual-machines/instant/locations"],
    };
    yield { part: "bare-metal", main: true, method: "GET", url: `${API}/bare-metal/locations` };
  },

  read(replies, context) {
    return uniqueOffers(items(new LiveOffers(voltagepark, context), replies));
  },
};

function* items(offers: LiveOffers, replies: readonly LiveReply[]): Generator<LiveItem> {
  yield offers.providerItem();
  for (const part of ["presets", "bare-metal"]) {
    const rows = responsesOf(replies, part).flatMap((response) => bodyOf(response, listSchema));
    for (const { where, row } of rowsOf(rows, rowSchema, part)) {
      if (row instanceof Rejection) {
        yield offers.item(where, row);
      } else if ("specs_per_node" in row) {
        yield* nodeOffers(offers, where, row);
      } else if ("resources" in row) {
        yield* presetOffers(offers, where, row);
      } else {
        for (const { available_vms: free, ...preset } of row.available_presets) {
          yield* presetOffers(offers, where, {
            ...preset,
            location_ids_with_availability: (free ?? 0) > 0 ? [row.id] : [],
          });
        }
      }
    }
  }
}

function* presetOffers(offers: LiveOffers, where: string, preset: Preset): Generator<LiveItem> {
  const row = presetRow(preset);
  const places = new Set(preset.location_ids_with_availability);
  if (row === undefined) {
    yield { kind: "skipped", where };
  } else if (row instanceof Rejection) {
    yield offers.item(where, row);
  } else if (places.size === 0) {
    yield offers.item(where, { ...row, region: null, isAvailable: false });
  } else {
    for (const region of places) {
      yield offers.item(where, { ...row, region, isAvailable: true });
    }
  }
}

function presetRow(preset: Preset): Omit<LiveRow, "region" | "isAvailable"> | Rejection | undefined {
  const { gpus, vcpu_count: vcpu, ram_gb: ramGb, storage_gb: sizeGb } = preset.resources;
  const [first, ...others] = Object.entries(gpus).filter(([, { count }]) => count > 0);
  if (first === undefined) {
    return undefined;
  }
  if (others.length > 0) {
    return new Rejection("ambiguous_gpu", `The preset ${preset.id} has several kinds of GPUs.`);
  }
  const [name, { count }] = first;
  return {
    instanceType: preset.id,
    gpu: { name, count },
    priceHourly: preset.compute_rate_hourly + preset.storage_rate_hourly,
    vcpu,
    ramGb,
    disk: { kind: "included", sizeGb: sizeGb ?? 0 },
    listing: { instanceType: preset.id, seller: "cloud" },
  };
}

function* nodeOffers(offers: LiveOffers, where: string, location: Location): Generator<LiveItem> {
  const { specs_per_node: node } = location;
  const networks = [
    { network: "ethernet", free: location.gpu_count_ethernet, price: location.gpu_price_ethernet, interconnect: null },
    {
      network: "infiniband",
      free: location.gpu_count_infiniband,
      price: location.gpu_price_infiniband,
      interconnect: "InfiniBand",
    },
  ];
  for (const { network, free, price, interconnect } of networks) {
    if (price == null) {
      continue;
    }
    yield offers.item(where, {
      instanceType: `bare-metal-${node.gpu_count}x-${node.gpu_model}-${network}`,
      region: location.id,
      gpu: { name: node.gpu_model, count: node.gpu_count },
      priceHourly: price * node.gpu_count,
      isAvailable: (free ?? 0) >= node.gpu_count,
      vcpu: node.cpu_count,
      ramGb: node.ram_gb,
      disk: { kind: "included", sizeGb: node.storage_gb ?? 0 },
      interconnect,
      // What one rents is nodes of a location; they have no type.
      listing: { seller: "cloud" },
      type: "bare-metal",
    });
  }
}
