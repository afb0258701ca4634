import { gpuFacts } from "../gpu/gpu-facts.js";
import type { Offer } from "./offer-schema.js";

// What a GPU gives for its price. The price is that of the GPUs; a chosen disk is not part of it.

/** Prices by what a GPU has, which lists can be sorted by. */
export const WORTH_KEYS = ["vramPrice", "bandwidthPrice", "bf16Price", "fp8Price"] as const;

/** One of {@link WORTH_KEYS}. */
export type WorthKey = (typeof WORTH_KEYS)[number];

type Amount = (gpu: Offer["gpu"]) => number | null;

/** What one GPU has, in the units of the price. */
const amounts: Readonly<Record<WorthKey, Amount>> = {
  vramPrice: ({ vramGB }) => vramGB,
  bandwidthPrice: ({ slug }) => thousands(gpuFacts(slug)?.memoryBandwidthGBs),
  bf16Price: ({ slug }) => thousands(gpuFacts(slug)?.bf16Tflops),
  fp8Price: ({ slug }) => thousands(gpuFacts(slug)?.fp8Tflops),
};

function thousands(figure: number | null | undefined): number | null {
  return figure === null || figure === undefined ? null : figure / 1000;
}

/**
 * Price per GPU and hour in USD by what the GPU has: GB of memory, TB/s of bandwidth, dense PFLOPS of BF16 or FP8. Null
 * if that figure of the GPU is unknown, or if it has no such unit. Not rounded.
 */
export function worth({ gpu, pricePerGpu }: Pick<Offer, "gpu" | "pricePerGpu">, key: WorthKey): number | null {
  const amount = amounts[key](gpu);
  return amount === null ? null : pricePerGpu / amount;
}

/** {@link worth} for many offers: the figure of a GPU is looked up once. */
export function worthReader(key: WorthKey): (offer: Pick<Offer, "gpu" | "pricePerGpu">) => number | null {
  if (key === "vramPrice") {
    return (offer) => worth(offer, key);
  }
  const known = new Map<string, number | null>();
  return ({ gpu, pricePerGpu }) => {
    let amount = known.get(gpu.slug);
    if (amount === undefined) {
      amount = amounts[key](gpu);
      known.set(gpu.slug, amount);
    }
    return amount === null ? null : pricePerGpu / amount;
  };
}
