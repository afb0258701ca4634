import { selectGpus, type GpuEntry } from "@gpu-offers/domain";
import * as z from "zod";
import { listCatalogGpus, type AgentCatalog } from "./agent-catalog.js";
import { daysSince } from "./oldest-price.js";
import type { Tool } from "./tool.js";

const input = z.strictObject({
  gpu: z.array(z.string().max(64)).min(1).max(20).describe("Names or families; omit for all offered").optional(),
  limit: z.int().min(1).max(50).default(10),
});

const output = z.object({
  total: z.number(),
  // The fields of a row are in rowOf; listing them here would cost every agent a hundred tokens.
  gpus: z.array(z.looseObject({ slug: z.string(), rentable: z.number() })),
});

/** `list_gpus`: which GPUs there are, what they can do and cost. */
export function listGpus(catalog: AgentCatalog): Tool<typeof input, typeof output> {
  return {
    name: "list_gpus",
    title: "List GPUs",
    description:
      "List GPU models: slugs, dense figures, prices per GPU without disks, their age; samples are not for sale.",
    input,
    output,
    check: async ({ gpu = [] }) => {
      const gpus = await listCatalogGpus(catalog);
      return gpu.flatMap((name) => problemOf(name, gpus) ?? []);
    },
    run: async ({ gpu, limit }) => {
      const gpus = await listCatalogGpus(catalog);
      const wanted = gpu && new Set(gpu.flatMap((name) => slugsOf(name, gpus)));
      const found = gpus
        .filter(({ slug, market }) => (wanted === undefined ? market.offers > 0 : wanted.has(slug)))
        .sort((a, b) => b.market.rentable - a.market.rentable);
      return { total: found.length, gpus: found.slice(0, limit).map(rowOf) };
    },
  };
}

/** The slugs that a name means; none if it is unknown. */
export function slugsOf(name: string, gpus: readonly GpuEntry[]): readonly string[] {
  const selection = selectGpus(name, gpus);
  return selection.kind === "known" ? selection.slugs : [];
}

/** What is wrong with a GPU's name; undefined if nothing is. */
export function problemOf(name: string, gpus: readonly GpuEntry[]): string | undefined {
  const selection = selectGpus(name, gpus);
  if (selection.kind === "known") {
    return undefined;
  }
  const hint =
    selection.nearest.length === 0 ? "list_gpus lists them." : `Did you mean ${selection.nearest.join(", ")}?`;
  return `gpu: ${JSON.stringify(name)} is unknown. ${hint}`;
}

function rowOf({ slug, vramGB, memoryBandwidthGBs, bf16Tflops, fp8Tflops, market }: GpuEntry) {
  const { rentable, pricePerGpu, spotMin, pricesAsOf, sample, basis } = market;
  return {
    slug,
    vramGb: vramGB,
    ...(memoryBandwidthGBs !== null && { bandwidthGBs: memoryBandwidthGBs }),
    ...(bf16Tflops !== null && { bf16Tflops }),
    ...(fp8Tflops !== null && { fp8Tflops }),
    rentable,
    ...(pricePerGpu !== null && {
      minUsdPerGpuHour: pricePerGpu.min,
      medianUsdPerGpuHour: pricePerGpu.median,
    }),
    ...(spotMin !== null && { spotUsdPerGpuHour: spotMin }),
    ...(basis.live > 0 && { inStock: basis.live }),
    ...(pricesAsOf !== null && { ageDays: daysSince(pricesAsOf) }),
    ...(sample && { sample: true as const }),
  };
}
