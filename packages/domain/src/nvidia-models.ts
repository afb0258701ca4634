import { models, type GpuModel } from "./gpu-model.js";

// Facts of NVIDIA's cards, each with the document that states them.

const geforce = {
  title: "NVIDIA GeForce graphics card comparison",
  url: "https://www.nvidia.com/en-us/geforce/graphics-cards/compare/",
};
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
const rtxPro = {
  title: "NVIDIA RTX PRO Blackwell datasheets",
  url: "https://www.nvidia.com/en-us/products/workstations/",
};

// NVIDIA publishes no datasheets of these; server makers do.
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

const dataCenter: readonly GpuModel[] = [
  // B300 drivers show about 268 GiB of the 288 GB that NVIDIA names. B200 has 192 GB on the package, and NVIDIA
  // sells it as 180 GB: the DGX B200 datasheet's 1,440 GB are 8 x 180. We follow what each is sold as.
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
    // Export models, whose NVLink is slower (H800) or whose compute is (H20). "H20" alone is the one of 96 GB.
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

const workstation: readonly GpuModel[] = [
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
    // The plain name leaves the edition open: three cards of one memory size and three power limits.
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
  // A4000 and A6000 take an optional NVLink bridge at most, so nvlink is false for all of them.
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
  // "RTX 6000" alone is this card: the Ada and Blackwell cards of that number always carry Ada or PRO.
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

// Some sources cut "Ti" and "Super". Where the memory size alone tells which card is meant, the short name is an
// alias of that card; the card whose own name it is still wins while the size is unknown.
const consumer: readonly GpuModel[] = [
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
    // A cut "RTX 3060" of 8 GB may be either of the next two, so it stays ambiguous.
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

/** NVIDIA's models, those of data centers first. */
export const nvidiaModels: readonly GpuModel[] = [...dataCenter, ...workstation, ...consumer];
