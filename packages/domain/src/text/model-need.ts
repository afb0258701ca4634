// What someone wants to run: the size of a language model, and how it is written in one word, such as `70b@8,16k`.

/** A language model to run, and with how much text. Only the size is required. */
export interface ModelNeed {
  /** Parameters in billions, all experts included. */
  paramsB: number;
  /** Bits per parameter; default: 16. */
  bits?: number | undefined;
  /** Tokens of context per sequence; default: 8,192. */
  contextTokens?: number | undefined;
  /** Sequences at the same time; default: 1. */
  sequences?: number | undefined;
  /** Layers with a full KV cache; default: those of a public model of this size. */
  layers?: number | undefined;
  /** Heads for keys and values in each layer. */
  kvHeads?: number | undefined;
  /** Dimension of a head. */
  headDim?: number | undefined;
  /** KV cache in bytes per token, in place of layers and heads: for MLA, FP8 and windowed caches. */
  kvBytesPerToken?: number | undefined;
  /** Whether every GPU holds the whole KV cache, as with MLA under tensor parallelism; default: false. */
  kvPerGpu?: boolean | undefined;
}

/** A valid model in words, or a sentence that says what is invalid. */
export type ParsedModelNeed =
  | {
      ok: true;
      /** The model. */
      need: ModelNeed;
    }
  | {
      ok: false;
      /** What it must be: a clause. */
      reason: string;
    };

/** Bits per parameter, unless stated. */
export const DEFAULT_BITS = 16;

/** GB of a model's weights: parameters x bits / 8. */
export function weightsGb({ paramsB, bits = DEFAULT_BITS }: ModelNeed): number {
  return (paramsB * bits) / 8;
}

/** Whole GB of a disk for a model's weights, with a fifth more for the system and its libraries. */
export function weightsDiskGb(need: ModelNeed): number {
  return Math.ceil((weightsGb(need) * 6) / 5);
}

/** Tokens of context, unless stated. */
export const DEFAULT_CONTEXT_TOKENS = 8192;

const MODEL_NEED_RANGES = {
  paramsB: [0.01, 100_000],
  bits: [1, 32],
  contextTokens: [1, 100_000_000],
  sequences: [1, 100_000],
  layers: [1, 10_000],
  kvHeads: [1, 10_000],
  headDim: [1, 100_000],
  kvBytesPerToken: [0, 100_000_000],
} as const satisfies Partial<Record<keyof ModelNeed, readonly [least: number, most: number]>>;

const K = 1024;
const units: Readonly<Record<string, number>> = { "": 1, k: K, m: K * K };

const form = "a model is written as 70b, 70b@8 (bits), 70b@8,16k (context) or 70b@8,16k,4x (sequences)";

/** How a model is written, for the OpenAPI document: it is read with spaces and in other forms, too. */
export const MODEL_NEED_PATTERN = String.raw`^[1-9]\d{0,4}(?:\.\d{1,4})?[bB](?:@(?:fp|bf|int|q)?(?:[1-9]|[12]\d|3[0-2]))?(?:,(?:[1-9]\d{0,3}k|[1-9]\d{0,7}))?(?:,[1-9]\d{0,4}x)?$`;

/**
 * Reads a model as people write it: parameters in billions (`70b`) or trillions (`1t`), optionally bits after `@` (`@8`,
 * `@fp8`, `@int4`), tokens of context (`16k` is 16,384) and the number of sequences (`4x`) after commas.
 */
export function parseModelNeed(text: string): ParsedModelNeed {
  const [model = "", ...options] = text.toLowerCase().replaceAll(/\s+/g, "").split(",");
  const [size = "", precision, ...rest] = model.split("@");
  const params = /^(\d{1,6}(?:\.\d{1,4})?)([bt])$/.exec(size);
  if (params === null || rest.length > 0) {
    return invalid(text, form);
  }
  const need: ModelNeed = { paramsB: Number(params[1]) * (params[2] === "t" ? 1000 : 1) };
  if (precision !== undefined) {
    const bits = parseBits(precision);
    if (bits === undefined) {
      return invalid(text, "bits are a number from 1 to 32, such as 4, 8, fp8 or bf16");
    }
    need.bits = bits;
  }
  for (const option of options) {
    const sequences = /^(\d{1,6})x$/.exec(option)?.[1];
    const tokens = parseTokens(option);
    if (sequences !== undefined && need.sequences === undefined) {
      need.sequences = Number(sequences);
    } else if (tokens !== undefined && need.contextTokens === undefined) {
      need.contextTokens = tokens;
    } else {
      return invalid(text, form);
    }
  }
  const problem = modelNeedProblem(need);
  return problem === undefined ? { ok: true, need } : { ok: false, reason: problem };
}

function invalid(text: string, reason: string): ParsedModelNeed {
  return { ok: false, reason: `${reason}, not ${JSON.stringify(text.slice(0, 40))}` };
}

/** Bits per parameter as people write them: `8`, `4.5`, `fp8`, `bf16`, `int4`, `q4`; undefined if it is something else. */
export function parseBits(text: string): number | undefined {
  const bits = /^(?:fp|bf|int|mxfp|nvfp|q)?(\d{1,2}(?:\.\d{1,3})?)$/i.exec(text.trim())?.[1];
  return bits === undefined ? undefined : Number(bits);
}

/** Tokens as people write them: `16000`, `16k` (16,384), `1m` (1,048,576); undefined if it is something else. */
export function parseTokens(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d{1,9})([km]?)$/i.exec(text.trim()) ?? [];
  return digits === undefined ? undefined : Number(digits) * (units[unit.toLowerCase()] ?? 1);
}

/** Tokens with a unit where it is exact: 16,384 is `16k`. */
export function formatTokens(tokens: number): string {
  return tokens % K === 0 ? `${tokens / K}k` : String(tokens);
}

/** What is invalid in a model, in one sentence; undefined if nothing is. */
export function modelNeedProblem(need: ModelNeed): string | undefined {
  for (const [key, [least, most]] of Object.entries(MODEL_NEED_RANGES)) {
    // The keys of a literal are the names of its type
    const value = need[key as keyof typeof MODEL_NEED_RANGES];
    const isWhole = key === "paramsB" || key === "bits" || Number.isInteger(value ?? 0);
    if (value !== undefined && !(value >= least && value <= most && isWhole)) {
      return `${key} must be a ${key === "paramsB" || key === "bits" ? "" : "whole "}number from ${least} to ${most}, not ${value}`;
    }
  }
  const shape = [need.layers, need.kvHeads, need.headDim];
  return shape.includes(undefined) && shape.some((value) => value !== undefined)
    ? "layers, kvHeads and headDim must be given together"
    : undefined;
}
