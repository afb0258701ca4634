import { lazily, memoized } from "../memoized.js";
import { gpuModels, type GpuModel } from "../gpu/gpu-models.js";
import { findGpuModel, parseGpuSpelling } from "../gpu/resolve-gpu.js";
import { findGpuSlug } from "../gpu/gpu-slug.js";
import type { Offer } from "../offer/offer-schema.js";
import { nearNames } from "../text/near-names.js";
import { lettersAndDigits } from "./provider-names.js";
import type { Named } from "./place-names.js";

// Common GPU names for the `gpu` filter; the API only accepts slugs.

type OfferedGpu = Pick<Offer["gpu"], "slug" | "name">;

/**
 * The slugs for a common GPU name, sorted.
 *
 * A family means all of its forms: `h100` is h100, h100-nvl, h100-pcie and h100-sxm, `a100 80gb` every A100 of 80 GB. A
 * specific form means only itself (`h100-sxm`, `H100 SXM5`), and so does a slug after an equals sign: `=h100`. A bare
 * number matches names with it (`4090`), RTX and GTX are optional (`3090 ti`), a series means all of its cards (`mi300`),
 * memory needs no unit (`a100 80`), and vendors, brands, architectures and form factors mean all of their models (`amd`,
 * `geforce`, `hopper`, `sxm`). An unknown name returns the closest ones.
 *
 * Catalogs may contain GPUs that aren't in the table of models. They are found by slug or full name if `offered` contains
 * them.
 */
export function gpuSlugs(name: string, offered: Iterable<OfferedGpu> = []): Named<string> {
  const known = findGpuSlugs(name, offered);
  return known.length > 0 ? { kind: "known", values: known } : { kind: "unknown", nearest: nearGpus(name) };
}

/** The slugs of {@link gpuSlugs}; empty for an unknown name. */
export function findGpuSlugs(name: string, offered: Iterable<OfferedGpu> = []): string[] {
  const plain = /^\s*=\s*(\S+)\s*$/.exec(name)?.[1];
  const slug = plain === undefined ? undefined : findGpuSlug(plain);
  const values = slug === undefined ? modelsCalled(name.trim()).map((model) => model.slug) : [slug];
  return values.length > 0 ? values.sort() : offeredSlugs(name, offered);
}

/** A name with a slip of the space bar: `h 100`, `h10 0`. */
const splitName = /^[a-z]{1,3}\d{0,2} \d{1,3}[sx]?$/i;

const MAX_DESCRIBED = 3;

/** Describes GPUs by the names of those that are offered, or of all if none is: `RTX 4090, RTX 4090 48GB`, `H100 in 4 forms`. */
export function describeGpus(slugs: readonly string[], offered: Iterable<OfferedGpu>): string {
  const wanted = new Set(slugs);
  const found = [...offered].filter(({ slug }) => wanted.has(slug)).map(({ name }) => name);
  const all = [...new Set(found.length > 0 ? found : slugs.map((slug) => findGpuModel(slug)?.name ?? slug))].sort();
  const family = all.reduce(sharedWords);
  if (all.length > 2 && family !== "") {
    return `${family} in ${all.length} forms`;
  }
  const described = all.slice(0, MAX_DESCRIBED).join(", ");
  return all.length <= MAX_DESCRIBED ? described : `${described} and ${all.length - MAX_DESCRIBED} more`;
}

/** The words that two names begin with. */
function sharedWords(a: string, b: string): string {
  const words = b.split(" ");
  const given = a.split(" ");
  const end = given.findIndex((word, index) => word !== words[index]);
  return given.slice(0, end === -1 ? undefined : end).join(" ");
}

/** Slugs by the letters of slugs and names; for an array memoized for its lifetime, in which it must not change. */
const slugsByOffered = new WeakMap<readonly OfferedGpu[], ReadonlyMap<string, ReadonlySet<string>>>();

function offeredSlugs(name: string, offered: Iterable<OfferedGpu>): string[] {
  const array: readonly OfferedGpu[] = Array.isArray(offered) ? offered : [...offered];
  const slugsByLetters = memoized(slugsByOffered, array, () => {
    const collected = new Map<string, Set<string>>();
    for (const gpu of array) {
      for (const letters of [gpu.slug, gpu.name].map(lettersAndDigits)) {
        memoized<string, Set<string>>(collected, letters, () => new Set()).add(gpu.slug);
      }
    }
    return collected;
  });
  const wanted = lettersAndDigits(name);
  return wanted === "" ? [] : [...(slugsByLetters.get(wanted) ?? [])].sort();
}

