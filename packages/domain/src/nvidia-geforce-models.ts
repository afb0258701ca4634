import { models, type GpuModel } from "./gpu-model.js";

// Facts of NVIDIA's GeForce cards, each with the document that states them.

const geforce = {
  title: "NVIDIA GeForce graphics card comparison",
  url: "https://www.nvidia.com/en-us/geforce/graphics-cards/compare/",
};

// Some sources drop "Ti" and "Super". If the memory size alone identifies the card, the short name is an alias of it; the
// card with exactly that name still wins while the size is unknown.
export const nvidiaGeforceModels: readonly GpuModel[] = [
  ...models({ vendor: "NVIDIA", architecture: "Blackwell", formFactor: "PCIe", source: geforce }, [
    { slug: "rtx-5050", name: "RTX 5050", vramGb: 8 },
    { slug: "rtx-5060", name: "RTX 5060", vramGb: 8 },
    { slug: "rtx-5060-ti-8gb", name: "RTX 5060 Ti 8GB", vramGb: 8 },
    { slug: "rtx-5060-ti-16gb", name: "RTX 5060 Ti 16GB", vramGb: 16, aliases: ["RTX 5060"] },
    { slug: "rtx-5070", name: "RTX 5070", vramGb: 12 },
    { slug: "rtx-5070-ti", name: "RTX 5070 Ti", vramGb: 16, aliases: ["RTX 5070"] },
    { slug: "rtx-5080", name: "RTX 5080", vramGb: 16 },
    { slug: "rtx-5090", name: "RTX 5090", vramGb: 32 },
    { slug: "rtx-5090-d", name: "RTX 5090 D", vramGb: 32 },
  ]),
  ...models({ vendor: "NVIDIA", architecture: "Ada Lovelace", formFactor: "PCIe", source: geforce }, [
    { slug: "rtx-4060", name: "RTX 4060", vramGb: 8 },
    { slug: "rtx-4060-ti-8gb", name: "RTX 4060 Ti 8GB", vramGb: 8 },
    { slug: "rtx-4060-ti-16gb", name: "RTX 4060 Ti 16GB", vramGb: 16, aliases: ["RTX 4060"] },
    { slug: "rtx-4070", name: "RTX 4070", vramGb: 12 },
    { slug: "rtx-4070-super", name: "RTX 4070 Super", vramGb: 12, aliases: ["RTX 4070S"] },
    { slug: "rtx-4070-ti", name: "RTX 4070 Ti", vramGb: 12 },
    { slug: "rtx-4070-ti-super", name: "RTX 4070 Ti Super", vramGb: 16, aliases: ["RTX 4070S Ti", "RTX 4070"] },
    { slug: "rtx-4080", name: "RTX 4080", vramGb: 16 },
    { slug: "rtx-4080-super", name: "RTX 4080 Super", vramGb: 16, aliases: ["RTX 4080S"] },
    { slug: "rtx-4090", name: "RTX 4090", vramGb: 24 },
    {
      slug: "rtx-4090-48gb",
      name: "RTX 4090 48GB",
      vramGb: 48,
      source: {
        title: "No vendor document: boards rebuilt with twice the memory; drivers report 49,140 MiB",
        url: null,
      },
    },
    { slug: "rtx-4090-d", name: "RTX 4090 D", vramGb: 24 },
  ]),
  ...models({ vendor: "NVIDIA", architecture: "Ampere", formFactor: "PCIe", source: geforce }, [
    { slug: "rtx-3050", name: "RTX 3050", vramGb: 8 },
    { slug: "rtx-3050-6gb", name: "RTX 3050 6GB", vramGb: 6 },
    { slug: "rtx-3060", name: "RTX 3060", vramGb: 12 },
    // A truncated "RTX 3060" with 8 GB may be either of the next two, so it stays ambiguous.
    { slug: "rtx-3060-8gb", name: "RTX 3060 8GB", vramGb: 8 },
    { slug: "rtx-3060-ti", name: "RTX 3060 Ti", vramGb: 8, aliases: ["RTX 3060"] },
    { slug: "rtx-3070", name: "RTX 3070", vramGb: 8 },
    { slug: "rtx-3070-ti", name: "RTX 3070 Ti", vramGb: 8 },
    { slug: "rtx-3080-10gb", name: "RTX 3080 10GB", vramGb: 10 },
    { slug: "rtx-3080-12gb", name: "RTX 3080 12GB", vramGb: 12 },
    { slug: "rtx-3080-ti", name: "RTX 3080 Ti", vramGb: 12 },
    { slug: "rtx-3090", name: "RTX 3090", vramGb: 24 },
    { slug: "rtx-3090-ti", name: "RTX 3090 Ti", vramGb: 24 },
  ]),
  ...models({ vendor: "NVIDIA", architecture: "Turing", formFactor: "PCIe", source: geforce }, [
    { slug: "gtx-1650", name: "GTX 1650", vramGb: 4 },
    { slug: "gtx-1650-super", name: "GTX 1650 Super", vramGb: 4, aliases: ["GTX 1650S"] },
    { slug: "gtx-1660", name: "GTX 1660", vramGb: 6 },
    { slug: "gtx-1660-super", name: "GTX 1660 Super", vramGb: 6, aliases: ["GTX 1660S"] },
    { slug: "gtx-1660-ti", name: "GTX 1660 Ti", vramGb: 6 },
    { slug: "rtx-2060", name: "RTX 2060", vramGb: 6 },
    { slug: "rtx-2060-12gb", name: "RTX 2060 12GB", vramGb: 12 },
    { slug: "rtx-2060-super", name: "RTX 2060 Super", vramGb: 8, aliases: ["RTX 2060S", "RTX 2060"] },
    { slug: "rtx-2070", name: "RTX 2070", vramGb: 8 },
    { slug: "rtx-2070-super", name: "RTX 2070 Super", vramGb: 8, aliases: ["RTX 2070S"] },
    { slug: "rtx-2080", name: "RTX 2080", vramGb: 8 },
    { slug: "rtx-2080-super", name: "RTX 2080 Super", vramGb: 8, aliases: ["RTX 2080S"] },
    { slug: "rtx-2080-ti", name: "RTX 2080 Ti", vramGb: 11, aliases: ["RTX 2080"] },
    { slug: "titan-rtx", name: "Titan RTX", vramGb: 24, source: { title: "NVIDIA Titan RTX product page", url: null } },
  ]),
  ...models({ vendor: "NVIDIA", architecture: "Volta", formFactor: "PCIe" }, [
    { slug: "titan-v", name: "Titan V", vramGb: 12, source: { title: "NVIDIA Titan V product page", url: null } },
  ]),
  ...models({ vendor: "NVIDIA", architecture: "Pascal", formFactor: "PCIe", source: geforce }, [
    { slug: "gtx-1050", name: "GTX 1050", vramGb: 2 },
    { slug: "gtx-1050-ti", name: "GTX 1050 Ti", vramGb: 4, aliases: ["GTX 1050"] },
    { slug: "gtx-1060-3gb", name: "GTX 1060 3GB", vramGb: 3 },
    { slug: "gtx-1060-6gb", name: "GTX 1060 6GB", vramGb: 6 },
    { slug: "gtx-1070", name: "GTX 1070", vramGb: 8 },
    { slug: "gtx-1070-ti", name: "GTX 1070 Ti", vramGb: 8 },
    { slug: "gtx-1080", name: "GTX 1080", vramGb: 8 },
    { slug: "gtx-1080-ti", name: "GTX 1080 Ti", vramGb: 11, aliases: ["GTX 1080"] },
    { slug: "titan-xp", name: "Titan Xp", vramGb: 12, source: { title: "NVIDIA Titan Xp product page", url: null } },
  ]),
];
