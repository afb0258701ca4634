import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { gpuModels } from "./gpu-models.js";
import { resolveGpu, type GpuResolution } from "./resolve-gpu.js";
import { mib, told } from "./gpu.fixture.js";

// Real catalogs in a folder next to the project, if present; they are not part of it.
const data = new URL("../../../../../shared/data/", import.meta.url);
const present = existsSync(data);

describe.skipIf(!present)(`names in the sample catalogs${present ? "" : " (skipped: no samples here)"}`, () => {
  test("of CSV files are GPUs or accelerators, and ambiguous only if the name has no memory", () => {
    const responses = acceleratorNames().map((name) => ({ name, resolution: resolveGpu(name) }));
    const named = (...kinds: GpuResolution["kind"][]) =>
      responses.filter(({ resolution }) => kinds.includes(resolution.kind)).map(({ name }) => name);
    expect(named("gpu", "not-gpu").length).toBeGreaterThan(40);
    expect(named("unknown", "mismatch")).toEqual([]);
    expect(named("ambiguous").toSorted()).toEqual(["A100", "P100", "RTX3080", "RTXA2000", "V100"]);
  });

  test("of Vast fit the memory that its drivers report", () => {
    const responses = csvRows("skypilot-catalog/v8/vast/vms.csv").map((row) => {
      const total = Number(/'TotalGpuMemoryInMiB': (\d+)/.exec(row["GpuInfo"] ?? "")?.[1]);
      const vramGb = mib(total) / Number(row["AcceleratorCount"]);
      const full = /^\d+x-(.+)-\d+-\d+$/.exec(row["InstanceType"] ?? "")?.[1] ?? "";
      const [long, short] = [full, row["AcceleratorName"] ?? ""].map((name) => told(resolveGpu(name, { vramGb })));
      return `${full}: ${long ?? ""}, ${short ?? ""}`;
    });
    // The instance type is more precise than the short name: the form, and "Ti" if the name was truncated.
    expect([...new Set(responses)].toSorted()).toEqual([
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

  test("of JSON files are GPUs with at least one memory size", () => {
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
  return [...line.matchAll(/(?<=^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((match) =>
    (match[1] ?? match[2] ?? "").replaceAll('""', '"'),
  );
}
