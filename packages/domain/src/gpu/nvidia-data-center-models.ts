import { models, type GpuModel } from "./gpu-model.js";

// Facts of NVIDIA's data center cards, each with the document that states them.

const nimMatrix = {
  title: "NVIDIA NIM for GenMol support matrix",
  url: "https://docs.nvidia.com/nim/bionemo/genmol/support-matrix",
};

const h100 = { title: "NVIDIA H100 Tensor Core GPU datasheet", url: "https://www.nvidia.com/en-us/data-center/h100/" };

const h200 = { title: "NVIDIA H200 Tensor Core GPU datasheet", url: "https://www.nvidia.com/en-us/data-center/h200/" };

const a100 = { title: "NVIDIA A100 Tensor Core GPU datasheet", url: "https://www.nvidia.com/en-us/data-center/a100/" };

const v100 = { title: "NVIDIA V100 Tensor Core GPU datasheet", url: "https://www.nvidia.com/en-us/data-center/v100/" };

const p100 = {
  title: "NVIDIA Tesla P100 datasheet",
  url: "https://images.nvidia.com/content/tesla/pdf/nvidia-tesla-p100-datasheet.pdf",
};

const gh200 = {
  title: "NVIDIA GH200 Grace Hopper Superchip datasheet",
  url: "https://www.nvidia.com/en-us/data-center/grace-hopper-superchip/",
};

// NVIDIA publishes no datasheets for these; server makers do.
const exportHopper = {
  title: "Lenovo ThinkSystem SR780a and SR680a V3 product guides: NVIDIA H800 and H20 GPUs",
  url: "https://lenovopress.lenovo.com/servers/gpu",
};

const exportAmpere = {
  title: "Lenovo ThinkSystem NVIDIA A800 PCIe 4.0 GPUs product guide",
  url: "https://lenovopress.lenovo.com/lp1813-thinksystem-nvidia-a800-pcie-gpu",
};

const exportAda = {
  title: "NVIDIA L20 and L2 in the vGPU supported products list",
  url: "https://docs.nvidia.com/vgpu/gpus-supported-by-vgpu.html",
};

