import type { InstanceFamily } from "./instance-family.js";

// Amazon EC2 instance types with GPUs: https://docs.aws.amazon.com/ec2/latest/instancetypes/ac.html lists counts,
// GPUs, vCPUs and memory; the product pages state which cards NVLink joins, and the network bandwidth.

const page = (family: string, path = family.toLowerCase()) => ({
  title: `Amazon EC2 ${family} instances`,
  url: `https://aws.amazon.com/ec2/instance-types/${path}/`,
});

const p6 = page("P6");
const p5 = page("P5");
const p4 = page("P4");
const p3 = page("P3");
const g7e = page("G7e");
const g6 = page("G6");
const g6e = page("G6e");
const g5 = page("G5");
const g5g = page("G5g");
const g4 = page("G4");
const specifications = {
  title: "Amazon EC2 accelerated computing instances: specifications",
  url: "https://docs.aws.amazon.com/ec2/latest/instancetypes/ac.html",
};

/** EC2 types with GPUs by family and size. Trainium, Inferentia, Gaudi and FPGA types have no GPU. */
export const awsInstances: readonly InstanceFamily[] = [
  {
    pattern: /^p6-b300\.(.+)$/i,
    gpu: "b300",
    nvlink: true,
    interconnect: "EFA 6400 Gbps",
    sizes: { "48xlarge": [8, 192, 4096] },
    source: p6,
  },
  {
    pattern: /^p6-b200\.(.+)$/i,
    gpu: "b200",
    nvlink: true,
    interconnect: "EFA 3200 Gbps",
    sizes: { "48xlarge": [8, 192, 2048] },
    source: p6,
  },
  {
    pattern: /^p6e-gb200\.(.+)$/i,
    gpu: "gb200",
    nvlink: true,
    interconnect: "EFA 1600 Gbps",
    sizes: { "36xlarge": [4, 144, 960] },
    source: p6,
  },
  // UltraServers: 9 or 18 of the above in one NVLink domain.
  {
    pattern: /^u-p6e-gb200x(\d+)$/i,
    gpu: "gb200",
    nvlink: true,
    sizes: {
      "36": [36, 1296, 8640, { interconnect: "EFA 14400 Gbps" }],
      "72": [72, 2592, 17_280, { interconnect: "EFA 28800 Gbps" }],
    },
    source: p6,
  },
  {
    pattern: /^p5en\.(.+)$/i,
    gpu: "h200-sxm",
    nvlink: true,
    interconnect: "EFA 3200 Gbps",
    sizes: { "48xlarge": [8, 192, 2048] },
    source: p5,
  },
  {
    pattern: /^p5e\.(.+)$/i,
    gpu: "h200-sxm",
    nvlink: true,
    interconnect: "EFA 3200 Gbps",
    sizes: { "48xlarge": [8, 192, 2048] },
    source: p5,
  },
  {
    pattern: /^p5\.(.+)$/i,
    gpu: "h100-sxm",
    nvlink: true,
    sizes: { "4xlarge": [1, 16, 256], "48xlarge": [8, 192, 2048, { interconnect: "EFA 3200 Gbps" }] },
    source: p5,
  },
  {
    pattern: /^p4de\.(.+)$/i,
    gpu: "a100-sxm-80gb",
    nvlink: true,
    interconnect: "EFA 400 Gbps",
    sizes: { "24xlarge": [8, 96, 1152] },
    source: p4,
  },
  {
    pattern: /^p4d\.(.+)$/i,
    gpu: "a100-sxm-40gb",
    nvlink: true,
    interconnect: "EFA 400 Gbps",
    sizes: { "24xlarge": [8, 96, 1152] },
    source: p4,
  },
  {
    pattern: /^p3dn\.(.+)$/i,
    gpu: "v100-sxm-32gb",
    nvlink: true,
    interconnect: "EFA 100 Gbps",
    sizes: { "24xlarge": [8, 96, 768] },
    source: p3,
  },
  {
    pattern: /^p3\.(.+)$/i,
    gpu: "v100-sxm-16gb",
    nvlink: true,
    sizes: { "2xlarge": [1, 8, 61], "8xlarge": [4, 32, 244], "16xlarge": [8, 64, 488] },
    source: p3,
  },
  {
    pattern: /^p2\.(.+)$/i,
    gpu: "k80",
    nvlink: false,
    sizes: { xlarge: [1, 4, 61], "8xlarge": [8, 32, 488], "16xlarge": [16, 64, 732] },
    source: { title: "Amazon EC2 P2 instances", url: "https://aws.amazon.com/ec2/instance-types/p2/" },
  },
  {
    pattern: /^g7e\.(.+)$/i,
    gpu: "rtx-pro-6000-server",
    nvlink: false,
    sizes: {
      "2xlarge": [1, 8, 64],
      "4xlarge": [1, 16, 128],
      "8xlarge": [1, 32, 256],
      "12xlarge": [2, 48, 512],
      "24xlarge": [4, 96, 1024],
      "48xlarge": [8, 192, 2048],
    },
    source: g7e,
  },
  {
    pattern: /^g6e\.(.+)$/i,
    gpu: "l40s",
    nvlink: false,
    sizes: {
      xlarge: [1, 4, 32],
      "2xlarge": [1, 8, 64],
      "4xlarge": [1, 16, 128],
      "8xlarge": [1, 32, 256],
      "12xlarge": [4, 48, 384],
      "16xlarge": [1, 64, 512],
      "24xlarge": [4, 96, 768],
      "48xlarge": [8, 192, 1536],
    },
    source: g6e,
  },
  {
    pattern: /^g6\.(.+)$/i,
    gpu: "l4",
    nvlink: false,
    sizes: {
      xlarge: [1, 4, 16],
      "2xlarge": [1, 8, 32],
      "4xlarge": [1, 16, 64],
      "8xlarge": [1, 32, 128],
      "12xlarge": [4, 48, 192],
      "16xlarge": [1, 64, 256],
      "24xlarge": [4, 96, 384],
      "48xlarge": [8, 192, 768],
    },
    source: g6,
  },
  {
    pattern: /^gr6\.(.+)$/i,
    gpu: "l4",
    nvlink: false,
    sizes: { "4xlarge": [1, 16, 128], "8xlarge": [1, 32, 256] },
    source: g6,
  },
  {
    pattern: /^g6f\.(.+)$/i,
    gpu: "l4",
    nvlink: false,
    sizes: {
      large: ["1/8", 2, 8],
      xlarge: ["1/8", 4, 16],
      "2xlarge": ["1/4", 8, 32],
      "4xlarge": ["1/2", 16, 64],
    },
    source: g6,
  },
  { pattern: /^gr6f\.(.+)$/i, gpu: "l4", nvlink: false, sizes: { "4xlarge": ["1/2", 16, 128] }, source: g6 },
  {
    pattern: /^g5g\.(.+)$/i,
    gpu: "t4g",
    nvlink: false,
    sizes: {
      xlarge: [1, 4, 8],
      "2xlarge": [1, 8, 16],
      "4xlarge": [1, 16, 32],
      "8xlarge": [1, 32, 64],
      "16xlarge": [2, 64, 128],
      metal: [2, 64, 128],
    },
    source: g5g,
  },
  {
    pattern: /^g5\.(.+)$/i,
    gpu: "a10g",
    nvlink: false,
    sizes: {
      xlarge: [1, 4, 16],
      "2xlarge": [1, 8, 32],
      "4xlarge": [1, 16, 64],
      "8xlarge": [1, 32, 128],
      "12xlarge": [4, 48, 192],
      "16xlarge": [1, 64, 256],
      "24xlarge": [4, 96, 384],
      "48xlarge": [8, 192, 768],
    },
    source: g5,
  },
  {
    pattern: /^g4dn\.(.+)$/i,
    gpu: "t4",
    nvlink: false,
    sizes: {
      xlarge: [1, 4, 16],
      "2xlarge": [1, 8, 32],
      "4xlarge": [1, 16, 64],
      "8xlarge": [1, 32, 128],
      "12xlarge": [4, 48, 192],
      "16xlarge": [1, 64, 256],
      metal: [8, 96, 384],
    },
    source: g4,
  },
  {
    pattern: /^g4ad\.(.+)$/i,
    gpu: "radeon-pro-v520",
    nvlink: false,
    sizes: {
      xlarge: [1, 4, 16],
      "2xlarge": [1, 8, 32],
      "4xlarge": [1, 16, 64],
      "8xlarge": [2, 32, 128],
      "16xlarge": [4, 64, 256],
    },
    source: g4,
  },
  {
    pattern: /^g3s?\.(.+)$/i,
    gpu: "m60",
    nvlink: false,
    sizes: {
      xlarge: [1, 4, 30.5],
      "4xlarge": [1, 16, 122],
      "8xlarge": [2, 32, 244],
      "16xlarge": [4, 64, 488],
    },
    source: specifications,
  },
  {
    pattern: /^g2\.(.+)$/i,
    gpu: "k520",
    nvlink: false,
    sizes: { "2xlarge": [1, 8, 15], "8xlarge": [4, 32, 60] },
    source: specifications,
  },
];
