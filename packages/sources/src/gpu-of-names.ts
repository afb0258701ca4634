import { resolveGpu, type GpuModel, type GpuResolution } from "@gpu-offers/domain";
import { findAlias, type GpuAliases } from "./gpu-alias.js";
import { gpuRejection } from "./gpu-rejection.js";
import { Rejection } from "./rejection.js";
import { showValue } from "./shown-value.js";

// The one model that all names of a row mean, with the memory that it states.

/** The only model that matches any reading of the memory. */
export function modelOf(
  names: readonly string[],
  sizesGb: readonly number[],
  aliases: GpuAliases | undefined,
): GpuModel | Rejection {
  const readings = sizesGb.length === 0 ? [undefined] : sizesGb;
  const results = readings.map((sizeGb) => joinNames(names, sizeGb, aliases));
  const open = results.find((result) => result instanceof Rejection && result.code === "ambiguous_gpu");
  if (open !== undefined) {
    return open;
  }
  const models = [...new Set(results.flatMap((result) => (result instanceof Rejection ? [] : [result])))];
  const [model] = models;
  if (models.length > 1) {
    return gpuRejection(names[0] ?? "", { kind: "ambiguous", candidates: models });
  }
  return model ?? results.find((result) => result instanceof Rejection) ?? noGpu();
}

/** The model that all names agree on, given the memory of one GPU. */
function joinNames(
  names: readonly string[],
  sizeGb: number | undefined,
  aliases: GpuAliases | undefined,
): GpuModel | Rejection {
  const [first, ...others] = names;
  if (first === undefined) {
    return noGpu();
  }
  let known = resolveName(first, sizeGb, aliases);
  for (const other of others) {
    if (known.kind !== "gpu" && known.kind !== "ambiguous") {
      break;
    }
    const exact = resolveName(other, sizeGb, aliases);
    if (exact.kind !== "gpu" && exact.kind !== "mismatch") {
      continue;
    }
    const model = exact.kind === "gpu" ? join(known, exact.model) : undefined;
    if (model === undefined) {
      const both = `${showValue(first)} and ${showValue(other)}`;
      return new Rejection("conflicting_gpu", `The row names ${both}, which are different cards.`);
    }
    known = { kind: "gpu", model };
  }
  return known.kind === "gpu" ? known.model : gpuRejection(first, known);
}

/** That nothing says which GPU a row has. */
export function noGpu(): Rejection {
  return new Rejection("missing_value", "The row names no GPU, and its instance type is not in the tables.");
}

/** The more precise of two readings of one card; undefined if they cannot mean the same card. */
function join(known: GpuResolution, exact: GpuModel): GpuModel | undefined {
  if (known.kind === "ambiguous") {
    return known.candidates.includes(exact) ? exact : undefined;
  }
  if (known.kind !== "gpu") {
    return undefined;
  }
  if (known.model === exact || leavesOpen(exact, known.model)) {
    return known.model;
  }
  return leavesOpen(known.model, exact) ? exact : undefined;
}

/** Whether the first model is how a source writes the second if it omits the form or edition. */
function leavesOpen(plain: GpuModel, exact: GpuModel): boolean {
  const isPlain = plain.formFactor === null || plain.slug === plain.family;
  return plain.family === exact.family && plain.vramGb === exact.vramGb && isPlain;
}

/** An alias never overrides memory that the row states: slices of a card have its name, too. */
export function resolveName(name: string, vramGb: number | undefined, aliases: GpuAliases | undefined): GpuResolution {
  const model = findAlias(name, aliases);
  const resolved = resolveGpu(model?.slug ?? name, { vramGb });
  return model === undefined || resolved.kind === "mismatch" ? resolved : { kind: "gpu", model };
}

/** The families that a name may mean. */
export function familiesOf(resolution: GpuResolution): readonly string[] {
  if (resolution.kind === "gpu") {
    return [resolution.model.family];
  }
  if (resolution.kind === "ambiguous") {
    return resolution.candidates.map(({ family }) => family);
  }
  return resolution.kind === "mismatch" ? resolution.models.map(({ family }) => family) : [];
}
