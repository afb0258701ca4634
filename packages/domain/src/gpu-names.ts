import { gpuModels, parseGpuSpelling, type GpuModel } from "./gpu.js";
import { findGpuSlug } from "./gpu-slug.js";
import type { Offer } from "./offer-schema.js";
import { nearNames } from "./near-names.js";
import { lettersAndDigits } from "./provider-names.js";
import type { Named } from "./place-names.js";
import { present } from "./present.js";

// Common GPU names for the `gpu` filter; the API only accepts slugs.

/**
 * The slugs for a common GPU name, sorted.
 *
 * A family means all of its forms: `h100` is h100, h100-nvl, h100-pcie and h100-sxm, `a100 80gb` every A100 of 80 GB. A
 * specific form means only itself (`h100-sxm`, `H100 SXM5`), and so does a slug after an equals sign: `=h100`. A bare
 * number matches names with it (`4090`), RTX and GTX are optional (`3090 ti`), a series means all of its cards (`mi300`), and vendors and architectures mean all
 * of their models (`amd`, `hopper`). An unknown name returns the closest ones.
 *
 * Catalogs may contain GPUs that aren't in the table of models. They are found by slug or full name if `offered` contains
 * them.
 */
export function gpuSlugs(name: string, offered: Iterable<Pick<Offer["gpu"], "slug" | "name">> = []): Named<string> {
  const plain = /^\s*=\s*(\S+)\s*$/.exec(name)?.[1];
  const slug = plain === undefined ? undefined : findGpuSlug(plain);
  const values = slug === undefined ? slugsOf(modelsCalled(name.trim())) : [slug];
  const known = values.length > 0 ? values : offeredSlugs(name, offered);
  return known.length > 0 ? { kind: "known", values: known } : { kind: "unknown", nearest: nearGpus(name) };
}

function offeredSlugs(name: string, offered: Iterable<Pick<Offer["gpu"], "slug" | "name">>): string[] {
  const wanted = lettersAndDigits(name);
  const called = [...offered].filter((gpu) => [gpu.slug, gpu.name].some((known) => lettersAndDigits(known) === wanted));
  return wanted === "" ? [] : [...new Set(called.map(({ slug }) => slug))].sort();
}

function slugsOf(models: readonly GpuModel[]): string[] {
  return models.map(({ slug }) => slug).sort();
}

/** The models of the first reading with matches. */
function modelsCalled(name: string): readonly GpuModel[] {
  for (const isMeant of [bySpelling(name), byMaker(name)]) {
    const models = gpuModels.filter(isMeant);
    if (models.length > 0) {
      return models;
    }
  }
  return [];
}

/** The spellings of a model, parsed once: a lookup compares all of them. */
interface Spellings {
  /** Of its own name. */
  own: string;
  /** The family, its own name, and the aliases that abbreviate it. */
  stems: ReadonlySet<string>;
  /** The same without their brand. */
  shortStems: ReadonlySet<string>;
  /** Whole numbers of its name. */
  numbers: ReadonlySet<string>;
}

const spellings: ReadonlyMap<GpuModel, Spellings> = spellingsOfAll(gpuModels);

/** "A6000" abbreviates one card, while "RTX 3060" as an alias of the Ti is a truncated name that belongs to another card. */
function spellingsOfAll(models: readonly GpuModel[]): ReadonlyMap<GpuModel, Spellings> {
  const names = new Set(models.map(({ name }) => stemOf(name)));
  return new Map(
    models.map((model) => {
      const own = stemOf(model.name);
      const stems = [stemOf(model.family), own, ...model.aliases.map(stemOf).filter((stem) => !names.has(stem))];
      const shortStems = new Set(stems.map(withoutBrand));
      return [model, { own, stems: new Set(stems), shortStems, numbers: new Set(numbersOf(model.name)) }];
    }),
  );
}

function spellingsOf(model: GpuModel): Spellings {
  return present(spellings.get(model));
}

function stemOf(text: string): string {
  return parseGpuSpelling(text).stem;
}

function bySpelling(name: string): (model: GpuModel) => boolean {
  const { stem, vendor, formFactor, vramGb } = parseGpuSpelling(name);
  const isNamed = (isMeant: (model: GpuModel) => boolean): ((model: GpuModel) => boolean) | undefined =>
    stem !== "" && gpuModels.some(isMeant) ? isMeant : undefined;
  const isMeant =
    isNamed((model) => spellingsOf(model).stems.has(stem)) ??
    isNamed((model) => spellingsOf(model).numbers.has(stem)) ??
    isNamed((model) => spellingsOf(model).shortStems.has(stem)) ??
    isNamed((model) => isSeriesOf(spellingsOf(model).own, stem)) ??
    (() => false);
  return (model) =>
    isMeant(model) &&
    (vendor === null || model.vendor === vendor) &&
    (formFactor === null || model.formFactor === formFactor) &&
    (vramGb === null || model.vramGb === vramGb);
}

/** `3090ti` for the RTX 3090 Ti. */
function withoutBrand(stem: string): string {
  return stem.replace(/^[rg]tx/, "");
}

/** Whole numbers of a name, without its size: `4090`. */
function numbersOf(name: string): readonly string[] {
  return name.replace(/\b\d+GB\b/, "").match(/\d+/g) ?? [];
}

/** `mi300` for MI300X and MI300A: a name that continues after a whole number. */
function isSeriesOf(name: string, series: string): boolean {
  return /\d$/.test(series) && name.startsWith(series) && !/^\d/.test(name.slice(series.length));
}

function byMaker(name: string): (model: GpuModel) => boolean {
  const wanted = name.toLowerCase();
  return ({ vendor, architecture }) =>
    [vendor, architecture, architecture.split(" ")[0]].some((maker) => maker?.toLowerCase() === wanted);
}

/** Families as commonly written: the shortest name of their models, without size and form. */
const familyNames: ReadonlyMap<string, string> = new Map(
  [...gpuModels]
    .sort((a, b) => b.name.length - a.name.length)
    .map(({ family, name }) => [stemOf(family), name.replace(/ (?:SXM|PCIe|NVL)\b/, "").replace(/ \d+GB$/, "")]),
);

const shortNames = new Map([...familyNames].map(([stem, name]) => [withoutBrand(stem), name]));

function nearGpus(name: string): string[] {
  const stem = stemOf(name);
  const near = nearNames(stem, familyNames.keys());
  return near.length > 0
    ? near.map((found) => familyNames.get(found) ?? found)
    : nearNames(stem, shortNames.keys()).map((found) => shortNames.get(found) ?? found);
}
