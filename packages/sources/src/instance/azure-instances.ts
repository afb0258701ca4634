import { family, sizesOf, type InstanceFamily } from "./instance-family.js";

// Azure's GPU sizes, one page per series: https://learn.microsoft.com/azure/virtual-machines/sizes/overview#gpu-accelerated.
// The number in a size is its vCPUs, which determines the GPUs; the letters after it (a: AMD, d: local disk, i: isolated,
// m: more memory, r: RDMA, s: premium storage) do not matter, except that only sizes with an r have InfiniBand.

const docs = (series: string, page: string) => ({
  title: `Azure ${series} size series`,
  url: `https://learn.microsoft.com/azure/virtual-machines/sizes/gpu-accelerated/${page}`,
});

const ndH100 = docs("ND_H100_v5", "ndh100v5-series");
const ndH200 = docs("ND-H200-v5", "nd-h200-v5-series");
const ndMi300x = docs("ND_MI300X_v5", "ndmi300xv5-series");
const ndGb200 = docs("ND-GB200-v6", "nd-gb200-v6-series");
const ndGb300 = docs("ND-GB300-v6", "nd-gb300-v6-series");
const ndA100 = docs("ND_A100_v4", "ndasra100v4-series");
const ndmA100 = docs("NDm_A100_v4", "ndma100v4-series");
const ndv2 = docs("NDv2", "ndv2-series");
const nd = docs("ND", "nd-series");
const ncadsH100 = docs("NCads_H100_v5", "ncadsh100v5-series");
const nccadsH100 = docs("NCCads_H100_v5", "nccadsh100v5-series");
const ncA100 = docs("NC_A100_v4", "nca100v4-series");
const ncasT4 = docs("NCasT4_v3", "ncast4v3-series");
const ncv3 = docs("NCv3", "ncv3-series");
const ncv2 = docs("NCv2", "ncv2-series");
const nc = docs("NC", "nc-series");
const nv = docs("NV", "nv-series");
const nvv3 = docs("NVv3", "nvv3-series");
const nvv4 = docs("NVv4", "nvv4-series");
const nvadsA10 = docs("NVads-A10 v5", "nvadsa10v5-series");
const nvadsV710 = docs("NVads-V710 v5", "nvadsv710-v5-series");
const ngads = docs("NGads-V620 v1", "ngadsv620-series");

