import { models, type GpuModel } from "./gpu-model.js";

// Facts of NVIDIA's workstation cards, each with the document that states them.

const rtxPro = {
  title: "NVIDIA RTX PRO Blackwell datasheets",
  url: "https://www.nvidia.com/en-us/products/workstations/",
};

export const nvidiaWorkstationModels: readonly GpuModel[] = [
  ...models({ vendor: "NVIDIA", architecture: "Blackwell", formFactor: "PCIe", source: rtxPro }, [
    { slug: "rtx-pro-2000", name: "RTX PRO 2000", vramGb: 16, aliases: ["RTX 2000 Pro", "RTX 2000 Blackwell"] },
    { slug: "rtx-pro-4000", name: "RTX PRO 4000", vramGb: 24, aliases: ["RTX 4000 Pro", "RTX 4000 Blackwell"] },
    { slug: "rtx-pro-4000-sff", name: "RTX PRO 4000 SFF", vramGb: 24 },
    { slug: "rtx-pro-4500", name: "RTX PRO 4500", vramGb: 32, aliases: ["RTX 4500 Pro", "RTX 4500 Blackwell"] },
    { slug: "rtx-pro-4500-server", family: "rtx-pro-4500", name: "RTX PRO 4500 Server", vramGb: 32 },
    {
      slug: "rtx-pro-5000-48gb",
      name: "RTX PRO 5000 48GB",
      vramGb: 48,
      aliases: ["RTX 5000 Pro", "RTX 5000 Blackwell"],
    },
    {
      slug: "rtx-pro-5000-72gb",
      name: "RTX PRO 5000 72GB",
      vramGb: 72,
      aliases: ["RTX 5000 Pro", "RTX 5000 Blackwell"],
    },
    // The plain name leaves the edition open: three cards with the same memory size and three power limits.
    { slug: "rtx-pro-6000", name: "RTX PRO 6000", vramGb: 96, aliases: ["RTX 6000 Pro", "RTX 6000 Blackwell"] },
    {
      slug: "rtx-pro-6000-server",
      family: "rtx-pro-6000",
      name: "RTX PRO 6000 Server",
      vramGb: 96,
      aliases: ["RTX PRO 6000 S", "RTX PRO 6000 SE"],
    },
    {
      slug: "rtx-pro-6000-workstation",
      family: "rtx-pro-6000",
      name: "RTX PRO 6000 Workstation",
      vramGb: 96,
      aliases: ["RTX PRO 6000 WS", "RTX PRO 6000 WK"],
    },
    {
      slug: "rtx-pro-6000-max-q",
      family: "rtx-pro-6000",
      name: "RTX PRO 6000 Max-Q",
      vramGb: 96,
      aliases: ["RTX PRO 6000 Max-Q Workstation"],
    },
  ]),
  ...models({ vendor: "NVIDIA", architecture: "Ada Lovelace", formFactor: "PCIe" }, [
    { slug: "rtx-2000-ada", name: "RTX 2000 Ada", vramGb: 16 },
    { slug: "rtx-4000-ada", name: "RTX 4000 Ada", vramGb: 20 },
    { slug: "rtx-4000-sff-ada", name: "RTX 4000 SFF Ada", vramGb: 20, aliases: ["RTX 4000 Ada SFF"] },
    { slug: "rtx-4500-ada", name: "RTX 4500 Ada", vramGb: 24 },
    { slug: "rtx-5000-ada", name: "RTX 5000 Ada", vramGb: 32 },
    { slug: "rtx-5880-ada", name: "RTX 5880 Ada", vramGb: 48 },
    { slug: "rtx-6000-ada", name: "RTX 6000 Ada", vramGb: 48 },
  ]),
  // A4000 and A6000 only have an optional NVLink bridge, so nvlink is false for all of them.
  ...models({ vendor: "NVIDIA", architecture: "Ampere", formFactor: "PCIe" }, [
    { slug: "rtx-a400", name: "RTX A400", vramGb: 4 },
    { slug: "rtx-a1000", name: "RTX A1000", vramGb: 8 },
    { slug: "rtx-a2000-6gb", name: "RTX A2000 6GB", vramGb: 6, aliases: ["A2000"] },
    { slug: "rtx-a2000-12gb", name: "RTX A2000 12GB", vramGb: 12, aliases: ["A2000"] },
    { slug: "rtx-a4000", name: "RTX A4000", vramGb: 16, aliases: ["A4000"] },
    { slug: "rtx-a4500", name: "RTX A4500", vramGb: 20, aliases: ["A4500"] },
    { slug: "rtx-a5000", name: "RTX A5000", vramGb: 24, aliases: ["A5000"] },
    { slug: "rtx-a5500", name: "RTX A5500", vramGb: 24, aliases: ["A5500"] },
    { slug: "rtx-a6000", name: "RTX A6000", vramGb: 48, aliases: ["A6000"] },
  ]),
  // "RTX 6000" without a suffix is this card: the Ada and Blackwell cards with that number always have Ada or PRO.
  ...models({ vendor: "NVIDIA", architecture: "Turing", formFactor: "PCIe" }, [
    { slug: "quadro-rtx-4000", name: "Quadro RTX 4000", vramGb: 8, aliases: ["Q RTX 4000"] },
    { slug: "quadro-rtx-5000", name: "Quadro RTX 5000", vramGb: 16, aliases: ["Q RTX 5000"] },
    { slug: "quadro-rtx-6000", name: "Quadro RTX 6000", vramGb: 24, aliases: ["Q RTX 6000"] },
    { slug: "quadro-rtx-8000", name: "Quadro RTX 8000", vramGb: 48, aliases: ["Q RTX 8000"] },
    { slug: "t1000-4gb", name: "T1000 4GB", vramGb: 4, source: { title: "NVIDIA T1000 datasheet", url: null } },
    { slug: "t1000-8gb", name: "T1000 8GB", vramGb: 8 },
  ]),
  ...models({ vendor: "NVIDIA", architecture: "Volta", formFactor: "PCIe" }, [
    { slug: "quadro-gv100", name: "Quadro GV100", vramGb: 32 },
  ]),
  ...models({ vendor: "NVIDIA", architecture: "Pascal", formFactor: "PCIe" }, [
    { slug: "quadro-p4000", name: "Quadro P4000", vramGb: 8 },
    { slug: "quadro-p5000", name: "Quadro P5000", vramGb: 16 },
    { slug: "quadro-p6000", name: "Quadro P6000", vramGb: 24 },
  ]),
  ...models({ vendor: "NVIDIA", architecture: "Maxwell", formFactor: "PCIe" }, [
    { slug: "quadro-m4000", name: "Quadro M4000", vramGb: 8 },
    { slug: "quadro-m5000", name: "Quadro M5000", vramGb: 8 },
  ]),
];
