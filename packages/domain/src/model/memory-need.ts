import type { FactSource } from "../gpu/gpu-models.js";
import { present } from "../present.js";
import { modelDocuments, modelShapes } from "./model-shapes.facts.js";
import {
  DEFAULT_BITS,
  DEFAULT_CONTEXT_TOKENS,
  formatTokens,
  modelNeedProblem,
  weightsGb,
  type ModelNeed,
} from "../text/model-need.js";

// How much GPU memory a language model needs for inference, about: its weights and its KV cache, in decimal GB.

/** One part of the memory. */
export interface MemoryPart {
  /** GB; the KV cache once, even if every GPU holds it. */
  gb: number;
  /** The calculation, with its numbers. */
  formula: string;
  /** The document that states the formula. */
  source: FactSource;
}

/** The memory that a model needs, about. */
export interface MemoryNeed {
  /** Memory of the parameters. */
  weights: MemoryPart;
  /** Memory of the context. */
  kvCache: MemoryPart & {
    /** Whether every GPU holds the whole cache. */
    perGpu: boolean;
  };
  /** What was assumed because it wasn't stated, and what isn't counted. */
  assumptions: readonly string[];
}

/** The blog post gives both formulas, with sizes that the tests compare. */
const formulas: FactSource = {
  title: "Llama 3.1, in huggingface/blog, llama31.md",
  url: "https://github.com/huggingface/blog/blob/0551785f2dd08b7b56c9cc4e2c5cd44a8178a58b/llama31.md",
};

/** Keys and values with 16 bits each. */
const KV_VALUE_BYTES = 2;

/**
 * The memory that a model needs, about: weights = parameters x bits / 8; KV cache = 2 x layers x KV heads x head dimension
 * x 2 bytes x tokens. Activations, CUDA graphs, images and fragmentation are not counted; {@link fitOf} leaves room for them.
 * @throws RangeError if a number is out of its range, or if only some of layers, kvHeads and headDim are given.
 */
export function memoryNeed(need: ModelNeed): MemoryNeed {
  const problem = modelNeedProblem(need);
  if (problem !== undefined) {
    throw new RangeError(`${problem}.`);
  }
  const {
    paramsB,
    bits = DEFAULT_BITS,
    contextTokens = DEFAULT_CONTEXT_TOKENS,
    sequences = 1,
    kvPerGpu = false,
  } = need;
  const cache = cacheOf(need);
  const kvGb = (cache.bytesPerToken * contextTokens * sequences) / 1e9;
  const context = `${formatTokens(contextTokens)} tokens`;
  return {
    weights: { gb: weightsGb(need), formula: `${paramsB} B parameters x ${bits} bits / 8`, source: formulas },
    kvCache: {
      gb: kvGb,
      perGpu: kvPerGpu,
      formula: `${cache.formula} x ${context}${sequences === 1 ? "" : ` x ${sequences} sequences`}`,
      source: cache.source,
    },
    assumptions: [
      ...(need.bits === undefined ? [`${DEFAULT_BITS} bits per parameter`] : []),
      ...(need.contextTokens === undefined ? [`a context of ${context}`] : []),
      ...(need.sequences === undefined ? ["one sequence at a time"] : []),
      ...cache.assumptions,
      ...(kvPerGpu ? ["every GPU holds the whole KV cache"] : []),
      "room for activations and CUDA graphs is a share of the memory, not calculated",
    ],
  };
}

interface Cache {
  bytesPerToken: number;
  formula: string;
  source: FactSource;
  assumptions: readonly string[];
}

function cacheOf({ paramsB, layers, kvHeads, headDim, kvBytesPerToken }: ModelNeed): Cache {
  if (kvBytesPerToken !== undefined) {
    const formula = `${kvBytesPerToken} bytes per token`;
    return { bytesPerToken: kvBytesPerToken, formula, source: formulas, assumptions: [] };
  }
  const inHalf = "a KV cache with 16 bits";
  if (layers !== undefined && kvHeads !== undefined && headDim !== undefined) {
    return { ...shapeCache(layers, kvHeads, headDim), source: formulas, assumptions: [inHalf] };
  }
  // The last row, which has the largest cache, stands for all above.
  const known = present(modelShapes.find(([, upToB]) => upToB === null || paramsB <= upToB));
  const [model, , ofLayers, ofKvHeads, ofHeadDim, document] = known;
  const shape = `layers and KV heads of ${model} (${ofLayers}, ${ofKvHeads} x ${ofHeadDim})`;
  const [title, url] = present(modelDocuments[document]);
  return { ...shapeCache(ofLayers, ofKvHeads, ofHeadDim), source: { title, url }, assumptions: [shape, inHalf] };
}

function shapeCache(layers: number, kvHeads: number, headDim: number): Pick<Cache, "bytesPerToken" | "formula"> {
  return {
    bytesPerToken: 2 * layers * kvHeads * headDim * KV_VALUE_BYTES,
    formula: `2 x ${layers} layers x ${kvHeads} KV heads x ${headDim} x ${KV_VALUE_BYTES} bytes`,
  };
}
