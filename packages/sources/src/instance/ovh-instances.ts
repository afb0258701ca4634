import type { InstanceFamily } from "./instance-family.js";

// Types fully described by their name need no row: type-name.ts parses them.

const ovh = { title: "OVHcloud Public Cloud: cloud GPU", url: "https://www.ovhcloud.com/en/public-cloud/gpu/" };

/** OVHcloud: the number in a flavor is its memory. */
export const ovhInstances: readonly InstanceFamily[] = [
  {
    pattern: /^h100-(\d+)$/i,
    gpu: "h100-pcie",
    nvlink: null,
    sizes: { "380": [1, 30, 380], "760": [2, 60, 760], "1520": [4, 120, 1520] },
    source: ovh,
  },
  {
    pattern: /^a100-(\d+)$/i,
    gpu: "a100-pcie-80gb",
    nvlink: null,
    sizes: { "180": [1, 15, 180], "360": [2, 30, 360], "720": [4, 60, 720] },
    source: ovh,
  },
  {
    pattern: /^t1-(?:le-)?(\d+)$/i,
    gpu: "v100-pcie-16gb",
    nvlink: null,
    sizes: { "45": [1, 8, 45], "90": [2, 18, 90], "180": [4, 36, 180] },
    source: ovh,
  },
  {
    pattern: /^t2-(?:le-)?(\d+)$/i,
    gpu: "v100s",
    soldAs: ["v100"],
    nvlink: null,
    sizes: { "45": [1, 15, 45], "90": [2, 30, 90], "180": [4, 60, 180] },
    source: ovh,
  },
  {
    pattern: /^l40s-(\d+)$/i,
    gpu: "l40s",
    nvlink: false,
    sizes: { "90": [1, 15, 90], "180": [2, 30, 180], "360": [4, 60, 360] },
    source: ovh,
  },
  {
    pattern: /^l4-(\d+)$/i,
    gpu: "l4",
    nvlink: false,
    sizes: { "90": [1, 22, 90], "180": [2, 45, 180], "360": [4, 90, 360] },
    source: ovh,
  },
  {
    pattern: /^a10-(\d+)$/i,
    gpu: "a10",
    nvlink: false,
    sizes: { "45": [1, 30, 45], "90": [2, 60, 90], "180": [4, 120, 180] },
    source: ovh,
  },
];
