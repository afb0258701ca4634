import type { InstanceFamily } from "./instance-family.js";

// A type that its name describes completely needs no row: type-name.ts reads it.

const latitude = { title: "Latitude.sh: GPU plans", url: "https://www.latitude.sh/pricing" };

/** Latitude.sh, whose resellers name the L40S plan an L40. */
export const latitudeInstances: readonly InstanceFamily[] = [
  {
    pattern: /^g3-l40s-(large)$/i,
    gpu: "l40s",
    soldAs: ["l40"],
    nvlink: false,
    sizes: { large: [8] },
    source: latitude,
  },
];
