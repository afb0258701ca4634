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
  ...models({ vendor: "NVIDIA", architecture: "Blackwell Ultra", formFactor: "Superchip", source: nimMatrix }, [
    {
      slug: "b300",
      name: "B300",
      vramGb: 288,
      formFactor: "SXM",
      aliases: ["B300 SXM6 AC", "B300 262GB", "B300 268GB", "B300 270GB", "B300 275GB"],
    },
    { slug: "gb300", name: "GB300", vramGb: 288, nvlink: true, aliases: ["GB300 NVL72", "GB300 279GB"] },
  ]),
  ...models({ vendor: "NVIDIA", architecture: "Blackwell", formFactor: "SXM" }, [
    {
      slug: "b200",
      name: "B200",
      vramGb: 180,
      aliases: ["B200 192GB"],
      source: { title: "NVIDIA DGX B200 datasheet", url: "https://www.nvidia.com/en-us/data-center/dgx-b200/" },
    },
    {
      slug: "gb200",
      name: "GB200",
      vramGb: 186,
      formFactor: "Superchip",
      nvlink: true,
      aliases: ["GB200 NVL72", "GB200 192GB"],
      source: nimMatrix,
    },
  ]),
  ...models({ vendor: "NVIDIA", architecture: "Hopper", formFactor: null }, [
    { slug: "h200", name: "H200", vramGb: 141, source: h200 },
    { slug: "h200-sxm", name: "H200 SXM", vramGb: 141, formFactor: "SXM", source: h200 },
    { slug: "h200-nvl", name: "H200 NVL", vramGb: 141, formFactor: "NVL", source: h200 },
    { slug: "h100", name: "H100", vramGb: 80, source: h100 },
    {
      slug: "h100-sxm",
      name: "H100 SXM",
      vramGb: 80,
      formFactor: "SXM",
      // Drivers call the SXM5 module "H100 80GB HBM3" (the PCIe card has HBM2e); "mega" is Google's A3 Mega.
      aliases: ["H100 80GB HBM3", "H100 Mega", "H100 Mega 80GB"],
      source: h100,
    },
    { slug: "h100-pcie", name: "H100 PCIe", vramGb: 80, formFactor: "PCIe", source: h100 },
    {
      slug: "h100-nvl",
      name: "H100 NVL",
      vramGb: 94,
      formFactor: "NVL",
      aliases: ["H100 94GB HBM3"],
      source: h100,
    },
    // Export models, with slower NVLink (H800) or compute (H20). "H20" without a size is the one with 96 GB.
    { slug: "h800", name: "H800", vramGb: 80, source: exportHopper },
    { slug: "h800-sxm", name: "H800 SXM", vramGb: 80, formFactor: "SXM", source: exportHopper },
    { slug: "h800-pcie", name: "H800 PCIe", vramGb: 80, formFactor: "PCIe", source: exportHopper },
    { slug: "h20", name: "H20", vramGb: 96, formFactor: "SXM", source: exportHopper },
    { slug: "h20-141gb", name: "H20 141GB", vramGb: 141, formFactor: "SXM", source: exportHopper },
    // The NVLink of a single GH200 joins GPU and CPU, not GPUs. Drivers name the 96 GB one by its 480 GB of CPU
    // memory, and some sources name both by the sum.
    {
      slug: "gh200-96gb",
      name: "GH200 96GB",
      vramGb: 96,
      formFactor: "Superchip",
      aliases: ["GH200 480GB", "GH200 576GB"],
      source: gh200,
    },
    {
      slug: "gh200-144gb",
      name: "GH200 144GB",
      vramGb: 144,
      formFactor: "Superchip",
      aliases: ["GH200 624GB"],
      source: gh200,
    },
  ]),
  ...models({ vendor: "NVIDIA", architecture: "Ada Lovelace", formFactor: "PCIe" }, [
    { slug: "l4", name: "L4", vramGb: 24 },
    { slug: "l40", name: "L40", vramGb: 48 },
    { slug: "l40s", name: "L40S", vramGb: 48 },
    { slug: "l20", name: "L20", vramGb: 48, source: exportAda },
    { slug: "l2", name: "L2", vramGb: 24, source: exportAda },
  ]),
  ...models({ vendor: "NVIDIA", architecture: "Ampere", formFactor: null, source: a100 }, [
    { slug: "a100-40gb", name: "A100 40GB", vramGb: 40 },
    { slug: "a100-80gb", name: "A100 80GB", vramGb: 80 },
    { slug: "a100-sxm-40gb", name: "A100 SXM 40GB", vramGb: 40, formFactor: "SXM" },
    { slug: "a100-sxm-80gb", name: "A100 SXM 80GB", vramGb: 80, formFactor: "SXM" },
    { slug: "a100-pcie-40gb", name: "A100 PCIe 40GB", vramGb: 40, formFactor: "PCIe" },
    { slug: "a100-pcie-80gb", name: "A100 PCIe 80GB", vramGb: 80, formFactor: "PCIe" },
  ]),
  ...models({ vendor: "NVIDIA", architecture: "Ampere", formFactor: null, source: exportAmpere }, [
    { slug: "a800-80gb", name: "A800 80GB", vramGb: 80 },
    { slug: "a800-sxm-80gb", name: "A800 SXM 80GB", vramGb: 80, formFactor: "SXM" },
    { slug: "a800-pcie-80gb", name: "A800 PCIe 80GB", vramGb: 80, formFactor: "PCIe" },
    {
      slug: "a800-pcie-40gb",
      name: "A800 PCIe 40GB",
      vramGb: 40,
      formFactor: "PCIe",
      aliases: ["A800 40GB Active"],
      source: {
        title: "NVIDIA A800 40GB Active datasheet",
        url: "https://www.nvidia.com/en-us/products/workstations/a800/",
      },
    },
  ]),
  ...models({ vendor: "NVIDIA", architecture: "Ampere", formFactor: "PCIe" }, [
    { slug: "a2", name: "A2", vramGb: 16 },
    { slug: "a10", name: "A10", vramGb: 24 },
    {
      slug: "a10g",
      name: "A10G",
      vramGb: 24,
      source: {
        title: "Amazon EC2 G5 instances and their NVIDIA A10G datasheet",
        url: "https://aws.amazon.com/ec2/instance-types/g5/",
      },
    },
    // One A16 board has four GPUs of 16 GB.
    { slug: "a16", name: "A16", vramGb: 16 },
    { slug: "a30", name: "A30", vramGb: 24 },
    { slug: "a40", name: "A40", vramGb: 48 },
    {
      slug: "a100x",
      name: "A100X",
      vramGb: 80,
      source: { title: "NVIDIA Converged Accelerators datasheet (A100X)", url: null },
    },
  ]),
  ...models({ vendor: "NVIDIA", architecture: "Turing", formFactor: "PCIe" }, [
    { slug: "t4", name: "T4", vramGb: 16 },
    {
      slug: "t4g",
      name: "T4G",
      vramGb: 16,
      formFactor: null,
      source: { title: "Amazon EC2 G5g instances product page", url: "https://aws.amazon.com/ec2/instance-types/g5g/" },
    },
  ]),
  ...models({ vendor: "NVIDIA", architecture: "Volta", formFactor: null, source: v100 }, [
    { slug: "v100-16gb", name: "V100 16GB", vramGb: 16 },
    { slug: "v100-32gb", name: "V100 32GB", vramGb: 32 },
    { slug: "v100-sxm-16gb", name: "V100 SXM 16GB", vramGb: 16, formFactor: "SXM" },
    { slug: "v100-sxm-32gb", name: "V100 SXM 32GB", vramGb: 32, formFactor: "SXM" },
    {
      slug: "v100-pcie-16gb",
      name: "V100 PCIe 16GB",
      vramGb: 16,
      formFactor: "PCIe",
      aliases: ["V100 FHHL 16GB"],
    },
    { slug: "v100-pcie-32gb", name: "V100 PCIe 32GB", vramGb: 32, formFactor: "PCIe" },
    { slug: "v100s", name: "V100S", vramGb: 32, formFactor: "PCIe" },
  ]),
  ...models({ vendor: "NVIDIA", architecture: "Pascal", formFactor: "PCIe" }, [
    {
      slug: "p4",
      name: "P4",
      vramGb: 8,
      source: {
        title: "NVIDIA Tesla P4 datasheet",
        url: "https://images.nvidia.com/content/pdf/tesla/184457-Tesla-P4-Datasheet-NV-Final-Letter-Web.pdf",
      },
    },
    {
      slug: "p40",
      name: "P40",
      vramGb: 24,
      source: {
        title: "NVIDIA Tesla P40 datasheet",
        url: "https://images.nvidia.com/content/pdf/tesla/184427-Tesla-P40-Datasheet-NV-Final-Letter-Web.pdf",
      },
    },
    { slug: "p100-16gb", name: "P100 16GB", vramGb: 16, formFactor: null, source: p100 },
    { slug: "p100-sxm", name: "P100 SXM", vramGb: 16, formFactor: "SXM", source: p100 },
    { slug: "p100-pcie-12gb", name: "P100 PCIe 12GB", vramGb: 12, source: p100 },
    { slug: "p100-pcie-16gb", name: "P100 PCIe 16GB", vramGb: 16, source: p100 },
  ]),
  // Boards of several GPUs: M10 has four of 8 GB, M60 two of 8 GB, K80 two of 12 GB, K520 two of 4 GB.
  ...models({ vendor: "NVIDIA", architecture: "Maxwell", formFactor: "PCIe" }, [
    { slug: "m10", name: "M10", vramGb: 8, source: { title: "NVIDIA Tesla M10 datasheet", url: null } },
    { slug: "m40-12gb", name: "M40 12GB", vramGb: 12, source: { title: "NVIDIA Tesla M40 datasheet", url: null } },
    { slug: "m40-24gb", name: "M40 24GB", vramGb: 24, source: { title: "NVIDIA Tesla M40 datasheet", url: null } },
    {
      slug: "m60",
      name: "M60",
      vramGb: 8,
      source: {
        title: "NVIDIA Tesla M60 datasheet",
        url: "https://images.nvidia.com/content/tesla/pdf/188417-Tesla-M60-DS-A4-fnl-Web.pdf",
      },
    },
  ]),
  ...models({ vendor: "NVIDIA", architecture: "Kepler", formFactor: "PCIe" }, [
    {
      slug: "k80",
      name: "K80",
      vramGb: 12,
      source: { title: "NVIDIA Tesla K80 datasheet", url: "https://www.nvidia.com/en-us/data-center/tesla-k80/" },
    },
    {
      slug: "k520",
      name: "K520",
      vramGb: 4,
      aliases: ["GRID K520"],
      source: { title: "NVIDIA GRID K520 datasheet", url: null },
    },
  ]),
];
