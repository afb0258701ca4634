import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { gpuFactNote, gpuFactSources } from "./gpu-fact-sources.js";
import { GPU_FACT_KEYS, gpuFacts } from "./gpu-facts.js";
import type { GpuFacts } from "./gpu-facts-schema.js";
import { figureTexts, openForms } from "./gpu-figures.facts.js";
import { gpuModels } from "./gpu-models.js";
import { present } from "../present.js";

function factsOf(slug: string): GpuFacts {
  const facts = gpuFacts(slug);
  if (facts === undefined) {
    throw new Error(`${slug} needs a row in facts/gpus.csv.`);
  }
  return facts;
}

const ratio = (value: number | null, expected: number): number => Math.abs(present(value ?? undefined) / expected - 1);

describe("facts of GPUs", () => {
  test("exist for every model, and for nothing else", () => {
    const slugs = gpuModels.map(({ slug }) => slug).toSorted();
    slugs.forEach(factsOf);
    expect(
      [
        ...figureTexts.flatMap((text) => text.split("\n")).map((line) => line.replace(/ .*/, "")),
        ...openForms.keys(),
      ].toSorted(),
    ).toEqual(slugs);
    expect(gpuFacts("h1000")).toBeUndefined();
    expect(gpuFacts("constructor")).toBeUndefined();
  });

  test("of a name with an open form are those that all forms share", () => {
    for (const [slug, forms] of openForms) {
      const model = present(gpuModels.find((known) => known.slug === slug));
      const others = gpuModels.filter(
        ({ slug: other, family, vramGb }) => other !== slug && family === model.family && vramGb === model.vramGb,
      );
      expect([slug, ...others.map((other) => other.slug).toSorted()]).toEqual([slug, ...forms.toSorted()]);
      for (const key of GPU_FACT_KEYS) {
        const values = new Set(forms.map((form) => factsOf(form)[key]));
        const shared = values.size === 1 && key !== "nvlinkGBs" ? [...values][0] : null;
        expect([slug, key, factsOf(slug)[key]]).toEqual([slug, key, shared]);
      }
    }
    expect(factsOf("h200")).toMatchObject({ memoryBandwidthGBs: 4800, bf16Tflops: null, nvlinkGBs: null });
    expect(factsOf("h100")).toMatchObject({ memoryBandwidthGBs: null, bf16Tflops: null, year: 2022 });
  });

  test("leave no open form with figures of its own", () => {
    const open = gpuModels.filter(({ slug, family, vramGb, formFactor }) =>
      gpuModels.some(
        (other) =>
          other.slug !== slug &&
          other.family === family &&
          other.vramGb === vramGb &&
          formFactor === null &&
          other.formFactor !== null,
      ),
    );
    expect(open.map(({ slug }) => slug).filter((slug) => !openForms.has(slug))).toEqual([]);
  });
});

// Peak rates follow from units, clock and width, which are published apart from them: a sparse figure, or one with FP16
// accumulation, is twice as high. FLOPS per unit and clock, with FP32 accumulation: Volta, Turing and the professional
// Ampere, Ada and Blackwell cards 1,024; GeForce, L40 and A10G 512; A100 2,048; Hopper 4,096; CDNA 2 1,024; CDNA 3 2,048.
describe("dense tensor rates follow from units and boost clock", () => {
  test.each([
    ["h100-sxm", 132, 1.83, 4096],
    ["h100-pcie", 114, 1.62, 4096],
    ["a100-sxm-80gb", 108, 1.41, 2048],
    ["a30", 56, 1.44, 2048],
    ["l4", 58, 2.04, 1024],
    ["l40s", 142, 2.52, 1024],
    ["l40", 142, 2.49, 512],
    ["a10", 72, 1.695, 1024],
    ["a10g", 80, 1.71, 512],
    ["a40", 84, 1.74, 1024],
    ["rtx-a6000", 84, 1.8, 1024],
    ["rtx-6000-ada", 142, 2.505, 1024],
    ["rtx-pro-6000-workstation", 188, 2.617, 1024],
    ["rtx-4090", 128, 2.52, 512],
    ["rtx-4080", 76, 2.505, 512],
    ["rtx-3090", 82, 1.695, 512],
    ["rtx-3060", 28, 1.777, 512],
    ["rtx-5090", 170, 2.407, 512],
    ["rtx-5080", 84, 2.617, 512],
    ["mi210", 104, 1.7, 1024],
    ["mi250x", 220, 1.7, 1024],
    ["mi300x", 304, 2.1, 2048],
    ["mi325x", 304, 2.1, 2048],
    ["mi355x", 256, 2.4, 4096],
  ] as const)("%s", (slug, units, gigahertz, flops) => {
    const teraflops = (units * gigahertz * flops) / 1000;
    expect(ratio(factsOf(slug).bf16Tflops, teraflops)).toBeLessThan(0.03);
    expect(ratio(factsOf(slug).fp16Tflops, teraflops)).toBeLessThan(0.03);
  });

  test.each([
    ["v100-sxm-16gb", 80, 1.53],
    ["v100-pcie-16gb", 80, 1.38],
    ["t4", 40, 1.59],
    ["quadro-rtx-6000", 72, 1.77],
    ["rtx-2080-ti", 68, 1.545 / 2],
  ] as const)("%s, which has no BF16", (slug, units, gigahertz) => {
    expect(ratio(factsOf(slug).fp16Tflops, (units * gigahertz * 1024) / 1000)).toBeLessThan(0.03);
    expect(factsOf(slug)).toMatchObject({ bf16Tflops: null, fp8Tflops: null });
  });
});

