import { family, type InstanceFamily } from "./instance-family.js";

// Types fully described by their name need no row: type-name.ts parses them.

const linode = {
  title: "Akamai cloud computing: GPU Linodes",
  url: "https://techdocs.akamai.com/cloud-computing/docs/gpu-compute-instances",
};

/** Akamai, formerly Linode: `g2-gpu-rtx4000a2-s`; the number after the GPU is the GPU count. */
export const linodeInstances: readonly InstanceFamily[] = [
  family(/^g1-gpu-rtx6000-(\d+)$/i, "quadro-rtx-6000", linode, "1:1,8,32 2:2,16,64 3:3,20,96 4:4,24,128"),
  family(/^g2-gpu-rtx4000a(\d+)-(?:s|m|l|xl|hs)$/i, "rtx-4000-ada", linode, "1:1 2:2 4:4"),
];
