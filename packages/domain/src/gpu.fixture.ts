import type { GpuResolution } from "./gpu.js";

/** The slug, or the kind where the response is no single GPU. */
export function told(resolution: GpuResolution): string {
  return resolution.kind === "gpu" ? resolution.model.slug : resolution.kind;
}

/** Gigabytes of so many mebibytes, as drivers tell them. */
export const mib = (size: number) => size / 1024;
