import type { GpuModel, GpuResolution } from "@gpu-offers/domain";
import { Rejection } from "./rejection.js";
import { showValue } from "./shown-value.js";

/** The rejection for a GPU name without a model. */
export function gpuRejection(name: string, resolution: Exclude<GpuResolution, { kind: "gpu" }>): Rejection {
  const shown = showValue(name);
  if (resolution.kind === "not-gpu") {
    return new Rejection("not_a_gpu", `${shown} is not a GPU but ${resolution.name}.`);
  }
  if (resolution.kind === "ambiguous") {
    const slugs = resolution.candidates.map(({ slug }) => slug);
    return new Rejection("ambiguous_gpu", `${shown} may be ${slugs.join(" or ")}.`);
  }
  if (resolution.kind === "mismatch") {
    const stated = Math.round(resolution.vramGb * 10) / 10;
    return new Rejection("vram_mismatch", `${shown} has ${sizesOf(resolution.models)} GB, not ${stated}.`);
  }
  return new Rejection("unknown_gpu", `${shown} is not in the table of GPU models.`, name);
}

function sizesOf(models: readonly GpuModel[]): string {
  return [...new Set(models.map(({ vramGb }) => vramGb))].join(" or ");
}
