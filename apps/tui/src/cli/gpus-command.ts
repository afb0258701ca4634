import {
  marketParts,
  selectGpus,
  UNKNOWN_LISTING_FACTS,
  type GpuEntry,
  type ListedOffer,
  type MarketListing,
  type MarketPart,
} from "@gpu-offers/domain";
import { listGpus } from "@gpu-offers/domain/gpus";
import { printable, UNKNOWN, usdText } from "@gpu-offers/list";
import type { OfferSource } from "../catalog/offer-source.js";
import { EXIT, Failure } from "../output/exit-codes.js";
import { formatList, type Format } from "../output/formats.js";

/**
 * `gpus [names...]`: GPUs with their figures and their market; without names, those that are offered.
 * @param source all offers, also those of hosts that aren't verified, which a market counts but doesn't price.
 * @throws Failure for an unknown name.
 */
export async function gpusText(source: OfferSource, names: readonly string[], format: Format): Promise<string> {
  const gpus = await readGpus(source);
  const wanted = names.length === 0 ? undefined : new Set(names.flatMap((name) => slugsCalled(name, gpus)));
  const shown = gpus.filter(({ slug, market }) => (wanted === undefined ? market.offers > 0 : wanted.has(slug)));
  const values = format === "csv" ? shown.map(withoutSources) : shown;
  return formatList(format, values, () => ({
    titles: ["GPU", "SLUG", "VRAM", "GB/S", "BF16", "FP8", "OFFERS", "RENTABLE", "PROVIDERS", "MIN", "MEDIAN", "SPOT"],
    aligns: ["left", "left", ...Array.from({ length: 10 }, () => "right" as const)],
    rows: shown.map(gpuCells),
  }));
}

function gpuCells({ name, slug, vramGB, memoryBandwidthGBs, bf16Tflops, fp8Tflops, market }: GpuEntry): string[] {
  const { offers, rentable, providers, pricePerGpu, isAtLeast, spotMin } = market;
  return [
    printable(name),
    slug,
    `${vramGB}`,
    figure(memoryBandwidthGBs),
    figure(bf16Tflops),
    figure(fp8Tflops),
    `${offers}`,
    `${rentable}`,
    `${providers}`,
    pricePerGpu === null ? UNKNOWN : `${isAtLeast ? "≥" : ""}${usdText(pricePerGpu.min)}`,
    pricePerGpu === null ? UNKNOWN : usdText(pricePerGpu.median),
    spotMin === null ? UNKNOWN : usdText(spotMin),
  ];
}

function figure(value: number | null): string {
  return value === null ? UNKNOWN : String(value);
}

/** Sources have a title and two addresses for each figure, which a spreadsheet has no use for. */
function withoutSources(gpu: GpuEntry): object {
  return Object.fromEntries(Object.entries(gpu).filter(([field]) => field !== "sources"));
}

/** All GPUs of a source. A file and older services don't list them, so they are calculated from the offers. */
export async function readGpus(source: OfferSource): Promise<readonly GpuEntry[]> {
  const listed = await source.listGpus?.();
  if (listed !== undefined) {
    return listed;
  }
  const { pricesAsOf } = await source.readAge();
  const ageOf = (provider: string) => ({ pricesAsOf: pricesAsOf.get(provider) ?? null, stock: "unknown" });
  return listGpus(await readParts(source), ageOf);
}

async function readParts(source: OfferSource): Promise<MarketPart[]> {
  const offers = await readOffers(source);
  return marketParts(offers.map(listingOf));
}

function listingOf(offer: ListedOffer): MarketListing {
  const { spot, verified } = offer.listing ?? UNKNOWN_LISTING_FACTS;
  return { offer, spot, verified, isStale: false, pricesAsOf: null, stock: "unknown" };
}

/** All offers of a source. */
export async function readOffers(source: OfferSource): Promise<readonly ListedOffer[]> {
  let offers: ListedOffer[] = [];
  for await (const part of source.list({ sort_by: "pricePerGpu", sort_order: "asc" })) {
    offers = part.kind === "restart" ? [] : offers.concat(part.offers);
  }
  return offers;
}

/**
 * The slugs that a name means.
 * @throws Failure that names the nearest ones.
 */
export function slugsCalled(name: string, gpus: readonly GpuEntry[]): readonly string[] {
  const selection = selectGpus(name, gpus);
  if (selection.kind === "known") {
    return selection.slugs;
  }
  const hint =
    selection.nearest.length === 0 ? "gpu-offers gpus lists them." : `Did you mean ${selection.nearest.join(", ")}?`;
  throw new Failure(EXIT.usage, `no GPU is called ${JSON.stringify(printable(name))}. ${hint}`);
}
