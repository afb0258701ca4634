import type { InstanceFamily } from "./instance-family.js";

// Types fully described by their name need no row: type-name.ts parses them.

const nebius = {
  title: "Nebius AI Cloud: types of virtual machines and GPUs",
  url: "https://docs.nebius.com/compute/virtual-machines/types",
};

const nebiusPresets = { "1": [1], "2": [2], "4": [4], "8": [8] } as const;

const nebiusCluster = { "1": [1], "8": [8, undefined, undefined, { interconnect: "InfiniBand 3200 Gbps" }] } as const;

/** Nebius: platform and preset, `gpu-h100-sxm_8gpu-128vcpu-1600gb`. The preset states vCPUs and memory. */
export const nebiusInstances: readonly InstanceFamily[] = [
  {
    pattern: /^gpu-h100-sxm(?:-\w+)?[_ ](\d+)gpu-\d+vcpu-\d+gb$/i,
    gpu: "h100-sxm",
    nvlink: true,
    sizes: nebiusCluster,
    source: nebius,
  },
  {
    pattern: /^gpu-h200-sxm(?:-\w+)?[_ ](\d+)gpu-\d+vcpu-\d+gb$/i,
    gpu: "h200-sxm",
    nvlink: true,
    sizes: nebiusCluster,
    source: nebius,
  },
  {
    pattern: /^gpu-b200-sxm(?:-\w+)?[_ ](\d+)gpu-\d+vcpu-\d+gb$/i,
    gpu: "b200",
    nvlink: true,
    sizes: nebiusCluster,
    source: nebius,
  },
  {
    pattern: /^gpu-b300-sxm(?:-\w+)?[_ ](\d+)gpu-\d+vcpu-\d+gb$/i,
    gpu: "b300",
    nvlink: true,
    sizes: { "1": [1], "8": [8, undefined, undefined, { interconnect: "InfiniBand 6400 Gbps" }] },
    source: nebius,
  },
  {
    pattern: /^gpu-l40s(?:-\w+)?[_ ](\d+)gpu-\d+vcpu-\d+gb$/i,
    gpu: "l40s",
    nvlink: false,
    sizes: nebiusPresets,
    source: nebius,
  },
  {
    pattern: /^gpu-rtx6000(?:-\w+)?[_ ](\d+)gpu-\d+vcpu-\d+gb$/i,
    gpu: "rtx-pro-6000-server",
    // SkyPilot's catalog names the card after the platform: RTX6000.
    soldAs: ["quadro-rtx-6000"],
    nvlink: false,
    sizes: nebiusPresets,
    source: nebius,
  },
];