/** The models of the first reading with matches. "h100s" are several of one. */
function modelsCalled(name: string): readonly GpuModel[] {
  const [, card, gb] = /^(.*\S)[\s-]+(\d{2,3})$/.exec(name) ?? [];
  const others = [
    // "a100 80" and "a100-80" spell the memory without its unit.
    ...(card === undefined ? [] : [`${card} ${gb}gb`]),
    ...(/\ds$/i.test(name) ? [name.slice(0, -1)] : []),
    ...(splitName.test(name) ? [name.replace(" ", "")] : []),
  ];
  // "ampere 80" is no K80, and "hoppers" are several.
  const sized = madeBy(card ?? "").filter(({ vramGb }) => vramGb === Number(gb));
  const called = [sized, bySpelling(name), madeBy(name), ...others.map(bySpelling)];
  return called.find((models) => models.length > 0) ?? [];
}

const names = lazily(() => new Set(gpuModels.map(({ name }) => stemOf(name))));

/**
 * Names of one card: the family, its own, and the aliases that abbreviate it. "A6000" abbreviates one card, while "RTX 3060"
 * as an alias of the Ti is a truncated name that belongs to another card.
 */
function stemsOf({ family, name, aliases }: GpuModel): readonly string[] {
  return [stemOf(family), stemOf(name), ...aliases.map(stemOf).filter((stem) => !names().has(stem))];
}

function stemOf(text: string): string {
  return parseGpuSpelling(text).stem;
}

type Models = ReadonlyMap<string, readonly GpuModel[]>;

function modelsBy(keysOf: (model: GpuModel) => Iterable<string>): Models {
  const groups = new Map<string, GpuModel[]>();
  for (const model of gpuModels) {
    for (const key of new Set(keysOf(model))) {
      memoized<string, GpuModel[]>(groups, key, () => []).push(model);
    }
  }
  return groups;
}

/** Readings of a stem, the first with models counts. */
const stemReadings = lazily((): readonly Models[] => [
  // Its name
  modelsBy(stemsOf),
  // A number in it, without its size: `4090`
  modelsBy(({ name }) => name.replace(/\b\d+GB\b/, "").match(/\d+/g) ?? []),
  // Its name without the brand
  modelsBy((model) => stemsOf(model).map(withoutBrand)),
  // A series, `mi300` for MI300X and MI300A: its name up to the end of a number
  modelsBy(({ name }) =>
    Array.from(stemOf(name).matchAll(/\d(?!\d)/g), ({ input, index }) => input.slice(0, index + 1)),
  ),
]);

function bySpelling(name: string): readonly GpuModel[] {
  const { stem, vendor, formFactor, vramGb } = parseGpuSpelling(name);
  const named =
    stem === ""
      ? undefined
      : stemReadings()
          .map((models) => models.get(stem))
          .find((models) => models);
  return (named ?? []).filter(
    (model) =>
      (vendor === null || model.vendor === vendor) &&
      (formFactor === null || model.formFactor === formFactor) &&
      (vramGb === null || model.vramGb === vramGb),
  );
}

/** `3090ti` for the RTX 3090 Ti. */
function withoutBrand(stem: string): string {
  return stem.replace(/^[rg]tx/, "");
}

/** Models by vendor, architecture, brand and form factor, in lower case. */
const byMaker = lazily(() =>
  modelsBy((model) => {
    const { vendor, architecture, formFactor } = model;
    return [vendor, architecture, architecture.split(" ")[0] ?? "", formFactor ?? "", brandOf(model)]
      .filter((word) => word !== "")
      .map((word) => word.toLowerCase());
  }),
);

const madeBy = (name: string): readonly GpuModel[] => byMaker().get(name.toLowerCase().replace(/s$/, "")) ?? [];

function brandOf({ vendor, name }: GpuModel): string {
  if (vendor === "AMD") {
    return name.startsWith("MI") ? "instinct" : "radeon";
  }
  // Workstation cards with such a number always have Ada, PRO or Quadro in their names.
  return /^(?:(?:GTX|RTX) \d{4}|Titan)(?!.* Ada$)/.test(name) ? "geforce" : "";
}

/** Families as commonly written: the shortest name of their models, without size and form. */
const familyNames = lazily(
  (): ReadonlyMap<string, string> =>
    new Map(
      gpuModels
        .toSorted((a, b) => b.name.length - a.name.length)
        .map(({ family, name }) => [stemOf(family), name.replace(/ (?:SXM|PCIe|NVL)\b/, "").replace(/ \d+GB$/, "")]),
    ),
);

const shortNames = lazily(() => new Map([...familyNames()].map(([stem, name]) => [withoutBrand(stem), name])));

/** A misspelled name with zeros in place of the letter o behind a digit: `h1oo`. */
export function withZeros(name: string): string {
  return name.replaceAll(/(?<=\d)o+/gi, (letters) => "0".repeat(letters.length));
}

function nearGpus(name: string): string[] {
  const stem = stemOf(withZeros(name));
  const near = nearNames(stem, familyNames().keys());
  return near.length > 0
    ? near.map((found) => familyNames().get(found) ?? found)
    : nearNames(stem, shortNames().keys()).map((found) => shortNames().get(found) ?? found);
}
