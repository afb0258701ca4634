import { family, linked, type InstanceFamily } from "./instance-family.js";

// Amazon EC2 instance types with GPUs: https://docs.aws.amazon.com/ec2/latest/instancetypes/ac.html lists counts,
// GPUs, vCPUs and memory; the product pages state which cards NVLink joins, and the network bandwidth.

const page = (name: string, path = name.toLowerCase()) => ({
  title: `Amazon EC2 ${name} instances`,
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

/** A family of types, such as `g5.xlarge`. */
const ec2 = (name: string, ...facts: Parameters<typeof family> extends [RegExp, ...infer Rest] ? Rest : never) =>
  family(new RegExp(`^${name}\\.(.+)$`, "i"), ...facts);

/** EC2 types with GPUs by family and size. Trainium, Inferentia, Gaudi and FPGA types have no GPU. */
export const awsInstances: readonly InstanceFamily[] = [
  ec2("p6-b300", "b300", p6, "48xlarge:8,192,4096", linked("EFA 6400 Gbps")),
  ec2("p6-b200", "b200", p6, "48xlarge:8,192,2048", linked("EFA 3200 Gbps")),
  ec2("p6e-gb200", "gb200", p6, "36xlarge:4,144,960", linked("EFA 1600 Gbps")),
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
  ec2("p5en", "h200-sxm", p5, "48xlarge:8,192,2048", linked("EFA 3200 Gbps")),
  ec2("p5e", "h200-sxm", p5, "48xlarge:8,192,2048", linked("EFA 3200 Gbps")),
  {
    pattern: /^p5\.(.+)$/i,
    gpu: "h100-sxm",
    nvlink: true,
    sizes: { "4xlarge": [1, 16, 256], "48xlarge": [8, 192, 2048, { interconnect: "EFA 3200 Gbps" }] },
    source: p5,
  },
  ec2("p4de", "a100-sxm-80gb", p4, "24xlarge:8,96,1152", linked("EFA 400 Gbps")),
  ec2("p4d", "a100-sxm-40gb", p4, "24xlarge:8,96,1152", linked("EFA 400 Gbps")),
  ec2("p3dn", "v100-sxm-32gb", p3, "24xlarge:8,96,768", linked("EFA 100 Gbps")),
  ec2("p3", "v100-sxm-16gb", p3, "2xlarge:1,8,61 8xlarge:4,32,244 16xlarge:8,64,488", linked()),
  ec2(
    "p2",
    "k80",
    { title: "Amazon EC2 P2 instances", url: "https://aws.amazon.com/ec2/instance-types/p2/" },
    "xlarge:1,4,61 8xlarge:8,32,488 16xlarge:16,64,732",
  ),
  ec2(
    "g7e",
    "rtx-pro-6000-server",
    g7e,
    "2xlarge:1,8,64 4xlarge:1,16,128 8xlarge:1,32,256 12xlarge:2,48,512 24xlarge:4,96,1024 48xlarge:8,192,2048",
  ),
  ec2(
    "g6e",
    "l40s",
    g6e,
    "xlarge:1,4,32 2xlarge:1,8,64 4xlarge:1,16,128 8xlarge:1,32,256 12xlarge:4,48,384 16xlarge:1,64,512 24xlarge:4,96,768 48xlarge:8,192,1536",
  ),
  ec2(
    "g6",
    "l4",
    g6,
    "xlarge:1,4,16 2xlarge:1,8,32 4xlarge:1,16,64 8xlarge:1,32,128 12xlarge:4,48,192 16xlarge:1,64,256 24xlarge:4,96,384 48xlarge:8,192,768",
  ),
  ec2("gr6", "l4", g6, "4xlarge:1,16,128 8xlarge:1,32,256"),
  ec2("g6f", "l4", g6, "large:1/8,2,8 xlarge:1/8,4,16 2xlarge:1/4,8,32 4xlarge:1/2,16,64"),
  ec2("gr6f", "l4", g6, "4xlarge:1/2,16,128"),
  ec2(
    "g5g",
    "t4g",
    g5g,
    "xlarge:1,4,8 2xlarge:1,8,16 4xlarge:1,16,32 8xlarge:1,32,64 16xlarge:2,64,128 metal:2,64,128",
  ),
  ec2(
    "g5",
    "a10g",
    g5,
    "xlarge:1,4,16 2xlarge:1,8,32 4xlarge:1,16,64 8xlarge:1,32,128 12xlarge:4,48,192 16xlarge:1,64,256 24xlarge:4,96,384 48xlarge:8,192,768",
  ),
  ec2(
    "g4dn",
    "t4",
    g4,
    "xlarge:1,4,16 2xlarge:1,8,32 4xlarge:1,16,64 8xlarge:1,32,128 12xlarge:4,48,192 16xlarge:1,64,256 metal:8,96,384",
  ),
  ec2("g4ad", "radeon-pro-v520", g4, "xlarge:1,4,16 2xlarge:1,8,32 4xlarge:1,16,64 8xlarge:2,32,128 16xlarge:4,64,256"),
  ec2("g3s?", "m60", specifications, "xlarge:1,4,30.5 4xlarge:1,16,122 8xlarge:2,32,244 16xlarge:4,64,488"),
  ec2("g2", "k520", specifications, "2xlarge:1,8,15 8xlarge:4,32,60"),
];
