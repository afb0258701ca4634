import type { InstanceFamily } from "./instance-family.js";

// Instance types of clouds that mostly rent GPUs, one page a cloud. A type that its name describes completely needs no row:
// type-name.ts reads it.

const crusoe = {
  title: "Crusoe Cloud: virtual machine types",
  url: "https://docs.crusoecloud.com/compute/virtual-machines/overview",
};
const digitalOcean = {
  title: "DigitalOcean GPU Droplets: features",
  url: "https://docs.digitalocean.com/products/droplets/details/features/#gpu-droplets",
};
const lambda = { title: "Lambda: on-demand instance types", url: "https://docs.lambda.ai/public-cloud/on-demand/" };
const nebius = {
  title: "Nebius AI Cloud: types of virtual machines and GPUs",
  url: "https://docs.nebius.com/compute/virtual-machines/types",
};
const hyperstack = { title: "Hyperstack: flavors", url: "https://docs.hyperstack.cloud/docs/hardware/flavors/" };
const linode = {
  title: "Akamai cloud computing: GPU Linodes",
  url: "https://techdocs.akamai.com/cloud-computing/docs/gpu-compute-instances",
};
const ovh = { title: "OVHcloud Public Cloud: cloud GPU", url: "https://www.ovhcloud.com/en/public-cloud/gpu/" };
const scaleway = {
  title: "Scaleway: choosing the right GPU Instance type",
  url: "https://www.scaleway.com/en/docs/gpu/reference-content/choosing-gpu-instance-type/",
};
const vultr = { title: "Vultr Cloud GPU and bare metal plans", url: "https://www.vultr.com/products/bare-metal/" };
const latitude = { title: "Latitude.sh: GPU plans", url: "https://www.latitude.sh/pricing" };

/** Crusoe: `h100-80gb-sxm-ib.8x`; the number behind the point is that of the GPUs. */
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
    sizes: {
      "1": [1, 8, 147],
      "2": [2, 16, 294],
      "4": [4, 32, 588],
      "8": [8, 64, 1176],
      "10": [10, 80, 1470],
    },
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

/** DigitalOcean: `gpu-h100x8-640gb`; the memory is that of all GPUs, and `-contracted` or `-base` may follow. */
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

/** Lambda: the plain `a100` is a PCIe card in types of one to four, and an SXM module in that of eight. */
export const lambdaInstances: readonly InstanceFamily[] = [
  {
    pattern: /^gpu_(\d+)x_a100$/i,
    gpu: "a100-pcie-40gb",
    nvlink: null,
    sizes: {
      "1": [1, 30, 200],
      "2": [2, 60, 400],
      "4": [4, 120, 800],
      "8": [8, 124, 1800, { gpu: "a100-sxm-40gb", nvlink: true }],
    },
    source: lambda,
  },
  {
    pattern: /^gpu_(\d+)x_a100_sxm4$/i,
    gpu: "a100-sxm-40gb",
    nvlink: true,
    sizes: { "1": [1, 30, 200], "8": [8, 124, 1800] },
    source: lambda,
  },
  {
    pattern: /^gpu_(\d+)x_a100_80gb(?:_sxm4?)?$/i,
    gpu: "a100-sxm-80gb",
    nvlink: true,
    sizes: { "8": [8, 240, 1800] },
    source: lambda,
  },
  {
    pattern: /^gpu_(\d+)x_v100(?:_n)?$/i,
    gpu: "v100-sxm-16gb",
    nvlink: true,
    sizes: { "8": [8, 88, 448] },
    source: lambda,
  },
  {
    pattern: /^gpu_(\d+)x_h100_sxm5$/i,
    gpu: "h100-sxm",
    nvlink: true,
    sizes: { "1": [1, 26, 225], "2": [2, 52, 450], "4": [4, 104, 900], "8": [8, 208, 1800] },
    source: lambda,
  },
  {
    pattern: /^gpu_(\d+)x_b200_sxm6$/i,
    gpu: "b200",
    nvlink: true,
    sizes: { "1": [1, 26, 360], "2": [2, 52, 720], "4": [4, 104, 1440], "8": [8, 208, 2900] },
    source: lambda,
  },
  {
    pattern: /^gpu_(\d+)x_gh200$/i,
    gpu: "gh200-96gb",
    nvlink: false,
    sizes: { "1": [1, 64, 432] },
    source: lambda,
  },
  {
    pattern: /^gpu_(\d+)x_rtx6000$/i,
    gpu: "quadro-rtx-6000",
    nvlink: false,
    sizes: { "1": [1, 14, 46] },
    source: lambda,
  },
];

// Pairs of cards have a bridge in the `-NVLink` flavors alone.
const hyperstackPcie = {
  "1": [1],
  "2": [2, undefined, undefined, { nvlink: false }],
  "4": [4, undefined, undefined, { nvlink: false }],
  "8": [8, undefined, undefined, { nvlink: false }],
  "8-nvlink": [8, undefined, undefined, { nvlink: true }],
} as const;

const nebiusPresets = { "1": [1], "2": [2], "4": [4], "8": [8] } as const;
const nebiusCluster = { "1": [1], "8": [8, undefined, undefined, { interconnect: "InfiniBand 3200 Gbps" }] } as const;

