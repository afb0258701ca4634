import { resolveGpu, type GpuModel, type GpuResolution } from "@gpu-offers/domain";
import { gpuRefusal } from "../gpu-refusal.js";
import { Refusal } from "../refusal.js";
import { showValue } from "../shown-value.js";
import { parseDecimal } from "./decimal.js";
import { decodeGpuInfo, type GpuInfo } from "./gpu-info.js";
import type { ProviderQuirks } from "./provider-quirks.js";

/** What a row tells of its GPU, in its own words. */
export interface GpuRow {
  /** AcceleratorName, or the documented GPU of the instance type. */
  readonly name: string;
  readonly instanceType: string;
  readonly gpuInfo: string;
  /** AcceleratorCount as the row has it, not as it should be: memory totals go with it. */
  readonly statedCount: string;
}

/** The GPU model of a row, and whether the row says that its GPUs are joined by NVLink. */
export interface GpuChoice {
  readonly model: GpuModel;
  readonly saysNvlink: boolean;
}

// Sizes that SkyPilot's accelerator names mean where they name none; the larger card has a name of its own.
// Source: the accelerator list of the SkyPilot catalog (A100 beside A100-80GB, V100 beside V100-32GB).
const PLAIN_VRAM_GB: ReadonlyMap<string, number> = new Map([
  ["A100", 40],
  ["V100", 16],
  ["P100", 16],
]);

// Memory in MiB is at least 1,024 for any GPU of a cloud, and memory in GB is below that.
const SMALLEST_MIB = 1024;

/**
 * The GPU model of a row. AcceleratorName says which card it is; GpuInfo's memory chooses among its sizes, and a more
 * exact name in the instance type or in GpuInfo among its forms. A name that means another card refuses the row.
 */
export function chooseGpu(row: GpuRow, quirks: ProviderQuirks): GpuChoice | Refusal {
  const named = resolveGpu(row.name);
  if (named.kind === "not-gpu" || named.kind === "unknown") {
    return gpuRefusal(row.name, named);
  }
  const info = decodeGpuInfo(row.gpuInfo);
  if (info instanceof Refusal) {
    return info;
  }
  // A count of 0 or none is refused elsewhere.
  const count = parseDecimal(row.statedCount) || 1;
  if (info.count !== undefined && info.count !== count) {
    return new Refusal(
      "bad_count",
      `AcceleratorCount is ${showValue(row.statedCount)}, but GpuInfo counts ${info.count}.`,
    );
  }
  const sizesGb = possibleSizesGb(row.name, info, count, quirks);
  const exactNames = [quirks.gpuInType?.exec(row.instanceType)?.[1], info.name].filter((name) => name !== undefined);
  const model = refine(row.name, exactNames, sizesGb);
  if (model instanceof Refusal) {
    return model;
  }
  return { model, saysNvlink: /nvlink/i.test([row.name, row.instanceType, info.name].join(" ")) };
}

/**
 * What the stated memory may mean, in GB a GPU, the likeliest first. Whether a number is of one GPU or of all
 * is told by the card that it fits, except where both would fit.
 */
function possibleSizesGb(name: string, info: GpuInfo, count: number, quirks: ProviderQuirks): readonly number[] {
  if (info.size === undefined) {
    const plain = quirks.plainNamesTellSize ? PLAIN_VRAM_GB.get(name.toUpperCase()) : undefined;
    return plain === undefined ? [] : [plain];
  }
  if (info.size < SMALLEST_MIB) {
    return [info.size];
  }
  const oneGpu = info.size / 1024;
  return quirks.memoryIsTotal ? [oneGpu / count] : [oneGpu, oneGpu / count];
}

function refine(name: string, exactNames: readonly string[], sizesGb: readonly number[]): GpuModel | Refusal {
  let known = resolveSized(name, sizesGb);
  for (const exactName of exactNames) {
    if (known.kind === "mismatch") {
      break;
    }
    const exact = resolveSized(exactName, sizesGb);
    if (exact.kind !== "gpu" && exact.kind !== "mismatch") {
      continue;
    }
    const model = exact.kind === "gpu" ? join(known, exact.model) : undefined;
    if (model === undefined) {
      return new Refusal(
        "conflicting_gpu",
        `The row names ${showValue(name)} and ${showValue(exactName)}, which are different cards.`,
      );
    }
    known = { kind: "gpu", model };
  }
  return known.kind === "gpu" ? known.model : gpuRefusal(name, known);
}

function resolveSized(name: string, sizesGb: readonly number[]): GpuResolution {
  const [first, ...others] = sizesGb.map((vramGb) => resolveGpu(name, { vramGb }));
  if (first === undefined) {
    return resolveGpu(name);
  }
  return first.kind === "mismatch" ? (others.find(({ kind }) => kind !== "mismatch") ?? first) : first;
}

/** The more exact of two answers about one card; undefined when they cannot be of one card. */
function join(known: GpuResolution, exact: GpuModel): GpuModel | undefined {
  if (known.kind === "ambiguous") {
    return known.candidates.includes(exact) ? exact : undefined;
  }
  if (known.kind !== "gpu" || baseOf(known.model) !== baseOf(exact) || known.model.vramGb !== exact.vramGb) {
    return undefined;
  }
  if (exact.formFactor === null || exact === known.model) {
    return known.model;
  }
  return known.model.formFactor === null ? exact : undefined;
}

/** A slug without form and size: `a100` for `a100-sxm-80gb`. */
function baseOf(model: GpuModel): string {
  return model.slug.replaceAll(/-(?:sxm|pcie|nvl|\d+gb)(?=-|$)/g, "");
}
