import type { InstanceFamily } from "./instance-family.js";

// Types fully described by their name need no row: type-name.ts parses them.

const linode = {
  title: "Akamai cloud computing: GPU Linodes",
  url: "https://techdocs.akamai.com/cloud-computing/docs/gpu-compute-instances",
};

/** Akamai, formerly Linode: `g2-gpu-rtx4000a2-s`; the number after the GPU is the GPU count. */
export const linodeInstances: readonly InstanceFamily[] = [
  {
    pattern: /^g1-gpu-rtx6000-(\d+)$/i,
    gpu: "quadro-rtx-6000",
    nvlink: false,
    sizes: { "1": [1, 8, 32], "2": [2, 16, 64], "3": [3, 20, 96], "4": [4, 24, 128] },
    source: linode,
  },
  {
    pattern: /^g2-gpu-rtx4000a(\d+)-(?:s|m|l|xl|hs)$/i,
    gpu: "rtx-4000-ada",
    nvlink: false,
    sizes: { "1": [1], "2": [2], "4": [4] },
    source: linode,
  },
];
