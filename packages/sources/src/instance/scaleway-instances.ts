import { family, linked, type InstanceFamily } from "./instance-family.js";

// Types fully described by their name need no row: type-name.ts parses them.

const scaleway = {
  title: "Scaleway: choosing the right GPU Instance type",
  url: "https://www.scaleway.com/en/docs/gpu/reference-content/choosing-gpu-instance-type/",
};

/** Scaleway: `H100-SXM-8-80G` is model, count and memory of one card. */
export const scalewayInstances: readonly InstanceFamily[] = [
  family(/^b300-sxm-(\d+)-288g$/i, "b300", scaleway, "8:8", linked()),
  family(/^h100-sxm-(\d+)-80g$/i, "h100-sxm", scaleway, "2:2,32,240 4:4,64,480 8:8,128,960", linked()),
  family(/^h100-(\d+)-80g$/i, "h100-pcie", scaleway, "1:1,24,240 2:2,48,480", { nvlink: null }),
  family(/^l40s-(\d+)-48g$/i, "l40s", scaleway, "1:1,8,96 2:2,16,192 4:4,32,384 8:8,64,768"),
  family(/^l4-(\d+)-24g$/i, "l4", scaleway, "1:1,8,48 2:2,16,96 4:4,32,192 8:8,64,384"),
  family(/^(render)-s$/i, "p100-pcie-16gb", scaleway, "render:1,10,42"),
  family(/^gpu-(3070)-s$/i, "rtx-3070", scaleway, "3070:1,8,16"),
];
