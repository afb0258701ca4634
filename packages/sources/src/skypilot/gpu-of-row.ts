import { resolveGpu } from "@gpu-offers/domain";
import { chooseOrDoubt, nameRejection, type GpuChoice, type GpuClaim } from "../choose-gpu.js";
import type { GpuAliases } from "../gpu-alias.js";
import { isObject } from "../input/json.js";
import { Rejection } from "../rejection.js";
import { showValue } from "../shown-value.js";
import type { Get } from "./columns.js";
import { parseDecimal } from "./cells.js";
import type { ProviderQuirks } from "./provider-quirks.js";

interface GpuRow {
  get: Get;
  provider: string;
  quirks: ProviderQuirks;
  aliases?: GpuAliases | undefined;
}

// Sizes of SkyPilot's accelerator names without a size; the larger card has a different name.
// Source: the accelerator list of the SkyPilot catalog (A100 and A100-80GB, V100 and V100-32GB).
const PLAIN_VRAM_GB: ReadonlyMap<string, number> = new Map([
  ["A100", 40],
  ["V100", 16],
  ["P100", 16],
]);

/** Memory in GB of the card that SkyPilot means by a name without a size; undefined if the name has only one card. */
export function plainVramGb(name: string): number | undefined {
  return PLAIN_VRAM_GB.get(name.toUpperCase());
}

// Memory in MiB is at least 1,024 for any cloud GPU, and memory in GB is below that.
const SMALLEST_MIB = 1024;

/**
 * The GPU of a row: its model, count and NVLink. AcceleratorName determines the card; the memory in GpuInfo selects
 * its size, and a more precise name in GpuInfo or in the instance type its form.
 */
export function gpuOf(row: GpuRow): GpuChoice | Rejection {
  const { get, quirks, aliases } = row;
  const name = get("AcceleratorName");
  const claim: GpuClaim = { ...typeOf(row), name, aliases };
  const unreadable = nameRejection(claim);
  const info = decodeGpuInfo(get("GpuInfo"));
  if (unreadable !== undefined) {
    const { code, reason, gpuName } = unreadable;
    return new Rejection(code, reason, gpuName, info instanceof Rejection ? undefined : sizeGbOf(info));
  }
  if (info instanceof Rejection) {
    return info;
  }
  const count = gpuCountOf(get("AcceleratorCount"));
  if (count instanceof Rejection) {
    return count;
  }
  // A GpuInfo with a count of 1 describes one card of several.
  if (info.count !== undefined && info.count !== 1 && info.count !== count) {
    return new Rejection("bad_count", `AcceleratorCount is ${count}, but GpuInfo counts ${info.count}.`);
  }
  const otherNames = info.name === undefined ? [] : [info.name];
  return chooseOrDoubt({ ...claim, otherNames, count, ...memoryOf(name, info, quirks) });
}

/** The type of a row and its cloud: a reseller's row is read with the tables of the cloud that it resells. */
function typeOf({ get, provider, quirks: { cloudInType } }: GpuRow): Pick<GpuClaim, "provider" | "instanceType"> {
  const instanceType = get("InstanceType");
  const cloud = cloudInType?.exec(instanceType)?.[1];
  const upstream = get("UpstreamCloudId");
  return cloud === undefined || upstream === ""
    ? { provider, instanceType }
    : { provider: cloud, instanceType: upstream };
}

/** Whole GPUs of an instance: `8` or `8.0`. */
function gpuCountOf(text: string): number | Rejection {
  const count = parseDecimal(text);
  if (count !== undefined && count > 0 && count < 1) {
    return new Rejection("fractional_gpu", `AcceleratorCount is ${showValue(text)}, which is a share of a card.`);
  }
  return count !== undefined && Number.isInteger(count) && count > 0
    ? count
    : new Rejection("bad_count", `AcceleratorCount is ${showValue(text)}, which is not a whole number of at least 1.`);
}

type Memory = Pick<GpuClaim, "vramGb" | "totalVramGb" | "unclearVramGb">;

function sizeGbOf({ size = 0 }: GpuInfo): number | undefined {
  return size === 0 ? undefined : size < SMALLEST_MIB ? size : size / 1024;
}

/** What the row states about the memory, in GB; a size of 0 means unknown. */
function memoryOf(name: string, info: GpuInfo, quirks: ProviderQuirks): Memory {
  const sizeGb = sizeGbOf(info);
  if (sizeGb === undefined) {
    const tellsSize = quirks.plainNamesTellSize && resolveGpu(info.name ?? "").kind !== "gpu";
    return { vramGb: tellsSize ? plainVramGb(name) : undefined };
  }
  if (quirks.memoryOf === "all GPUs") {
    return { totalVramGb: sizeGb };
  }
  return quirks.memoryOf === "one GPU" ? { vramGb: sizeGb } : { unclearVramGb: sizeGb };
}

/** What the GpuInfo column states about one kind of GPU; every part is optional. */
interface GpuInfo {
  name: string | undefined;
  count: number | undefined;
  /** The number in `SizeInMiB`, which is not always MiB and not always per GPU. */
  size: number | undefined;
}

const NOTHING: GpuInfo = { name: undefined, count: undefined, size: undefined };

/**
 * Decodes GpuInfo from its encodings: JSON; a Python literal, even with a bare `null`; the same with all keys in lower
 * case; or just a name. Its total of all GPUs is ignored, because it is incorrect in five files.
 */
export function decodeGpuInfo(text: string): GpuInfo | Rejection {
  if (!text.startsWith("{")) {
    return text === "" ? NOTHING : { ...NOTHING, name: text };
  }
  const gpus = member(parseLiteral(text), "gpus");
  if (!Array.isArray(gpus) || gpus.length !== 1) {
    return new Rejection("bad_gpu_info", `GpuInfo is ${showValue(text)}, which does not describe one kind of GPU.`);
  }
  const [gpu] = gpus as unknown[];
  const name = member(gpu, "name");
  return {
    name: typeof name === "string" ? name : undefined,
    count: numberIn(member(gpu, "count")),
    size: numberIn(member(member(gpu, "memoryinfo"), "sizeinmib")),
  };
}

// Match strings first, so that quotes and words within them are left alone.
const LITERAL_PARTS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\b(?:None|True|False)\b/g;
const WORDS: ReadonlyMap<string, string> = new Map([
  ["None", "null"],
  ["True", "true"],
  ["False", "false"],
]);

function parseLiteral(text: string): unknown {
  const json = text.replaceAll(LITERAL_PARTS, (part) =>
    part.startsWith("'") ? JSON.stringify(part.slice(1, -1)) : (WORDS.get(part) ?? part),
  );
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

/** The member of an object, by its name in lower case. */
function member(value: unknown, name: string): unknown {
  return isObject(value) ? Object.entries(value).find(([key]) => key.toLowerCase() === name)?.[1] : undefined;
}

/** cudo writes counts as text: `'1.0'`. */
function numberIn(value: unknown): number | undefined {
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}
