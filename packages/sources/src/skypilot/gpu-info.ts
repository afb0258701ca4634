import { isObject } from "../input/json.js";
import { Rejection } from "../rejection.js";
import { showValue } from "../shown-value.js";

/** What the GpuInfo column states about one kind of GPU; every part is optional. */
export interface GpuInfo {
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
  if (!isObject(value)) {
    return undefined;
  }
  return Object.entries(value).find(([key]) => key.toLowerCase() === name)?.[1];
}

/** cudo writes counts as text: `'1.0'`. */
function numberIn(value: unknown): number | undefined {
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}
