import { resolveGpu } from "@gpu-offers/domain";
import * as z from "zod";
import { Rejection } from "../rejection.js";
import { defineSource } from "./define-source.js";
import type { LiveOffers, LiveRow } from "./live-offers.js";
import type { LiveItem, LiveReply } from "./live-source.js";
import { machineSize } from "./machine-size.js";
import { bodyOf, decimalSchema, nameSchema, responsesOf, rowsOf, sizeSchema } from "./response.js";

// https://www.cudocompute.com/docs/api: machine types by data center. GPUs, vCPUs, memory, disk and address are sold
// apart, so the price of a machine is the sum of its parts.

const bodySchema = z.object({ machineTypes: z.array(z.unknown()) });

// USD per hour of one part, as text.
const priceSchema = z.object({ value: decimalSchema });

const typeSchema = z.object({
  dataCenterId: nameSchema,
  machineType: nameSchema,
  gpuModel: z.string().nullish(),
  minVcpuPerMemoryGib: sizeSchema,
  maxVcpuPerMemoryGib: sizeSchema,
  minVcpuPerGpu: sizeSchema,
  maxVcpuPerGpu: sizeSchema,
  vcpuPriceHr: priceSchema,
  memoryGibPriceHr: priceSchema,
  gpuPriceHr: priceSchema,
  minStorageGibPriceHr: priceSchema,
  ipv4PriceHr: priceSchema,
  // What one host has free; the totals are of all hosts.
  maxVcpuFree: sizeSchema,
  maxMemoryGibFree: sizeSchema,
  maxGpuFree: sizeSchema,
  maxStorageGibFree: sizeSchema,
});
type MachineType = z.output<typeof typeSchema>;

/** Of the GPUs of one host. */
const MAX_GPUS = 16;
/** The API states no minimum of a disk; images need about this much. */
const MIN_DISK_GB = 10;

export const cudo = defineSource({
  name: "cudo",
  title: "CUDO Compute",
  homepage: "https://www.cudocompute.com",
  kind: "marketplace",
  optionalSecrets: ["CUDO_API_KEY"],
  hosts: ["rest.compute.cudo.org"],
  intervalSeconds: 600,
  stock: "live",
  verified: true,
  terms: "The provider's API; its documentation asks for a key, but machine types are readable without one.",
  includes: "prices of GPU, vCPU, memory, disk and address by data center, free GPUs of a host",
  omits: "machine sizes: one is listed per number of GPUs, with as much memory as the GPUs have; NVLink",
  unit: "USD per hour of each part, as text",

  *requests({ secrets }) {
    const key = secrets["CUDO_API_KEY"] ?? "";
    yield {
      part: "machine-types",
      main: true,
      method: "GET",
      url: "https://rest.compute.cudo.org/v1/vms/machine-types",
      ...(key === "" ? {} : { headers: { authorization: `Bearer ${key}` } }),
    };
  },

  items,
});

function* items(offers: LiveOffers, replies: readonly LiveReply[]): Generator<LiveItem> {
  const rows = responsesOf(replies, "machine-types").flatMap((response) => bodyOf(response, bodySchema).machineTypes);
  yield offers.providerItem();
  yield* offers.items(rowsOf(rows, typeSchema, "machineTypes"), (row) => {
    const counts = Math.max(1, Math.min(Math.floor(row.maxGpuFree ?? 0), MAX_GPUS));
    return (row.gpuModel ?? "") === ""
      ? undefined
      : Array.from({ length: counts }, (_, index) => rowOf(row, index + 1));
  });
}

function rowOf(type: MachineType, count: number): LiveRow | Rejection {
  const name = type.gpuModel ?? "";
  const gpu = resolveGpu(name);
  const { vcpu, ramGb } = (gpu.kind === "gpu" ? sizeOf(type, count, gpu.model.vramGb) : undefined) ?? {
    vcpu: 0,
    ramGb: 0,
  };
  if (gpu.kind === "gpu" && vcpu === 0) {
    return new Rejection("not_rentable", `The limits of ${type.machineType} exclude every machine.`);
  }
  const { gpuPriceHr, vcpuPriceHr, memoryGibPriceHr, ipv4PriceHr, minStorageGibPriceHr } = type;
  const freeGpus = type.maxGpuFree ?? 0;
  const hasRoom = vcpu <= (type.maxVcpuFree ?? 0) && ramGb <= (type.maxMemoryGibFree ?? 0);
  return {
    // As SkyPilot names it: memory, GPUs, vCPUs.
    instanceType: `${type.machineType}_${ramGb}x${count}v${vcpu}gb`,
    region: type.dataCenterId,
    // The item of an unknown or ambiguous card contains the reason.
    gpu: { name, count },
    priceHourly:
      count * gpuPriceHr.value + vcpu * vcpuPriceHr.value + ramGb * memoryGibPriceHr.value + ipv4PriceHr.value,
    isAvailable: count <= freeGpus && hasRoom,
    vcpu,
    ramGb,
    disk: {
      kind: "chosen",
      costPerGb: minStorageGibPriceHr.value,
      minGb: MIN_DISK_GB,
      maxGb: Math.max(MIN_DISK_GB, Math.floor(type.maxStorageGibFree ?? 0)),
    },
    // The price of the cheapest disk; faster ones cost more.
    costDataComplete: false,
    listing: { instanceType: type.machineType },
  };
}

function sizeOf(type: MachineType, count: number, vramGb: number): { vcpu: number; ramGb: number } | undefined {
  const { minVcpuPerMemoryGib, maxVcpuPerMemoryGib, minVcpuPerGpu, maxVcpuPerGpu } = type;
  return machineSize(vramGb * count, {
    minVcpu: count * (minVcpuPerGpu ?? 0),
    maxVcpu: count * (maxVcpuPerGpu ?? Infinity),
    minVcpuPerGb: minVcpuPerMemoryGib ?? 0,
    maxVcpuPerGb: maxVcpuPerMemoryGib ?? Infinity,
  });
}