/** Azure's N series. `Standard_` is optional. */
export const azureInstances: readonly InstanceFamily[] = [
  {
    pattern: /^(?:standard_)?nd(96)[a-z]*(?:_noib|_flex)?_h100_v5$/i,
    gpu: "h100-sxm",
    nvlink: true,
    networkByR: "InfiniBand 3200 Gbps",
    sizes: { "96": [8, 96, 1900] },
    source: ndH100,
  },
  {
    pattern: /^(?:standard_)?nd(96)[a-z]*(?:_noib|_flex)?_h200_v5$/i,
    gpu: "h200-sxm",
    nvlink: true,
    networkByR: "InfiniBand 3200 Gbps",
    sizes: { "96": [8, 96, 1850] },
    source: ndH200,
  },
  {
    pattern: /^(?:standard_)?nd(96)[a-z]*(?:_noib)?_mi300x_v5$/i,
    gpu: "mi300x",
    nvlink: false,
    networkByR: "InfiniBand 3200 Gbps",
    sizes: { "96": [8, 96, 1850] },
    source: ndMi300x,
  },
  {
    pattern: /^(?:standard_)?nd(128)[a-z]*(?:_ndr)?_gb200_v6$/i,
    gpu: "gb200",
    nvlink: true,
    networkByR: "InfiniBand 1600 Gbps",
    sizes: { "128": [4, 128, 900] },
    source: ndGb200,
  },
  {
    pattern: /^(?:standard_)?nd(128)[a-z]*(?:_ndr)?_gb300_v6$/i,
    gpu: "gb300",
    nvlink: true,
    networkByR: "InfiniBand 3200 Gbps",
    sizes: { "128": [4, 128] },
    source: ndGb300,
  },
  {
    pattern: /^(?:standard_)?nd(96)ams[a-z]*_(?:a100_)?v4$/i,
    gpu: "a100-sxm-80gb",
    nvlink: true,
    networkByR: "InfiniBand 1600 Gbps",
    sizes: { "96": [8, 96, 1900] },
    source: ndmA100,
  },
  {
    pattern: /^(?:standard_)?nd(96)as[a-z]*_(?:a100_)?v4$/i,
    gpu: "a100-sxm-40gb",
    nvlink: true,
    networkByR: "InfiniBand 1600 Gbps",
    sizes: { "96": [8, 96, 900] },
    source: ndA100,
  },
  {
    pattern: /^(?:standard_)?nd(40)r?s_v2$/i,
    gpu: "v100-sxm-32gb",
    nvlink: true,
    networkByR: "InfiniBand 100 Gbps",
    sizes: { "40": [8, 40, 672] },
    source: ndv2,
  },
  family(/^(?:standard_)?nd(6|12|24)r?s$/i, "p40", nd, "6:1,6,112 12:2,12,224 24:4,24,448"),
  // These have 94 GB per card, which only the NVL has; catalogs write H100, which would have 80 GB.
  {
    pattern: /^(?:standard_)?nc(\d+)ad[a-z]*_h100_v5$/i,
    gpu: "h100-nvl",
    nvlink: null,
    sizes: { "40": [1, 40, 320], "80": [2, 80, 640] },
    source: ncadsH100,
  },
  family(/^(?:standard_)?ncc(40)ad[a-z]*_h100_v5$/i, "h100-nvl", nccadsH100, "40:1,40,320", { nvlink: null }),
  {
    pattern: /^(?:standard_)?nc(\d+)ad[a-z]*_a100_v4$/i,
    gpu: "a100-pcie-80gb",
    nvlink: null,
    sizes: { "24": [1, 24, 220], "48": [2, 48, 440], "96": [4, 96, 880] },
    source: ncA100,
  },
  family(/^(?:standard_)?nc(\d+)as_t4_v3$/i, "t4", ncasT4, "4:1,4,28 8:1,8,56 16:1,16,110 64:4,64,440"),
  family(/^(?:standard_)?nc(6|12|24)r?s_v3$/i, "v100-pcie-16gb", ncv3, "6:1,6,112 12:2,12,224 24:4,24,448"),
  family(/^(?:standard_)?nc(6|12|24)r?s_v2$/i, "p100-pcie-16gb", ncv2, "6:1,6,112 12:2,12,224 24:4,24,448"),
  family(/^(?:standard_)?nc(6|12|24)r?(?:_promo)?$/i, "k80", nc, "6:1,6,56 12:2,12,112 24:4,24,224"),
  family(/^(?:standard_)?nv(12|24|48)s_v3$/i, "m60", nvv3, "12:1,12,112 24:2,24,224 48:4,48,448"),
  family(/^(?:standard_)?nv(6|12|24)s_v2$/i, "m60", nv, "6:1,6,112 12:2,12,224 24:4,24,448"),
  family(/^(?:standard_)?nv(6|12|24)(?:_promo)?$/i, "m60", nv, "6:1,6,56 12:2,12,112 24:4,24,224"),
  family(/^(?:standard_)?nv(\d+)as_v4$/i, "mi25", nvv4, "4:1/8,4,14 8:1/4,8,28 16:1/2,16,56 32:1,32,112"),
  {
    pattern: /^(?:standard_)?nv(\d+)ads_a10_v5$/i,
    gpu: "a10",
    nvlink: false,
    sizes: sizesOf("6:1/6,6,55 12:1/3,12,110 18:1/2,18,220 36:1,36,440 72:2,72,880"),
    source: nvadsA10,
  },
  family(/^(?:standard_)?nv(36)adms_a10_v5$/i, "a10", nvadsA10, "36:1,36,880"),
  {
    pattern: /^(?:standard_)?nv(\d+)adm?s_v710_v5$/i,
    gpu: "radeon-pro-v710",
    nvlink: false,
    sizes: sizesOf("4:1/6,4,16 8:1/3,8,32 12:1/2,12,64 24:1,24,128 28:1,28,160"),
    source: nvadsV710,
  },
  family(/^(?:standard_)?ng(\d+)ad[a-z]*_v620_v1$/i, "radeon-pro-v620", ngads, "8:1/4,8 16:1/2,16 32:1,32"),
];
