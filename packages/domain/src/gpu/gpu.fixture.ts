import type { GpuResolution } from "./resolve-gpu.js";

/** The slug, or the kind of result if it isn't a single GPU. */
export function told(resolution: GpuResolution): string {
  return resolution.kind === "gpu" ? resolution.model.slug : resolution.kind;
}

/** Converts mebibytes, as drivers report them, to gigabytes. */
export const mib = (size: number) => size / 1024;
