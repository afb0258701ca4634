import type { FactSource } from "./gpu-model.js";
import { GPU_FACT_KEYS, gpuFacts, openForms } from "./gpu-facts.js";
import type { GpuFacts } from "./gpu-facts-schema.js";
import { factNotes } from "./gpu-fact-notes.js";
import { makerDocuments } from "./gpu-fact-sources-table.js";

// Where the figures of gpu-facts.ts were read. No maker's document could be opened: each figure comes from a public
// table that states it, and the maker's document is named beside it as not checked.

/** A document of the maker that covers a model. */
export interface MakerSource extends FactSource {
  /** Whether the document itself was read. */
  checked: boolean;
}

/** The source of a figure. */
export interface GpuFactSource {
  /** Title of the table that was read; null if the figure is not in a stored table. */
  title: string | null;
  /** URL of that table. */
  url: string | null;
  /** The maker's document; null if there is none. */
  maker: MakerSource | null;
}

/** The sources of a model's known figures. */
export type GpuFactSources = Partial<Record<keyof GpuFacts, GpuFactSource>>;

const github = (repository: string, commit: string, path: string, title = `${repository}, ${path}`): FactSource => ({
  title,
  url: `https://github.com/${repository}/blob/${commit}/${path}`,
});

const everfir = (file: string): FactSource =>
  github("everfir/gpu-database", "269e470599e723cb04b3c1373422142c46270e3c", `src/data/${file}.json`);

const techPowerUp = (vendor: string): FactSource =>
  github("reox007/RightNow-GPU-Database", "77fae385d42ae29bf88773355c51acda1450c1c0", `data/${vendor}/all.json`);

const wikipedia = github(
  "voidful/gpu-info-api",
  "03a6b34a8cc7b761a0b70a5956a478c76062e6ec",
  "gpu.json",
  "voidful/gpu-info-api, gpu.json (tables of Wikipedia)",
);

/** The tables by the letters of gpu-fact-sources-table.ts. Two of them have one file a vendor. */
const factTables: Readonly<Record<string, FactSource | Readonly<Record<string, FactSource>>>> = {
  A: github(
    "ai-dynamo/aiconfigurator",
    "095f58a51c4ca8e61b66ec108d86f223f8d559ce",
    "aic-core/src/aiconfigurator_core/systems",
  ),
  C: github("mosaicml/composer", "6405188805a0054b4551ec49e4919c54c971d0e8", "composer/callbacks/speed_monitor.py"),
  E: { NVIDIA: everfir("nvidia"), AMD: everfir("amd"), Intel: everfir("intel-other") },
  G: github("winston-zhang-orz/gpu-specs", "4b0c72dd3846f0d25ec294b1cf4f5c83b10113b0", "specs.md"),
  I: github("alibaba/InferSim", "0983bcf2a1610f59241590ed04a232b50683cdb1", "hardware/gpu.py"),
  L: github("cli99/llm-analysis", "d841e40aec8c84b9e76ba9cfbce67418adb172bd", "llm_analysis/gpu_configs"),
  N: github("pytorch/torchtitan", "b5bcd76c66d0acb1a08b176d9639425bc55e0b2a", "torchtitan/tools/utils.py"),
  P: github(
    "Lightning-AI/pytorch-lightning",
    "7f0c3436cd3f6ad3753125672024fc415cbcb414",
    "src/lightning/fabric/utilities/throughput.py",
  ),
  R: github("volcengine/verl", "b178a3cd56f58b2d502255daba591e92833930a7", "verl/utils/flops_counter.py"),
  S: github("stas00/ml-engineering", "744d01e18b79512572f64a6bbd8b5f4a725203a7", "compute/accelerator/README.md"),
  T: { NVIDIA: techPowerUp("nvidia"), AMD: techPowerUp("amd"), Intel: techPowerUp("intel") },
  V: github("hahnyuan/LLM-Viewer", "472f71f1a1807e80b573252e9185fd5e8d795e95", "hardwares/hardware_params.py"),
  W: wikipedia,
};

/** The position of each field's letter in a row of gpu-fact-sources-table.ts. */
const positions: Readonly<Record<keyof GpuFacts, number>> = {
  memoryBandwidthGBs: 0,
  bf16Tflops: 1,
  fp16Tflops: 1,
  fp8Tflops: 1,
  nvlinkGBs: 2,
  tdpW: 3,
  year: 4,
};

/** Sources of the known figures of a model; empty if none is known. An open form has those of its first form. */
export function gpuFactSources(slug: string, vendor: string): GpuFactSources {
  const facts = gpuFacts(slug);
  const row = openForms.get(slug)?.[0] ?? slug;
  const document = makerDocuments.find(({ slugs }) => Object.hasOwn(slugs, row));
  const letters = document?.slugs[row];
  const sources: GpuFactSources = {};
  if (facts === undefined || document === undefined || letters === undefined) {
    return sources;
  }
  const { title, url } = document;
  const maker = title === null ? null : { title, url, checked: false };
  for (const key of GPU_FACT_KEYS) {
    if (facts[key] !== null) {
      const table = tableOf(letters.charAt(positions[key]), vendor);
      sources[key] = { title: table?.title ?? null, url: table?.url ?? null, maker };
    }
  }
  return sources;
}

function tableOf(letter: string, vendor: string): FactSource | undefined {
  const table = factTables[letter];
  return table === undefined || isSource(table) ? table : table[vendor];
}

function isSource(table: FactSource | Readonly<Record<string, FactSource>>): table is FactSource {
  return typeof table["url"] === "string";
}

/** How a model's figures were derived, and which tables disagree; null if there is nothing to add. */
export function gpuFactNote(slug: string): string | null {
  return factNotes.get(slug) ?? null;
}
