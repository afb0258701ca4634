import { findGpuModel, gpuModels, type GpuModel } from "@gpu-offers/domain";
import type { GpuAliases } from "./gpu-alias.js";
import { gpuRejection } from "./gpu-rejection.js";
import { familiesOf, modelOf, noGpu, resolveName } from "./gpu-of-names.js";
import { findInstanceType, type InstanceType } from "./instance/instance-type.js";
import { readTypeName, type TypeName } from "./instance/type-name.js";
import { Rejection } from "./rejection.js";
import { showValue } from "./shown-value.js";

/**
 * What a catalog row, or an entry of an API, states about its GPUs. Only `provider` is required; omit what the source
 * does not state, or leave it empty.
 */
export interface GpuClaim {
  /** Name of the provider; selects the instance tables and the rules for type names. */
  provider: string;
  /** The provider's name of the instance type, such as `p5.48xlarge`; empty if it has none. */
  instanceType: string;
  /** The name of the GPU; empty if the source omits it and only the documented type identifies it (AWS, Azure). */
  name: string;
  /** Other names of the same GPU, which may be more precise, such as the name that a driver reports. */
  otherNames?: readonly string[];
  /** Number of GPUs of the instance. */
  count?: number | undefined;
  /** Memory of one GPU in GB or GiB. */
  vramGb?: number | undefined;
  /** Memory of all GPUs together in GB or GiB. */
  totalVramGb?: number | undefined;
  /** Memory in GB or GiB if the source does not state whether it is per GPU or in total. */
  unclearVramGb?: number | undefined;
  /** Names that the operator defined. */
  aliases?: GpuAliases | undefined;
}

/** The GPU part of an offer. */
export interface GpuChoice {
  /** The GPU. */
  model: GpuModel;
  /** GPUs per instance. */
  gpuCount: number;
  /** True only if there are several GPUs and the documented type, the source or the model confirms NVLink. */
  nvlinkEnabled: boolean;
  /** Network between instances; null if unknown. */
  interconnect: string | null;
  /** The documented facts, if the type is known: vCPUs and memory that the source may lack. */
  documented: InstanceType | undefined;
}

/**
 * Determines which GPU a source means, how many an instance has and whether NVLink joins them. The provider's
 * documentation of the instance type takes precedence, then the type's name, then the source's fields. If two readings
 * match two different models, the claim is rejected as ambiguous.
 *
 *     const gpu = chooseGpu({ provider: "vast", instanceType: "", name: "H100 SXM", count: 2, vramGb: 79.6 });
 *     if (gpu instanceof Rejection) return gpu;
 *     const offer = { gpu: gpuFacts(gpu.model), gpuCount: gpu.gpuCount, nvlinkEnabled: gpu.nvlinkEnabled, ... };
 */
export function chooseGpu(claim: GpuClaim): GpuChoice | Rejection {
  const chosen = chooseOrDoubt(claim);
  return chosen instanceof ContradictedRule ? (chosen.ruled ?? chosen) : chosen;
}

/** The same for readers of a whole file, where a rule may contradict most rows: that is told apart. */
export function chooseOrDoubt(claim: GpuClaim): GpuChoice | Rejection {
  const documented = findInstanceType(claim.provider, claim.instanceType);
  const chosen = documented === undefined ? chooseByNames(claim) : chooseDocumented(claim, documented);
  if (!(chosen instanceof Rejection) || chosen instanceof ContradictedRule) {
    return chosen;
  }
  for (const { rule, codes, without } of RULES) {
    const stated = codes.includes(chosen.code) ? chooseByNames(without(claim)) : chosen;
    if (!(stated instanceof Rejection)) {
      return new ContradictedRule(chosen, stated, rule);
    }
  }
  return chosen;
}

const TYPES = "what types say";

/** What we know of a provider's rows besides them, which is as old as the rows that it was learned from. */
const RULES: readonly { rule: string; codes: readonly string[]; without: (claim: GpuClaim) => GpuClaim }[] = [
  {
    rule: TYPES,
    codes: ["bad_count", "conflicting_gpu", "vram_mismatch"],
    without: (claim) => ({ ...claim, instanceType: "" }),
  },
  {
    rule: "whether stated memory is of one GPU or of all",
    codes: ["vram_mismatch"],
    without: ({ vramGb, totalVramGb, ...claim }) => ({
      unclearVramGb: vramGb ?? totalVramGb,
      ...claim,
      instanceType: "",
    }),
  },
];

