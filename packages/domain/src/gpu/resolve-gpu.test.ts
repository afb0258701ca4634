import * as fc from "fast-check";
import { anyText } from "../offer.fixture.js";
import { describe, expect, test } from "vitest";
import { gpuModels, type GpuModel } from "./gpu-models.js";
import { findGpuModel, parseGpuSpelling, resolveGpu, type GpuResolution } from "./resolve-gpu.js";
import { mib, told } from "./gpu.fixture.js";

const candidateSlugs = (resolution: GpuResolution) =>
  resolution.kind === "ambiguous" ? resolution.candidates.map(({ slug }) => slug) : [];

const ownAndAliases = (model: GpuModel) => [model.name, model.slug, ...model.aliases];

const slugsOf = (models: readonly GpuModel[]) => models.map(({ slug }) => slug);

describe("the table of GPU models", () => {
  test("has slugs that are unique, well formed and at most 64 characters long", () => {
    const slugs = gpuModels.map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(slugs.length);
    for (const slug of slugs) {
      expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(slug.length).toBeLessThanOrEqual(64);
    }
  });

  test("has unique names, whole gigabytes and a source for each model", () => {
    expect(new Set(gpuModels.map(({ name }) => name)).size).toBe(gpuModels.length);
    const incomplete = gpuModels.filter(
      ({ vramGb, architecture, source }) =>
        !Number.isInteger(vramGb) || vramGb < 1 || architecture === "" || source.title.length < 10,
    );
    expect(slugsOf(incomplete)).toEqual([]);
  });

  test("has NVLink only for NVIDIA's SXM modules and rack superchips", () => {
    const sxm = gpuModels.filter(({ formFactor }) => formFactor === "SXM");
    const linked = gpuModels.filter(({ nvlink }) => nvlink);
    expect(slugsOf(linked).toSorted()).toEqual([...slugsOf(sxm), "gb200", "gb300"].toSorted());
    expect(new Set(linked.map(({ vendor }) => vendor))).toEqual(new Set(["NVIDIA"]));
  });

  test.each([
    ["h100", ["h100", "h100-sxm", "h100-pcie", "h100-nvl"]],
    ["a100", ["a100-40gb", "a100-80gb", "a100-sxm-40gb", "a100-sxm-80gb", "a100-pcie-40gb", "a100-pcie-80gb"]],
    ["gh200", ["gh200-96gb", "gh200-144gb"]],
    ["rtx-pro-6000", ["rtx-pro-6000", "rtx-pro-6000-server", "rtx-pro-6000-workstation", "rtx-pro-6000-max-q"]],
    ["rtx-4090", ["rtx-4090", "rtx-4090-48gb"]],
    ["l40", ["l40"]],
  ])("has %s as the family of its forms and sizes", (family, slugs) => {
    expect(slugsOf(gpuModels.filter((model) => model.family === family))).toEqual(slugs);
  });

  test("starts every slug with its family", () => {
    expect(slugsOf(gpuModels.filter(({ slug, family }) => !`${slug}-`.startsWith(`${family}-`)))).toEqual([]);
  });

  test("is found by exact slug", () => {
    expect(findGpuModel("h100-sxm")?.name).toBe("H100 SXM");
    expect(findGpuModel("H100-SXM")).toBeUndefined();
    expect(findGpuModel("constructor")).toBeUndefined();
  });

  test.each([
    ["h100-nvl", 94],
    ["h200", 141],
    ["gh200-96gb", 96],
    ["b200", 180],
    ["b300", 288],
    ["k80", 12],
    ["m60", 8],
    ["a16", 16],
    ["l4", 24],
    ["t4", 16],
    ["mi250", 128],
    ["mi300x", 192],
  ])("counts the memory of one %s as %i GB", (slug, vramGb) => {
    expect(findGpuModel(slug)?.vramGb).toBe(vramGb);
  });
});

