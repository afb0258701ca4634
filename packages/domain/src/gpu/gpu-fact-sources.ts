import { GPU_FACT_KEYS, gpuFacts } from "./gpu-facts.js";
import type { GpuFacts, GpuFactSource } from "./gpu-facts-schema.js";
import { openForms } from "./gpu-figures.facts.js";
import { figureDocuments, figureNotes, figureSources } from "./gpu-sources.facts.js";

// Where the figures of gpu-facts.ts were read. No maker's document could be opened: each figure comes from a public
// table that states it, and the maker's document is named beside it as not checked.

/** The sources of a model's known figures. */
export type GpuFactSources = Partial<Record<keyof GpuFacts, GpuFactSource>>;

/** The position of the name of each field's table in a row of `figureSources`, after that of the maker's document. */
const positions: Readonly<Record<keyof GpuFacts, number>> = {
  memoryBandwidthGBs: 1,
  bf16Tflops: 2,
  fp16Tflops: 2,
  fp8Tflops: 2,
  nvlinkGBs: 3,
  tdpW: 4,
  year: 5,
};

const notes: ReadonlyMap<string, string> = new Map(
  figureNotes.flatMap(([note, slugs]) => slugs.map((slug) => [slug, note] as const)),
);

/** Sources of the known figures of a model; empty if none is known. An open form has those of its first form. */
export function gpuFactSources(slug: string): GpuFactSources {
  const facts = gpuFacts(slug);
  const names = figureSources.get(openForms.get(slug)?.[0] ?? slug) ?? [];
  const documentAt = (index: number) => figureDocuments.get(names[index] ?? "");
  const document = documentAt(0);
  const maker = document === undefined ? null : { ...document, checked: false };
  const known = GPU_FACT_KEYS.filter((key) => facts !== undefined && facts[key] !== null);
  return Object.fromEntries(
    known.map((key) => [key, { ...(documentAt(positions[key]) ?? { title: null, url: null }), maker }]),
  );
}

/** How a model's figures were derived, and which tables disagree; null if there is nothing to add. */
export function gpuFactNote(slug: string): string | null {
  return notes.get(slug) ?? null;
}
