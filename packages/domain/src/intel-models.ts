import { models, type GpuModel } from "./gpu-model.js";

// Facts of Intel's cards, each with the document that states them.

const flex = {
  title: "Intel Data Center GPU Flex Series product page",
  url: "https://www.intel.com/content/www/us/en/products/details/discrete-gpus/data-center-gpu/flex-series.html",
};
const max = {
  title: "Intel Data Center GPU Max Series product page",
  url: "https://www.intel.com/content/www/us/en/products/details/discrete-gpus/data-center-gpu/max-series.html",
};
const arc = {
  title: "Intel Arc graphics product page",
  url: "https://www.intel.com/content/www/us/en/products/details/discrete-gpus/arc.html",
};

/** Intel's models. */
export const intelModels: readonly GpuModel[] = [
  ...models({ vendor: "Intel", architecture: "Xe HPC", formFactor: "OAM", source: max }, [
    { slug: "max-1550", name: "Max 1550", vramGb: 128 },
    { slug: "max-1100", name: "Max 1100", vramGb: 48, formFactor: "PCIe" },
  ]),
  ...models({ vendor: "Intel", architecture: "Xe HPG", formFactor: "PCIe", source: flex }, [
    { slug: "flex-170", name: "Flex 170", vramGb: 16 },
    // One Flex 140 board has 12 GB for two GPUs.
    { slug: "flex-140", name: "Flex 140", vramGb: 6 },
  ]),
  // The names keep "Arc": an Arc Pro A40 is not the NVIDIA A40.
  ...models({ vendor: "Intel", architecture: "Xe HPG", formFactor: "PCIe", source: arc }, [
    { slug: "arc-pro-a60", name: "Arc Pro A60", vramGb: 12 },
    { slug: "arc-a750", name: "Arc A750", vramGb: 8 },
    { slug: "arc-a770-8gb", name: "Arc A770 8GB", vramGb: 8 },
    { slug: "arc-a770-16gb", name: "Arc A770 16GB", vramGb: 16 },
  ]),
  ...models({ vendor: "Intel", architecture: "Xe2", formFactor: "PCIe", source: arc }, [
    { slug: "arc-pro-b50", name: "Arc Pro B50", vramGb: 16 },
    { slug: "arc-pro-b60", name: "Arc Pro B60", vramGb: 24 },
    { slug: "arc-b570", name: "Arc B570", vramGb: 10 },
    { slug: "arc-b580", name: "Arc B580", vramGb: 12 },
  ]),
];
