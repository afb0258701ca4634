import { family, linked, type InstanceFamily } from "./instance-family.js";

// Types fully described by their name need no row: type-name.ts parses them.

const crusoe = {
  title: "Crusoe Cloud: virtual machine types",
  url: "https://docs.crusoecloud.com/compute/virtual-machines/overview",
};

/** Crusoe: `h100-80gb-sxm-ib.8x`; the number after the dot is the GPU count. */
export const crusoeInstances: readonly InstanceFamily[] = [
  family(/^b200-180gb-sxm-ib\.(\d+)x$/i, "b200", crusoe, "8:8", linked("InfiniBand 3200 Gbps")),
  family(/^gb200-186gb-nvl-ib\.(\d+)x$/i, "gb200", crusoe, "4:4", linked("InfiniBand 1600 Gbps")),
  family(/^h200-141gb-sxm-ib\.(\d+)x$/i, "h200-sxm", crusoe, "8:8,176", linked("InfiniBand 3200 Gbps")),
  family(/^h100-80gb-sxm-ib\.(\d+)x$/i, "h100-sxm", crusoe, "8:8,176,960", linked("InfiniBand 3200 Gbps")),
  family(/^a100-80gb-sxm-ib\.(\d+)x$/i, "a100-sxm-80gb", crusoe, "8:8,96,960", linked("InfiniBand 1600 Gbps")),
  {
    pattern: /^a100-80gb\.(\d+)x$/i,
    gpu: "a100-pcie-80gb",
    nvlink: null,
    sizes: { "1": [1, 12, 120], "2": [2, 24, 240], "4": [4, 48, 480], "8": [8, 96, 960] },
    source: crusoe,
  },
  family(/^a100\.(\d+)x$/i, "a100-pcie-40gb", crusoe, "1:1,12,120 2:2,24,240 4:4,48,480 8:8,96,960", { nvlink: null }),
  family(/^l40s-48gb\.(\d+)x$/i, "l40s", crusoe, "1:1,8,147 2:2,16,294 4:4,32,588 8:8,64,1176 10:10,80,1470"),
  family(/^a40\.(\d+)x$/i, "a40", crusoe, "1:1,6,60 2:2,12,120 4:4,24,240 8:8,48,480", { nvlink: null }),
  family(/^mi300x-192gb-ib\.(\d+)x$/i, "mi300x", crusoe, "8:8", { interconnect: "InfiniBand 3200 Gbps" }),
  family(/^mi355x-288gb(?:-\w+)?\.(\d+)x$/i, "mi355x", crusoe, "8:8"),
];
