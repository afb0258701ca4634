import { gpuDocuments, gpuLines } from "./gpus.facts.js";

// The GPU models that offers are matched to, from facts/gpus.csv. This must not depend on resolve-gpu.ts, which reads spellings.

/** The public document that states a fact. */
export interface FactSource {
  /** Title of the document, as its publisher writes it. */
  title: string;
  /** URL of the document; null if it has no permanent one. */
  url: string | null;
}

/** One GPU model as its vendor sells it. */
export interface GpuModel {
  /** Stable key, also the value of the `gpu` filter: lower-case words joined by hyphens, at most 64 characters. */
  slug: string;
  /**
   * Common part of all forms and memory sizes of one card, written like a slug: `h100` is the family of `h100`,
   * `h100-sxm`, `h100-pcie` and `h100-nvl`. It need not be a slug itself: `a100` is not.
   */
  family: string;
  /** The common name, without the vendor: "H100 SXM", "RTX 6000 Ada". */
  name: string;
  /** Who makes it. */
  vendor: "NVIDIA" | "AMD" | "Intel";
  /**
   * Memory of one GPU in GB by its maker's datasheet, not as reported by a driver (B300: 288, drivers show about 268).
   * Boards with several GPUs count each GPU, as clouds do.
   */
  vramGb: number;
  /** Architecture, as named by the vendor. */
  architecture: string;
  /** Null if the name leaves the form open ("H100" is an SXM module, a PCIe card or an NVL card). */
  formFactor: "SXM" | "PCIe" | "NVL" | "OAM" | "SH5" | "Superchip" | null;
  /** True only if every card with that name links to other GPUs by NVLink; false for optional bridges. */
  nvlink: boolean;
  /** Additional spellings that gpu.ts does not derive from name and slug. */
  aliases: readonly string[];
  /** Document that states its facts. */
  source: FactSource;
}

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
