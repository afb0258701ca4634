import type { InstanceFamily } from "./instance-family.js";

// Types fully described by their name need no row: type-name.ts parses them.

const latitude = { title: "Latitude.sh: GPU plans", url: "https://www.latitude.sh/pricing" };

/** Latitude.sh, whose resellers call the L40S plan an L40. */
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
