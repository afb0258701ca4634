import { models, type GpuModel } from "./gpu-model.js";

// Facts of NVIDIA's workstation cards, each with the document that states them.

const rtxPro = {
  title: "NVIDIA RTX PRO Blackwell datasheets",
  url: "https://www.nvidia.com/en-us/products/workstations/",
};

export const nvidiaWorkstationModels: readonly GpuModel[] = [
  ...models(
    { vendor: "NVIDIA", architecture: "Blackwell", formFactor: "PCIe", source: rtxPro },
    {
      "RTX PRO 2000": { vramGb: 16, aliases: ["RTX 2000 Pro", "RTX 2000 Blackwell"] },
      "RTX PRO 4000": { vramGb: 24, aliases: ["RTX 4000 Pro", "RTX 4000 Blackwell"] },
      "RTX PRO 4000 SFF": 24,
      "RTX PRO 4500": { vramGb: 32, aliases: ["RTX 4500 Pro", "RTX 4500 Blackwell"] },
      "RTX PRO 4500 Server": { family: "rtx-pro-4500", vramGb: 32 },
      "RTX PRO 5000 48GB": { vramGb: 48, aliases: ["RTX 5000 Pro", "RTX 5000 Blackwell"] },
      "RTX PRO 5000 72GB": { vramGb: 72, aliases: ["RTX 5000 Pro", "RTX 5000 Blackwell"] },
      // The plain name leaves the edition open: three cards with the same memory size and three power limits.
      "RTX PRO 6000": { vramGb: 96, aliases: ["RTX 6000 Pro", "RTX 6000 Blackwell"] },
      "RTX PRO 6000 Server": {
        family: "rtx-pro-6000",
        vramGb: 96,
        aliases: ["RTX PRO 6000 S", "RTX PRO 6000 SE", "RTX 6000 Pro Server", "RTX 6000 Pro SE"],
      },
      "RTX PRO 6000 Workstation": {
        family: "rtx-pro-6000",
        vramGb: 96,
        aliases: [
          "RTX PRO 6000 WS",
          "RTX PRO 6000 WK",
          "RTX PRO 6000 WE",
          "RTX 6000 Pro Workstation",
          "RTX 6000 Pro WE",
        ],
      },
      "RTX PRO 6000 Max-Q": {
        family: "rtx-pro-6000",
        vramGb: 96,
        aliases: ["RTX PRO 6000 Max-Q Workstation", "RTX PRO 6000 MQ"],
      },
    },
  ),
  ...models(
    { vendor: "NVIDIA", architecture: "Ada Lovelace", formFactor: "PCIe" },
    {
      "RTX 2000 Ada": 16,
      "RTX 4000 Ada": 20,
      "RTX 4000 SFF Ada": { vramGb: 20, aliases: ["RTX 4000 Ada SFF"] },
      "RTX 4500 Ada": 24,
      "RTX 5000 Ada": 32,
      "RTX 5880 Ada": 48,
      "RTX 6000 Ada": 48,
    },
  ),
  // From the A4500 up they only have an optional NVLink bridge, so nvlink is false for all of them.
  ...models(
    { vendor: "NVIDIA", architecture: "Ampere", formFactor: "PCIe" },
    {
      "RTX A400": 4,
      "RTX A1000": 8,
      "RTX A2000 6GB": { vramGb: 6, aliases: ["A2000"] },
      "RTX A2000 12GB": { vramGb: 12, aliases: ["A2000"] },
      "RTX A4000": { vramGb: 16, aliases: ["A4000"] },
      "RTX A4500": { vramGb: 20, aliases: ["A4500"] },
      "RTX A5000": { vramGb: 24, aliases: ["A5000"] },
      "RTX A5500": { vramGb: 24, aliases: ["A5500"] },
      "RTX A6000": { vramGb: 48, aliases: ["A6000"] },
    },
  ),
  // "RTX 6000" without a suffix is this card: the Ada and Blackwell cards with that number always have Ada or PRO.
  ...models(
    { vendor: "NVIDIA", architecture: "Turing", formFactor: "PCIe" },
    {
      "Quadro RTX 4000": { vramGb: 8, aliases: ["Q RTX 4000"] },
      "Quadro RTX 5000": { vramGb: 16, aliases: ["Q RTX 5000"] },
      "Quadro RTX 6000": { vramGb: 24, aliases: ["Q RTX 6000"] },
      "Quadro RTX 8000": { vramGb: 48, aliases: ["Q RTX 8000"] },
      "T1000 4GB": { vramGb: 4, source: { title: "NVIDIA T1000 datasheet", url: null } },
      "T1000 8GB": 8,
    },
  ),
  ...models(
    { vendor: "NVIDIA", architecture: "Volta", formFactor: "PCIe" },
    {
      "Quadro GV100": 32,
    },
  ),
  ...models(
    { vendor: "NVIDIA", architecture: "Pascal", formFactor: "PCIe" },
    {
      "Quadro P4000": 8,
      "Quadro P5000": 16,
      "Quadro P6000": 24,
    },
  ),
  ...models(
    { vendor: "NVIDIA", architecture: "Maxwell", formFactor: "PCIe" },
    {
      "Quadro M4000": 8,
      "Quadro M5000": 8,
    },
  ),
];