test.each([
  ["h100-sxm", 5120, 5.23],
  ["h100-pcie", 5120, 3.19],
  ["h200-sxm", 6144, 6.25],
  ["b200", 7672, 8],
  ["a100-sxm-80gb", 5120, 3.186],
  ["a100-pcie-80gb", 5120, 3.024],
  ["a100-sxm-40gb", 5120, 2.43],
  ["l4", 192, 12.5],
  ["l40s", 384, 18],
  ["t4", 256, 10],
  ["rtx-4090", 384, 21],
  ["rtx-5090", 512, 28],
  ["rtx-3090", 384, 19.5],
  ["rtx-a6000", 384, 16],
  ["v100-sxm-16gb", 4096, 1.75],
  ["mi300x", 8192, 5.2],
  ["mi325x", 8192, 5.86],
  ["mi250x", 8192, 3.2],
] as const)("the bandwidth of %s is its bus of %d bits at %d Gb/s", (slug, bits, gigabits) => {
  expect(ratio(factsOf(slug).memoryBandwidthGBs, (bits * gigabits) / 8)).toBeLessThan(0.03);
});

describe("in every row", () => {
  const rows = gpuModels.map((model) => ({ ...model, facts: factsOf(model.slug) }));
  const slugsWhere = (isWrong: (row: (typeof rows)[number]) => boolean) => rows.filter(isWrong).map(({ slug }) => slug);

  test("figures are positive numbers or null", () => {
    expect(slugsWhere(({ facts }) => Object.values(facts).some((value) => value !== null && !(value > 0)))).toEqual([]);
  });

  test("FP8 is twice as fast as BF16", () => {
    expect(
      slugsWhere(
        ({ facts: { bf16Tflops, fp8Tflops } }) =>
          fp8Tflops !== null && (bf16Tflops === null || ratio(fp8Tflops, 2 * bf16Tflops) > 0.02),
      ),
    ).toEqual([]);
  });

  test("FP8 came with Hopper, Ada, CDNA 3 and RDNA 4, BF16 with Ampere", () => {
    const withFp8 = new Set(["Hopper", "Ada Lovelace", "Blackwell", "Blackwell Ultra", "CDNA 3", "CDNA 4", "RDNA 4"]);
    expect(slugsWhere(({ architecture, facts }) => facts.fp8Tflops !== null && !withFp8.has(architecture))).toEqual([]);
    const before = new Set(["Kepler", "Maxwell", "Pascal", "Volta", "Turing"]);
    expect(slugsWhere(({ architecture, facts }) => facts.bf16Tflops !== null && before.has(architecture))).toEqual([]);
  });

  test("BF16 is as fast as FP16, except on the MI100", () => {
    expect(slugsWhere(({ facts }) => facts.bf16Tflops !== null && facts.bf16Tflops !== facts.fp16Tflops)).toEqual([
      "mi100",
    ]);
  });

  test("NVLink exists on NVIDIA's cards alone, and on every SXM module", () => {
    expect(slugsWhere(({ vendor, facts }) => vendor !== "NVIDIA" && facts.nvlinkGBs !== null)).toEqual([]);
    expect(
      slugsWhere(({ vendor, nvlink, facts }) => vendor === "NVIDIA" && nvlink && facts.nvlinkGBs === null),
    ).toEqual([]);
  });

  // A sparse figure, or one per board instead of per GPU, is out of these ranges of its architecture.
  test("rates are in proportion to bandwidth and power", () => {
    const operationsPerByte = ({ bf16Tflops, memoryBandwidthGBs }: GpuFacts): number =>
      bf16Tflops === null || memoryBandwidthGBs === null ? 100 : (bf16Tflops * 1000) / memoryBandwidthGBs;
    expect(slugsWhere(({ facts }) => operationsPerByte(facts) < 30 || operationsPerByte(facts) > 460)).toEqual([]);
    const perWatt = ({ bf16Tflops, tdpW }: GpuFacts): number =>
      bf16Tflops === null || tdpW === null ? 1 : bf16Tflops / tdpW;
    expect(slugsWhere(({ facts }) => perWatt(facts) < 0.1 || perWatt(facts) > 2.5)).toEqual([]);
  });
});

