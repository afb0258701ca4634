import { fits } from "./fits.js";
import { memoryNeed } from "./memory-need.js";
import type { ModelNeed } from "../text/model-need.js";
import type { Offer } from "../offer/offer-schema.js";

/** A filter for offers that a model fits, be it tightly. Compiled, so that filters alone don't need the tables of GPUs. */
export interface ModelFilter {
  /** The model. */
  wanted: ModelNeed;
  /** Whether the model fits an offer. */
  matches: (offer: Pick<Offer, "gpu" | "gpuCount" | "nvlinkEnabled">) => boolean;
}

/** Compiles the filter for a model. */
export function modelFilter(wanted: ModelNeed): ModelFilter {
  const memory = memoryNeed(wanted);
  return { wanted, matches: (offer) => fits(offer, memory) !== "no" };
}
