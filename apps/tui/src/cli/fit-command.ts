import {
  isAtLeast,
  cheapestFits,
  DOOR_DEFAULTS,
  memoryNeed,
  modelNeedProblem,
  onOffer,
  parseModelNeed,
  type FittingOffer,
  type MemoryNeed,
  type ModelNeed,
} from "@gpu-offers/domain";
import { sampleLine, usdText } from "@gpu-offers/list";
import { EXIT, Failure } from "../exit-codes.js";
import { formatList, gridOf, type Grid } from "../output/formats.js";
import { withoutUndefined, type Flags } from "./flags.js";
import type { Printer } from "./source-choice.js";

const DEFAULT_LIMIT = 10;

/**
 * `fit <model>`: what a language model needs, about, and the cheapest offers that it fits into.
 * @throws Failure for an invalid model, and if it fits into no offer.
 */
export async function fitText(
  { source, flags, format, notify }: Printer,
  [model = ""]: readonly string[],
): Promise<string> {
  const need = needOf(model, flags);
  const memory = memoryNeed(need);
  const { offers } = await source.find(onOffer({ ...DOOR_DEFAULTS, fits: modelText(need) }));
  const found = cheapestFits(offers, memory).slice(0, flags.limit ?? DEFAULT_LIMIT);
  if (found.length === 0) {
    throw new Failure(
      EXIT.nothing,
      `it needs about ${gbText(memory.weights.gb + memory.kvCache.gb)} GB of GPU memory, and no available offer has that on linked GPUs.`,
    );
  }
  const fitting = found.map(({ offer }) => offer);
  notify(sampleLine(fitting, await source.readAge()));
  const rows = found.map(rowOf);
  if (format === "json") {
    return formatList("json", [{ model: need, memory, offers: rows }], () => fitGrid(found));
  }
  const list = formatList(format, rows, () => fitGrid(found));
  return format === "table" ? `${needText(memory)}\n${list}` : list;
}

function needOf(model: string, { bits, context, sequences }: Flags): ModelNeed {
  const parsed = parseModelNeed(model);
  if (!parsed.ok) {
    throw new Failure(EXIT.usage, `${parsed.reason}.`);
  }
  const need: ModelNeed = { ...parsed.need, ...withoutUndefined({ bits, contextTokens: context, sequences }) };
  const problem = modelNeedProblem(need);
  if (problem !== undefined) {
    throw new Failure(EXIT.usage, `${problem}.`);
  }
  return need;
}

/** A model in one word, as the filter takes it. */
function modelText({ paramsB, bits, contextTokens, sequences }: ModelNeed): string {
  const precise = bits === undefined ? `${paramsB}b` : `${paramsB}b@${bits}`;
  return [precise, contextTokens, sequences && `${sequences}x`].filter((part) => part !== undefined).join(",");
}

function needText(memory: MemoryNeed): string {
  const { weights, kvCache, assumptions } = memory;
  return [
    `About ${gbText(weights.gb + kvCache.gb)} GB of GPU memory:`,
    `  weights   ${gbText(weights.gb)} GB = ${weights.formula}`,
    `  KV cache  ${gbText(kvCache.gb)} GB = ${kvCache.formula}`,
    `  assuming ${assumptions.join("; ")}`,
    "",
  ].join("\n");
}

function gbText(gb: number): string {
  return gb >= 100 ? String(Math.round(gb)) : String(Math.round(gb * 10) / 10);
}

function rowOf({ offer, result }: FittingOffer): object {
  const { id, gpu, gpuCount, provider, region, priceHourly, pricePerGpu } = offer;
  return {
    fit: result.fit,
    gpu: gpu.slug,
    gpuCount,
    neededGb: Math.round(result.neededGb * 10) / 10,
    usableGb: Math.round(result.usableGb * 10) / 10,
    priceHourly,
    pricePerGpu,
    isAtLeast: isAtLeast(offer),
    provider: provider.name,
    region,
    id,
  };
}

function fitGrid(found: readonly FittingOffer[]): Grid {
  return gridOf(found, [
    ["FIT", ({ result }) => result.fit],
    ["GPU", ({ offer }) => `${offer.gpuCount}x ${offer.gpu.name}`],
    ["NEEDS GB", ({ result }) => gbText(result.neededGb), "right"],
    ["USABLE GB", ({ result }) => gbText(result.usableGb), "right"],
    ["$/H", ({ offer }) => `${isAtLeast(offer) ? "≥" : ""}${usdText(offer.priceHourly)}`, "right"],
    ["PROVIDER", ({ offer }) => offer.provider.name],
    ["REGION", ({ offer }) => offer.region],
    ["ID", ({ offer }) => offer.id],
  ]);
}
