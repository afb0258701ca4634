import { family, linked, type InstanceFamily } from "./instance-family.js";

// Types fully described by their name need no row: type-name.ts parses them.

const vultr = { title: "Vultr Cloud GPU and bare metal plans", url: "https://www.vultr.com/products/bare-metal/" };

/** Vultr's bare metal, whose API has the GPU only in the name. Cloud GPU plans include shares, so they need their memory. */
export const vultrInstances: readonly InstanceFamily[] = [
  family(/^vbm-\d+c-\d+gb-(8)-h100-gpu$/i, "h100-sxm", vultr, "8:8", linked()),
  family(/^vbm-\d+c-\d+gb-([48])-a100-gpu$/i, "a100-80gb", vultr, "4:4 8:8", { nvlink: null }),
  // 384 GB in all: the plan has L40S cards, which only its id calls L40.
  {
    pattern: /^vbm-\d+c-\d+gb-(8)-l40-gpu$/i,
    gpu: "l40s",
    soldAs: ["l40"],
    nvlink: false,
    sizes: { "8": [8] },
    source: vultr,
  },
  family(/^vbm-(72)c-480gb-gh200-gpu$/i, "gh200-96gb", vultr, "72:1"),
  family(/^vbm-\d+c-\d+gb-(8)-b200-gpu$/i, "b200", vultr, "8:8", linked()),
  family(/^vbm-\d+c-\d+gb-(8)-mi300x-gpu$/i, "mi300x", vultr, "8:8"),
  family(/^vbm-\d+c-\d+gb-(8)-mi325x-gpu$/i, "mi325x", vultr, "8:8"),
  family(/^vbm-\d+c-\d+gb-(8)-mi355x-gpu$/i, "mi355x", vultr, "8:8"),
];
