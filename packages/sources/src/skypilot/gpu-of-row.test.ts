import { describe, expect, test } from "vitest";
import type { GpuChoice } from "../choose-gpu.js";
import { Rejection } from "../rejection.js";
import { gpuOf } from "./gpu-of-row.js";
import { quirksOf } from "./provider-quirks.js";

const info = (name: string, count: number, size: number) =>
  `{'Gpus': [{'Name': '${name}', 'Count': ${count}, 'MemoryInfo': {'SizeInMiB': ${size}}}]}`;

const gpu = (provider: string, name: string, count: string, gpuInfo: string, instanceType: string) => {
  const row: Partial<Record<string, string>> = {
    AcceleratorName: name,
    AcceleratorCount: count,
    GpuInfo: gpuInfo,
    InstanceType: instanceType,
  };
  return gpuOf({ get: (column) => row[column] ?? "", provider, quirks: quirksOf(provider) });
};

/** {@link slugOf} of a row. */
function chosen(provider: string, name: string, count: string, gpuInfo = "", instanceType = "t"): string {
  return slugOf(gpu(provider, name, count, gpuInfo, instanceType));
}

/** The slug, with `+nvlink` where the GPUs are joined, or the code of the rejection. */
function slugOf(choice: GpuChoice | Rejection): string {
  if (choice instanceof Rejection) {
    return choice.code;
  }
  return choice.model.slug + (choice.nvlinkEnabled ? "+nvlink" : "");
}

describe("the memory of a row", () => {
  test.each([
    ["lambda", "A100", "8.0", info("A100", 8, 40960), "a100-40gb"],
    ["somebody", "A100", "2", info("A100", 2, 81920), "ambiguous_gpu"],
    ["seeweb", "A100", "2", info("A100", 2, 81920), "a100-80gb"],
    ["primeintellect", "A100", "2", info("A100", 2, 81920), "a100-40gb"],
    ["somebody", "V100", "2", info("V100", 2, 32768), "ambiguous_gpu"],
    ["somebody", "V100-32GB", "2", info("V100-32GB", 2, 32768), "v100-32gb"],
    ["somebody", "V100", "1", "V100 32GB", "v100-32gb"],
    ["somebody", "V100", "1", "", "ambiguous_gpu"],
    ["aws", "V100", "1", "V100 32GB", "v100-32gb"],
    ["somebody", "RTX4090", "2", info("RTX4090", 2, 49140), "ambiguous_gpu"],
    ["somebody", "RTX4090", "2", info("RTX4090", 2, 24564), "rtx-4090"],
    ["seeweb", "RTX PRO 6000 96GB", "4", info("RTX PRO 6000 96GB", 4, 0), "rtx-pro-6000"],
    ["yotta", "RTX5090", "8.0", info("RTX5090", 1, 32607), "rtx-5090"],
    ["somebody", "A100", "4", info("A100", 4, 163840), "a100-40gb"],
    ["vast", "A100", "2", info("A100", 2, 81920), "a100-40gb"],
    ["vast", "RTX4090", "2", info("RTX4090", 2, 49128), "rtx-4090"],
    ["vast", "RTX4090", "1", info("RTX4090", 1, 49140), "rtx-4090-48gb"],
    ["aws", "L4", "8.0", info("L4", 8, 183105), "l4"],
    ["aws", "L40S", "4.0", info("L40S", 4, 183105), "l40s"],
    ["shadeform", "V100-32GB", "2.0", info("V100-32GB", 2, 32), "v100-32gb"],
    ["shadeform", "H200", "8.0", info("H200", 8, 141), "h200"],
    ["runpod", "A100-80GB", "2.0", info("A100 PCIe", 2, 80), "a100-pcie-80gb"],
    ["verda", "B300", "1.0", info("B300", 1, 268288), "b300"],
  ])("of %s: %s x %s with %s is %s", (provider, name, count, gpuInfo, slug) => {
    expect(chosen(provider, name, count, gpuInfo)).toBe(slug);
  });

  test("is that of SkyPilot's plain name if missing, except on Vast", () => {
    expect(chosen("azure", "A100", "8", "A100")).toBe("a100-40gb");
    expect(chosen("azure", "V100", "4", "V100")).toBe("v100-16gb");
    expect(chosen("gcp", "P100", "1")).toBe("p100-16gb");
    expect(chosen("azure", "A100-80GB", "8", "A100-80GB")).toBe("a100-80gb");
    expect(chosen("vast", "A100", "8")).toBe("ambiguous_gpu");
    expect(chosen("somebody", "RTX3080", "1")).toBe("ambiguous_gpu");
  });

  test("rejects the row if no such card has it", () => {
    expect(gpu("vultr", "A100", "1", info("A100", 1, 4096), "t")).toEqual(
      new Rejection("vram_mismatch", "A100 has 40 or 80 GB, not 4."),
    );
    expect(chosen("somebody", "H100", "1", info("H100", 1, 0))).toBe("h100");
    expect(chosen("somebody", "H100", "1", info("H100", 1, -1))).toBe("vram_mismatch");
  });
});

