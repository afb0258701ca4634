// Reads what sources call a GPU and says which model it is. It never guesses: a spelling that leaves the card
// open is ambiguous, one that contradicts the known memory is a mismatch, and one we cannot read is unknown.

import type { GpuModel } from "./gpu-model.js";
import { gpuModels } from "./gpu-models.js";

export type { FactSource, GpuModel } from "./gpu-model.js";
export { gpuModels } from "./gpu-models.js";

/** What a source tells about a GPU beside its name. */
export interface GpuHints {
  /** Memory of one GPU, GB or GiB, as exact as the source has it: 81559 MiB from a driver is 79.6. */
  readonly vramGb?: number | undefined;
}

/** The answer of resolveGpu. Only `gpu` names a model that may be shown as a fact. */
export type GpuResolution =
  | { readonly kind: "gpu"; readonly model: GpuModel }
  /** An accelerator of another sort: TPU, FPGA, Gaudi, Inferentia... */
  | { readonly kind: "not-gpu"; readonly name: string }
  /** Several models fit; the caller knows more or must leave the offer out. */
  | { readonly kind: "ambiguous"; readonly candidates: readonly GpuModel[] }
  /** The name is known, and no such card has that much memory: a slice of a card, or a false statement. */
  | { readonly kind: "mismatch"; readonly models: readonly GpuModel[]; readonly vramGb: number }
  | { readonly kind: "unknown" };

/** A spelling taken apart. */
export interface GpuSpelling {
  /** The name in lower case without vendor, form and memory: "h100", "rtx6000ada". */
  readonly stem: string;
  readonly vendor: GpuModel["vendor"] | null;
  readonly formFactor: GpuModel["formFactor"];
  /** Memory in GB as spelled. */
  readonly vramGb: number | null;
}

// Share of the marketed size. Drivers and clouds state up to 9 % less (B300: 262 GiB of 288 GB), while a slice of a
// card is half of it at most. No two sizes of one name lie this close together, and the nearest wins.
const vramTolerance = 0.1;

const vendors: Readonly<Record<string, GpuModel["vendor"]>> = { nvidia: "NVIDIA", amd: "AMD", intel: "Intel" };
const forms: Readonly<Record<string, GpuModel["formFactor"]>> = { sxm: "SXM", pcie: "PCIe", nvl: "NVL", oam: "OAM" };

const marks = /[®™©]|\((?:r|tm|c)\)/g;
const separators = /[\s_(),/:-]+/g;
const vendorWord = /(?<![a-z])(nvidia|amd|intel)(?![a-z])/;
const memory = /(?<![a-z0-9.])(\d{1,4}) ?g(?:i?b)?(?![a-z0-9])/;
// "H100SXM5" is one word, so a digit may precede the form; "PCIe-NVLink" is a PCIe card with a bridge.
const form = /(?<![a-z])(?:(sxm)[2-6]?|(pcie)|(nvl)|(oam))(?![a-z0-9])/;
const noise = new RegExp(
  `(?<![a-z])(?:${[
    "nvidia|amd|intel|aws|google|cloud|qualcomm|habana|xilinx",
    "geforce|tesla|quadro|instinct|radeon(?: ai)? pro|radeon",
    "data center|tensor core|gpu|nvlink|blackwell|generation|edition",
  ].join("|")})(?![a-z])`,
  "g",
);
const memoryType = /(?:hbm\d|gddr\d)[ex]?$/;
// Words run together ("RTX6000Ada"), except that two numbers must not become one.
const innerSpace = /(?<!\d) +| +(?!\d)/g;

/**
 * Takes a spelling apart. Case, separators, vendor words and trademarks carry no meaning; a character of no known
 * use stays in the stem, which then matches nothing.
 */
export function parseGpuSpelling(spelling: string): GpuSpelling {
  let rest = spelling.toLowerCase().replace(marks, " ").replace(separators, " ");
  const vendor = vendorWord.exec(rest)?.[1];
  const size = memory.exec(rest);
  rest = rest.replace(memory, " ").replace(noise, " ");
  const formWord = form.exec(rest)?.slice(1).find(Boolean);
  rest = rest.replace(form, " ");
  return {
    stem: rest.trim().replace(innerSpace, ""),
    vendor: vendor === undefined ? null : (vendors[vendor] ?? null),
    formFactor: formWord === undefined ? null : (forms[formWord] ?? null),
    vramGb: size === null ? null : Number(size[1]),
  };
}

interface Entry {
  readonly model: GpuModel;
  readonly spelling: GpuSpelling;
  /** The model's own name or slug, not an alias. */
  readonly own: boolean;
}

/** Every known spelling of every model by its stem. Models of one stem differ in form or memory. */
const byStem: ReadonlyMap<string, readonly Entry[]> = groupByStem(gpuModels);

function groupByStem(models: readonly GpuModel[]): ReadonlyMap<string, readonly Entry[]> {
  const groups = new Map<string, Entry[]>();
  const add = (model: GpuModel, text: string, own: boolean) => {
    const spelling = parseGpuSpelling(text);
    const entries = groups.get(spelling.stem) ?? [];
    groups.set(spelling.stem, [...entries, { model, spelling, own }]);
  };
  for (const model of models) {
    add(model, model.name, true);
    add(model, model.slug, true);
    for (const alias of model.aliases) add(model, alias, false);
  }
  return groups;
}

