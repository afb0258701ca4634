import { gpuModels, type GpuModel } from "@gpu-offers/domain";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chooseGpu, type GpuClaim } from "./choose-gpu.js";
import { Rejection } from "./rejection.js";
import { gpuOf } from "./skypilot/gpu-of-row.js";
import { quirksOf } from "./skypilot/provider-quirks.js";

/** `8 h100-sxm nvlink`, or the code of the rejection. */
function chosen(claim: Partial<GpuClaim>): string {
  const gpu = chooseGpu({ provider: "somebody", instanceType: "", name: "", ...claim });
  if (gpu instanceof Rejection) {
    return gpu.code;
  }
  return `${gpu.gpuCount} ${gpu.model.slug}${gpu.nvlinkEnabled ? " nvlink" : ""}`;
}

describe("the GPU of an API entry", () => {
  test.each([
    [{ name: "H100 SXM", count: 8, vramGb: 79.6 }, "8 h100-sxm nvlink"],
    [{ name: "H100 SXM", count: 1 }, "1 h100-sxm"],
    [{ name: "A100 SXM4", count: 4, vramGb: 39.6 }, "4 a100-sxm-40gb nvlink"],
    [{ name: "A100", count: 8, totalVramGb: 640 }, "8 a100-80gb"],
    [{ name: "V100", count: 2, unclearVramGb: 32 }, "ambiguous_gpu"],
    [{ name: "H100", count: 2, vramGb: 94 }, "2 h100-nvl"],
    [{ name: "H100", count: 2, otherNames: ["NVIDIA H100 PCIe"] }, "2 h100-pcie"],
    [{ name: "RTX PRO 6000", count: 1, otherNames: ["RTX PRO 6000 WS"] }, "1 rtx-pro-6000-workstation"],
    [{ name: "RTX 4090", count: 1, otherNames: ["RTX 4080"] }, "conflicting_gpu"],
    [{ provider: "aws", instanceType: "p5.48xlarge" }, "8 h100-sxm nvlink"],
    [{ provider: "azure", instanceType: "Standard_NV6ads_A10_v5" }, "fractional_gpu"],
    [{ provider: "aws", instanceType: "p99.large" }, "missing_value"],
    [{ name: "RTX PRO 6000 Blackwell Server Edition MIG 1g.24gb", count: 1 }, "fractional_gpu"],
    [{ name: "GRID A100-10C", count: 1 }, "fractional_gpu"],
    [{ name: "A100 MIG", count: 1 }, "fractional_gpu"],
    [{ name: "A100", vramGb: 4, count: 1 }, "vram_mismatch"],
    [{ name: "Trainium2", count: 16 }, "not_a_gpu"],
    [{ name: "H100" }, "bad_count"],
    [{ name: "H100", count: 0 }, "bad_count"],
    [{ name: "H100", count: Number.NaN }, "bad_count"],
    [{ name: "A16", count: 0.125 }, "fractional_gpu"],
    [{ provider: "verda", instanceType: "8H100.80S.176V", name: "H100", totalVramGb: 640 }, "8 h100-sxm nvlink"],
    [{ provider: "mithril", instanceType: "h100-80gb.sxm.8x_104cpu", name: "H100", count: 8 }, "8 h100-sxm nvlink"],
    [{ instanceType: "h100-sxm5-80gb_eth", name: "H100", count: 8, vramGb: 80 }, "8 h100-sxm nvlink"],
    [{ instanceType: "A100_PCIE_80GB", name: "A100-80GB", count: 4 }, "4 a100-pcie-80gb"],
    [{ instanceType: "gpu_1x_a100_SXM4", name: "A100 80GB PCIe", count: 1 }, "conflicting_gpu"],
    [{ provider: "oblivus", instanceType: "A100_NVLINK_80GB", name: "A100", count: 8 }, "8 a100-80gb nvlink"],
    [{ provider: "hyperstack", instanceType: "n3-H100x8-NVLink", name: "H100", count: 8 }, "8 h100-pcie nvlink"],
    [{ provider: "hyperstack", instanceType: "n3-H100x8-bigroot", name: "H100", count: 8 }, "8 h100-pcie"],
    [{ provider: "hyperstack", instanceType: "n3-H100-SXM5x8", name: "H100", count: 8 }, "8 h100-sxm nvlink"],
    [{ provider: "tencent", instanceType: "GN10Xp.20XLARGE320", name: "V100", count: 8 }, "8 v100-sxm-32gb nvlink"],
    [{ provider: "ovh", instanceType: "t2-le-180", name: "V100-32GB", count: 4 }, "4 v100s"],
    [{ provider: "latitude", instanceType: "g3-l40s-large", name: "L40", count: 8 }, "8 l40s"],
    [{ provider: "latitude", instanceType: "g3-l40s-large", name: "L4", count: 8 }, "conflicting_gpu"],
    [{ provider: "ovh", instanceType: "t1-90", name: "V100", count: 2, vramGb: 16 }, "2 v100-pcie-16gb"],
    [{ provider: "verda", instanceType: "1RTXPRO6000.30V", name: "RTX PRO 6000", count: 1 }, "1 rtx-pro-6000"],
  ] as const)("%j is %s", (claim, expected) => {
    expect(chosen(claim)).toBe(expected);
  });

  test("includes the network and documentation page of its instance type", () => {
    expect(chooseGpu({ provider: "oci", instanceType: "BM.GPU.H100.8", name: "H100" })).toMatchObject({
      interconnect: "RDMA 3200 Gbps",
      documented: { source: { title: expect.stringContaining("Oracle") } },
    });
  });
});

