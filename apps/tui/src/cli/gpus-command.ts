import { selectGpus, UNKNOWN_LISTING_FACTS, type GpuEntry } from "@gpu-offers/domain";
import { listGpusOf } from "@gpu-offers/domain/gpus";
import { printable, UNKNOWN, usdText } from "@gpu-offers/list";
import { readOffers } from "../catalog/all-offers.js";
import type { OfferSource } from "../catalog/offer-source.js";
import { EXIT, Failure } from "../exit-codes.js";
import { formatList, gridOf, type Format } from "../output/formats.js";

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
  return formatList(format, values, () => gridOf(shown, COLUMNS));
}

const figure = (value: number | null): string => (value === null ? UNKNOWN : String(value));
const price = (usd: number | null | undefined): string => (typeof usd === "number" ? usdText(usd) : UNKNOWN);

const COLUMNS: Parameters<typeof gridOf<GpuEntry>>[1] = [
  ["GPU", ({ name }) => name],
  ["SLUG", ({ slug }) => slug],
  ["VRAM", ({ vramGB }) => `${vramGB}`, "right"],
  ["GB/S", ({ memoryBandwidthGBs }) => figure(memoryBandwidthGBs), "right"],
  ["BF16", ({ bf16Tflops }) => figure(bf16Tflops), "right"],
  ["FP8", ({ fp8Tflops }) => figure(fp8Tflops), "right"],
  ["OFFERS", ({ market }) => `${market.offers}`, "right"],
  ["RENTABLE", ({ market }) => `${market.rentable}`, "right"],
  ["PROVIDERS", ({ market }) => `${market.providers}`, "right"],
  [
    "MIN",
    ({ market: { pricePerGpu, isAtLeast } }) => `${isAtLeast && pricePerGpu ? "≥" : ""}${price(pricePerGpu?.min)}`,
    "right",
  ],
  ["MEDIAN", ({ market }) => price(market.pricePerGpu?.median), "right"],
  ["SPOT", ({ market }) => price(market.spotMin), "right"],
];

/** Sources have a title and two addresses for each figure, which a spreadsheet has no use for. */
function withoutSources(gpu: GpuEntry): object {
  return Object.fromEntries(Object.entries(gpu).filter(([field]) => field !== "sources"));
}

/** All GPUs of a source. A file doesn't list them, so they are calculated from the offers. */
export async function readGpus(source: OfferSource): Promise<readonly GpuEntry[]> {
  const listed = await source.listGpus?.();
  if (listed !== undefined) {
    return listed;
  }
  const { pricesAsOf } = await source.readAge();
  const listings = (await readOffers(source)).map((offer) => {
    const { spot, verified, availability, sample } = offer.listing ?? UNKNOWN_LISTING_FACTS;
    return { offer, spot, verified, availability, sample };
  });
  return listGpusOf(listings, pricesAsOf);
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
