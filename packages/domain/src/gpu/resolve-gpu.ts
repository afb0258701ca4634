// Resolves GPU names of sources to models. It never guesses: a name that fits several models is ambiguous, one that
// contradicts the known memory is a mismatch, and any other is unknown.

import { gpuModels, type GpuModel } from "./gpu-models.js";
import { otherAccelerators } from "./other-accelerators.facts.js";

/** Facts that a source states about a GPU besides its name. */
export interface GpuHints {
  /** Memory per GPU in GB or GiB, as precise as the source states it: 81559 MiB from a driver is 79.6. */
  vramGb?: number | undefined;
}

/** Result of resolveGpu. Only `gpu` has a model that may be shown as a fact. */
export type GpuResolution =
  | {
      kind: "gpu";
      /** The only GPU with this name. */
      model: GpuModel;
    }
  /** Another kind of accelerator: TPU, FPGA, Gaudi, Inferentia... */
  | {
      kind: "not-gpu";
      /** The name that no GPU has. */
      name: string;
    }
  /** Several models match; the caller must decide by other facts, or omit the offer. */
  | {
      kind: "ambiguous";
      /** GPUs with this name. */
      candidates: readonly GpuModel[];
    }
  /** The name is known, but no such GPU has this memory: a slice of a GPU, or a wrong value. */
  | {
      kind: "mismatch";
      /** GPUs with this name, none of which has the memory. */
      models: readonly GpuModel[];
      /** The stated memory of one GPU in GB. */
      vramGb: number;
    }
  | { kind: "unknown" };

interface GpuSpelling {
  /** The name in lower case without vendor, form and memory: "h100", "rtx6000ada". */
  stem: string;
  vendor: GpuModel["vendor"] | null;
  formFactor: GpuModel["formFactor"];
  /** The architecture in lower case, as far as it is spelled: "blackwell". */
  architecture: string | null;
  /** Memory in GB as spelled. */
  vramGb: number | null;
}

// Shares of the marketed size. Drivers and clouds state up to 9% less (B300: 262 GiB of 288 GB), while a slice of a
// card has at most half of it; they hardly ever state more (H200: 143 GB of 141). No two sizes of one name are this close,
// and the closest one wins.
const MIN_MARKETED_SHARE = 0.9;
const MAX_MARKETED_SHARE = 1.02;

const VENDORS: Readonly<Record<string, GpuModel["vendor"]>> = { nvidia: "NVIDIA", amd: "AMD", intel: "Intel" };
const FORMS: Readonly<Record<string, GpuModel["formFactor"]>> = {
  sxm: "SXM",
  hgx: "SXM",
  pcie: "PCIe",
  nvl: "NVL",
  oam: "OAM",
};

const MARKS = /[®™©]|\((?:r|tm|c)\)/g;
const SEPARATORS = /[\s_(),/:-]+/g;
const VENDOR = /(?<![a-z])(nvidia|amd|intel)(?![a-z])/;
const MEMORY = /(?<![a-z0-9.])(\d{1,4}) ?g(?:i?b)?(?![a-z0-9])/;
// "H100SXM5" is one word, so a digit may precede the form; "PCIe-NVLink" is a PCIe card with a bridge.
// HGX boards carry SXM modules.
const FORM = /(?<![a-z])(?:(sxm)[2-6]?|(pcie)|(nvl)|(oam)|(hgx))(?![a-z0-9])/;
const ALL_FORMS = new RegExp(FORM, "g");
// "Ada" is part of the names of workstation cards, so it stays there.
const ARCHITECTURE = /(?<![a-z])(blackwell|hopper|lovelace|ampere|turing|volta|pascal|maxwell|kepler)(?![a-z])/;
const NOISE = new RegExp(
  `(?<![a-z])(?:${[
    "nvidia|amd|intel|aws|google|cloud|qualcomm|habana|xilinx",
    "geforce|tesla|quadro|instinct|radeon(?: ?ai)? ?pro|radeon",
    "data center|tensor core|gpu|nvlink|generation|edition|dgx",
    // Suffixes that sources use to distinguish machines: virtual workstations, hosts without a hypervisor, driver modes.
    "vws|bare ?metal|(?:compute|graphics) mode",
  ].join("|")})(?![a-z])`,
  "g",
);
// "geforcertx4090" and "InstinctMI100" join the brand and the name.
const GLUED_BRAND =
  /(?<![a-z])(?:(?:geforce|quadro|nvidia)(?=rtx|gtx)|instinct(?=mi\d)|tesla(?=[a-z]\d)|radeon ?(?:ai)? ?(?:pro)?(?=[wvr]x?\d)|pro ?(?=[wv]\d{3,4}(?!\d)))/g;
