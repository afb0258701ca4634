import { family, type InstanceFamily } from "./instance-family.js";

// Types fully described by their name need no row: type-name.ts parses them.

const ovh = { title: "OVHcloud Public Cloud: cloud GPU", url: "https://www.ovhcloud.com/en/public-cloud/gpu/" };

/** OVHcloud: the number in a flavor is its memory. */
export const ovhInstances: readonly InstanceFamily[] = [
  family(/^h100-(\d+)$/i, "h100-pcie", ovh, "380:1,30,380 760:2,60,760 1520:4,120,1520", { nvlink: null }),
  family(/^a100-(\d+)$/i, "a100-pcie-80gb", ovh, "180:1,15,180 360:2,30,360 720:4,60,720", { nvlink: null }),
  family(/^t1-(?:le-)?(\d+)$/i, "v100-pcie-16gb", ovh, "45:1,8,45 90:2,18,90 180:4,36,180", { nvlink: null }),
  {
    pattern: /^t2-(?:le-)?(\d+)$/i,
    gpu: "v100s",
    soldAs: ["v100"],
    nvlink: null,
    sizes: { "45": [1, 15, 45], "90": [2, 30, 90], "180": [4, 60, 180] },
    source: ovh,
  },
  family(/^l40s-(\d+)$/i, "l40s", ovh, "90:1,15,90 180:2,30,180 360:4,60,360"),
  family(/^l4-(\d+)$/i, "l4", ovh, "90:1,22,90 180:2,45,180 360:4,90,360"),
  family(/^a10-(\d+)$/i, "a10", ovh, "45:1,30,45 90:2,60,90 180:4,120,180"),
];