describe("sources of facts", () => {
  test("exist for exactly the known figures, with an address, and no maker's document counts as checked", () => {
    for (const { slug } of gpuModels) {
      const facts = factsOf(slug);
      const sources = gpuFactSources(slug);
      expect([slug, Object.keys(sources)]).toEqual([slug, GPU_FACT_KEYS.filter((key) => facts[key] !== null)]);
      for (const source of Object.values(sources)) {
        expect(source.title === null).toBe(source.url === null);
        expect(source.maker?.checked ?? false).toBe(false);
      }
    }
    expect(gpuFactSources("h1000")).toEqual({});
  });

  test("name the table that was read, and the maker's document beside it", () => {
    const sources = gpuFactSources("h100-sxm");
    expect(sources.bf16Tflops?.url).toMatch(/^https:\/\/github\.com\/ai-dynamo\/aiconfigurator\/blob\/[0-9a-f]{40}\//);
    expect(sources.bf16Tflops?.maker).toMatchObject({ title: "NVIDIA H100 Tensor Core GPU Datasheet", checked: false });
    expect(gpuFactSources("mi300x").memoryBandwidthGBs?.url).toContain("amd.json");
    expect(gpuFactNote("b200")).toContain("8,000");
    expect(gpuFactNote("h100-sxm")).toBeNull();
  });
});

// The collected figures, in a folder next to the project, if present; they are not part of it.
const collected = new URL("../../../../../shared/data/gpu-facts/", import.meta.url);

function csvRows(file: string): readonly Readonly<Record<string, string>>[] {
  const [header = "", ...lines] = readFileSync(new URL(file, collected), "utf8").trim().split("\n");
  const cells = (line: string) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain = ""]) => quoted ?? plain);
  const names = cells(header);
  return lines.map((line) => Object.fromEntries(cells(line).map((cell, index) => [names[index] ?? "", cell])));
}

describe.skipIf(!existsSync(collected))("the collected figures", () => {
  const columns: Readonly<Record<keyof GpuFacts, string>> = {
    memoryBandwidthGBs: "memory_bandwidth_gb_s",
    bf16Tflops: "bf16_dense_tflops",
    fp16Tflops: "fp16_dense_tflops",
    fp8Tflops: "fp8_dense_tflops",
    nvlinkGBs: "nvlink_gb_s",
    tdpW: "tdp_w",
    year: "year",
  };

  test("are these, except where the forms differ or the tables contradict each other", () => {
    const different: string[] = [];
    for (const row of csvRows("gpu-facts.csv")) {
      const facts = factsOf(present(row["slug"]));
      for (const key of GPU_FACT_KEYS) {
        const cell = row[columns[key]];
        const expected = cell === "" || cell === undefined ? null : Number(cell);
        if (facts[key] !== expected) {
          different.push(`${row["slug"] ?? ""} ${key} ${expected} ${facts[key]}`);
        }
      }
    }
    expect(different.toSorted()).toEqual(
      [
        // NVLink depends on the form, and the PCIe card is of a later year.
        "a100-80gb year 2020 null",
        "h200 nvlinkGBs 900 null",
        // A name that the FHHL card of 150 W has too; its figures are unknown.
        "v100-16gb memoryBandwidthGBs 900 null",
        "v100-16gb year 2017 null",
        // From memory, and contradicted by the tables that were read.
        "flex-170 memoryBandwidthGBs 576 null",
        "quadro-gv100 fp16Tflops 118.5 null",
      ].toSorted(),
    );
  });

  test("are at the source that is named, within 3 %", () => {
    const letters: Readonly<Record<string, string>> = {
      AIC: "aiconfigurator",
      EV: "gpu-database",
      STAS: "ml-engineering",
      LIT: "pytorch-lightning",
      TT: "torchtitan",
      CMP: "composer",
      VERL: "verl",
      GM: "gpu-specs",
      INF: "InferSim",
      LV: "LLM-Viewer",
      LA: "llm-analysis",
      WIKI: "gpu-info-api",
    };
    const figures: Readonly<Record<string, keyof GpuFacts>> = {
      bandwidth: "memoryBandwidthGBs",
      bf16: "bf16Tflops",
      fp16: "fp16Tflops",
      fp8: "fp8Tflops",
    };
    let compared = 0;
    const wrong: string[] = [];
    for (const row of csvRows("gpu-facts-compare.csv")) {
      const key = figures[row["figure"] ?? ""];
      const model = gpuModels.find(({ slug }) => slug === row["slug"]);
      if (key === undefined || model === undefined) {
        continue;
      }
      const read = gpuFactSources(model.slug)[key]?.title;
      const column = Object.entries(letters).find(([, name]) => read?.includes(`/${name}`) === true)?.[0];
      const stated = column === undefined ? "" : (row[column] ?? "");
      if (stated === "") {
        continue;
      }
      compared += 1;
      if (ratio(factsOf(model.slug)[key], Number(stated)) > 0.03) {
        wrong.push(`${model.slug} ${key}: ${stated} in ${read ?? ""}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(60);
  });
});