/** Why a rule contradicts a row whose own fields agree with each other, which is rejected, or taken by the rule. */
export class ContradictedRule extends Rejection {
  constructor(
    { code, reason }: Rejection,
    /** The GPUs by the row's own fields. */
    readonly stated: GpuChoice,
    /** The rule, as a clause: `what types say`. */
    readonly rule: string,
    /** The GPUs by the rule; undefined if it rejects the row. */
    readonly ruled?: GpuChoice,
  ) {
    super(code, reason);
  }
}

/**
 * Returns a rejection if the name alone makes the claim unusable: not a GPU, a slice of one, or unknown. Undefined for a
 * name that {@link chooseGpu} can use, and if the documented type determines the GPU.
 */
export function nameRejection({ provider, instanceType, name, aliases }: GpuClaim): Rejection | undefined {
  if (name === "") {
    return undefined;
  }
  const named = resolveName(name, undefined, aliases);
  if (named.kind === "not-gpu") {
    return gpuRejection(name, named);
  }
  if (findInstanceType(provider, instanceType) !== undefined) {
    return undefined;
  }
  if (SLICE.test(name)) {
    return new Rejection("fractional_gpu", `${showValue(name)} is a slice of a card.`);
  }
  return named.kind === "unknown" && !isWhole(readTypeName(provider, instanceType))
    ? gpuRejection(name, named)
    : undefined;
}

function chooseDocumented(claim: GpuClaim, documented: InstanceType): GpuChoice | Rejection {
  const { gpu, gpuCount, share, interconnect } = documented;
  if (share !== undefined) {
    const reason = `${showValue(claim.instanceType)} has ${share} of a card ${cite(documented)}.`;
    return new Rejection("fractional_gpu", reason);
  }
  const model = getModel(gpu);
  const allowed = new Set([model.family, ...documented.soldAs]);
  for (const name of namesOf(claim)) {
    const named = resolveName(name, undefined, claim.aliases);
    if (named.kind === "not-gpu") {
      return gpuRejection(name, named);
    }
    const families = familiesOf(named);
    if (families.length > 0 && !families.some((family) => allowed.has(family))) {
      const has = `${showValue(claim.instanceType)} has ${model.name} ${cite(documented)}`;
      return new Rejection("conflicting_gpu", `${has}, but the row names ${showValue(name)}.`);
    }
  }
  const isLinked = documented.nvlink ?? (model.nvlink || saysNvlink(claim));
  const choice = { model, gpuCount, nvlinkEnabled: gpuCount > 1 && isLinked, interconnect, documented };
  if (claim.count === undefined || claim.count === gpuCount) {
    return choice;
  }
  const stated = chooseByNames({ ...claim, instanceType: "" });
  const has = `${showValue(claim.instanceType)} has ${gpuCount} GPUs ${cite(documented)}`;
  return stated instanceof Rejection
    ? choice
    : new ContradictedRule(
        new Rejection("bad_count", `${has}, but the row states ${claim.count}.`),
        stated,
        TYPES,
        choice,
      );
}

function chooseByNames(claim: GpuClaim): GpuChoice | Rejection {
  const typed = readTypeName(claim.provider, claim.instanceType);
  const unreadable = nameRejection(claim);
  if (unreadable !== undefined) {
    return unreadable;
  }
  const names = exactNames(claim, typed);
  if (names.length === 0) {
    return noGpu();
  }
  const gpuCount = countOf(claim.count, typed.count);
  if (gpuCount instanceof Rejection) {
    return gpuCount;
  }
  const named = modelOf(names, sizesOf(claim, gpuCount), claim.aliases);
  if (named instanceof Rejection) {
    return named;
  }
  const form = formIn(claim.instanceType);
  const model = withForm(named, form);
  if (isOtherForm(form, model)) {
    const both = `${showValue(claim.name)} and the type ${showValue(claim.instanceType)}`;
    return new Rejection("conflicting_gpu", `The row names ${both}, which are different forms of a card.`);
  }
  const nvlinkEnabled = gpuCount > 1 && (model.nvlink || saysNvlink(claim));
  return { model, gpuCount, nvlinkEnabled, interconnect: null, documented: undefined };
}

