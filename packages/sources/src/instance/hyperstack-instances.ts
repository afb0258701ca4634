import type { InstanceFamily } from "./instance-family.js";

// Types fully described by their name need no row: type-name.ts parses them.

const hyperstack = { title: "Hyperstack: flavors", url: "https://docs.hyperstack.cloud/docs/hardware/flavors/" };

// Only the `-NVLink` flavors have bridges between pairs of cards.
const hyperstackPcie = {
  "1": [1],
  "2": [2, undefined, undefined, { nvlink: false }],
  "4": [4, undefined, undefined, { nvlink: false }],
  "8": [8, undefined, undefined, { nvlink: false }],
  "8-nvlink": [8, undefined, undefined, { nvlink: true }],
} as const;

/** Hyperstack: `n3-H100x8-NVLink`. Plain H100 and A100 are PCIe cards; `-bigroot`, `-K` and the like don't affect GPUs. */
export const hyperstackInstances: readonly InstanceFamily[] = [
  {
    pattern: /^n\d-h100x(\d+-nvlink|\d+)(?:-(?!sxm)\w+)*$/i,
    gpu: "h100-pcie",
    nvlink: null,
    sizes: hyperstackPcie,
    source: hyperstack,
  },
  {
    pattern: /^n\d-a100x(\d+-nvlink|\d+)(?:-(?!sxm)\w+)*$/i,
    gpu: "a100-pcie-80gb",
    nvlink: null,
    sizes: hyperstackPcie,
    source: hyperstack,
  },
];
