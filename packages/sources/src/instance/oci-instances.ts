import { family, linked, type InstanceFamily } from "./instance-family.js";

// Oracle's GPU shapes. A shape ends with its GPU count; what comes between the GPU and that number (`-v2`, `-NC`) is a
// revision of the host. SkyPilot adds vCPUs and memory after a dollar sign. One OCPU of an x86 shape has two vCPUs.

const source = {
  title: "Oracle Cloud Infrastructure: compute shapes, GPU shapes",
  url: "https://docs.oracle.com/iaas/Content/Compute/References/computeshapes.htm",
};

/** OCI's GPU shapes, virtual machines and bare metal. */
export const ociInstances: readonly InstanceFamily[] = [
  family(/^bm\.gpu\.b300(?:-\w+)?\.(\d+)(?:\$.*)?$/i, "b300", source, "8:8,256,4096", linked("RDMA 6400 Gbps")),
  family(/^bm\.gpu\.b200(?:-\w+)?\.(\d+)(?:\$.*)?$/i, "b200", source, "8:8,256,4096", linked("RDMA 3200 Gbps")),
  family(/^bm\.gpu\.gb200(?:-\w+)?\.(\d+)(?:\$.*)?$/i, "gb200", source, "4:4,144,960", linked("RDMA 1600 Gbps")),
  family(/^bm\.gpu\.gb300(?:-\w+)?\.(\d+)(?:\$.*)?$/i, "gb300", source, "4:4,144,960", linked("RDMA 3200 Gbps")),
  family(/^bm\.gpu\.h200(?:-\w+)?\.(\d+)(?:\$.*)?$/i, "h200-sxm", source, "8:8,224,3072", linked("RDMA 3200 Gbps")),
  family(/^bm\.gpu\.h100(?:-\w+)?\.(\d+)(?:\$.*)?$/i, "h100-sxm", source, "8:8,224,2048", linked("RDMA 3200 Gbps")),
  family(/^bm\.gpu\.a100-v2\.(\d+)(?:\$.*)?$/i, "a100-sxm-80gb", source, "8:8,256,2048", linked("RDMA 1600 Gbps")),
  family(/^bm\.gpu(?:4|\.b4)\.(\d+)(?:\$.*)?$/i, "a100-sxm-40gb", source, "8:8,128,2048", linked("RDMA 1600 Gbps")),
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
  family(/^bm\.gpu\.rtxpro(?:-\w+)?\.(\d+)(?:\$.*)?$/i, "rtx-pro-6000-server", source, "8:8,288,3072"),
  {
    pattern: /^bm\.gpu\.l40s(?:-\w+)?\.(\d+)(?:\$.*)?$/i,
    gpu: "l40s",
    nvlink: false,
    interconnect: "RDMA 800 Gbps",
    sizes: { "4": [4, 224, 1024] },
    source,
  },
  family(/^(?:bm|vm)\.gpu\.a10\.(\d+)(?:\$.*)?$/i, "a10", source, "1:1,30,240 2:2,60,480 4:4,128,1024"),
  {
    pattern: /^(?:bm|vm)\.gpu3\.(\d+)(?:\$.*)?$/i,
    gpu: "v100-sxm-16gb",
    nvlink: true,
    sizes: { "1": [1, 12, 90], "2": [2, 24, 180], "4": [4, 48, 360], "8": [8, 104, 768] },
    source,
  },
  family(/^(?:bm|vm)\.gpu2\.(\d+)(?:\$.*)?$/i, "p100-16gb", source, "1:1,24,72 2:2,56,192", { nvlink: null }),
];