// Stems of accelerators that are no GPUs; what the group catches ends the name.
const otherAccelerators: readonly (readonly [name: string, stem: RegExp])[] = [
  ["Inferentia", /^inferentia([2-9]?)$/],
  ["Trainium", /^trainium([2-9]?)$/],
  ["Gaudi", /^gaudi([2-9]?)$/],
  ["Gaudi", /^(?:gaudi)?hl205$/],
  ["Gaudi2", /^(?:gaudi2?)?hl225$/],
  ["Gaudi3", /^(?:gaudi3?)?hl325$/],
  ["Cloud AI 100", /^ai100$/],
  ["Virtex UltraScale", /^virtexultrascale\+?(?:vu\d+p)?$/],
  ["FPGA", /^(?:fpga|vu\d+p|alveou\d+)$/],
  ["TPU ", /^tpu(v?\d(?:e|p|x|litepod)?)?(?: ?\d+)?$/],
  ["TPU ", /^(v5litepod)(?: ?\d+)?$/],
];

const bySlug: ReadonlyMap<string, GpuModel> = new Map(gpuModels.map((model) => [model.slug, model]));

/** The model of exactly this slug, if there is one. */
export function findGpuModel(slug: string): GpuModel | undefined {
  return bySlug.get(slug);
}

/**
 * Which GPU a source means by a name.
 *
 * The name must be that of one GPU model, whole; what stands around it (counts, slices, "laptop") makes it unknown.
 * The memory hint chooses among sizes of one name and refuses a card that has another size: `vramGb` is per GPU,
 * and a hint that is no positive number fits no card.
 */
export function resolveGpu(spelling: string, hints: GpuHints = {}): GpuResolution {
  const spelled = parseGpuSpelling(spelling);
  const other = otherAccelerator(spelled.stem);
  if (other !== undefined) return { kind: "not-gpu", name: other };

  const named = (byStem.get(spelled.stem) ?? byStem.get(spelled.stem.replace(memoryType, "")) ?? []).filter(
    ({ model }) =>
      (spelled.vendor === null || spelled.vendor === model.vendor) &&
      (spelled.formFactor === null || spelled.formFactor === model.formFactor),
  );
  if (named.length === 0) return { kind: "unknown" };

  const sized = spelled.vramGb === null ? named : named.filter((entry) => hasSpelledSize(entry, spelled.vramGb));
  if (spelled.vramGb !== null && sized.length === 0) return mismatch(named, spelled.vramGb);

  const fitting = hints.vramGb === undefined ? sized : nearestInMemory(sized, hints.vramGb);
  if (hints.vramGb !== undefined && fitting.length === 0) return mismatch(sized, hints.vramGb);

  const candidates = spelled.formFactor === null ? withoutImpliedForms(fitting) : fitting;
  return choose(candidates, spelled);
}

function otherAccelerator(stem: string): string | undefined {
  for (const [name, pattern] of otherAccelerators) {
    const match = pattern.exec(stem);
    if (match !== null) return `${name}${match[1] ?? ""}`.trim();
  }
  return undefined;
}

function mismatch(entries: readonly Entry[], vramGb: number): GpuResolution {
  return { kind: "mismatch", models: distinctModels(entries), vramGb };
}

/** A spelled size is a marketed one, so it is compared exactly; an alias may carry another (GH200 480GB). */
function hasSpelledSize({ model, spelling }: Entry, vramGb: number | null): boolean {
  return model.vramGb === vramGb || spelling.vramGb === vramGb;
}

function nearestInMemory(entries: readonly Entry[], vramGb: number): readonly Entry[] {
  const distance = ({ model }: Entry) => Math.abs(model.vramGb - vramGb);
  const nearest = Math.min(...entries.map(distance));
  return entries.filter((entry) => distance(entry) === nearest && nearest <= entry.model.vramGb * vramTolerance);
}

/** "A100" with 80 GB means the plain row: it stands for the SXM and PCIe rows of its size. */
function withoutImpliedForms(entries: readonly Entry[]): readonly Entry[] {
  const plainSizes = new Set(entries.filter(({ model }) => model.formFactor === null).map(({ model }) => model.vramGb));
  return entries.filter(({ model }) => model.formFactor === null || !plainSizes.has(model.vramGb));
}

/** The only candidate, else the one whose own name is the spelling ("RTX 4090" beside the rebuilt 48 GB card). */
function choose(entries: readonly Entry[], spelled: GpuSpelling): GpuResolution {
  const candidates = distinctModels(entries);
  const own = distinctModels(
    entries.filter(
      (entry) =>
        entry.own && entry.spelling.formFactor === spelled.formFactor && entry.spelling.vramGb === spelled.vramGb,
    ),
  );
  const [model] = candidates.length === 1 ? candidates : own;
  return model !== undefined && (candidates.length === 1 || own.length === 1)
    ? { kind: "gpu", model }
    : { kind: "ambiguous", candidates };
}

function distinctModels(entries: readonly Entry[]): readonly GpuModel[] {
  return [...new Set(entries.map(({ model }) => model))];
}
