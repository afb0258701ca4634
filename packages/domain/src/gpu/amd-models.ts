import { models, type GpuModel } from "./gpu-model.js";

// Facts of AMD's cards, each with the document that states them.

const rocm = {
  title: "GPU hardware specifications in the AMD ROCm documentation",
  url: "https://rocm.docs.amd.com/en/latest/reference/gpu-arch-specs.html",
};

/** AMD's models. Infinity Fabric is not NVLink, so nvlink is always false. */
export const amdModels: readonly GpuModel[] = [
  ...models(
    { vendor: "AMD", architecture: "CDNA 4", formFactor: "OAM", source: rocm },
    {
      MI355X: 288,
      MI350X: 288,
    },
  ),
  ...models(
    { vendor: "AMD", architecture: "CDNA 3", formFactor: "OAM", source: rocm },
    {
      MI325X: 256,
      MI308X: {
        vramGb: 192,
        source: {
          title: "No public datasheet; 192 GB as operators report it, gfx942 as AMD's ROCm blog on the MI308X states",
          url: null,
        },
      },
      MI300X: 192,
      // An APU: its 128 GB are shared with the CPU cores of the same package.
      MI300A: { vramGb: 128, formFactor: "SH5" },
    },
  ),
  // Software shows MI250 and MI250X as two GPUs of 64 GB; AMD sells, and clouds count, the module.
  ...models(
    { vendor: "AMD", architecture: "CDNA 2", formFactor: "OAM", source: rocm },
    {
      MI250X: 128,
      MI250: 128,
      MI210: { vramGb: 64, formFactor: "PCIe" },
    },
  ),
  ...models(
    { vendor: "AMD", architecture: "CDNA", formFactor: "PCIe", source: rocm },
    {
      MI100: 32,
    },
  ),
  ...models(
    { vendor: "AMD", architecture: "GCN 5.1", formFactor: "PCIe", source: rocm },
    {
      MI60: 32,
      "MI50 16GB": 16,
      "MI50 32GB": 32,
    },
  ),
  ...models(
    { vendor: "AMD", architecture: "GCN 5.0", formFactor: "PCIe", source: rocm },
    {
      MI25: 16,
    },
  ),
  ...models(
    { vendor: "AMD", architecture: "RDNA 4", formFactor: "PCIe", source: rocm },
    {
      "Radeon AI PRO R9700": 32,
      "RX 9070 XT": 16,
      "RX 9070": 16,
    },
  ),
  ...models(
    { vendor: "AMD", architecture: "RDNA 3", formFactor: "PCIe", source: rocm },
    {
      "Radeon Pro V710": 28,
      "Radeon Pro W7700": 16,
      "Radeon Pro W7800": 32,
      "Radeon Pro W7800 48GB": 48,
      "Radeon Pro W7900": { vramGb: 48, aliases: ["W7900 Dual Slot", "W7900DS"] },
      "RX 7800 XT": 16,
      "RX 7700 XT": 12,
      "RX 7900 GRE": 16,
      "RX 7900 XT": 20,
      "RX 7900 XTX": 24,
    },
  ),
  ...models(
    { vendor: "AMD", architecture: "RDNA 2", formFactor: "PCIe", source: rocm },
    {
      "Radeon Pro V620": 32,
      "Radeon Pro W6800": 32,
      "RX 6800": 16,
      "RX 6800 XT": 16,
      "RX 6900 XT": 16,
      "RX 6950 XT": 16,
    },
  ),
  ...models(
    { vendor: "AMD", architecture: "RDNA", formFactor: "PCIe" },
    {
      "Radeon Pro V520": {
        vramGb: 8,
        source: {
          title: "Amazon EC2 G4ad instances product page",
          url: "https://aws.amazon.com/ec2/instance-types/g4/",
        },
      },
    },
  ),
];
