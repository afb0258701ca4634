import type { InstanceFamily } from "./instance-family.js";

// Types fully described by their name need no row: type-name.ts parses them.

const scaleway = {
  title: "Scaleway: choosing the right GPU Instance type",
  url: "https://www.scaleway.com/en/docs/gpu/reference-content/choosing-gpu-instance-type/",
};

/** Scaleway: `H100-SXM-8-80G` is model, count and memory of one card. */
export const scalewayInstances: readonly InstanceFamily[] = [
  {
    pattern: /^b300-sxm-(\d+)-288g$/i,
    gpu: "b300",
    nvlink: true,
    sizes: { "8": [8] },
    source: scaleway,
  },
  {
    pattern: /^h100-sxm-(\d+)-80g$/i,
    gpu: "h100-sxm",
    nvlink: true,
    sizes: { "2": [2, 32, 240], "4": [4, 64, 480], "8": [8, 128, 960] },
    source: scaleway,
  },
  {
    pattern: /^h100-(\d+)-80g$/i,
    gpu: "h100-pcie",
    nvlink: null,
    sizes: { "1": [1, 24, 240], "2": [2, 48, 480] },
    source: scaleway,
  },
  {
    pattern: /^l40s-(\d+)-48g$/i,
    gpu: "l40s",
    nvlink: false,
    sizes: { "1": [1, 8, 96], "2": [2, 16, 192], "4": [4, 32, 384], "8": [8, 64, 768] },
    source: scaleway,
  },
  {
    pattern: /^l4-(\d+)-24g$/i,
    gpu: "l4",
    nvlink: false,
    sizes: { "1": [1, 8, 48], "2": [2, 16, 96], "4": [4, 32, 192], "8": [8, 64, 384] },
    source: scaleway,
  },
  {
    pattern: /^(render)-s$/i,
    gpu: "p100-pcie-16gb",
    nvlink: false,
    sizes: { render: [1, 10, 42] },
    source: scaleway,
  },
  {
    pattern: /^gpu-(3070)-s$/i,
    gpu: "rtx-3070",
    nvlink: false,
    sizes: { "3070": [1, 8, 16] },
    source: scaleway,
  },
];
