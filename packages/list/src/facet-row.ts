import type { WantedImage } from "@gpu-offers/domain";

// The lines of the facets: number inputs, switches, and the offers' values with counts.

/** Filters that are lists of the offers' values. */
export type ValueKey = "gpu" | "continent" | "country" | "provider" | "region";

/** Facets of an image: OS and CUDA version. */
export const IMAGE_KEYS = ["os", "cuda"] as const satisfies readonly (keyof WantedImage)[];
/** One of {@link IMAGE_KEYS}. */
export type ImageKey = (typeof IMAGE_KEYS)[number];

/** Filters that are numbers, with their labels and whether they take decimals. */
export const NUMBERS = [
  { key: "diskGb", label: "Required disk, GB", isPrice: false },
  { key: "maxTotalHourly", label: "Max $/h with disk", isPrice: true },
  { key: "maxPricePerGpu", label: "Max $/GPU-h", isPrice: true },
  { key: "budget", label: "Budget, $", isPrice: true },
  { key: "minVramGb", label: "Min VRAM, GB", isPrice: false },
  { key: "minTotalVramGb", label: "Min total VRAM", isPrice: false },
  { key: "minRamGb", label: "Min RAM, GB", isPrice: false },
  { key: "minVcpu", label: "Min vCPU", isPrice: false },
  { key: "minGpuCount", label: "Min GPUs", isPrice: false },
  { key: "maxGpuCount", label: "Max GPUs", isPrice: false },
] as const;
/** One of {@link NUMBERS}. */
export type NumberFacet = (typeof NUMBERS)[number];

/** Filters that are switches. */
export const FLAGS = [
  { key: "available", label: "Available" },
  { key: "nvlink", label: "NVLink" },
] as const;
type FlagKey = (typeof FLAGS)[number]["key"];

/** A line of the facets. */
export type FacetRow =
  | { kind: "number"; facet: NumberFacet; label: string; value: number | undefined }
  | { kind: "flag"; key: FlagKey; label: string; isSet: boolean }
  | ValueRow;

/** A value of a group, with the number of offers that choosing it shows. */
export interface ValueRow {
  kind: "value";
  key: ValueKey | ImageKey;
  group: string;
  value: string;
  label: string;
  count: number;
  isSet: boolean;
}

/** Orders the values of a group: highest count first. */
export function compareValues(a: ValueRow, b: ValueRow): number {
  return b.count - a.count || (a.value < b.value ? -1 : 1);
}
