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
      "List GPU models: slugs, dense figures, prices per GPU without disks, their age; samples are not for sale, unverified hosts not counted.",
    input,
    output,
    check: async ({ gpu = [] }) => problemsOf(gpu, await listCatalogGpus(catalog)),
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
function slugsOf(name: string, gpus: readonly GpuEntry[]): readonly string[] {
  const selection = selectGpus(name, gpus);
  return selection.kind === "known" ? selection.slugs : [];
}

/** What is wrong with names of GPUs. */
export function problemsOf(names: readonly string[], gpus: readonly GpuEntry[]): string[] {
  return names.flatMap((name) => {
    const selection = selectGpus(name, gpus);
    if (selection.kind === "known") {
      return [];
    }
    const { nearest } = selection;
    const hint = nearest.length === 0 ? "list_gpus lists them." : `Did you mean ${nearest.join(", ")}?`;
    return [`gpu: ${JSON.stringify(name)} is unknown. ${hint}`];
  });
}

function rowOf({ slug, vramGB, memoryBandwidthGBs, bf16Tflops, fp8Tflops, market }: GpuEntry) {
  const { rentable, pricePerGpu, spotMin, pricesAsOf, sample, basis } = market;
  return {
    slug,
    vramGb: vramGB,
    bandwidthGBs: memoryBandwidthGBs ?? undefined,
    bf16Tflops: bf16Tflops ?? undefined,
    fp8Tflops: fp8Tflops ?? undefined,
    rentable,
    minUsdPerGpuHour: pricePerGpu?.min,
    medianUsdPerGpuHour: pricePerGpu?.median,
    spotUsdPerGpuHour: spotMin ?? undefined,
    inStock: basis.live || undefined,
    listed: basis.listed || undefined,
    stockUnknown: basis.unknown || undefined,
    ageDays: pricesAsOf === null ? undefined : daysSince(pricesAsOf),
    sample: sample || undefined,
  };
}