// MIG profiles and vGPUs: "A100 1g.10gb", "PRO 6000 MIG 24GB", "GRID A100-10C".
const SLICE = /\bmig\b|\b\dg\.\d+gb\b|\bvgpu\b|\bgrid\b.*-\d+[abcq]\b/i;

function namesOf({ name, otherNames = [] }: GpuClaim): string[] {
  return [name, ...otherNames].filter((text) => text !== "");
}

/** The names to combine, plainest first. If a provider truncates its names, the full one of the type replaces them. */
function exactNames(claim: GpuClaim, typed: TypeName): readonly string[] {
  if (typed.gpu === undefined) {
    return namesOf(claim);
  }
  return isWhole(typed) ? [typed.gpu] : [...namesOf(claim), typed.gpu];
}

/** Whether a type contains the full name of a GPU, so that a truncated one next to it does not matter. */
function isWhole({ gpu, isWholeName }: TypeName): boolean {
  return isWholeName === true && gpu !== undefined;
}

function countOf(stated: number | undefined, typed: number | undefined): number | Rejection {
  if (stated !== undefined && typed !== undefined && stated !== typed) {
    return new Rejection("bad_count", `The GPU count is ${stated}, but the instance type says ${typed}.`);
  }
  const count = stated ?? typed;
  if (count === undefined) {
    return new Rejection("bad_count", "The row has no GPU count.");
  }
  if (Number.isInteger(count) && count >= 1) {
    return count;
  }
  return count > 0 && count < 1
    ? new Rejection("fractional_gpu", `The GPU count is ${count}, which is a share of a card.`)
    : new Rejection("bad_count", `The GPU count is ${count}, which is not a whole number of at least 1.`);
}

/** Possible meanings of the stated memory, in GB per GPU; empty if none is stated. */
function sizesOf({ vramGb, totalVramGb, unclearVramGb }: GpuClaim, count: number): readonly number[] {
  const perGpu = (total: number | undefined) => (total === undefined ? undefined : total / count);
  const sizes = [vramGb, perGpu(totalVramGb), unclearVramGb, perGpu(unclearVramGb)];
  return [...new Set(sizes)].filter((size) => size !== undefined);
}

type Form = "SXM" | "PCIe";

/** The form factor in a type's name, in any spelling: `h100-sxm5-80gb_eth`, `gpu_1x_h100_pcie`. */
function formIn(instanceType: string): Form | undefined {
  const word = /(?<![a-z])(sxm|pcie)\d?(?![a-z])/i.exec(instanceType)?.[1]?.toLowerCase();
  return word === undefined ? undefined : word === "sxm" ? "SXM" : "PCIe";
}

/** The same card in that form, if its name leaves the form open and exactly one such card exists. */
function withForm(model: GpuModel, form: Form | undefined): GpuModel {
  if (form === undefined || model.formFactor !== null) {
    return model;
  }
  const { family, vramGb } = model;
  const [found, ...others] = gpuModels.filter(
    (other) => other.family === family && other.vramGb === vramGb && other.formFactor === form,
  );
  return found === undefined || others.length > 0 ? model : found;
}

/** Whether the model has a different form. An NVL card is a PCIe card. */
function isOtherForm(form: Form | undefined, { formFactor }: GpuModel): boolean {
  return form === "SXM" ? formFactor === "PCIe" || formFactor === "NVL" : form === "PCIe" && formFactor === "SXM";
}

function saysNvlink({ name, instanceType, otherNames = [] }: GpuClaim): boolean {
  return /nvlink/i.test([name, instanceType, ...otherNames].join(" "));
}

function cite({ source: { title, url } }: InstanceType): string {
  return `(${url ?? title})`;
}

/** A model of the instance tables; a test ensures that each slug there is known. */
function getModel(slug: string): GpuModel {
  const model = findGpuModel(slug);
  if (model === undefined) {
    throw new Error(`The instance tables contain the unknown GPU ${slug}.`);
  }
  return model;
}
