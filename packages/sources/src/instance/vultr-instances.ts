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
    pattern: /^vbm-\d+c-\d+gb-([48])-a100-gpu$/i,
    gpu: "a100-80gb",
    nvlink: null,
    sizes: { "4": [4], "8": [8] },
    source: vultr,
  },
  // 384 GB in all: the plan has L40S cards, which only its id calls L40.
  {
    pattern: /^vbm-\d+c-\d+gb-(8)-l40-gpu$/i,
    gpu: "l40s",
    soldAs: ["l40"],
    nvlink: false,
    sizes: { "8": [8] },
    source: vultr,
  },
  {
    pattern: /^vbm-(72)c-480gb-gh200-gpu$/i,
    gpu: "gh200-96gb",
    nvlink: false,
    sizes: { "72": [1] },
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
