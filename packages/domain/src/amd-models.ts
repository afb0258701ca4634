import { models, type GpuModel } from "./gpu-model.js";

// Facts of AMD's cards, each with the document that states them.

const rocm = {
  title: "GPU hardware specifications in the AMD ROCm documentation",
  url: "https://rocm.docs.amd.com/en/latest/reference/gpu-arch-specs.html",
};

/** AMD's models. Infinity Fabric is not NVLink, so nvlink is always false. */
export const amdModels: readonly GpuModel[] = [
  ...models({ vendor: "AMD", architecture: "CDNA 4", formFactor: "OAM", source: rocm }, [
    { slug: "mi355x", name: "MI355X", vramGb: 288 },
    { slug: "mi350x", name: "MI350X", vramGb: 288 },
  ]),
  ...models({ vendor: "AMD", architecture: "CDNA 3", formFactor: "OAM", source: rocm }, [
    { slug: "mi325x", name: "MI325X", vramGb: 256 },
    {
      slug: "mi308x",
      name: "MI308X",
      vramGb: 192,
      source: {
        title: "No public datasheet; 192 GB as operators report it, gfx942 as AMD's ROCm blog on the MI308X states",
        url: null,
      },
    },
    { slug: "mi300x", name: "MI300X", vramGb: 192 },
    // An APU: its 128 GB are shared with the CPU cores of the same package.
    { slug: "mi300a", name: "MI300A", vramGb: 128, formFactor: "SH5" },
  ]),
  // Software shows MI250 and MI250X as two GPUs of 64 GB; AMD sells, and clouds count, the module.
  ...models({ vendor: "AMD", architecture: "CDNA 2", formFactor: "OAM", source: rocm }, [
    { slug: "mi250x", name: "MI250X", vramGb: 128 },
    { slug: "mi250", name: "MI250", vramGb: 128 },
    { slug: "mi210", name: "MI210", vramGb: 64, formFactor: "PCIe" },
  ]),
  ...models({ vendor: "AMD", architecture: "CDNA", formFactor: "PCIe", source: rocm }, [
    { slug: "mi100", name: "MI100", vramGb: 32 },
  ]),
  ...models({ vendor: "AMD", architecture: "GCN 5.1", formFactor: "PCIe", source: rocm }, [
    { slug: "mi60", name: "MI60", vramGb: 32 },
    { slug: "mi50-16gb", name: "MI50 16GB", vramGb: 16 },
    { slug: "mi50-32gb", name: "MI50 32GB", vramGb: 32 },
  ]),
  ...models({ vendor: "AMD", architecture: "GCN 5.0", formFactor: "PCIe", source: rocm }, [
    { slug: "mi25", name: "MI25", vramGb: 16 },
  ]),
  ...models({ vendor: "AMD", architecture: "RDNA 4", formFactor: "PCIe", source: rocm }, [
    { slug: "radeon-ai-pro-r9700", name: "Radeon AI PRO R9700", vramGb: 32 },
    { slug: "rx-9070-xt", name: "RX 9070 XT", vramGb: 16 },
    { slug: "rx-9070", name: "RX 9070", vramGb: 16 },
  ]),
  ...models({ vendor: "AMD", architecture: "RDNA 3", formFactor: "PCIe", source: rocm }, [
    { slug: "radeon-pro-v710", name: "Radeon Pro V710", vramGb: 28 },
    { slug: "radeon-pro-w7700", name: "Radeon Pro W7700", vramGb: 16 },
    { slug: "radeon-pro-w7800", name: "Radeon Pro W7800", vramGb: 32 },
    { slug: "radeon-pro-w7800-48gb", name: "Radeon Pro W7800 48GB", vramGb: 48 },
    { slug: "radeon-pro-w7900", name: "Radeon Pro W7900", vramGb: 48, aliases: ["W7900 Dual Slot"] },
    { slug: "rx-7800-xt", name: "RX 7800 XT", vramGb: 16 },
    { slug: "rx-7700-xt", name: "RX 7700 XT", vramGb: 12 },
    { slug: "rx-7900-gre", name: "RX 7900 GRE", vramGb: 16 },
    { slug: "rx-7900-xt", name: "RX 7900 XT", vramGb: 20 },
    { slug: "rx-7900-xtx", name: "RX 7900 XTX", vramGb: 24 },
  ]),
  ...models({ vendor: "AMD", architecture: "RDNA 2", formFactor: "PCIe", source: rocm }, [
    { slug: "radeon-pro-v620", name: "Radeon Pro V620", vramGb: 32 },
    { slug: "radeon-pro-w6800", name: "Radeon Pro W6800", vramGb: 32 },
    { slug: "rx-6800", name: "RX 6800", vramGb: 16 },
    { slug: "rx-6800-xt", name: "RX 6800 XT", vramGb: 16 },
    { slug: "rx-6900-xt", name: "RX 6900 XT", vramGb: 16 },
    { slug: "rx-6950-xt", name: "RX 6950 XT", vramGb: 16 },
  ]),
  ...models({ vendor: "AMD", architecture: "RDNA", formFactor: "PCIe" }, [
    {
      slug: "radeon-pro-v520",
      name: "Radeon Pro V520",
      vramGb: 8,
      source: { title: "Amazon EC2 G4ad instances product page", url: "https://aws.amazon.com/ec2/instance-types/g4/" },
    },
  ]),
];