/** Nebius: platform and preset, `gpu-h100-sxm_8gpu-128vcpu-1600gb`. The preset itself tells vCPUs and memory. */
export const nebiusInstances: readonly InstanceFamily[] = [
  {
    pattern: /^gpu-h100-sxm(?:-\w+)?_(\d+)gpu-\d+vcpu-\d+gb$/i,
    gpu: "h100-sxm",
    nvlink: true,
    sizes: nebiusCluster,
    source: nebius,
  },
  {
    pattern: /^gpu-h200-sxm(?:-\w+)?_(\d+)gpu-\d+vcpu-\d+gb$/i,
    gpu: "h200-sxm",
    nvlink: true,
    sizes: nebiusCluster,
    source: nebius,
  },
  {
    pattern: /^gpu-b200-sxm(?:-\w+)?_(\d+)gpu-\d+vcpu-\d+gb$/i,
    gpu: "b200",
    nvlink: true,
    sizes: nebiusCluster,
    source: nebius,
  },
  {
    pattern: /^gpu-b300-sxm(?:-\w+)?_(\d+)gpu-\d+vcpu-\d+gb$/i,
    gpu: "b300",
    nvlink: true,
    sizes: { "1": [1], "8": [8, undefined, undefined, { interconnect: "InfiniBand 6400 Gbps" }] },
    source: nebius,
  },
  {
    pattern: /^gpu-l40s(?:-\w+)?_(\d+)gpu-\d+vcpu-\d+gb$/i,
    gpu: "l40s",
    nvlink: false,
    sizes: nebiusPresets,
    source: nebius,
  },
  {
    pattern: /^gpu-rtx6000(?:-\w+)?_(\d+)gpu-\d+vcpu-\d+gb$/i,
    gpu: "rtx-pro-6000-server",
    nvlink: false,
    sizes: nebiusPresets,
    source: nebius,
  },
];

/** Akamai, formerly Linode: `g2-gpu-rtx4000a2-s`; the number behind the GPU is that of the GPUs. */
export const linodeInstances: readonly InstanceFamily[] = [
  {
    pattern: /^g1-gpu-rtx6000-(\d+)$/i,
    gpu: "quadro-rtx-6000",
    nvlink: false,
    sizes: { "1": [1, 8, 32], "2": [2, 16, 64], "3": [3, 20, 96], "4": [4, 24, 128] },
    source: linode,
  },
  {
    pattern: /^g2-gpu-rtx4000a(\d+)-(?:s|m|l|xl|hs)$/i,
    gpu: "rtx-4000-ada",
    nvlink: false,
    sizes: { "1": [1], "2": [2], "4": [4] },
    source: linode,
  },
];

/** OVHcloud: the number in a flavor is that of its memory. */
export const ovhInstances: readonly InstanceFamily[] = [
  {
    pattern: /^h100-(\d+)$/i,
    gpu: "h100-pcie",
    nvlink: null,
    sizes: { "380": [1, 30, 380], "760": [2, 60, 760], "1520": [4, 120, 1520] },
    source: ovh,
  },
  {
    pattern: /^a100-(\d+)$/i,
    gpu: "a100-pcie-80gb",
    nvlink: null,
    sizes: { "180": [1, 15, 180], "360": [2, 30, 360], "720": [4, 60, 720] },
    source: ovh,
  },
  {
    pattern: /^t1-(?:le-)?(\d+)$/i,
    gpu: "v100-pcie-16gb",
    nvlink: null,
    sizes: { "45": [1, 8, 45], "90": [2, 18, 90], "180": [4, 36, 180] },
    source: ovh,
  },
  {
    pattern: /^t2-(?:le-)?(\d+)$/i,
    gpu: "v100s",
    soldAs: ["v100"],
    nvlink: null,
    sizes: { "45": [1, 15, 45], "90": [2, 30, 90], "180": [4, 60, 180] },
    source: ovh,
  },
  {
    pattern: /^l40s-(\d+)$/i,
    gpu: "l40s",
    nvlink: false,
    sizes: { "90": [1, 15, 90], "180": [2, 30, 180], "360": [4, 60, 360] },
    source: ovh,
  },
  {
    pattern: /^l4-(\d+)$/i,
    gpu: "l4",
    nvlink: false,
    sizes: { "90": [1, 22, 90], "180": [2, 45, 180], "360": [4, 90, 360] },
    source: ovh,
  },
  {
    pattern: /^a10-(\d+)$/i,
    gpu: "a10",
    nvlink: false,
    sizes: { "45": [1, 30, 45], "90": [2, 60, 90], "180": [4, 120, 180] },
    source: ovh,
  },
];

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

/** Hyperstack: `n3-H100x8-NVLink`. Plain H100 and A100 are PCIe cards; `-bigroot`, `-K` and the like change no GPU. */
export const hyperstackInstances: readonly InstanceFamily[] = [
  {
    pattern: /^n\d-h100x(\d+-nvlink|\d+)(?:-(?!sxm)\w+)*$/i,
    gpu: "h100-pcie",
    nvlink: null,
    sizes: hyperstackPcie,
    source: hyperstack,
  },
  {
    pattern: /^n\d-a100x(\d+-nvlink|\d+)(?:-(?!sxm)\w+)*$/i,
    gpu: "a100-pcie-80gb",
    nvlink: null,
    sizes: hyperstackPcie,
    source: hyperstack,
  },
];

/** Vultr's bare metal, whose API says the GPU in the name alone. Cloud GPU plans rent shares too, so they need their memory. */
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

/** Latitude.sh, whose resellers name the L40S plan an L40. */
export const latitudeInstances: readonly InstanceFamily[] = [
  {
    pattern: /^g3-l40s-(large)$/i,
    gpu: "l40s",
    soldAs: ["l40"],
    nvlink: false,
    sizes: { large: [8] },
    source: latitude,
  },
];