describe("a more precise name", () => {
  test.each([
    ["hyperbolic", "H100", "1", info("NVIDIA-H100-80GB-HBM3", 1, 81559), "t", "h100-sxm"],
    ["lambda", "H100", "1", info("H100", 1, 81920), "gpu_1x_h100_pcie", "h100-pcie"],
    ["lambda", "A100-80GB", "8", info("A100-80GB", 8, 81920), "gpu_8x_a100_80gb_sxm4", "a100-sxm-80gb+nvlink"],
    ["lambda", "A100", "8", info("A100", 8, 40960), "gpu_8x_a100", "a100-sxm-40gb+nvlink"],
    ["lambda", "A100", "4", info("A100", 4, 40960), "gpu_4x_a100", "a100-pcie-40gb"],
    ["vast", "H100", "1", info("H100", 1, 95830), "1x-H100_NVL-32-65536", "h100-nvl"],
    ["vast", "RTX3060", "1", info("RTX3060", 1, 8192), "1x-RTX_3060_Ti-32-65536", "rtx-3060-ti"],
    ["vast", "RTX3070", "2", info("RTX3070", 2, 16384), "2x-RTX_3070_Ti-32-65536", "rtx-3070-ti"],
    ["vast", "RTX4090", "1", info("RTX4090", 1, 24564), "1x-RTX_4090D-32-65536", "rtx-4090-d"],
    ["fluidstack", "A100-80GB", "1", info("A100-80GB", 1, 81920), "A100_PCIE_80GB::1", "a100-pcie-80gb"],
    ["fluidstack", "H100", "1", info("H100", 1, 81920), "H100_NVLINK_80GB::1", "h100"],
    ["fluidstack", "H100", "8", info("H100", 8, 81920), "H100_NVLINK_80GB::8", "h100+nvlink"],
    ["shadeform", "A100-80GB", "8", info("A100-80GB", 8, 80), "crusoe_A100-80G-sxm4x8", "a100-sxm-80gb+nvlink"],
    ["shadeform", "L40", "8", info("L40", 8, 48), "excesssupply_L40x8-2", "l40"],
    ["shadeform", "A6000", "8", info("A6000", 8, 48), "massedcompute_A6000-plusx8", "rtx-a6000"],
    ["nebius", "H100", "8", info("H100", 8, 81920), "gpu-h100-sxm_8gpu-128vcpu-1600gb", "h100-sxm+nvlink"],
    ["mithril", "H100", "8", info("H100", 8, 81920), "h100-80gb.sxm.8x", "h100-sxm+nvlink"],
    ["verda", "H200", "4", info("H200", 4, 144384), "4H200.141S.176V", "h200-sxm+nvlink"],
    ["lium", "RTX6000-Ada", "8", info("RTX6000-Ada", 8, 49152), "RTX6000-Ada_8x", "rtx-6000-ada"],
    ["ibm", "L40S", "2", info("L40S", 2, 49152), "gx3-48x240x2l40s", "l40s"],
    ["yotta", "RTX5090", "2", info("RTX5090", 1, 32607), "2x28v238g_NVIDIA_GeForce_RTX_5090_32G_SECURE", "rtx-5090"],
    [
      "simplepod",
      "RTXPRO6000Blackwell",
      "2",
      info("RTX PRO 6000 Blackwell", 2, 97280),
      "gpu_2x_rtxpro6000blackwell_192",
      "rtx-pro-6000",
    ],
    ["cudo", "RTXA4000", "1", info("RTXA4000", 1, 16384), "epyc-rome-rtx-a4000_4x1v2gb", "rtx-a4000"],
    ["jarvislabs", "H200", "8", info("H200", 8, 144384), "8x_H200_224V_2400G", "h200"],
    ["hyperstack", "A100-80G-PCIe-NVLink", "8", info("A100-80G-PCIe-NVLink", 8, 81920), "n3", "a100-pcie-80gb+nvlink"],
  ])("of %s, for %s x %s with %s in %s, gives %s", (provider, name, count, gpuInfo, instanceType, slug) => {
    expect(chosen(provider, name, count, gpuInfo, instanceType)).toBe(slug);
  });

  test.each([
    ["lambdalabs__8xH100_80GB__208__1800", "gpu_8x_h100_sxm5", "H100", "h100-sxm+nvlink"],
    ["crusoecloud__8xA100_80GB__96__960", "a100-80gb.8x", "A100-80GB", "a100-pcie-80gb"],
    ["datacrunch__8xH100_80GB__176__1480", "8H100.80S.176V", "H100", "h100-sxm+nvlink"],
    ["latitude__8xL40_48GB__128__1536", "g3-l40s-large", "L40", "l40s"],
    ["dc_wildebeest__8xH100_80GB__1__1", "h100-sxm5-80gb_eth", "H100", "h100-sxm+nvlink"],
  ])("of a reseller's %s is that of the cloud's %s", (InstanceType, UpstreamCloudId, AcceleratorName, slug) => {
    const vram = AcceleratorName === "L40" ? 49152 : 81920;
    const row: Partial<Record<string, string>> = {
      InstanceType,
      UpstreamCloudId,
      AcceleratorName,
      AcceleratorCount: "8.0",
      GpuInfo: info(AcceleratorName, 8, 8 * vram),
    };
    const provider = "primeintellect";
    expect(slugOf(gpuOf({ get: (column) => row[column] ?? "", provider, quirks: quirksOf(provider) }))).toBe(slug);
  });

  test.each([
    ["A100_80G_PCIE", "gpu_1x_a100_SXM4_us-central-3"],
    ["H100-SXM", "H100_PCIE_1"],
    ["H100-NVL", "H100_SXM5_1"],
  ])("such as %s is rejected where the type %s spells another form", (name, instanceType) => {
    expect(chosen("spheron", name, "1", "", instanceType)).toBe("conflicting_gpu");
  });

  test("that is less precise changes nothing", () => {
    expect(chosen("somebody", "H100-SXM", "1", info("H100", 1, 81920))).toBe("h100-sxm");
    expect(chosen("somebody", "H100-SXM", "1", info("some GPU", 1, 81920))).toBe("h100-sxm");
  });

  test.each([
    ["another card", "L40", info("L40S", 1, 49152)],
    ["another card of the same family", "H100", info("H200", 1, 81920)],
    ["another form", "H100-SXM", info("H100 PCIe", 1, 81920)],
    ["another size", "A100-80GB", info("A100-40GB", 1, 81920)],
    ["a card that doesn't match the plain name", "RTX3060", info("RTX 3070", 1, 8192)],
  ])("that means %s rejects the row", (_name, name, gpuInfo) => {
    expect(chosen("somebody", name, "1", gpuInfo)).toBe("conflicting_gpu");
  });

  test("is shown together with the plain one if they conflict", () => {
    expect(gpu("somebody", "L40", "1", "L40S", "t")).toMatchObject({
      reason: "The row names L40 and L40S, which are different cards.",
    });
  });
});

describe("a GPU", () => {
  test.each([
    ["Inferentia", "not_a_gpu"],
    ["GAUDI2", "not_a_gpu"],
    ["Voodoo 2", "unknown_gpu"],
    ["__proto__", "unknown_gpu"],
  ])("named %s is rejected as %s, whatever else the row states", (name, code) => {
    expect(chosen("aws", name, "x", "{")).toBe(code);
  });

  test("whose details cannot be read is rejected", () => {
    expect(chosen("aws", "H100", "8", "{'Gpus'")).toBe("bad_gpu_info");
  });

  test.each([
    ["GpuInfo", "t", "aws", 4, "AcceleratorCount is 8, but GpuInfo counts 4."],
    ["its type", "4x-H100-1-1", "vast", 8, "The GPU count is 8, but the instance type says 4."],
  ])("with a different count in %s is rejected", (_name, instanceType, provider, count, reason) => {
    expect(gpu(provider, "H100", "8.0", info("H100", count, 81920), instanceType)).toEqual(
      new Rejection("bad_count", reason),
    );
  });
});
