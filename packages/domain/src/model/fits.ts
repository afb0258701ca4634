import { findGpuModel } from "../gpu/resolve-gpu.js";
import { memoryNeed, type MemoryNeed } from "./memory-need.js";
import { isSoldOut } from "../offer/availability.js";
import type { ListedOffer } from "../offer/listed-offer.js";
import type { Offer } from "../offer/offer-schema.js";
import { weightsDiskGb, type ModelNeed } from "../text/model-need.js";

// Whether a model fits into the memory of an offer's GPUs, about.

/** `fits` with room to spare, `tight` without, or `no`. */
export type Fit = "fits" | "tight" | "no";

/** How a model fits into GPUs. */
export interface FitResult {
  /** `fits`, `tight` or `no`. */
  fit: Fit;
  /** Memory that is needed, GB. */
  neededGb: number;
  /** Memory that can be used, GB. */
  usableGb: number;
  /** Why an offer cannot be used although its memory suffices; null if it can. */
  reason: string | null;
}

type FittedOffer = Pick<Offer, "gpu" | "gpuCount" | "nvlinkEnabled">;

/** Share of the memory that inference servers use: vLLM's default of `gpu_memory_utilization`. */
const USABLE_SHARE = 0.9;

/** Share of the weights to spare for activations and CUDA graphs. */
const SPARE_SHARE = 0.1;

/** Numbers of GPUs that inference servers split a model over. */
const FIT_COUNTS = [1, 2, 4, 8] as const;

const linkedForms: ReadonlySet<string | null> = new Set(["SXM", "OAM", "SH5", "Superchip"]);

/**
 * How a model fits into `count` GPUs of `vramGb` GB each. It is tight if weights and KV cache take at most 0.9 of the
 * memory, and fits if a tenth of the weights is left of that besides.
 */
export function fitInto(count: number, vramGb: number, need: MemoryNeed): FitResult {
  const usableGb = USABLE_SHARE * count * vramGb;
  const neededGb = need.weights.gb + need.kvCache.gb * (need.kvCache.perGpu ? count : 1);
  const spareGb = SPARE_SHARE * need.weights.gb;
  const fit = neededGb + spareGb <= usableGb ? "fits" : neededGb <= usableGb ? "tight" : "no";
  return { fit, neededGb, usableGb, reason: null };
}

/**
 * How a model fits into an offer, about. Models are split over 1, 2, 4 or 8 GPUs; 4 or 8 must be linked: SXM or OAM
 * modules, superchips, or NVLink.
 */
export function fitOf(offer: FittedOffer, need: MemoryNeed): FitResult {
  const { gpu, gpuCount } = offer;
  const result = fitInto(gpuCount, gpu.vramGB, need);
  const reason = result.fit === "no" ? null : splitProblem(offer);
  return reason === null ? result : { ...result, fit: "no", reason };
}

function splitProblem({ gpu, gpuCount, nvlinkEnabled }: FittedOffer): string | null {
  if (!FIT_COUNTS.some((count) => count === gpuCount)) {
    return `models are split over 1, 2, 4 or 8 GPUs, not ${gpuCount}`;
  }
  const isLinked = nvlinkEnabled || linkedForms.has(findGpuModel(gpu.slug)?.formFactor ?? null);
  return gpuCount >= 4 && !isLinked ? `${gpuCount} GPUs without a known link between them are too slow` : null;
}

/** Whether a model fits into an offer: see {@link fitOf}. */
export function fits(offer: FittedOffer, need: MemoryNeed): Fit {
  return fitOf(offer, need).fit;
}

/** An offer that a model fits into. */
export interface FittingOffer {
  /** The offer: prices in USD per hour, sizes in GB. */
  offer: Offer;
  /** How the model fits into it. */
  result: FitResult;
}

/**
 * The cheapest offer that a model fits into, for each GPU and number of GPUs; cheapest first, fewer GPUs first at equal
 * prices. Offers that are sold out don't count.
 */
export function cheapestFits(offers: Iterable<ListedOffer>, need: MemoryNeed): FittingOffer[] {
  const best = new Map<string, FittingOffer>();
  for (const offer of offers) {
    const key = `${offer.gpu.slug} ${offer.gpuCount}`;
    const known = best.get(key);
    if (!isSoldOut(offer) && (known === undefined || isCheaper(offer, known.offer))) {
      const result = fitOf(offer, need);
      if (result.fit !== "no") {
        best.set(key, { offer, result });
      }
    }
  }
  return [...best.values()].sort(({ offer: a }, { offer: b }) => (isCheaper(a, b) ? -1 : 1));
}

function isCheaper(a: Offer, b: Offer): boolean {
  return (a.priceHourly - b.priceHourly || a.gpuCount - b.gpuCount || (a.id < b.id ? -1 : 1)) < 0;
}

/** A filter for offers that a model fits, be it tightly. Compiled, so that filters alone don't need the tables of GPUs. */
export interface ModelFilter {
  /** The model. */
  wanted: ModelNeed;
  /** Whole GB of a disk for its weights, see `weightsDiskGb`. */
  diskGb: number;
  /** Whether the model fits an offer. */
  matches: (offer: FittedOffer) => boolean;
}

/** Compiles the filter for a model. */
export function modelFilter(wanted: ModelNeed): ModelFilter {
  const memory = memoryNeed(wanted);
  return { wanted, diskGb: weightsDiskGb(wanted), matches: (offer) => fits(offer, memory) !== "no" };
}
