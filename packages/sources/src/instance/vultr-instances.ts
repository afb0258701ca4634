import type { InstanceFamily } from "./instance-family.js";

// Types fully described by their name need no row: type-name.ts parses them.

const vultr = { title: "Vultr Cloud GPU and bare metal plans", url: "https://www.vultr.com/products/bare-metal/" };

/** Vultr's bare metal, whose API has the GPU only in the name. Cloud GPU plans include shares, so they need their memory. */
export const vultrInstances: readonly InstanceFamily[] = [
  {
    pattern: /^vbm-\d+c-\d+gb-(8)-h100-gpu$/i,
    gpu: "h100-sxm",
    nvlink: true,
    sizes: { "8": [8] },
    source: vultr,
  },
  {
    pattern: /^vbm-\d+c-\d+gb-(8)-b200-gpu$/i,
    gpu: "b200",
    nvlink: true,
    sizes: { "8": [8] },
    source: vultr,
  },
  {
    pattern: /^vbm-\d+c-\d+gb-(8)-mi300x-gpu$/i,
    gpu: "mi300x",
    nvlink: false,
    sizes: { "8": [8] },
    source: vultr,
  },
  {
    pattern: /^vbm-\d+c-\d+gb-(8)-mi325x-gpu$/i,
    gpu: "mi325x",
    nvlink: false,
    sizes: { "8": [8] },
    source: vultr,
  },
  {
    pattern: /^vbm-\d+c-\d+gb-(8)-mi355x-gpu$/i,
    gpu: "mi355x",
    nvlink: false,
    sizes: { "8": [8] },
    source: vultr,
  },
];
