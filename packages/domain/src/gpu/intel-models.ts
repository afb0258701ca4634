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
  ...models(
    { vendor: "Intel", architecture: "Xe HPC", formFactor: "OAM", source: max },
    {
      "Max 1550": 128,
      "Max 1100": { vramGb: 48, formFactor: "PCIe" },
    },
  ),
  ...models(
    { vendor: "Intel", architecture: "Xe HPG", formFactor: "PCIe", source: flex },
    {
      "Flex 170": 16,
      // One Flex 140 board has 12 GB for two GPUs.
      "Flex 140": 6,
    },
  ),
  // The names keep "Arc": an Arc Pro A40 is not the NVIDIA A40.
  ...models(
    { vendor: "Intel", architecture: "Xe HPG", formFactor: "PCIe", source: arc },
    {
      "Arc Pro A60": 12,
      "Arc A750": 8,
      "Arc A770 8GB": 8,
      "Arc A770 16GB": 16,
    },
  ),
  ...models(
    { vendor: "Intel", architecture: "Xe2", formFactor: "PCIe", source: arc },
    {
      "Arc Pro B50": 16,
      "Arc Pro B60": 24,
      "Arc B570": 10,
      "Arc B580": 12,
    },
  ),
];
