import type { FactSource, GpuModel } from "./gpu-model.js";
import { gpuDocuments, gpuLines } from "./gpus.facts.js";

// The GPU models that offers are matched to, from facts/gpus.csv. This must not depend on gpu.ts, which parses spellings.

/** All known GPU models, including those for export or a single region. Uncertain models are left out, not guessed. */
export const gpuModels: readonly GpuModel[] = readLines();

/** The parts of a line are in the order of {@link gpuLines}. */
function readLines(): readonly GpuModel[] {
  const sources = gpuDocuments.map(([title, url]): FactSource => ({ title, url }));
  let above: readonly string[] = [];
  return gpuLines.split("\n").map((line) => {
    const [name = "", vramGb, ...cells] = line.split("|");
    above = [0, 1, 2, 3].map((index) => cells[index] || (above[index] ?? ""));
    const [vendor, architecture = "", form, document = "-"] = above;
    const [nvlink = "", family = "", aliases = ""] = cells.slice(4);
    const slug = name.toLowerCase().replaceAll(" ", "-");
    return {
      slug,
      family: family === "" ? familyOf(slug) : family,
      name,
      vendor: vendor as GpuModel["vendor"],
      vramGb: Number(vramGb),
      architecture,
      formFactor: form === "-" ? null : (form as GpuModel["formFactor"]),
      // SXM modules are on boards that always connect them by NVLink.
      nvlink: form === "SXM" || nvlink !== "",
      aliases: aliases === "" ? [] : aliases.split(";"),
      source: sources[Number(document)] ?? { title: `${vendor} ${name} datasheet`, url: null },
    };
  });
}

/** A slug without form factor and memory size: `a100` for `a100-sxm-80gb`. */
function familyOf(slug: string): string {
  return slug.replaceAll(/-(?:sxm|pcie|nvl|\d+gb)(?=-|$)/g, "");
}