export const nvidiaDataCenterModels: readonly GpuModel[] = [
  // B300 drivers show about 268 GiB of the 288 GB that NVIDIA names. B200 has 192 GB on the package, and NVIDIA
  // sells it as 180 GB: the DGX B200 datasheet's 1,440 GB are 8 x 180. The table has the marketed size.
  ...models(
    { vendor: "NVIDIA", architecture: "Blackwell Ultra", formFactor: "Superchip", source: nimMatrix },
    {
      B300: {
        vramGb: 288,
        formFactor: "SXM",
        aliases: ["B300 SXM6 AC", "B300 262GB", "B300 268GB", "B300 270GB", "B300 275GB"],
      },
      GB300: { vramGb: 288, nvlink: true, aliases: ["GB300 NVL72", "GB300 279GB"] },
    },
  ),
  ...models(
    { vendor: "NVIDIA", architecture: "Blackwell", formFactor: "SXM" },
    {
      B200: {
        vramGb: 180,
        aliases: ["B200 192GB"],
        source: { title: "NVIDIA DGX B200 datasheet", url: "https://www.nvidia.com/en-us/data-center/dgx-b200/" },
      },
      GB200: {
        vramGb: 186,
        formFactor: "Superchip",
        nvlink: true,
        aliases: ["GB200 NVL72", "GB200 192GB"],
        source: nimMatrix,
      },
    },
  ),
  ...models(
    { vendor: "NVIDIA", architecture: "Hopper", formFactor: null },
    {
      H200: { vramGb: 141, source: h200 },
      "H200 SXM": { vramGb: 141, source: h200 },
      "H200 NVL": { vramGb: 141, source: h200 },
      H100: { vramGb: 80, source: h100 },
      "H100 SXM": {
        vramGb: 80,
        // Drivers call the SXM5 module "H100 80GB HBM3" (the PCIe card has HBM2e); "mega" is Google's A3 Mega.
        aliases: ["H100 80GB HBM3", "H100 Mega", "H100 Mega 80GB"],
        source: h100,
      },
      "H100 PCIe": { vramGb: 80, source: h100 },
      "H100 NVL": { vramGb: 94, aliases: ["H100 94GB HBM3"], source: h100 },
      // Export models, with slower NVLink (H800) or compute (H20). "H20" without a size is the one with 96 GB.
      H800: { vramGb: 80, source: exportHopper },
      "H800 SXM": { vramGb: 80, source: exportHopper },
      "H800 PCIe": { vramGb: 80, source: exportHopper },
      H20: { vramGb: 96, formFactor: "SXM", source: exportHopper },
      "H20 141GB": { vramGb: 141, formFactor: "SXM", source: exportHopper },
      // The NVLink of a single GH200 joins GPU and CPU, not GPUs. Drivers name the 96 GB one by its 480 GB of CPU
      // memory, and some sources name both by the sum.
      "GH200 96GB": { vramGb: 96, formFactor: "Superchip", aliases: ["GH200 480GB", "GH200 576GB"], source: gh200 },
      "GH200 144GB": { vramGb: 144, formFactor: "Superchip", aliases: ["GH200 624GB"], source: gh200 },
    },
  ),
  ...models(
    { vendor: "NVIDIA", architecture: "Ada Lovelace", formFactor: "PCIe" },
    {
      L4: 24,
      L40: 48,
      L40S: 48,
      L20: { vramGb: 48, source: exportAda },
      L2: { vramGb: 24, source: exportAda },
    },
  ),
  ...models(
    { vendor: "NVIDIA", architecture: "Ampere", formFactor: null, source: a100 },
    {
      "A100 40GB": 40,
      "A100 80GB": 80,
      "A100 SXM 40GB": 40,
      "A100 SXM 80GB": 80,
      "A100 PCIe 40GB": 40,
      "A100 PCIe 80GB": 80,
    },
  ),
  ...models(
    { vendor: "NVIDIA", architecture: "Ampere", formFactor: null, source: exportAmpere },
    {
      "A800 80GB": 80,
      "A800 SXM 80GB": 80,
      "A800 PCIe 80GB": 80,
      "A800 PCIe 40GB": {
        vramGb: 40,
        aliases: ["A800 40GB Active"],
        source: {
          title: "NVIDIA A800 40GB Active datasheet",
          url: "https://www.nvidia.com/en-us/products/workstations/a800/",
        },
      },
    },
  ),
  ...models(
    { vendor: "NVIDIA", architecture: "Ampere", formFactor: "PCIe" },
    {
      A2: 16,
      A10: 24,
      A10G: {
        vramGb: 24,
        source: {
          title: "Amazon EC2 G5 instances and their NVIDIA A10G datasheet",
          url: "https://aws.amazon.com/ec2/instance-types/g5/",
        },
      },
      // One A16 board has four GPUs of 16 GB.
      A16: 16,
      A30: 24,
      A40: 48,
      A100X: {
        vramGb: 80,
        source: { title: "NVIDIA Converged Accelerators datasheet (A100X)", url: null },
      },
    },
  ),
  ...models(
    { vendor: "NVIDIA", architecture: "Turing", formFactor: "PCIe" },
    {
      T4: 16,
      T4G: {
        vramGb: 16,
        formFactor: null,
        source: {
          title: "Amazon EC2 G5g instances product page",
          url: "https://aws.amazon.com/ec2/instance-types/g5g/",
        },
      },
    },
  ),
  ...models(
    { vendor: "NVIDIA", architecture: "Volta", formFactor: null, source: v100 },
    {
      "V100 16GB": 16,
      "V100 32GB": 32,
      "V100 SXM 16GB": 16,
      "V100 SXM 32GB": 32,
      "V100 PCIe 16GB": { vramGb: 16, aliases: ["V100 FHHL 16GB"] },
      "V100 PCIe 32GB": 32,
      V100S: { vramGb: 32, formFactor: "PCIe" },
    },
  ),
  ...models(
    { vendor: "NVIDIA", architecture: "Pascal", formFactor: "PCIe" },
    {
      P4: {
        vramGb: 8,
        source: {
          title: "NVIDIA Tesla P4 datasheet",
          url: "https://images.nvidia.com/content/pdf/tesla/184457-Tesla-P4-Datasheet-NV-Final-Letter-Web.pdf",
        },
      },
      P40: {
        vramGb: 24,
        source: {
          title: "NVIDIA Tesla P40 datasheet",
          url: "https://images.nvidia.com/content/pdf/tesla/184427-Tesla-P40-Datasheet-NV-Final-Letter-Web.pdf",
        },
      },
      "P100 16GB": { vramGb: 16, formFactor: null, source: p100 },
      "P100 SXM": { vramGb: 16, source: p100 },
      "P100 PCIe 12GB": { vramGb: 12, source: p100 },
      "P100 PCIe 16GB": { vramGb: 16, source: p100 },
    },
  ),
  // Boards of several GPUs: M10 has four of 8 GB, M60 two of 8 GB, K80 two of 12 GB, K520 two of 4 GB.
  ...models(
    { vendor: "NVIDIA", architecture: "Maxwell", formFactor: "PCIe" },
    {
      M10: { vramGb: 8, source: { title: "NVIDIA Tesla M10 datasheet", url: null } },
      "M40 12GB": { vramGb: 12, source: { title: "NVIDIA Tesla M40 datasheet", url: null } },
      "M40 24GB": { vramGb: 24, source: { title: "NVIDIA Tesla M40 datasheet", url: null } },
      M60: {
        vramGb: 8,
        source: {
          title: "NVIDIA Tesla M60 datasheet",
          url: "https://images.nvidia.com/content/tesla/pdf/188417-Tesla-M60-DS-A4-fnl-Web.pdf",
        },
      },
    },
  ),
  ...models(
    { vendor: "NVIDIA", architecture: "Kepler", formFactor: "PCIe" },
    {
      K80: {
        vramGb: 12,
        source: { title: "NVIDIA Tesla K80 datasheet", url: "https://www.nvidia.com/en-us/data-center/tesla-k80/" },
      },
      K520: {
        vramGb: 4,
        aliases: ["GRID K520"],
        source: { title: "NVIDIA GRID K520 datasheet", url: null },
      },
    },
  ),
];
