import type { InstanceFamily } from "./instance-family.js";

// Oracle's GPU shapes. A shape ends with its GPU count; what comes between the GPU and that number (`-v2`, `-NC`) is a
// revision of the host. SkyPilot adds vCPUs and memory after a dollar sign. One OCPU of an x86 shape has two vCPUs.

const source = {
  title: "Oracle Cloud Infrastructure: compute shapes, GPU shapes",
  url: "https://docs.oracle.com/iaas/Content/Compute/References/computeshapes.htm",
};

/** OCI's GPU shapes, virtual machines and bare metal. */
export const ociInstances: readonly InstanceFamily[] = [
  {
    pattern: /^bm\.gpu\.b300(?:-\w+)?\.(\d+)(?:\$.*)?$/i,
    gpu: "b300",
    nvlink: true,
    interconnect: "RDMA 6400 Gbps",
    sizes: { "8": [8, 256, 4096] },
    source,
  },
  {
    pattern: /^bm\.gpu\.b200(?:-\w+)?\.(\d+)(?:\$.*)?$/i,
    gpu: "b200",
    nvlink: true,
    interconnect: "RDMA 3200 Gbps",
    sizes: { "8": [8, 256, 4096] },
    source,
  },
  {
    pattern: /^bm\.gpu\.gb200(?:-\w+)?\.(\d+)(?:\$.*)?$/i,
    gpu: "gb200",
    nvlink: true,
    interconnect: "RDMA 1600 Gbps",
    sizes: { "4": [4, 144, 960] },
    source,
  },
  {
    pattern: /^bm\.gpu\.gb300(?:-\w+)?\.(\d+)(?:\$.*)?$/i,
    gpu: "gb300",
    nvlink: true,
    interconnect: "RDMA 3200 Gbps",
    sizes: { "4": [4, 144, 960] },
    source,
  },
  {
    pattern: /^bm\.gpu\.h200(?:-\w+)?\.(\d+)(?:\$.*)?$/i,
    gpu: "h200-sxm",
    nvlink: true,
    interconnect: "RDMA 3200 Gbps",
    sizes: { "8": [8, 224, 3072] },
    source,
  },
  {
    pattern: /^bm\.gpu\.h100(?:-\w+)?\.(\d+)(?:\$.*)?$/i,
    gpu: "h100-sxm",
    nvlink: true,
    interconnect: "RDMA 3200 Gbps",
    sizes: { "8": [8, 224, 2048] },
    source,
  },
  {
    pattern: /^bm\.gpu\.a100-v2\.(\d+)(?:\$.*)?$/i,
    gpu: "a100-sxm-80gb",
    nvlink: true,
    interconnect: "RDMA 1600 Gbps",
    sizes: { "8": [8, 256, 2048] },
    source,
  },
  {
    pattern: /^bm\.gpu(?:4|\.b4)\.(\d+)(?:\$.*)?$/i,
    gpu: "a100-sxm-40gb",
    nvlink: true,
    interconnect: "RDMA 1600 Gbps",
    sizes: { "8": [8, 128, 2048] },
    source,
  },
  {
    pattern: /^bm\.gpu\.mi300x(?:-\w+)?\.(\d+)(?:\$.*)?$/i,
    gpu: "mi300x",
    nvlink: false,
    interconnect: "RDMA 3200 Gbps",
    sizes: { "8": [8, 224, 2048] },
    source,
  },
  {
    pattern: /^bm\.gpu\.mi355x(?:-\w+)?\.(\d+)(?:\$.*)?$/i,
    gpu: "mi355x",
    nvlink: false,
    interconnect: "RDMA 3200 Gbps",
    sizes: { "8": [8, 256, 3072] },
    source,
  },
  {
    pattern: /^bm\.gpu\.rtxpro(?:-\w+)?\.(\d+)(?:\$.*)?$/i,
    gpu: "rtx-pro-6000-server",
    nvlink: false,
    sizes: { "8": [8, 288, 3072] },
    source,
  },
  {
    pattern: /^bm\.gpu\.l40s(?:-\w+)?\.(\d+)(?:\$.*)?$/i,
    gpu: "l40s",
    nvlink: false,
    interconnect: "RDMA 800 Gbps",
    sizes: { "4": [4, 224, 1024] },
    source,
  },
  {
    pattern: /^(?:bm|vm)\.gpu\.a10\.(\d+)(?:\$.*)?$/i,
    gpu: "a10",
    nvlink: false,
    sizes: { "1": [1, 30, 240], "2": [2, 60, 480], "4": [4, 128, 1024] },
    source,
  },
  {
    pattern: /^(?:bm|vm)\.gpu3\.(\d+)(?:\$.*)?$/i,
    gpu: "v100-sxm-16gb",
    nvlink: true,
    sizes: { "1": [1, 12, 90], "2": [2, 24, 180], "4": [4, 48, 360], "8": [8, 104, 768] },
    source,
  },
  {
    pattern: /^(?:bm|vm)\.gpu2\.(\d+)(?:\$.*)?$/i,
    gpu: "p100-16gb",
    nvlink: null,
    sizes: { "1": [1, 24, 72], "2": [2, 56, 192] },
    source,
  },
];