// "H200 NVLink with Intel Sapphire Rapids", "H100 PCIe with NVLink": the processor of the host, or the link between cards.
const ADDITION =
  / with (?:\d+ ?x? )?(?:amd |intel |ampere )?(?:xeon|epyc|sapphire|emerald|granite|ice lake|cascade|genoa|milan|rome|turin|bergamo|altra|grace|arm|amd|intel|nvlink|nvswitch)(?![a-z]).*$/;
// "RTX PRO 6000B": the letter stands for Blackwell.
const BLACKWELL_LETTER = /((?<![a-z])rtx ?pro ?\d{4})b(?![a-z0-9])/;
const MEMORY_TYPE = /(?:hbm\d|gddr\d)[ex]?$/;
// Words may be joined ("RTX6000Ada"), except that two numbers must not become one.
const INNER_SPACE = /(?<!\d) +| +(?!\d)/g;

/**
 * Parses a name. Case, separators, vendor words and trademarks are ignored; unexpected characters stay in the stem,
 * which then matches nothing.
 */
export function parseGpuSpelling(spelling: string): GpuSpelling {
  let rest = spelling
    .toLowerCase()
    .replace(MARKS, " ")
    .replace(SEPARATORS, " ")
    .replace(ADDITION, "")
    .replace(BLACKWELL_LETTER, "$1");
  const vendor = VENDOR.exec(rest)?.[1];
  const size = MEMORY.exec(rest);
  const spelledArchitecture = ARCHITECTURE.exec(rest)?.[1] ?? null;
  rest = rest.replace(MEMORY, " ").replace(GLUED_BRAND, " ").replace(NOISE, " ").replace(ARCHITECTURE, " ");
  const formWord = FORM.exec(rest)?.slice(1).find(Boolean);
  rest = rest.replaceAll(ALL_FORMS, " ");
  return {
    stem: rest.trim().replace(INNER_SPACE, ""),
    vendor: vendor === undefined ? null : (VENDORS[vendor] ?? null),
    formFactor: formWord === undefined ? null : (FORMS[formWord] ?? null),
    architecture: spelledArchitecture,
    vramGb: size === null ? null : Number(size[1]),
  };
}

interface Entry {
  model: GpuModel;
  spelling: GpuSpelling;
  /** The model's own name or slug, not an alias. */
  own: boolean;
}

/** Every known spelling of every model by its stem. Models with the same stem differ in form or memory. */
let stems: ReadonlyMap<string, readonly Entry[]> | undefined;
const byStem = (): ReadonlyMap<string, readonly Entry[]> => (stems ??= groupByStem(gpuModels));

function groupByStem(models: readonly GpuModel[]): ReadonlyMap<string, readonly Entry[]> {
  const groups = new Map<string, Entry[]>();
  const add = (model: GpuModel, text: string, own: boolean) => {
    const spelling = parseGpuSpelling(text);
    groups.set(spelling.stem, [...(groups.get(spelling.stem) ?? []), { model, spelling, own }]);
  };
  for (const model of models) {
    add(model, model.name, true);
    add(model, model.slug, true);
    model.aliases.forEach((alias) => add(model, alias, false));
  }
  return groups;
}

const bySlug: ReadonlyMap<string, GpuModel> = new Map(gpuModels.map((model) => [model.slug, model]));

/** Finds a model by its slug; undefined if unknown. */
export function findGpuModel(slug: string): GpuModel | undefined {
  return bySlug.get(slug);
}

/**
 * Resolves a source's GPU name to a model.
 *
 * The whole name must match a GPU model; anything else around it (counts, slices, "laptop") makes it unknown. The
 * memory hint selects among sizes of a name, and rejects a model of another size: `vramGb` is per GPU, and a hint that
 * isn't a positive number matches no model.
 */
