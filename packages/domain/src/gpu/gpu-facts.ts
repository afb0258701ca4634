import type { GpuFacts } from "./gpu-facts-schema.js";
import { figureTexts, openForms } from "./gpu-figures.facts.js";

// Published speed, power and year of GPU models, from facts/gpus.csv.

/** Facts of a model of which nothing is known, in the order of the figures of a line. */
export const UNKNOWN_GPU_FACTS: Readonly<GpuFacts> = {
  memoryBandwidthGBs: null,
  bf16Tflops: null,
  fp16Tflops: null,
  fp8Tflops: null,
  nvlinkGBs: null,
  tdpW: null,
  year: null,
};

/** The fields of {@link GpuFacts}. */
// The keys of a literal are the names of its type
export const GPU_FACT_KEYS = Object.keys(UNKNOWN_GPU_FACTS) as (keyof GpuFacts)[];

/** Figures by slug. They are read when they are first needed: a page gets the lines later. */
const figures = new Map<string, readonly string[]>();

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

function rowFacts(slug: string): GpuFacts | undefined {
  for (const text of figures.size === 0 ? figureTexts : []) {
    for (const line of text.split("\n")) {
      const [name = "", ...cells] = line.split(" ");
      figures.set(name, cells);
    }
  }
  const cells = figures.get(slug);
  if (cells === undefined) {
    return undefined;
  }
  const facts = { ...UNKNOWN_GPU_FACTS };
  let cell: string | undefined;
  for (const [index, key] of GPU_FACT_KEYS.entries()) {
    cell = cells[index] === "=" ? cell : cells[index];
    facts[key] = cell ? Number(cell) : null;
  }
  return facts;
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
