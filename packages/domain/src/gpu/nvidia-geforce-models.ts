import { models, type GpuModel } from "./gpu-model.js";

// Facts of NVIDIA's GeForce cards, each with the document that states them.

const geforce = {
  title: "NVIDIA GeForce graphics card comparison",
  url: "https://www.nvidia.com/en-us/geforce/graphics-cards/compare/",
};

// Some sources drop "Ti" and "Super". If the memory size alone identifies the card, the short name is an alias of it; the
// card with exactly that name still wins while the size is unknown.
export const nvidiaGeforceModels: readonly GpuModel[] = [
  ...models(
    { vendor: "NVIDIA", architecture: "Blackwell", formFactor: "PCIe", source: geforce },
    {
      "RTX 5050": 8,
      "RTX 5060": 8,
      "RTX 5060 Ti 8GB": 8,
      "RTX 5060 Ti 16GB": { vramGb: 16, aliases: ["RTX 5060"] },
      "RTX 5070": 12,
      "RTX 5070 Ti": { vramGb: 16, aliases: ["RTX 5070"] },
      "RTX 5080": 16,
      "RTX 5090": 32,
      "RTX 5090 D": 32,
    },
  ),
  ...models(
    { vendor: "NVIDIA", architecture: "Ada Lovelace", formFactor: "PCIe", source: geforce },
    {
      "RTX 4060": 8,
      "RTX 4060 Ti 8GB": 8,
      "RTX 4060 Ti 16GB": { vramGb: 16, aliases: ["RTX 4060"] },
      "RTX 4070": 12,
      "RTX 4070 Super": { vramGb: 12, aliases: ["RTX 4070S"] },
      "RTX 4070 Ti": 12,
      "RTX 4070 Ti Super": { vramGb: 16, aliases: ["RTX 4070S Ti", "RTX 4070"] },
      "RTX 4080": 16,
      "RTX 4080 Super": { vramGb: 16, aliases: ["RTX 4080S"] },
      "RTX 4090": 24,
      "RTX 4090 48GB": {
        vramGb: 48,
        source: {
          title: "No vendor document: boards rebuilt with twice the memory; drivers report 49,140 MiB",
          url: null,
        },
      },
      "RTX 4090 D": 24,
    },
  ),
  ...models(
    { vendor: "NVIDIA", architecture: "Ampere", formFactor: "PCIe", source: geforce },
    {
      "RTX 3050": 8,
      "RTX 3050 6GB": 6,
      "RTX 3060": 12,
      // A truncated "RTX 3060" with 8 GB may be either of the next two, so it stays ambiguous.
      "RTX 3060 8GB": 8,
      "RTX 3060 Ti": { vramGb: 8, aliases: ["RTX 3060"] },
      "RTX 3070": 8,
      "RTX 3070 Ti": 8,
      "RTX 3080 10GB": 10,
      "RTX 3080 12GB": 12,
      "RTX 3080 Ti": 12,
      "RTX 3090": 24,
      "RTX 3090 Ti": 24,
    },
  ),
  ...models(
    { vendor: "NVIDIA", architecture: "Turing", formFactor: "PCIe", source: geforce },
    {
      "GTX 1650": 4,
      "GTX 1650 Super": { vramGb: 4, aliases: ["GTX 1650S"] },
      "GTX 1660": 6,
      "GTX 1660 Super": { vramGb: 6, aliases: ["GTX 1660S"] },
      "GTX 1660 Ti": 6,
      "RTX 2060": 6,
      "RTX 2060 12GB": 12,
      "RTX 2060 Super": { vramGb: 8, aliases: ["RTX 2060S", "RTX 2060"] },
      "RTX 2070": 8,
      "RTX 2070 Super": { vramGb: 8, aliases: ["RTX 2070S"] },
      "RTX 2080": 8,
      "RTX 2080 Super": { vramGb: 8, aliases: ["RTX 2080S"] },
      "RTX 2080 Ti": { vramGb: 11, aliases: ["RTX 2080"] },
      "Titan RTX": { vramGb: 24, source: { title: "NVIDIA Titan RTX product page", url: null } },
    },
  ),
  ...models(
    { vendor: "NVIDIA", architecture: "Volta", formFactor: "PCIe" },
    {
      "Titan V": { vramGb: 12, source: { title: "NVIDIA Titan V product page", url: null } },
    },
  ),
  ...models(
    { vendor: "NVIDIA", architecture: "Pascal", formFactor: "PCIe", source: geforce },
    {
      "GTX 1050": 2,
      "GTX 1050 Ti": { vramGb: 4, aliases: ["GTX 1050"] },
      "GTX 1060 3GB": 3,
      "GTX 1060 6GB": 6,
      "GTX 1070": 8,
      "GTX 1070 Ti": 8,
      "GTX 1080": 8,
      "GTX 1080 Ti": { vramGb: 11, aliases: ["GTX 1080"] },
      "Titan Xp": { vramGb: 12, source: { title: "NVIDIA Titan Xp product page", url: null } },
    },
  ),
];
