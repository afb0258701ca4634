import { existsSync, readdirSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findGpuModel, gpuModels, parseGpuSpelling, resolveGpu, type GpuModel, type GpuResolution } from "./gpu.js";

/** The slug, or the kind where the answer is no single GPU. */
function told(resolution: GpuResolution): string {
  return resolution.kind === "gpu" ? resolution.model.slug : resolution.kind;
}

const candidateSlugs = (resolution: GpuResolution) =>
  resolution.kind === "ambiguous" ? resolution.candidates.map(({ slug }) => slug) : [];

const ownAndAliases = (model: GpuModel) => [model.name, model.slug, ...model.aliases];

const slugsOf = (models: readonly GpuModel[]) => models.map(({ slug }) => slug);

const mib = (size: number) => size / 1024;

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
        !Number.isInteger(vramGb) || vramGb < 1 || architecture === "" || source.length < 10,
    );
    expect(slugsOf(incomplete)).toEqual([]);
  });

  test("claims NVLink for NVIDIA's SXM modules and rack superchips only", () => {
    const sxm = gpuModels.filter(({ formFactor }) => formFactor === "SXM");
    const linked = gpuModels.filter(({ nvlink }) => nvlink);
    expect(slugsOf(linked).toSorted()).toEqual([...slugsOf(sxm), "gb200", "gb300"].toSorted());
    expect(new Set(linked.map(({ vendor }) => vendor))).toEqual(new Set(["NVIDIA"]));
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
    "of %s resolve back to it once the memory is known, as name and slug do without it",
    (_name, model) => {
      expect([model.name, model.slug].map((own) => told(resolveGpu(own)))).toEqual([model.slug, model.slug]);
      // Two cards of 8 GB go by "RTX 3060" in sources that cut "Ti": no hint can tell them.
      const expected = model.slug === "rtx-3060-ti" ? "ambiguous" : model.slug;
      const answers = model.aliases.map((alias) => told(resolveGpu(alias, { vramGb: model.vramGb })));
      expect(answers).toEqual(model.aliases.map(() => expected));
    },
  );

  test("join two models only where that is meant", () => {
    const byFamily = new Map<string, Set<GpuModel>>();
    for (const model of gpuModels) {
      for (const spelling of ownAndAliases(model)) {
        const { family } = parseGpuSpelling(spelling);
        byFamily.set(family, (byFamily.get(family) ?? new Set()).add(model));
      }
    }
    const joinedByAlias = [...byFamily]
      .filter(([family, models]) => [...models].some(({ name }) => parseGpuSpelling(name).family !== family))
      .filter(([, models]) => models.size > 1)
      .map(([family]) => family);
    expect(joinedByAlias.toSorted()).toEqual([
      "a2000",
      "gtx1080",
      "h100hbm3",
      "rtx2060",
      "rtx2080",
      "rtx3060",
      "rtx4060",
      "rtx4070",
      "rtx5060",
      "rtx5070",
    ]);
  });

  test("leave no two models whose names tell the same family, form and memory", () => {
    const keys = gpuModels.map(
      ({ name, formFactor, vramGb }) => `${parseGpuSpelling(name).family} ${formFactor ?? "any form"} ${vramGb} GB`,
    );
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe("spellings of sources", () => {
  test.each([
    ["RTX6000-Ada", "rtx-6000-ada"],
    ["RTX-6000-Ada", "rtx-6000-ada"],
    ["RTX6000Ada", "rtx-6000-ada"],
    ["RTX_6000Ada", "rtx-6000-ada"],
    ["NVIDIA RTX 6000 Ada Generation", "rtx-6000-ada"],
    ["nvidia_rtx6000_ada", "rtx-6000-ada"],
    ["RTX6000", "quadro-rtx-6000"],
    ["Quadro RTX 6000", "quadro-rtx-6000"],
    ["RTX 4000 SFF Ada Generation", "rtx-4000-sff-ada"],
    ["A6000", "rtx-a6000"],
    ["RTXA6000", "rtx-a6000"],
    ["RTX-A6000", "rtx-a6000"],
    ["RTX_A6000_48GB", "rtx-a6000"],
    ["A4000", "rtx-a4000"],
    ["A5000", "rtx-a5000"],
    ["P4000", "quadro-p4000"],
    ["M4000", "quadro-m4000"],
    ["RTX-PRO-6000", "rtx-pro-6000"],
    ["RTXPro6000", "rtx-pro-6000"],
    ["RTXPRO6000S", "rtx-pro-6000-server"],
    ["RTX_PRO_6000_WS", "rtx-pro-6000-workstation"],
    ["NVIDIA RTX PRO 6000 Blackwell Server Edition", "rtx-pro-6000-server"],
    ["NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "rtx-pro-6000-workstation"],
    ["NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", "rtx-pro-6000-max-q"],
    ["NVIDIA RTX PRO 5000 72GB Blackwell", "rtx-pro-5000-72gb"],
    ["A100-80GB", "a100-80gb"],
    ["A100_80GB", "a100-80gb"],
    ["A100 80 GB", "a100-80gb"],
    ["A100 80GiB", "a100-80gb"],
    ["A100-80G", "a100-80gb"],
    ["nvidia-a100-80gb", "a100-80gb"],
    ["A100_NVLINK_80GB", "a100-80gb"],
    ["A100-80GB-SXM", "a100-sxm-80gb"],
    ["A100-80G-sxm4", "a100-sxm-80gb"],
    ["NVIDIA A100-SXM4-80GB", "a100-sxm-80gb"],
    ["A100 (40 GB SXM4)", "a100-sxm-40gb"],
    ["A100-80G-PCIe", "a100-pcie-80gb"],
    ["A100-80G-PCIe-NVLink", "a100-pcie-80gb"],
    ["A100_PCIE_80GB", "a100-pcie-80gb"],
    ["NVIDIA A100-PCIE-40GB", "a100-pcie-40gb"],
    ["H100", "h100"],
    ["nvidia_h100", "h100"],
    ["H100_80GB", "h100"],
    ["H100_NVLINK_80GB", "h100"],
    ["NVIDIA® H100 Tensor Core GPU", "h100"],
    ["H100-SXM", "h100-sxm"],
    ["H100SXM5", "h100-sxm"],
    ["H100-80G-SXM5", "h100-sxm"],
    ["H100 SXM5 80GB", "h100-sxm"],
    ["NVIDIA-H100-80GB-HBM3", "h100-sxm"],
    ["H100-MEGA-80GB", "h100-sxm"],
    ["H100-80G-PCIe", "h100-pcie"],
    ["H100-80G-PCIe-NVLink", "h100-pcie"],
    ["NVIDIA H100 NVL", "h100-nvl"],
    ["H100_94GB", "h100-nvl"],
    ["H200", "h200"],
    ["nvidia-h200-141gb", "h200"],
    ["NVIDIA H200 141GB HBM3e", "h200"],
    ["H200 NVL", "h200-nvl"],
    ["GH200 480GB", "gh200-96gb"],
    ["GH200 (96 GB)", "gh200-96gb"],
    ["NVIDIA GH200 144G HBM3e", "gh200-144gb"],
    ["B200", "b200"],
    ["B200 (180 GB SXM6)", "b200"],
    ["B200 192GB", "b200"],
    ["NVIDIA B300 SXM6 AC", "b300"],
    ["GB200", "gb200"],
    ["GB200 NVL72", "gb200"],
    ["GB300", "gb300"],
    ["Tesla V100-SXM2-16GB", "v100-sxm-16gb"],
    ["Tesla V100-FHHL-16GB", "v100-pcie-16gb"],
    ["V100-32GB", "v100-32gb"],
    ["V100-32G", "v100-32gb"],
    ["Tesla P100-SXM2-16GB", "p100-sxm"],
    ["nvidia-tesla-t4", "t4"],
    ["T4g", "t4g"],
    ["A10", "a10"],
    ["A10G", "a10g"],
    ["L40", "l40"],
    ["L40S", "l40s"],
    ["K80", "k80"],
    ["M60", "m60"],
    ["NVIDIA-GeForce-RTX-4090", "rtx-4090"],
    ["RTX4090", "rtx-4090"],
    ["RTX 4090 48GB", "rtx-4090-48gb"],
    ["RTX_4090D", "rtx-4090-d"],
    ["RTX_4070S_Ti", "rtx-4070-ti-super"],
    ["RTX4070", "rtx-4070"],
    ["RTX_3060_Ti", "rtx-3060-ti"],
    ["RTX3080Ti", "rtx-3080-ti"],
    ["amd_mi300x", "mi300x"],
    ["AMD Instinct MI300X OAM", "mi300x"],
    ["Radeon Pro V520", "radeon-pro-v520"],
    ["Radeon MI25", "mi25"],
    ["AMD Radeon PRO W7800 48GB", "radeon-pro-w7800-48gb"],
    ["Radeon RX 7900 XTX", "rx-7900-xtx"],
    ["Intel Data Center GPU Max 1550", "max-1550"],
    ["Intel(R) Arc(TM) Pro B60", "arc-pro-b60"],
    ["Arc Pro A60", "arc-pro-a60"],
  ])("%s is the %s", (spelling, slug) => {
    expect(told(resolveGpu(spelling))).toBe(slug);
  });

  test.each([
    ["Inferentia", "Inferentia"],
    ["AWS Inferentia2", "Inferentia2"],
    ["Trainium", "Trainium"],
    ["Trainium2", "Trainium2"],
    ["Gaudi", "Gaudi"],
    ["Gaudi HL-205", "Gaudi"],
    ["GAUDI2", "Gaudi2"],
    ["Intel Gaudi 3", "Gaudi3"],
    ["Qualcomm AI100", "Cloud AI 100"],
    ["Qualcomm Cloud AI 100", "Cloud AI 100"],
    ["Virtex UltraScale (VU9P)", "Virtex UltraScale"],
    ["AMD Alveo U250", "FPGA"],
    ["TPU", "TPU"],
    ["tpu-v5e", "TPU v5e"],
    ["Google Cloud TPU v6e", "TPU v6e"],
    ["tpu-v2-8", "TPU v2"],
    ["v5litepod-8", "TPU v5litepod"],
  ])("%s is no GPU but %s", (spelling, name) => {
    expect(resolveGpu(spelling)).toEqual({ kind: "not-gpu", name });
  });

  test.each([
    "",
    "   ",
    "NVIDIA",
    "GPU",
    "H1000",
    "XH100",
    "H10",
    "8xH100",
    "2x A100",
    "1/2 A100",
    "A100 1g.10gb",
    "GRID A100-10C",
    "A100/H100",
    "A10080GB",
    "RTX 4090 Laptop GPU",
    "RTX 6000 A",
    "A40 SXM",
    "H200 PCIe",
    "AMD H100",
    "Intel A40",
    "Arc Pro A40",
    "ΑH100",
    "TPUX",
    "__proto__",
    "CPU_NODE",
  ])("%j is unknown rather than guessed", (spelling) => {
    expect(resolveGpu(spelling)).toEqual({ kind: "unknown" });
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
  ])("makes %s with %f GB the %s", (spelling, vramGb, slug) => {
    expect(told(resolveGpu(spelling, { vramGb }))).toBe(slug);
  });

  test.each([
    ["A100", ["a100-40gb", "a100-80gb"]],
    ["A100 SXM4", ["a100-sxm-40gb", "a100-sxm-80gb"]],
    ["V100", ["v100-16gb", "v100-32gb"]],
    ["RTX3080", ["rtx-3080-10gb", "rtx-3080-12gb"]],
    ["GH200", ["gh200-96gb", "gh200-144gb"]],
    ["H100 HBM3", ["h100-sxm", "h100-nvl"]],
  ])("leaves %s ambiguous where it is absent", (spelling, slugs) => {
    expect(candidateSlugs(resolveGpu(spelling))).toEqual(slugs);
    expect(candidateSlugs(resolveGpu(spelling, { vramGb: undefined }))).toEqual(slugs);
  });

  test("cannot tell an RTX 3060 of 8 GB from a 3060 Ti whose name was cut", () => {
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
  ])("refuses %s with %f GB as a slice or a false statement", (spelling, vramGb) => {
    const resolution = resolveGpu(spelling, { vramGb });
    expect(resolution).toMatchObject({ kind: "mismatch", vramGb });
    expect(resolution.kind === "mismatch" && resolution.models.length).toBeGreaterThan(0);
  });

  test("is not needed to refuse a size that is spelled out", () => {
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

  test("any string and any hint get an answer, and only of known models", () => {
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
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.string(), words), hint, (spelling, vramGb) => {
        expect(modelsOf(resolveGpu(spelling, { vramGb })).filter((model) => !gpuModels.includes(model))).toEqual([]);
      }),
      { seed: 20_261_120, numRuns: 2000 },
    );
  });

  test("half a card or less is never taken for the card that the slug names", () => {
    fc.assert(
      fc.property(fc.constantFrom(...gpuModels), fc.double({ min: 0, max: 0.5, noNaN: true }), (model, share) => {
        expect(told(resolveGpu(model.slug, { vramGb: model.vramGb * share }))).not.toBe(model.slug);
      }),
      { seed: 20_261_120 },
    );
  });
});

/** The spelling with letters in either case and each separator exchanged for another. */
function respelled(text: string, chosen: readonly number[]): string {
  return text
    .split("")
    .map((char, index) => {
      const choice = chosen[index] ?? 0;
      if (char !== " " && char !== "-") return choice % 2 === 0 ? char.toLowerCase() : char.toUpperCase();
      // "RTX 6000 Ada" is also "RTX 6000Ada": where a word follows a number, no separator is needed.
      const joinable = /\d$/.test(text.slice(0, index)) && /^[a-z]/i.test(text.slice(index + 1));
      return [" ", "-", "_", "  ", " - ", joinable ? "" : "_"][choice] ?? " ";
    })
    .join("");
}

function modelsOf(resolution: GpuResolution): readonly GpuModel[] {
  if (resolution.kind === "gpu") return [resolution.model];
  if (resolution.kind === "ambiguous") return resolution.candidates;
  return resolution.kind === "mismatch" ? resolution.models : [];
}

// Real catalogs that may lie beside the project; they are not part of it.
const data = new URL("../../../../shared/data/", import.meta.url);
const present = existsSync(data);

describe.skipIf(!present)(`names in the sample catalogs${present ? "" : " (skipped: no samples here)"}`, () => {
  test("of CSV files are GPUs or accelerators, and ambiguous only where the name tells no memory", () => {
    const answers = acceleratorNames().map((name) => ({ name, resolution: resolveGpu(name) }));
    const named = (...kinds: GpuResolution["kind"][]) =>
      answers.filter(({ resolution }) => kinds.includes(resolution.kind)).map(({ name }) => name);
    expect(named("gpu", "not-gpu").length).toBeGreaterThan(40);
    expect(named("unknown", "mismatch")).toEqual([]);
    expect(named("ambiguous").toSorted()).toEqual(["A100", "RTX3080", "RTXA2000", "V100"]);
  });

  test("of Vast fit the memory that its drivers report", () => {
    const answers = csvRows("skypilot-catalog/v8/vast/vms.csv").map((row) => {
      const total = Number(/'TotalGpuMemoryInMiB': (\d+)/.exec(row["GpuInfo"] ?? "")?.[1]);
      const vramGb = mib(total) / Number(row["AcceleratorCount"]);
      const full = /^\d+x-(.+)-\d+-\d+$/.exec(row["InstanceType"] ?? "")?.[1] ?? "";
      const [long, short] = [full, row["AcceleratorName"] ?? ""].map((name) => told(resolveGpu(name, { vramGb })));
      return `${full}: ${long ?? ""}, ${short ?? ""}`;
    });
    // The instance type tells more than the short name: the form, and "Ti" where the name was cut.
    expect([...new Set(answers)].toSorted()).toEqual([
      "A100_PCIE: a100-pcie-80gb, a100-80gb",
      "A100_SXM4: a100-sxm-40gb, a100-40gb",
      "A40: a40, a40",
      "B200: b200, b200",
      "H100_NVL: h100-nvl, h100-nvl",
      "H100_SXM: h100-sxm, h100",
      "H200: h200, h200",
      "L40S: l40s, l40s",
      "RTX_3060: rtx-3060, rtx-3060",
      "RTX_3060_Ti: rtx-3060-ti, ambiguous",
      "RTX_3070: rtx-3070, rtx-3070",
      "RTX_3080: rtx-3080-10gb, rtx-3080-10gb",
      "RTX_3090: rtx-3090, rtx-3090",
      "RTX_4060_Ti: rtx-4060-ti-16gb, rtx-4060-ti-16gb",
      "RTX_4070S_Ti: rtx-4070-ti-super, rtx-4070-ti-super",
      "RTX_4090: rtx-4090, rtx-4090",
      "RTX_4090: rtx-4090-48gb, rtx-4090-48gb",
      "RTX_5090: rtx-5090, rtx-5090",
      "RTX_6000Ada: rtx-6000-ada, rtx-6000-ada",
      "RTX_A2000: rtx-a2000-6gb, rtx-a2000-6gb",
      "RTX_A6000: rtx-a6000, rtx-a6000",
      "RTX_PRO_6000_S: rtx-pro-6000-server, rtx-pro-6000-server",
      "Tesla_V100: v100-16gb, v100-16gb",
    ]);
  });

  test("of JSON files are GPUs at one memory size at least", () => {
    const sizes = [undefined, ...gpuModels.map(({ vramGb }) => vramGb)];
    const unread = jsonNames().filter((name) => !sizes.some((vramGb) => resolveGpu(name, { vramGb }).kind === "gpu"));
    expect(unread).toEqual([]);
  });
});

function acceleratorNames(): readonly string[] {
  const files = readdirSync(data, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".csv"));
  const names = files.flatMap((file) => csvRows(file).map((row) => row["AcceleratorName"] ?? ""));
  return [...new Set(names)].filter((name) => name !== "");
}

function jsonNames(): readonly string[] {
  const files = readdirSync(data, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
  const texts = files.map((file) => readFileSync(new URL(file, data), "utf8"));
  const fields = texts.flatMap((text) =>
    Array.from(text.matchAll(/"(?:gpuType|gpuModel|gpuModelId|gpu_type)": "([^"]+)"/g)),
  );
  return [...new Set(fields.map((match) => match[1] ?? "")), "nvidia_h100", "amd_mi300x"];
}

/** Rows by header; fields may be quoted, and none in these files spans lines. */
function csvRows(file: string): readonly Record<string, string>[] {
  const [header = [], ...rows] = readFileSync(new URL(file, data), "utf8").trim().split(/\r?\n/).map(csvFields);
  return rows.map((fields) => Object.fromEntries(header.map((column, index) => [column, fields[index] ?? ""])));
}

function csvFields(line: string): readonly string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((match) =>
    (match[1] ?? match[2] ?? "").replaceAll('""', '"'),
  );
}
