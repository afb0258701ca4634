// Where the rows of gpu-facts-table.ts were read: for each document of a maker, the slugs it covers, each with the tables
// that were read for it. The letters are those of `factTables`, in the order bandwidth, compute, NVLink, power, year;
// `-` is a figure that no stored table states, or none at all.

interface MakerDocument {
  /** Title; null if the maker published no document. */
  title: string | null;
  url: string | null;
  slugs: Readonly<Record<string, string>>;
}

export const makerDocuments: readonly MakerDocument[] = [
  {
    title: "NVIDIA Blackwell Ultra Datasheet",
    url: "https://resources.nvidia.com/en-us-blackwell-architecture/blackwell-ultra-datasheet",
    slugs: { b300: "AAAAE", gb300: "AAAA-" },
  },
  {
    title: "NVIDIA Blackwell Datasheet",
    url: "https://nvdam.widen.net/s/wwnsxrhm2w/blackwell-datasheet-3384703",
    slugs: { b200: "AAAA-", gb200: "AAAA-" },
  },
  {
    title: "NVIDIA H200 Tensor Core GPU Datasheet",
    url: "https://nvdam.widen.net/s/nb5zzzsjdf/hpc-datasheet-sc23-h200-datasheet-3002446",
    slugs: { "h200-sxm": "AAAAE", "h200-nvl": "EE-EE" },
  },
  {
    title: "NVIDIA H100 Tensor Core GPU Datasheet",
    url: "https://resources.nvidia.com/en-us-gpu-resources/h100-datasheet-24306",
    slugs: { "h100-sxm": "AAAAW", "h100-pcie": "AA-AW", "h100-nvl": "EE-EE" },
  },
  {
    title: "Lenovo Press, ThinkSystem NVIDIA H800 PCIe Gen5 GPU Product Guide (LP1814, withdrawn)",
    url: "https://lenovopress.lenovo.com/lp1814",
    slugs: { "h800-sxm": "IR-WW", "h800-pcie": "TT-TT" },
  },
  {
    title: "Tom's Hardware on H20, L20 and L2 (Nov 2023)",
    url: "https://www.tomshardware.com/pc-components/gpus/new-nvidia-ai-gpus-designed-to-get-around-u-s-export-bans-come-to-china-h20-l20-and-l2-to-fill-void-left-by-restricted-models",
    slugs: { h20: "EEEEE", "h20-141gb": "-N---", l20: "EE-EE", l2: "EE--E" },
  },
  {
    title: "NVIDIA GH200 Grace Hopper Superchip Datasheet",
    url: "https://www.nvidia.com/en-us/data-center/grace-hopper-superchip/",
    slugs: { "gh200-96gb": "SS---", "gh200-144gb": "-S---" },
  },
  {
    title: "NVIDIA L4 Tensor Core GPU Datasheet",
    url: "https://www.nvidia.com/en-us/data-center/l4/",
    slugs: { l4: "AA-AE" },
  },
  {
    title: "NVIDIA L40 product brief",
    url: "https://www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/datasheets/L-40/product-brief-L40.pdf",
    slugs: { l40: "EE-EE" },
  },
  {
    title: "NVIDIA L40S GPU Datasheet",
    url: "https://resources.nvidia.com/en-us-l40s/l40s-datasheet-28413",
    slugs: { l40s: "AA-AE" },
  },
  {
    title: "NVIDIA A100 Tensor Core GPU Datasheet",
    url: "https://www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/a100/pdf/nvidia-a100-datasheet-us-nvidia-1758950-r4-web.pdf",
    slugs: { "a100-sxm-40gb": "GP-G-", "a100-sxm-80gb": "AAAA-", "a100-pcie-40gb": "GP-GW", "a100-pcie-80gb": "AA-A-" },
  },
  {
    title: "Lenovo Press, ThinkSystem NVIDIA A800 PCIe 4.0 GPUs Product Guide (LP1813)",
    url: "https://lenovopress.lenovo.com/lp1813-thinksystem-nvidia-a800-pcie-gpu",
    slugs: { "a800-sxm-80gb": "VR-TT", "a800-pcie-80gb": "TR-TT" },
  },
  {
    title: "NVIDIA A800 40GB Active Datasheet",
    url: "https://www.nvidia.com/en-us/products/workstations/a800/",
    slugs: { "a800-pcie-40gb": "TR-TT" },
  },
  {
    title: "NVIDIA A2 Tensor Core GPU Datasheet",
    url: "https://www.nvidia.com/content/dam/en-zz/solutions/data-center/a2/pdf/a2-datasheet.pdf",
    slugs: { a2: "WW-WW" },
  },
  {
    title: "NVIDIA A10 Tensor Core GPU Datasheet",
    url: "https://www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/a10/pdf/a10-datasheet.pdf",
    slugs: { a10: "GC-GW" },
  },
  {
    title: "NVIDIA A10G Tensor Core GPU Datasheet (AWS)",
    url: "https://d1.awsstatic.com/product-marketing/ec2/NVIDIA_AWS_A10G_DataSheet_FINAL_02_17_2022.pdf",
    slugs: { a10g: "LL---" },
  },
  {
    title: "NVIDIA A16 Datasheet",
    url: "https://www.nvidia.com/en-us/data-center/products/a16-gpu/",
    slugs: { a16: "WW-WW" },
  },
  {
    title: "NVIDIA A30 Tensor Core GPU Datasheet",
    url: "https://www.nvidia.com/en-us/data-center/products/a30-gpu/",
    slugs: { a30: "AA-AW" },
  },
  {
    title: "NVIDIA A40 Datasheet",
    url: "https://images.nvidia.com/content/Solutions/data-center/a40/nvidia-a40-datasheet.pdf",
    slugs: { a40: "VP-WW" },
  },
  {
    title: "NVIDIA Converged Accelerators Datasheet",
    url: null,
    slugs: { a100x: "TT-TT" },
  },
  {
    title: "NVIDIA T4 Tensor Core GPU Datasheet",
    url: "https://www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/tesla-t4/t4-tensor-core-datasheet-951643.pdf",
    slugs: { t4: "WP-WW" },
  },
  {
    title: "Amazon EC2 G5g instances product page",
    url: "https://aws.amazon.com/ec2/instance-types/g5g/",
    slugs: { t4g: "TT-TT" },
  },
  {
    title: "NVIDIA V100 Tensor Core GPU Datasheet",
    url: "https://images.nvidia.com/content/technologies/volta/pdf/volta-v100-datasheet-update-us-1165301-r5.pdf",
    slugs: {
      "v100-sxm-16gb": "GP-G-",
      "v100-sxm-32gb": "GP-G-",
      "v100-pcie-16gb": "GP-GW",
      "v100-pcie-32gb": "GP-GW",
      v100s: "GP-GT",
    },
  },
  {
    title: "NVIDIA Tesla P4 Datasheet",
    url: "https://images.nvidia.com/content/pdf/tesla/184457-Tesla-P4-Datasheet-NV-Final-Letter-Web.pdf",
    slugs: { p4: "WW-WW" },
  },
  {
    title: "NVIDIA Tesla P40 Datasheet",
    url: "https://images.nvidia.com/content/pdf/tesla/184427-Tesla-P40-Datasheet-NV-Final-Letter-Web.pdf",
    slugs: { p40: "WW-WW" },
  },
  {
    title: "NVIDIA Tesla P100 Datasheet",
    url: "https://images.nvidia.com/content/tesla/pdf/nvidia-tesla-p100-datasheet.pdf",
    slugs: { "p100-sxm": "WW-WW", "p100-pcie-12gb": "WW-WW", "p100-pcie-16gb": "WW-WW" },
  },
  {
    title: "NVIDIA Tesla M10 datasheet",
    url: null,
    slugs: { m10: "W--WW" },
  },
  {
    title: "NVIDIA Tesla M40 datasheet",
    url: null,
    slugs: { "m40-12gb": "W--WW", "m40-24gb": "W--WW" },
  },
  {
    title: "NVIDIA Tesla M60 Datasheet",
    url: "https://images.nvidia.com/content/tesla/pdf/188417-Tesla-M60-DS-A4-fnl-Web.pdf",
    slugs: { m60: "W--WW" },
  },
  {
    title: "NVIDIA Tesla K80 datasheet",
    url: "https://www.nvidia.com/en-us/data-center/tesla-k80/",
    slugs: { k80: "W--WW" },
  },
  {
    title: "NVIDIA GRID K520 datasheet",
    url: null,
    slugs: { k520: "T--TT" },
  },
  {
    title: "NVIDIA RTX PRO 2000 Blackwell datasheet",
    url: "https://www.nvidia.com/en-us/products/workstations/professional-desktop-gpus/rtx-pro-2000/",
    slugs: { "rtx-pro-2000": "EE-EE" },
  },
  {
    title: "NVIDIA RTX PRO 4000 Blackwell datasheet",
    url: "https://www.nvidia.com/en-us/products/workstations/professional-desktop-gpus/rtx-pro-4000/",
    slugs: { "rtx-pro-4000": "EE-EE" },
  },
  {
    title: "NVIDIA RTX PRO 4000 Blackwell SFF Edition datasheet",
    url: "https://www.nvidia.com/en-us/products/workstations/professional-desktop-gpus/rtx-pro-4000-sff/",
    slugs: { "rtx-pro-4000-sff": "EE-EE" },
  },
  {
    title: "NVIDIA RTX PRO 4500 Blackwell Workstation Edition datasheet",
    url: "https://www.nvidia.com/content/dam/en-zz/Solutions/data-center/rtx-pro-4500-blackwell/workstation-datasheet-blackwell-rtx-pro-4500-we-nvidia-us-4978450-web-new.pdf",
    slugs: { "rtx-pro-4500": "EE-EE" },
  },
  {
    title: "NVIDIA RTX PRO 4500 Blackwell Server Edition product page",
    url: "https://www.nvidia.com/en-us/data-center/rtx-pro-4500-blackwell-server-edition/",
    slugs: { "rtx-pro-4500-server": "-----" },
  },
  {
    title: "NVIDIA RTX PRO 5000 Blackwell datasheet",
    url: "https://www.nvidia.com/content/dam/en-zz/Solutions/products/workstations/professional-desktop-gpus/rtx-pro-5000-blackwell/workstation-datasheet-blackwell-rtx-pro-5000-gtc25-spring-nvidia-3658700.pdf",
    slugs: { "rtx-pro-5000-48gb": "EE-EE", "rtx-pro-5000-72gb": "EE-EE" },
  },
  {
    title: "NVIDIA RTX PRO 6000 Blackwell Server Edition Datasheet (Dec 2025)",
    url: "https://www.nvidia.com/en-us/data-center/rtx-pro-6000-blackwell-server-edition/",
    slugs: { "rtx-pro-6000-server": "E--AE" },
  },
  {
    title: "NVIDIA RTX Blackwell PRO GPU Architecture v1.0 (whitepaper)",
    url: "https://www.nvidia.com/content/dam/en-zz/Solutions/design-visualization/quadro-product-literature/NVIDIA-RTX-Blackwell-PRO-GPU-Architecture-v1.0.pdf",
    slugs: { "rtx-pro-6000-workstation": "WW-WW" },
  },
  {
    title: "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition datasheet",
    url: null,
    slugs: { "rtx-pro-6000-max-q": "WW-WW" },
  },
  {
    title: "NVIDIA RTX 2000 Ada Generation datasheet",
    url: null,
    slugs: { "rtx-2000-ada": "EE-EE" },
  },
  {
    title: "NVIDIA RTX 4000 Ada Generation datasheet",
    url: null,
    slugs: { "rtx-4000-ada": "EE-EE" },
  },
  {
    title: "NVIDIA RTX 4000 SFF Ada Generation datasheet",
    url: null,
    slugs: { "rtx-4000-sff-ada": "WW-WW" },
  },
  {
    title: "NVIDIA RTX 4500 Ada Generation datasheet",
    url: null,
    slugs: { "rtx-4500-ada": "EE-EE" },
  },
  {
    title: "NVIDIA RTX 5000 Ada Generation datasheet",
    url: null,
    slugs: { "rtx-5000-ada": "EE-EE" },
  },
  {
    title: "NVIDIA RTX 5880 Ada Generation datasheet",
    url: null,
    slugs: { "rtx-5880-ada": "WW-WW" },
  },
  {
    title: "NVIDIA Ada GPU Architecture for professional visualization, v1.1 (whitepaper)",
    url: "https://images.nvidia.com/aem-dam/en-zz/Solutions/technologies/NVIDIA-ADA-GPU-PROVIZ-Architecture-Whitepaper_1.1.pdf",
    slugs: { "rtx-6000-ada": "EE-EE" },
  },
  {
    title: "NVIDIA RTX A400 datasheet",
    url: null,
    slugs: { "rtx-a400": "WW-WW" },
  },
  {
    title: "NVIDIA RTX A1000 datasheet",
    url: null,
    slugs: { "rtx-a1000": "WW-WW" },
  },
  {
    title: "NVIDIA RTX A2000 datasheet",
    url: null,
    slugs: { "rtx-a2000-6gb": "WW-WW", "rtx-a2000-12gb": "WW-WW" },
  },
  {
    title: "NVIDIA RTX A4000 datasheet",
    url: null,
    slugs: { "rtx-a4000": "WW-WW" },
  },
  {
    title: "NVIDIA RTX A4500 datasheet",
    url: null,
    slugs: { "rtx-a4500": "WW-WW" },
  },
  {
    title: "NVIDIA RTX A5000 datasheet",
    url: null,
    slugs: { "rtx-a5000": "WW-WW" },
  },
  {
    title: "NVIDIA RTX A5500 datasheet",
    url: null,
    slugs: { "rtx-a5500": "WW-WW" },
  },
  {
    title: "NVIDIA RTX A6000 datasheet",
    url: "https://www.nvidia.com/content/dam/en-zz/Solutions/design-visualization/quadro-product-literature/proviz-print-nvidia-rtx-a6000-datasheet-us-nvidia-1454980-r9-web%20(1).pdf",
    slugs: { "rtx-a6000": "LN-WW" },
  },
  {
    title: "NVIDIA Quadro RTX 4000 datasheet",
    url: null,
    slugs: { "quadro-rtx-4000": "WW-WW" },
  },
  {
    title: "NVIDIA Quadro RTX 5000 datasheet",
    url: "https://www.nvidia.com/content/dam/en-zz/Solutions/design-visualization/quadro-product-literature/quadro-rtx-5000-data-sheet-us-nvidia-704120-r4-web.pdf",
    slugs: { "quadro-rtx-5000": "WP-WW" },
  },
  {
    title: "NVIDIA Turing GPU Architecture (whitepaper)",
    url: "https://www.nvidia.com/content/dam/en-zz/Solutions/design-visualization/technologies/turing-architecture/NVIDIA-Turing-Architecture-Whitepaper.pdf",
    slugs: {
      "quadro-rtx-6000": "WW-WW",
      "quadro-rtx-8000": "WW-WW",
      "rtx-2060": "WW-WW",
      "rtx-2060-12gb": "WW-WW",
      "rtx-2060-super": "WW-WW",
      "rtx-2070": "WW-WW",
      "rtx-2070-super": "WW-WW",
      "rtx-2080": "WW-WW",
      "rtx-2080-super": "WW-WW",
      "rtx-2080-ti": "WW-WW",
      "titan-rtx": "WW-WW",
    },
  },
  {
    title: "NVIDIA T1000 datasheet",
    url: null,
    slugs: { "t1000-4gb": "WW-WW", "t1000-8gb": "WW-WW" },
  },
  {
    title: "NVIDIA Quadro GV100 datasheet",
    url: null,
    slugs: { "quadro-gv100": "T--TT" },
  },
  {
    title: "NVIDIA Quadro P4000 datasheet",
    url: null,
    slugs: { "quadro-p4000": "WW-WW" },
  },
  {
    title: "NVIDIA Quadro P5000 datasheet",
    url: null,
    slugs: { "quadro-p5000": "WW-WW" },
  },
  {
    title: "NVIDIA Quadro P6000 datasheet",
    url: null,
    slugs: { "quadro-p6000": "WW-WW" },
  },
  {
    title: "NVIDIA Quadro M4000 datasheet",
    url: null,
    slugs: { "quadro-m4000": "W--WW" },
  },
  {
    title: "NVIDIA Quadro M5000 datasheet",
    url: null,
    slugs: { "quadro-m5000": "W--WW" },
  },
  {
    title: "NVIDIA GeForce graphics card comparison",
    url: "https://www.nvidia.com/en-us/geforce/graphics-cards/compare/",
    slugs: {
      "rtx-5050": "EE-EE",
      "rtx-5060": "EE-EE",
      "rtx-5060-ti-8gb": "EE-EE",
      "rtx-5060-ti-16gb": "EE-EE",
      "rtx-5090-d": "TT-TT",
      "rtx-4060": "EE-EE",
      "rtx-4060-ti-8gb": "EE-EE",
      "rtx-4060-ti-16gb": "EE-EE",
      "rtx-4070": "EE-EE",
      "rtx-4070-super": "EE-EE",
      "rtx-4070-ti-super": "EE-EE",
      "rtx-4080-super": "EE-EE",
      "rtx-4090-d": "WW-WW",
      "rtx-3050": "WW-WW",
      "rtx-3050-6gb": "WW-WW",
      "rtx-3060": "WW-WW",
      "rtx-3060-8gb": "WW-WW",
      "rtx-3060-ti": "WW-WW",
      "rtx-3070-ti": "WW-WW",
      "rtx-3080-12gb": "WW-WW",
      "rtx-3080-ti": "WW-WW",
      "rtx-3090-ti": "WW-WW",
      "gtx-1650": "WW-WW",
      "gtx-1650-super": "WW-WW",
      "gtx-1660": "WW-WW",
      "gtx-1660-super": "WW-WW",
      "gtx-1660-ti": "WW-WW",
      "gtx-1050": "WW-WW",
      "gtx-1050-ti": "WW-WW",
      "gtx-1060-3gb": "WW-WW",
      "gtx-1060-6gb": "WW-WW",
      "gtx-1070": "WW-WW",
      "gtx-1070-ti": "WW-WW",
      "gtx-1080": "WW-WW",
      "gtx-1080-ti": "WW-WW",
      "titan-xp": "WW-WW",
    },
  },
  {
    title: "NVIDIA RTX Blackwell GPU Architecture (whitepaper)",
    url: "https://images.nvidia.com/aem-dam/Solutions/geforce/blackwell/nvidia-rtx-blackwell-gpu-architecture.pdf",
    slugs: { "rtx-5070": "EE-EE", "rtx-5070-ti": "EE-EE", "rtx-5080": "EE-EE", "rtx-5090": "EE-EE" },
  },
  {
    title: "NVIDIA Ada GPU Architecture v2.1 (whitepaper)",
    url: "https://images.nvidia.com/aem-dam/Solutions/Data-Center/l4/nvidia-ada-gpu-architecture-whitepaper-v2.1.pdf",
    slugs: { "rtx-4070-ti": "EE-EE", "rtx-4080": "EE-EE", "rtx-4090": "EE-EE" },
  },
  {
    title: null,
    url: null,
    slugs: { "rtx-4090-48gb": "-----", mi308x: "-----" },
  },
  {
    title: "NVIDIA Ampere GA102 GPU Architecture v2 (whitepaper)",
    url: "https://www.nvidia.com/content/PDF/nvidia-ampere-ga-102-gpu-architecture-whitepaper-v2.pdf",
    slugs: { "rtx-3070": "WW-WW", "rtx-3080-10gb": "WW-WW", "rtx-3090": "WW-WW" },
  },
  {
    title: "NVIDIA Titan V product page",
    url: null,
    slugs: { "titan-v": "WW-WW" },
  },
  {
    title: "AMD Instinct MI355X product page and data sheet",
    url: "https://www.amd.com/en/products/accelerators/instinct/mi350/mi355x.html",
    slugs: { mi355x: "EE-EE" },
  },
  {
    title: "AMD Instinct MI350X product page and data sheet",
    url: "https://www.amd.com/en/products/accelerators/instinct/mi350/mi350x.html",
    slugs: { mi350x: "EE-EE" },
  },
  {
    title: "AMD CDNA 3 Architecture white paper",
    url: "https://www.amd.com/content/dam/amd/en/documents/instinct-tech-docs/white-papers/amd-cdna-3-white-paper.pdf",
    slugs: { mi325x: "EE-EE", mi300x: "EE-EE", mi300a: "EE-EE" },
  },
  {
    title: "AMD Instinct MI250X product page",
    url: "https://www.amd.com/en/products/accelerators/instinct/mi200/mi250x.html",
    slugs: { mi250x: "SS-WW" },
  },
  {
    title: "AMD Instinct MI250 product page",
    url: "https://www.amd.com/en/products/accelerators/instinct/mi200/mi250.html",
    slugs: { mi250: "SS-WW" },
  },
  {
    title: "AMD Instinct MI210 product page",
    url: "https://www.amd.com/en/products/accelerators/instinct/mi200/mi210.html",
    slugs: { mi210: "LL-WW" },
  },
  {
    title: "AMD Instinct MI100 product page",
    url: "https://www.amd.com/en/products/accelerators/instinct/mi100.html",
    slugs: { mi100: "LL-WW" },
  },
  {
    title: "AMD Radeon Instinct MI60 product page",
    url: null,
    slugs: { mi60: "WW-WW" },
  },
  {
    title: "AMD Radeon Instinct MI50 product page",
    url: null,
    slugs: { "mi50-16gb": "WW-WW", "mi50-32gb": "WW-WW" },
  },
  {
    title: "AMD Radeon Instinct MI25 product page",
    url: null,
    slugs: { mi25: "WW-WW" },
  },
  {
    title: "AMD Radeon AI PRO R9700 product page",
    url: "https://www.amd.com/en/products/graphics/workstations/radeon-ai-pro/ai-9000-series/amd-radeon-ai-pro-r9700.html",
    slugs: { "radeon-ai-pro-r9700": "EE-EE" },
  },
  {
    title: "AMD Radeon RX 9070 XT product page",
    url: "https://www.amd.com/en/products/graphics/desktops/radeon/9000-series/amd-radeon-rx-9070xt.html",
    slugs: { "rx-9070-xt": "EE-EE" },
  },
  {
    title: "AMD Radeon RX 9070 product page",
    url: "https://www.amd.com/en/products/graphics/desktops/radeon/9000-series/amd-radeon-rx-9070.html",
    slugs: { "rx-9070": "EE-EE" },
  },
  {
    title: "AMD Radeon PRO V710 product page",
    url: null,
    slugs: { "radeon-pro-v710": "WW-WW" },
  },
  {
    title: "AMD Radeon PRO W7700 product page",
    url: "https://www.amd.com/en/products/graphics/workstations/radeon-pro/w7700.html",
    slugs: { "radeon-pro-w7700": "EE-EE" },
  },
  {
    title: "AMD Radeon PRO W7800 product page",
    url: "https://www.amd.com/en/products/graphics/workstations/radeon-pro/w7800.html",
    slugs: { "radeon-pro-w7800": "EE-EE" },
  },
  {
    title: "AMD Radeon PRO W7800 48GB product page",
    url: "https://www.amd.com/en/products/graphics/workstations/radeon-pro/w7800-48gb.html",
    slugs: { "radeon-pro-w7800-48gb": "EE-E-" },
  },
  {
    title: "AMD Radeon PRO W7900 product page",
    url: "https://www.amd.com/en/products/graphics/workstations/radeon-pro/w7900.html",
    slugs: { "radeon-pro-w7900": "EE-EE" },
  },
  {
    title: "AMD Radeon RX 7800 XT product page",
    url: "https://www.amd.com/en/products/graphics/desktops/radeon/7000-series/amd-radeon-rx-7800-xt.html",
    slugs: { "rx-7800-xt": "EE-EE" },
  },
  {
    title: "AMD Radeon RX 7700 XT product page",
    url: "https://www.amd.com/en/products/graphics/desktops/radeon/7000-series/amd-radeon-rx-7700-xt.html",
    slugs: { "rx-7700-xt": "EE-EE" },
  },
  {
    title: "AMD Radeon RX 7900 GRE product page",
    url: "https://www.amd.com/en/products/graphics/desktops/radeon/7000-series/amd-radeon-rx-7900-gre.html",
    slugs: { "rx-7900-gre": "EE-EE" },
  },
  {
    title: "AMD Radeon RX 7900 XT product page",
    url: "https://www.amd.com/en/products/graphics/desktops/radeon/7000-series/amd-radeon-rx-7900-xt.html",
    slugs: { "rx-7900-xt": "EE-EE" },
  },
  {
    title: "AMD Radeon RX 7900 XTX product page",
    url: "https://www.amd.com/en/products/graphics/desktops/radeon/7000-series/amd-radeon-rx-7900xtx.html",
    slugs: { "rx-7900-xtx": "EE-EE" },
  },
  {
    title: "AMD Radeon PRO V620 product page",
    url: null,
    slugs: { "radeon-pro-v620": "WW-WW" },
  },
  {
    title: "AMD Radeon PRO W6800 product page",
    url: null,
    slugs: { "radeon-pro-w6800": "WW-WW" },
  },
  {
    title: "AMD Radeon RX 6800 product page",
    url: null,
    slugs: { "rx-6800": "TT-TT" },
  },
  {
    title: "AMD Radeon RX 6800 XT product page",
    url: null,
    slugs: { "rx-6800-xt": "TT-TT" },
  },
  {
    title: "AMD Radeon RX 6900 XT product page",
    url: null,
    slugs: { "rx-6900-xt": "TT-TT" },
  },
  {
    title: "AMD Radeon RX 6950 XT product page",
    url: null,
    slugs: { "rx-6950-xt": "TT-TT" },
  },
  {
    title: "AMD Radeon Pro V520 product page",
    url: null,
    slugs: { "radeon-pro-v520": "WW-WW" },
  },
  {
    title: "Intel Data Center GPU Max Series Product Brief",
    url: "https://www.intel.com/content/dam/www/central-libraries/us/en/documents/2023-01/data-center-gpu-max-series-product-brief.pdf",
    slugs: { "max-1550": "EE-EE", "max-1100": "EE-EE" },
  },
  {
    title: "Intel Data Center GPU Flex Series Product Brief",
    url: "https://www.intel.com/content/www/us/en/products/details/discrete-gpus/data-center-gpu/flex-series.html",
    slugs: { "flex-170": "---TT", "flex-140": "---TT" },
  },
  {
    title: "Intel Arc Pro A60 Graphics specifications (ARK)",
    url: null,
    slugs: { "arc-pro-a60": "EE-EE" },
  },
  {
    title: "Intel Arc A750 Graphics specifications (ARK)",
    url: null,
    slugs: { "arc-a750": "EE-EE" },
  },
  {
    title: "Intel Arc A770 8GB Graphics specifications (ARK)",
    url: null,
    slugs: { "arc-a770-8gb": "EE-EE" },
  },
  {
    title: "Intel Arc A770 16GB Graphics specifications (ARK)",
    url: null,
    slugs: { "arc-a770-16gb": "EE-EE" },
  },
  {
    title: "Intel Arc Pro B50 Graphics specifications (ARK)",
    url: null,
    slugs: { "arc-pro-b50": "EE-EE" },
  },
  {
    title: "Intel Arc Pro B60 Graphics specifications (ARK)",
    url: null,
    slugs: { "arc-pro-b60": "AA-AE" },
  },
  {
    title: "Intel Arc B570 Graphics specifications (ARK)",
    url: null,
    slugs: { "arc-b570": "EE-EE" },
  },
  {
    title: "Intel Arc B580 Graphics specifications (ARK)",
    url: null,
    slugs: { "arc-b580": "EE-EE" },
  },
];
