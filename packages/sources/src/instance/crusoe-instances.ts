import { sizesOf, type InstanceFamily } from "./instance-family.js";

// Types fully described by their name need no row: type-name.ts parses them.

const crusoe = {
  title: "Crusoe Cloud: virtual machine types",
  url: "https://docs.crusoecloud.com/compute/virtual-machines/overview",
};

/** Crusoe: `h100-80gb-sxm-ib.8x`; the number after the dot is the GPU count. */
export const crusoeInstances: readonly InstanceFamily[] = [
  {
    pattern: /^b200-180gb-sxm-ib\.(\d+)x$/i,
    gpu: "b200",
    nvlink: true,
    interconnect: "InfiniBand 3200 Gbps",
    sizes: { "8": [8] },
    source: crusoe,
  },
  {
    pattern: /^gb200-186gb-nvl-ib\.(\d+)x$/i,
    gpu: "gb200",
    nvlink: true,
    interconnect: "InfiniBand 1600 Gbps",
    sizes: { "4": [4] },
    source: crusoe,
  },
  {
    pattern: /^h200-141gb-sxm-ib\.(\d+)x$/i,
    gpu: "h200-sxm",
    nvlink: true,
    interconnect: "InfiniBand 3200 Gbps",
    sizes: { "8": [8, 176] },
    source: crusoe,
  },
  {
    pattern: /^h100-80gb-sxm-ib\.(\d+)x$/i,
    gpu: "h100-sxm",
    nvlink: true,
    interconnect: "InfiniBand 3200 Gbps",
    sizes: { "8": [8, 176, 960] },
    source: crusoe,
  },
  {
    pattern: /^a100-80gb-sxm-ib\.(\d+)x$/i,
    gpu: "a100-sxm-80gb",
    nvlink: true,
    interconnect: "InfiniBand 1600 Gbps",
    sizes: { "8": [8, 96, 960] },
    source: crusoe,
  },
  {
    pattern: /^a100-80gb\.(\d+)x$/i,
    gpu: "a100-pcie-80gb",
    nvlink: null,
    sizes: { "1": [1, 12, 120], "2": [2, 24, 240], "4": [4, 48, 480], "8": [8, 96, 960] },
    source: crusoe,
  },
  {
    pattern: /^a100\.(\d+)x$/i,
    gpu: "a100-pcie-40gb",
    nvlink: null,
    sizes: { "1": [1, 12, 120], "2": [2, 24, 240], "4": [4, 48, 480], "8": [8, 96, 960] },
    source: crusoe,
  },
  {
    pattern: /^l40s-48gb\.(\d+)x$/i,
    gpu: "l40s",
    nvlink: false,
    sizes: sizesOf("1:1,8,147 2:2,16,294 4:4,32,588 8:8,64,1176 10:10,80,1470"),
    source: crusoe,
  },
  {
    pattern: /^a40\.(\d+)x$/i,
    gpu: "a40",
    nvlink: null,
    sizes: { "1": [1, 6, 60], "2": [2, 12, 120], "4": [4, 24, 240], "8": [8, 48, 480] },
    source: crusoe,
  },
  {
    pattern: /^mi300x-192gb-ib\.(\d+)x$/i,
    gpu: "mi300x",
    nvlink: false,
    interconnect: "InfiniBand 3200 Gbps",
    sizes: { "8": [8] },
    source: crusoe,
  },
  {
    pattern: /^mi355x-288gb(?:-\w+)?\.(\d+)x$/i,
    gpu: "mi355x",
    nvlink: false,
    sizes: { "8": [8] },
    source: crusoe,
  },
];
