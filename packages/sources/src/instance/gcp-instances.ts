import { family, linked, sizesOf, type InstanceFamily } from "./instance-family.js";

// Google Cloud's accelerator-optimized machine types. A type ends with its number of GPUs (a) or of vCPUs (g2, g4);
// `-nolssd` means without local disks.

const docs = {
  title: "Google Cloud: accelerator-optimized machine family",
  url: "https://cloud.google.com/compute/docs/accelerator-optimized-machines",
};

/** Machine types that include GPUs. N1 is not one of them: its cards are added to a machine of any size. */
export const gcpInstances: readonly InstanceFamily[] = [
  {
    pattern: /^a2-highgpu-(\d+)g(?:-nolssd)?$/i,
    gpu: "a100-sxm-40gb",
    nvlink: true,
    sizes: { "1": [1, 12, 85], "2": [2, 24, 170], "4": [4, 48, 340], "8": [8, 96, 680] },
    source: docs,
  },
  family(/^a2-megagpu-(\d+)g(?:-nolssd)?$/i, "a100-sxm-40gb", docs, "16:16,96,1360", linked()),
  {
    pattern: /^a2-ultragpu-(\d+)g(?:-nolssd)?$/i,
    gpu: "a100-sxm-80gb",
    nvlink: true,
    sizes: { "1": [1, 12, 170], "2": [2, 24, 340], "4": [4, 48, 680], "8": [8, 96, 1360] },
    source: docs,
  },
  {
    pattern: /^a3-highgpu-(\d+)g(?:-nolssd)?$/i,
    gpu: "h100-sxm",
    nvlink: true,
    sizes: {
      "1": [1, 26, 234],
      "2": [2, 52, 468],
      "4": [4, 104, 936],
      "8": [8, 208, 1872, { interconnect: "GPUDirect-TCPX 800 Gbps" }],
    },
    source: docs,
  },
  family(/^a3-edgegpu-(\d+)g(?:-nolssd)?$/i, "h100-sxm", docs, "8:8,208,1872", linked()),
  family(/^a3-megagpu-(\d+)g(?:-nolssd)?$/i, "h100-sxm", docs, "8:8,208,1872", linked("GPUDirect-TCPXO 1600 Gbps")),
  family(/^a3-ultragpu-(\d+)g(?:-nolssd)?$/i, "h200-sxm", docs, "8:8,224,2952", linked("RDMA 3200 Gbps")),
  family(/^a4-highgpu-(\d+)g(?:-nolssd)?$/i, "b200", docs, "8:8,224,3968", linked("RDMA 3200 Gbps")),
  family(/^a4x-highgpu-(\d+)g(?:-nolssd)?$/i, "gb200", docs, "4:4,140,884", linked("RDMA 1600 Gbps")),
  family(/^a4x-maxgpu-(\d+)g(?:-metal)?(?:-nolssd)?$/i, "gb300", docs, "4:4,144,960", linked("RDMA 3200 Gbps")),
  {
    pattern: /^g2-standard-(\d+)$/i,
    gpu: "l4",
    nvlink: false,
    sizes: sizesOf("4:1,4,16 8:1,8,32 12:1,12,48 16:1,16,64 24:2,24,96 32:1,32,128 48:4,48,192 96:8,96,384"),
    source: docs,
  },
  {
    pattern: /^g4-standard-(\d+)$/i,
    gpu: "rtx-pro-6000-server",
    nvlink: false,
    sizes: sizesOf("6:1/8,6,22 12:1/4,12,45 24:1/2,24,90 48:1,48,180 96:2,96,360 192:4,192,720 384:8,384,1440"),
    source: docs,
  },
];
