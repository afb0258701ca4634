import type { InstanceFamily } from "./instance-family.js";

// A type that its name describes completely needs no row: type-name.ts reads it.

const hyperstack = { title: "Hyperstack: flavors", url: "https://docs.hyperstack.cloud/docs/hardware/flavors/" };

// Pairs of cards have a bridge in the `-NVLink` flavors alone.
const hyperstackPcie = {
  "1": [1],
  "2": [2, undefined, undefined, { nvlink: false }],
  "4": [4, undefined, undefined, { nvlink: false }],
  "8": [8, undefined, undefined, { nvlink: false }],
  "8-nvlink": [8, undefined, undefined, { nvlink: true }],
} as const;

/** Hyperstack: `n3-H100x8-NVLink`. Plain H100 and A100 are PCIe cards; `-bigroot`, `-K` and the like change no GPU. */
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