export function resolveGpu(spelling: string, hints: GpuHints = {}): GpuResolution {
  const spelled = parseGpuSpelling(spelling);
  const named = (byStem().get(spelled.stem) ?? byStem().get(spelled.stem.replace(MEMORY_TYPE, "")) ?? []).filter(
    ({ model, spelling: known }) =>
      // "RTX 6000 Blackwell" is a name of the RTX PRO 6000, while "RTX 6000" alone is an older card.
      (known.architecture === null || spelled.architecture !== null) &&
      (spelled.vendor === null || spelled.vendor === model.vendor) &&
      (spelled.formFactor === null || spelled.formFactor === model.formFactor) &&
      (spelled.architecture === null || model.architecture.toLowerCase().includes(spelled.architecture)),
  );
  if (named.length === 0) {
    const other = otherAccelerator(spelling, spelled.stem);
    return other === undefined ? { kind: "unknown" } : { kind: "not-gpu", name: other };
  }

  const sized = named.filter((entry) => hasSpelledSize(entry, spelled.vramGb));
  if (spelled.vramGb !== null && sized.length === 0) {
    return mismatch(named, spelled.vramGb);
  }

  const fitting = hints.vramGb === undefined ? sized : nearestInMemory(sized, hints.vramGb);
  if (hints.vramGb !== undefined && fitting.length === 0) {
    return mismatch(sized, hints.vramGb);
  }

  const candidates = spelled.formFactor === null ? withoutImpliedForms(fitting) : fitting;
  return choose(candidates, spelled);
}

function mismatch(entries: readonly Entry[], vramGb: number): GpuResolution {
  return { kind: "mismatch", models: distinctModels(entries), vramGb };
}

/** A spelled size is a marketed one, except for the largest cards, where some write what drivers show. */
function hasSpelledSize({ model, spelling }: Entry, vramGb: number | null): boolean {
  if (vramGb === null || model.vramGb === vramGb || spelling.vramGb === vramGb) {
    return true;
  }
  return model.vramGb >= 140 && Math.abs(vramGb / model.vramGb - 1) <= 0.03;
}

function nearestInMemory(entries: readonly Entry[], vramGb: number): readonly Entry[] {
  const distance = (entry: Entry) => Math.min(...sizesOf(entry).map((size) => Math.abs(size - vramGb)));
  const fitting = entries.filter((entry) => sizesOf(entry).some((size) => fitsMarketed(vramGb, size)));
  const nearest = Math.min(...fitting.map(distance));
  return fitting.filter((entry) => distance(entry) === nearest);
}

/** The marketed size, and the one in an alias: GH200 480GB, B200 192GB. */
function sizesOf({ model, spelling }: Entry): readonly number[] {
  return spelling.vramGb === null ? [model.vramGb] : [model.vramGb, spelling.vramGb];
}

function fitsMarketed(vramGb: number, marketedGb: number): boolean {
  return vramGb >= marketedGb * MIN_MARKETED_SHARE && vramGb <= marketedGb * MAX_MARKETED_SHARE;
}

/** "A100" with 80 GB means the plain row, which covers the SXM and PCIe rows of its size. */
function withoutImpliedForms(entries: readonly Entry[]): readonly Entry[] {
  const plainSizes = new Set(entries.filter(({ model }) => model.formFactor === null).map(({ model }) => model.vramGb));
  return entries.filter(({ model }) => model.formFactor === null || !plainSizes.has(model.vramGb));
}

/** The only candidate, else the one whose own name is the spelling ("RTX 4090" and not the rebuilt 48 GB card). */
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

/** The name of the accelerator in a spelling; undefined if it is a GPU or unknown. */
function otherAccelerator(spelling: string, stem: string): string | undefined {
  for (const [name, pattern] of otherAccelerators) {
    const match = pattern?.exec(stem);
    if (match != null) {
      return name.replace("$1", match[1] ?? "").trim();
    }
  }
  const text = spelling.toLowerCase().replaceAll("_", " ");
  return otherAccelerators.find(([, , word]) => word?.test(text))?.[0];
}
