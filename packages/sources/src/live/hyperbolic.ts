import { statedAvailability } from "@gpu-offers/domain";
import * as z from "zod";
import { Rejection } from "../rejection.js";
import { showValue } from "../shown-value.js";
import { builtInSource } from "./built-in-source.js";
import type { LiveRow } from "./live-offers.js";
import { listOf, listUnder, nameSchema, rowsIn, sizeSchema } from "./response.js";
import { machineNamed } from "./terms.js";

// https://docs.hyperbolic.xyz: options for on-demand rental.

const optionSchema = z.object({
  id: nameSchema.nullish(),
  // US cents for the whole option. What the host receives (providerCostPerHourCents) is not the price.
  costPerHourCents: z.int().min(0),
  gpuCount: z.number().min(0),
  gpuType: nameSchema,
  gpuFormFactor: z.string().max(40).nullish(),
  region: z.string().max(200).nullish(),
  // Omitted by most options: a list of what can be rented says nothing against them.
  totalAvailable: z.number().nullish(),
  enabled: z.boolean().nullish(),
  machineType: z.string().max(40).nullish(),
  connectionType: z.string().max(40).nullish(),
  ethernetVariant: z.string().max(40).nullish(),
  nodes: listOf(
    z.object({
      // Virtual machines state vCPUs, bare-metal machines the cores of their processors; GB.
      vcpuCount: sizeSchema,
      cpuCount: sizeSchema,
      ramGb: sizeSchema,
      storageGb: sizeSchema,
    }),
  ),
});
type Option = z.output<typeof optionSchema>;

export const hyperbolic = builtInSource("hyperbolic", {
  requests: [{ part: "options", url: "https://api.hyperbolic.ai/v2/alpha/on-demand/rental-options" }],

  items: (offers, replies) =>
    offers.items(rowsIn(replies, "options", listUnder("", "data"), optionSchema), (row) =>
      row.gpuCount === 0 ? undefined : rowOf(row),
    ),
});

function rowOf(option: Option): LiveRow | Rejection {
  if (option.enabled === false) {
    return new Rejection("not_rentable", `The option of ${option.gpuType} is disabled.`);
  }
  const [node, ...others] = option.nodes;
  if (others.length > 0) {
    return new Rejection(
      "other_terms",
      `The option of ${option.gpuType} is a cluster of ${option.nodes.length} machines.`,
    );
  }
  const type = machineNamed(option.machineType ?? "");
  if (option.machineType != null && type === undefined) {
    return new Rejection("bad_row", `The machine type is ${showValue(option.machineType)}, which is not a known kind.`);
  }
  const form = option.gpuFormFactor ?? "";
  const name = `${option.gpuType} ${form}`.trim();
  return {
    instanceType: `${option.gpuCount}x ${name}`,
    region: option.region || null,
    gpu: { name: option.gpuType, otherNames: form === "" ? [] : [name], count: option.gpuCount },
    priceHourly: option.costPerHourCents / 100,
    isAvailable: option.totalAvailable == null || option.totalAvailable > 0,
    ...(option.totalAvailable != null && {
      availability: statedAvailability("live", option.totalAvailable > 0),
      stockLevel: option.totalAvailable,
    }),
    vcpu: node?.vcpuCount ?? node?.cpuCount,
    ramGb: node?.ramGb,
    disk: node?.storageGb ? { kind: "included", sizeGb: node.storageGb } : { kind: "unpriced" },
    interconnect: interconnectOf(option),
    listing: { instanceType: option.gpuType, providerOfferId: option.id },
    type,
  };
}

/** The network between machines, if it is made for GPUs. */
function interconnectOf({ connectionType, ethernetVariant }: Option): string | null {
  if (connectionType?.toLowerCase() === "infiniband") {
    return "InfiniBand";
  }
  return /^roce/i.test(ethernetVariant ?? "") ? "RoCE" : null;
}
