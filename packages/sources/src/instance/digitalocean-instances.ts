import type { InstanceFamily } from "./instance-family.js";

// Types fully described by their name need no row: type-name.ts parses them.

const digitalOcean = {
  title: "DigitalOcean GPU Droplets: features",
  url: "https://docs.digitalocean.com/products/droplets/details/features/#gpu-droplets",
};

/** DigitalOcean: `gpu-h100x8-640gb`; the memory is of all GPUs, and `-contracted` or `-base` may follow. */
export const digitalOceanInstances: readonly InstanceFamily[] = [
  {
    pattern: /^gpu-h100x(\d+)-\d+gb(?:-\w+)?$/i,
    gpu: "h100-sxm",
    nvlink: true,
    sizes: { "1": [1, 20, 240], "8": [8, 160, 1920] },
    source: digitalOcean,
  },
  {
    pattern: /^gpu-h200x(\d+)-\d+gb(?:-\w+)?$/i,
    gpu: "h200-sxm",
    nvlink: true,
    sizes: { "1": [1, 24, 240], "8": [8, 192, 1920] },
    source: digitalOcean,
  },
  {
    pattern: /^gpu-mi300x(\d+)-\d+gb(?:-\w+)?$/i,
    gpu: "mi300x",
    nvlink: false,
    sizes: { "1": [1, 20, 240], "8": [8, 160, 1920] },
    source: digitalOcean,
  },
  {
    pattern: /^gpu-mi325x(\d+)-\d+gb(?:-\w+)?$/i,
    gpu: "mi325x",
    nvlink: false,
    sizes: { "1": [1, 20, 164], "8": [8, 160, 1310] },
    source: digitalOcean,
  },
  {
    pattern: /^gpu-l40sx(\d+)-\d+gb(?:-\w+)?$/i,
    gpu: "l40s",
    nvlink: false,
    sizes: { "1": [1, 8, 64] },
    source: digitalOcean,
  },
  {
    pattern: /^gpu-4000adax(\d+)-\d+gb(?:-\w+)?$/i,
    gpu: "rtx-4000-ada",
    nvlink: false,
    sizes: { "1": [1, 8, 32] },
    source: digitalOcean,
  },
  {
    pattern: /^gpu-6000adax(\d+)-\d+gb(?:-\w+)?$/i,
    gpu: "rtx-6000-ada",
    nvlink: false,
    sizes: { "1": [1, 8, 64] },
    source: digitalOcean,
  },
];
