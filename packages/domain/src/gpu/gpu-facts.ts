import type { GpuFacts } from "./gpu-facts-schema.js";
import { figureLines, openForms } from "./gpu-figures.facts.js";

// Published speed, power and year of GPU models, from facts/gpus.csv.

/** The fields of {@link GpuFacts}. */
export const GPU_FACT_KEYS = [
  "memoryBandwidthGBs",
  "bf16Tflops",
  "fp16Tflops",
  "fp8Tflops",
  "nvlinkGBs",
  "tdpW",
  "year",
] as const satisfies readonly (keyof GpuFacts)[];

/**
 * The published facts of a model; undefined for an unknown slug. A name with an open form (`h100`) has only the figures
 * that all of its forms share, and no NVLink, which depends on the form.
 */
export function gpuFacts(slug: string): GpuFacts | undefined {
  const forms = openForms.get(slug);
  if (forms === undefined) {
    return rowFacts(slug);
  }
  const [first, ...others] = forms.flatMap((form) => rowFacts(form) ?? []);
  return first === undefined ? undefined : { ...sharedFacts(first, others), nvlinkGBs: null };
}

const parsedRows = new Map<string, GpuFacts>();

function rowFacts(slug: string): GpuFacts | undefined {
  const known = parsedRows.get(slug);
  if (known !== undefined) {
    return { ...known };
  }
  const row = Object.hasOwn(figureLines, slug) ? figureLines[slug] : undefined;
  if (row === undefined) {
    return undefined;
  }
  const cells = row.split(" ");
  const numberAt = (index: number): number | null => (cells[index] === "-" ? null : Number(cells[index]));
  const facts: GpuFacts = {
    memoryBandwidthGBs: numberAt(0),
    bf16Tflops: numberAt(1),
    fp16Tflops: numberAt(2),
    fp8Tflops: numberAt(3),
    nvlinkGBs: numberAt(4),
    tdpW: numberAt(5),
    year: numberAt(6),
  };
  parsedRows.set(slug, facts);
  return { ...facts };
}

function sharedFacts(facts: GpuFacts, others: readonly GpuFacts[]): GpuFacts {
  const shared = { ...facts };
  for (const key of GPU_FACT_KEYS) {
    if (others.some((other) => other[key] !== facts[key])) {
      shared[key] = null;
    }
  }
  return shared;
}