describe("aliases", () => {
  test.each(gpuModels.map((model) => [model.name, model] as const))(
    "of %s resolve back to it with known memory, and its name and slug without",
    (_name, model) => {
      expect([model.name, model.slug].map((own) => told(resolveGpu(own)))).toEqual([model.slug, model.slug]);
      // Two 8 GB cards are named "RTX 3060" in sources that drop "Ti": no hint can distinguish them.
      const expected = model.slug === "rtx-3060-ti" ? "ambiguous" : model.slug;
      const responses = model.aliases.map((alias) => told(resolveGpu(alias, { vramGb: model.vramGb })));
      expect(responses).toEqual(model.aliases.map(() => expected));
    },
  );

  test("are shared by two models only as intended", () => {
    const byStem = new Map<string, Set<GpuModel>>();
    for (const model of gpuModels) {
      for (const spelling of ownAndAliases(model)) {
        const { stem } = parseGpuSpelling(spelling);
        byStem.set(stem, (byStem.get(stem) ?? new Set()).add(model));
      }
    }
    const joinedByAlias = [...byStem]
      .filter(([stem, models]) => [...models].some(({ name }) => parseGpuSpelling(name).stem !== stem))
      .filter(([, models]) => models.size > 1)
      .map(([stem]) => stem);
    expect(joinedByAlias.toSorted()).toEqual([
      "a2000",
      "gtx1050",
      "gtx1080",
      "h100hbm3",
      "rtx2060",
      "rtx2080",
      "rtx3060",
      "rtx4000",
      "rtx4060",
      "rtx4070",
      "rtx5000",
      "rtx5000pro",
      "rtx5060",
      "rtx5070",
      "rtx6000",
    ]);
  });

  test("leave no two models with the same stem, form and memory in their names", () => {
    const keys = gpuModels.map(
      ({ name, formFactor, vramGb }) => `${parseGpuSpelling(name).stem} ${formFactor ?? "any form"} ${vramGb} GB`,
    );
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe("the memory hint", () => {
  test.each([
    ["A100", mib(40960), "a100-40gb"],
    ["A100", mib(81920), "a100-80gb"],
    ["A100 SXM4", mib(81251), "a100-sxm-80gb"],
    ["A100 PCIe", 80, "a100-pcie-80gb"],
    ["V100", mib(16384), "v100-16gb"],
    ["V100", 32, "v100-32gb"],
    ["H100", mib(81559), "h100"],
    ["H100", mib(95830), "h100-nvl"],
    ["H200", mib(143771), "h200"],
    ["B200", mib(183359), "b200"],
    ["B200", 192, "b200"],
    ["B300", mib(268288), "b300"],
    ["GH200", mib(97871), "gh200-96gb"],
    ["RTX4090", mib(24564), "rtx-4090"],
    ["RTX4090", mib(49140), "rtx-4090-48gb"],
    ["RTX3080", 10, "rtx-3080-10gb"],
    ["RTX3080", 12, "rtx-3080-12gb"],
    ["RTX3060", 12, "rtx-3060"],
    ["RTX4060", mib(16380), "rtx-4060-ti-16gb"],
    ["RTX4070", mib(16376), "rtx-4070-ti-super"],
    ["RTX4070", 12, "rtx-4070"],
    ["RTXA2000", mib(12276), "rtx-a2000-12gb"],
    ["L4", mib(22888), "l4"],
    ["L40S", mib(46068), "l40s"],
    ["RTXPRO6000S", mib(97887), "rtx-pro-6000-server"],
  ])("resolves %s with %f GB to %s", (spelling, vramGb, slug) => {
    expect(told(resolveGpu(spelling, { vramGb }))).toBe(slug);
  });

  test.each([
    ["A100", ["a100-40gb", "a100-80gb"]],
    ["A100 SXM4", ["a100-sxm-40gb", "a100-sxm-80gb"]],
    ["V100", ["v100-16gb", "v100-32gb"]],
    ["RTX3080", ["rtx-3080-10gb", "rtx-3080-12gb"]],
    ["GH200", ["gh200-96gb", "gh200-144gb"]],
    ["H100 HBM3", ["h100-sxm", "h100-nvl"]],
  ])("leaves %s ambiguous if absent", (spelling, slugs) => {
    expect(candidateSlugs(resolveGpu(spelling))).toEqual(slugs);
    expect(candidateSlugs(resolveGpu(spelling, { vramGb: undefined }))).toEqual(slugs);
  });

  test("cannot distinguish an RTX 3060 with 8 GB from a 3060 Ti with a truncated name", () => {
    expect(candidateSlugs(resolveGpu("RTX3060", { vramGb: 8 }))).toEqual(["rtx-3060-8gb", "rtx-3060-ti"]);
    expect(told(resolveGpu("RTX 3060 8GB", { vramGb: 8 }))).toBe("rtx-3060-8gb");
  });

  test.each([
    ["NVIDIA_A100", 4],
    ["A10", 4],
    ["K80", 24],
    ["RTX6000", 48],
    ["A100-80GB", 40],
    ["H200", 80],
    ["H100", 0],
    ["H100", -80],
    ["H100", Number.NaN],
    ["H100", Number.POSITIVE_INFINITY],
  ])("rejects %s with %f GB as a slice or incorrect", (spelling, vramGb) => {
    const resolution = resolveGpu(spelling, { vramGb });
    expect(resolution).toMatchObject({ kind: "mismatch", vramGb });
    expect(resolution.kind === "mismatch" && resolution.models.length).toBeGreaterThan(0);
  });

  test("is not needed to reject an incorrect explicit size", () => {
    expect(resolveGpu("A100-4GB")).toMatchObject({ kind: "mismatch", vramGb: 4 });
    expect(resolveGpu("H100 SXM 96GB")).toEqual({
      kind: "mismatch",
      models: [findGpuModel("h100-sxm")],
      vramGb: 96,
    });
  });
});

describe("properties", () => {
  const known = gpuModels.flatMap((model) => [model.name, model.slug].map((text) => ({ text, slug: model.slug })));

  test("case and separators of a known spelling do not matter", () => {
    const choices = fc.array(fc.nat({ max: 5 }), { minLength: 64, maxLength: 64 });
    fc.assert(
      fc.property(fc.constantFrom(...known), choices, ({ text, slug }, chosen) => {
        expect([slug, told(resolveGpu(respelled(text, chosen)))]).toEqual([slug, slug]);
      }),
      { seed: 20_261_120, numRuns: 2000 },
    );
  });

  test("any string and hint give a result, with known models only", () => {
    const parts = [
      "NVIDIA",
      "AMD",
      "H100",
      "a100",
      "RTX",
      "6000",
      "Ada",
      "80GB",
      "SXM4",
      "PCIe",
      "(",
      "TPU",
      "v5e",
      "\u0000",
    ];
    const words = fc.array(fc.constantFrom(...parts)).map((chosen) => chosen.join(" "));
    const hint = fc.option(fc.double(), { nil: undefined });
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.string(), words), hint, (spelling, vramGb) => {
        expect(modelsOf(resolveGpu(spelling, { vramGb })).filter((model) => !gpuModels.includes(model))).toEqual([]);
      }),
      { seed: 20_261_120, numRuns: 2000 },
    );
  });

  test("half a card or less never resolves to the full card", () => {
    fc.assert(
      fc.property(fc.constantFrom(...gpuModels), fc.double({ min: 0, max: 0.5, noNaN: true }), (model, share) => {
        expect(told(resolveGpu(model.slug, { vramGb: model.vramGb * share }))).not.toBe(model.slug);
      }),
      { seed: 20_261_120 },
    );
  });
});

/** The spelling in mixed case, with each separator replaced by another. */
function respelled(text: string, chosen: readonly number[]): string {
  return text
    .split("")
    .map((char, index) => {
      const choice = chosen[index] ?? 0;
      if (char !== " " && char !== "-") {
        return choice % 2 === 0 ? char.toLowerCase() : char.toUpperCase();
      }
      // "RTX 6000 Ada" is also "RTX 6000Ada": a separator between a number and a word is optional.
      const joinable = /\d$/.test(text.slice(0, index)) && /^[a-z]/i.test(text.slice(index + 1));
      return [" ", "-", "_", "  ", " - ", joinable ? "" : "_"][choice] ?? " ";
    })
    .join("");
}

function modelsOf(resolution: GpuResolution): readonly GpuModel[] {
  if (resolution.kind === "gpu") {
    return [resolution.model];
  }
  if (resolution.kind === "ambiguous") {
    return resolution.candidates;
  }
  return resolution.kind === "mismatch" ? resolution.models : [];
}