// How real catalogs write GPU memory: of one card in MiB as a driver reports it, in GB, of all cards together, decimal
// gigabytes as MiB, or not at all.
const ENCODINGS = {
  "one card": (vramGb: number) => ({ SizeInMiB: vramGb * 1024 }),
  "one card, by its driver": (vramGb: number) => ({ SizeInMiB: Math.round(vramGb * 1024 * 0.957) }),
  "one card, in GB": (vramGb: number) => ({ SizeInMiB: vramGb }),
  "all cards": (vramGb: number, count: number) => ({ SizeInMiB: vramGb * count * 1024 }),
  "all cards, by their drivers": (vramGb: number, count: number) => ({
    SizeInMiB: Math.round(vramGb * 1024 * 0.957) * count,
  }),
  "all cards, in GB": (vramGb: number, count: number) => ({ SizeInMiB: vramGb * count }),
  "all cards, decimal": (vramGb: number, count: number) => ({
    SizeInMiB: Math.floor((vramGb * count * 1e9) / 2 ** 20),
  }),
  unknown: () => ({ SizeInMiB: 0 }),
  "a name alone": () => undefined,
} as const;

type Encoding = keyof typeof ENCODINGS;

// Names under which a source may list a model: the model's own, and that of its family if the memory is given.
const namesOf = (model: GpuModel) => [model.name, model.slug, model.family, ...model.aliases];

function rowOf(model: GpuModel, name: string, count: number, encoding: Encoding, provider: string) {
  const memory = ENCODINGS[encoding](model.vramGb, count);
  const info = JSON.stringify({ Gpus: [{ Name: name, Count: count, MemoryInfo: memory }] });
  const row: Partial<Record<string, string>> = {
    AcceleratorName: name,
    AcceleratorCount: `${count}.0`,
    GpuInfo: memory === undefined ? name : info,
    InstanceType: "t",
  };
  return gpuOf({ get: (column) => row[column] ?? "", provider, quirks: quirksOf(provider) });
}

/** Whether two models are the same, apart from what the first leaves open: `h100` for an H100 SXM of its size. */
function isNoFalseFact(said: GpuModel, real: GpuModel): boolean {
  const isPlain = said.formFactor === null || said.slug === said.family;
  return said === real || (said.family === real.family && said.vramGb === real.vramGb && isPlain);
}

describe("every model, at every count, in every encoding of its memory", () => {
  const encodings = Object.keys(ENCODINGS) as Encoding[];

  test("resolves to that model and count or is rejected, never to another model", () => {
    const wrong: string[] = [];
    let read = 0;
    for (const model of gpuModels) {
      for (let count = 1; count <= 16; count += 1) {
        for (const encoding of encodings) {
          const gpu = rowOf(model, model.name, count, encoding, "somebody");
          if (gpu instanceof Rejection) {
            continue;
          }
          read += 1;
          if (gpu.gpuCount !== count || gpu.model !== model) {
            wrong.push(`${count} ${model.name}, ${encoding}: ${gpu.gpuCount} ${gpu.model.slug}`);
          }
        }
      }
    }
    expect(wrong).toEqual([]);
    // Most are accepted; rejected are two sizes of one card at a count that makes them look alike.
    expect(read / (gpuModels.length * 16 * encodings.length)).toBeGreaterThan(0.9);
  });

  test("resolves under every name to a model consistent with it, if the memory is given", () => {
    const stated = encodings.filter((encoding) => encoding !== "unknown" && encoding !== "a name alone");
    const any = fc
      .constantFrom(...gpuModels)
      .chain((model) => fc.tuple(fc.constant(model), fc.constantFrom(...namesOf(model))));
    fc.assert(
      fc.property(
        any,
        fc.integer({ min: 1, max: 16 }),
        fc.constantFrom(...stated),
        ([model, name], count, encoding) => {
          const gpu = rowOf(model, name, count, encoding, "somebody");
          if (gpu instanceof Rejection) {
            return;
          }
          expect(gpu.gpuCount).toBe(count);
          expect([name, gpu.model.slug, isNoFalseFact(gpu.model, model)]).toEqual([name, gpu.model.slug, true]);
        },
      ),
      { seed: 20_261_120, numRuns: 3000 },
    );
  });
});
