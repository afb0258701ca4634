import { gpuModels, parseGpuSpelling, type GpuModel } from "./gpu.js";
import { findGpuSlug } from "./gpu-slug.js";
import { nearNames } from "./near-names.js";
import type { Named } from "./place-names.js";

// What people call GPUs, for the `gpu` filter: the interface takes slugs alone.

/**
 * The slugs that people mean by the name of a GPU, sorted.
 *
 * A family is all of its forms: `h100` is h100, h100-nvl, h100-pcie and h100-sxm, `a100 80gb` every A100 of 80 GB. A
 * form stays itself (`h100-sxm`, `H100 SXM5`), and so does a slug behind an equals sign: `=h100`. Numbers alone are
 * those of a name (`4090`), a series is all of its cards (`mi300`), and vendors and architectures are all of their
 * models (`amd`, `hopper`). An unknown name gets the nearest ones.
 */
export function gpuSlugs(name: string): Named<string> {
  const plain = /^\s*=\s*(\S+)\s*$/.exec(name)?.[1];
  const slug = plain === undefined ? undefined : findGpuSlug(plain);
  const values = slug === undefined ? slugsOf(modelsCalled(name.trim())) : [slug];
  return values.length > 0 ? { kind: "known", values } : { kind: "unknown", nearest: nearGpus(name) };
}

function slugsOf(models: readonly GpuModel[]): string[] {
  return models.map(({ slug }) => slug).sort();
}

/** The models of the first reading that finds some. */
function modelsCalled(name: string): readonly GpuModel[] {
  for (const isMeant of [bySpelling(name), byMaker(name)]) {
    const models = gpuModels.filter(isMeant);
    if (models.length > 0) {
      return models;
    }
  }
  return [];
}

/** Names of one card: the family, its own, and the aliases that are short for it. */
const stems: ReadonlyMap<GpuModel, ReadonlySet<string>> = stemsOf(gpuModels);

/** "A6000" is short for one card, while "RTX 3060" as an alias of the Ti is a cut name, and another card's own. */
function stemsOf(models: readonly GpuModel[]): ReadonlyMap<GpuModel, ReadonlySet<string>> {
  const own = new Set(models.map(({ name }) => stemOf(name)));
  return new Map(
    models.map((model) => {
      const short = model.aliases.map(stemOf).filter((stem) => !own.has(stem));
      return [model, new Set([stemOf(model.family), stemOf(model.name), ...short])];
    }),
  );
}

function stemOf(text: string): string {
  return parseGpuSpelling(text).stem;
}

function bySpelling(name: string): (model: GpuModel) => boolean {
  const { stem, vendor, formFactor, vramGb } = parseGpuSpelling(name);
  const isNamed = (isMeant: (model: GpuModel) => boolean): ((model: GpuModel) => boolean) | undefined =>
    stem !== "" && gpuModels.some(isMeant) ? isMeant : undefined;
  const isMeant =
    isNamed((model) => stems.get(model)?.has(stem) === true) ??
    isNamed((model) => numbersOf(model.name).includes(stem)) ??
    isNamed((model) => isSeriesOf(stemOf(model.name), stem)) ??
    (() => false);
  return (model) =>
    isMeant(model) &&
    (vendor === null || model.vendor === vendor) &&
    (formFactor === null || model.formFactor === formFactor) &&
    (vramGb === null || model.vramGb === vramGb);
}

/** Whole numbers of a name, without its size: `4090`. */
function numbersOf(name: string): readonly string[] {
  return name.replace(/\b\d+GB\b/, "").match(/\d+/g) ?? [];
}

/** `mi300` for MI300X and MI300A: a name goes on behind a whole number. */
function isSeriesOf(name: string, series: string): boolean {
  return /\d$/.test(series) && name.startsWith(series) && !/^\d/.test(name.slice(series.length));
}

function byMaker(name: string): (model: GpuModel) => boolean {
  const wanted = name.toLowerCase();
  return ({ vendor, architecture }) =>
    [vendor, architecture, architecture.split(" ")[0]].some((maker) => maker?.toLowerCase() === wanted);
}

/** Families as people write them: the shortest name of their models, without size and form. */
const familyNames: ReadonlyMap<string, string> = new Map(
  [...gpuModels]
    .sort((a, b) => b.name.length - a.name.length)
    .map(({ family, name }) => [stemOf(family), name.replace(/ (?:SXM|PCIe|NVL)\b/, "").replace(/ \d+GB$/, "")]),
);

function nearGpus(name: string): string[] {
  const stem = stemOf(name);
  const near = stem === "" ? [] : nearNames(stem, familyNames.keys());
  return near.map((found) => familyNames.get(found) ?? found);
}
