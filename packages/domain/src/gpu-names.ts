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
 * those of a name (`4090`), and vendors and architectures are all of their models (`amd`, `hopper`). An unknown name
 * gets the nearest ones.
 */
export function gpuSlugs(name: string): Named<string> {
  const plain = /^\s*=\s*(\S+)\s*$/.exec(name)?.[1];
  const slug = plain === undefined ? undefined : findGpuSlug(plain);
  const slugs = slug === undefined ? slugsOf(modelsCalled(name.trim())) : [slug];
  return slugs.length > 0 ? { kind: "known", values: slugs } : { kind: "unknown", nearest: nearGpus(name) };
}

function slugsOf(models: readonly GpuModel[]): string[] {
  return models.map(({ slug }) => slug).sort();
}

function modelsCalled(name: string): readonly GpuModel[] {
  const readings: ((model: GpuModel) => boolean)[] = [ofSpelling(name), ofNumber(name), ofMaker(name), ofSeries(name)];
  for (const isMeant of readings) {
    const models = gpuModels.filter(isMeant);
    if (models.length > 0) {
      return models;
    }
  }
  return [];
}

const ownFamilies: ReadonlySet<string> = new Set(gpuModels.map(({ name }) => familyOf(name)));

/**
 * The families of each model: those of its name, and of the aliases that are short for it. "A6000" is short for one
 * card, while "RTX 3060" as an alias of the Ti is a cut name, and the name of another card.
 */
const families: ReadonlyMap<GpuModel, ReadonlySet<string>> = new Map(
  gpuModels.map((model) => [
    model,
    new Set([familyOf(model.name), ...model.aliases.map(familyOf).filter((family) => !ownFamilies.has(family))]),
  ]),
);

function familyOf(text: string): string {
  return parseGpuSpelling(text).family;
}

function ofSpelling(name: string): (model: GpuModel) => boolean {
  const { family, vendor, formFactor, vramGb } = parseGpuSpelling(name);
  if (family === "") {
    return () => false;
  }
  return (model) =>
    families.get(model)?.has(family) === true &&
    (vendor === null || model.vendor === vendor) &&
    (formFactor === null || model.formFactor === formFactor) &&
    (vramGb === null || model.vramGb === vramGb);
}

/** `4090`: models with that whole number in their names. */
function ofNumber(name: string): (model: GpuModel) => boolean {
  const { family, vramGb } = parseGpuSpelling(name);
  return (model) =>
    /^\d+$/.test(family) && numbersOf(model.name).includes(family) && (vramGb === null || model.vramGb === vramGb);
}

/** Whole numbers of a name, without its size. */
function numbersOf(name: string): readonly string[] {
  return name.replace(/\b\d+GB\b/, "").match(/\d+/g) ?? [];
}

function ofMaker(name: string): (model: GpuModel) => boolean {
  const wanted = name.toLowerCase();
  return ({ vendor, architecture }) =>
    wanted === vendor.toLowerCase() ||
    wanted === architecture.toLowerCase() ||
    wanted === architecture.toLowerCase().split(" ")[0];
}

/** `mi300`, `rtx pro 6000`: the beginning of several names, as far as a whole number or word. */
function ofSeries(name: string): (model: GpuModel) => boolean {
  const { family, formFactor, vramGb } = parseGpuSpelling(name);
  return (model) =>
    /\d$/.test(family) &&
    familyOf(model.name).startsWith(family) &&
    !/^\d/.test(familyOf(model.name).slice(family.length)) &&
    (formFactor === null || model.formFactor === formFactor) &&
    (vramGb === null || model.vramGb === vramGb);
}

function nearGpus(name: string): string[] {
  const { family } = parseGpuSpelling(name);
  const near = nearNames(family === "" ? name : family, ownFamilies);
  const whole = near.length > 0 ? near : nearNames(name, ownFamilies);
  return whole.map((found) => nameOfFamily.get(found) ?? found);
}

/** A family as people write it: the shortest name of its models, without their sizes and forms. */
const nameOfFamily: ReadonlyMap<string, string> = new Map(
  [...gpuModels]
    .sort((a, b) => b.name.length - a.name.length)
    .map(({ name }) => [familyOf(name), name.replace(/ (?:SXM|PCIe|NVL)\b/, "").replace(/ \d+GB$/, "")]),
);
