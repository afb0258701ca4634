import type { GpuFacts } from "./gpu-facts-schema.js";
import { factsRows } from "./gpu-facts-table.js";

// Published speed, power and year of GPU models. The memory size is in the tables of models.

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

/** Names that leave the form open, with the cards they may mean. */
export const openForms: ReadonlyMap<string, readonly string[]> = new Map([
  ["h200", ["h200-sxm", "h200-nvl"]],
  ["h100", ["h100-sxm", "h100-pcie"]],
  ["h800", ["h800-sxm", "h800-pcie"]],
  ["a100-40gb", ["a100-sxm-40gb", "a100-pcie-40gb"]],
  ["a100-80gb", ["a100-sxm-80gb", "a100-pcie-80gb"]],
  ["a800-80gb", ["a800-sxm-80gb", "a800-pcie-80gb"]],
  ["v100-16gb", ["v100-sxm-16gb", "v100-pcie-16gb"]],
  ["v100-32gb", ["v100-sxm-32gb", "v100-pcie-32gb"]],
  ["p100-16gb", ["p100-sxm", "p100-pcie-16gb"]],
  ["rtx-pro-6000", ["rtx-pro-6000-server", "rtx-pro-6000-workstation", "rtx-pro-6000-max-q"]],
]);

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
  const row = Object.hasOwn(factsRows, slug) ? factsRows[slug] : undefined;
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
