import { selectGpus, type GpuEntry, type GpuPrices, type GpuPricesAt } from "@gpu-offers/domain";
import { listGpusOf } from "@gpu-offers/domain/gpus";
import { countOf, dateText, printable, sampleGpusLine, sparkline, UNKNOWN, usdText } from "@gpu-offers/list";
import { readOffers } from "../catalog/read-source.js";
import { listingOf } from "../catalog/listing-catalog.js";
import type { OfferSource } from "../catalog/offer-source.js";
import { EXIT, Failure } from "../exit-codes.js";
import { formatList, gridOf, type Grid } from "../output/formats.js";
import type { Printer } from "./source-choice.js";

/**
 * `gpus [names...]`: GPUs with their figures and their market; without names, those that are offered.
 * Offers of hosts that aren't verified are counted, but not priced.
 * @throws Failure for an unknown name.
 */
export async function gpusText({ source, format, notify }: Printer, names: readonly string[]): Promise<string> {
  const gpus = await readGpus(source);
  const wanted = names.length === 0 ? undefined : new Set(names.flatMap((name) => slugsCalled(name, gpus)));
  const shown = gpus.filter(({ slug, market }) => (wanted === undefined ? market.offers > 0 : wanted.has(slug)));
  notify(sampleGpusLine(shown));
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
async function readGpus(source: OfferSource): Promise<readonly GpuEntry[]> {
  if (source.listGpus !== undefined) {
    return source.listGpus();
  }
  const { pricesAsOf } = await source.readAge();
  return listGpusOf((await readOffers(source)).map(listingOf), pricesAsOf);
}

/** The slugs that a name means. @throws Failure that names the nearest ones. */
function slugsCalled(name: string, gpus: readonly GpuEntry[]): readonly string[] {
  const selection = selectGpus(name, gpus);
  if (selection.kind === "known") {
    return selection.slugs;
  }
  const { nearest } = selection;
  const hint = nearest.length === 0 ? "gpu-offers gpus lists them." : `Did you mean ${nearest.join(", ")}?`;
  throw new Failure(EXIT.usage, `no GPU is called ${JSON.stringify(printable(name))}. ${hint}`);
}

const LINE_WIDTH = 72;

/**
 * `trend <name>`: what a GPU or a family cost over time.
 * @throws Failure for an unknown name, and if the source has no prices over time.
 */
export async function trendText(
  { source, format, flags: { since, until, step } }: Printer,
  [name = ""]: readonly string[],
): Promise<string> {
  const prices = await source.findGpuPrices?.(name, { since, until, step });
  if (prices === undefined) {
    slugsCalled(name, await readGpus(source));
    throw new Failure(EXIT.nothing, `${source.place} has no prices over time. They need a service: add --url.`);
  }
  const { series } = prices;
  if (format !== "table") {
    return formatList(format, format === "json" ? [prices] : series, () => trendGrid(prices, series));
  }
  const changes = changesOf(prices);
  const leftOut = series.length - changes.length;
  const note = leftOut === 0 ? "" : `${countOf(leftOut, "point")} without a change left out; --format csv has all.\n`;
  return `${headText(prices)}\n${formatList("table", changes, () => trendGrid(prices, changes))}${note}`;
}

/** The points that differ from the one before, the first, the last and those around gaps: price lists stay the same for months. */
function changesOf({ series, step }: GpuPrices): readonly GpuPricesAt[] {
  const content = (point: GpuPricesAt | undefined): string => JSON.stringify({ ...point, at: "" });
  const gaps = gapsIn({ series, step });
  return series.filter((point, index) => {
    const isEnd = index === 0 || index === series.length - 1 || gaps.has(index) || gaps.has(index + 1);
    return isEnd || content(point) !== content(series[index - 1]);
  });
}

/** The indexes of points before which times without an observation are left out. */
function gapsIn({ series, step }: Pick<GpuPrices, "series" | "step">): ReadonlySet<number> {
  const stepMs = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 }[step];
  const times = series.map(({ at }) => Date.parse(at));
  return new Set(times.flatMap((time, at) => (time - (times[at - 1] ?? time) > stepMs ? [at] : [])));
}

function headText(prices: GpuPrices): string {
  const { gpu, slugs, trackedSince, series } = prices;
  const { medianPercent, machines, reason } = prices.change;
  const gaps = gapsIn(prices);
  const medians = series.flatMap(({ median }, index) => (gaps.has(index) ? [null, median] : [median]));
  const first = series.find(({ median }) => median !== null);
  const last = series.findLast(({ median }) => median !== null);
  const tracked = trackedSince === null ? "not observed yet" : `observed since ${trackedSince.slice(0, 10)}`;
  const title = `${printable(gpu)}${slugs.length > 1 ? ` (${slugs.length} forms)` : ""}, median per GPU and hour, ${tracked}`;
  const changeText =
    medianPercent === null
      ? `no comparison: ${reason}`
      : `${medianPercent > 0 ? "+" : ""}${medianPercent} % for the same ${countOf(machines, "machine")}`;
  const change =
    typeof first?.median === "number" && typeof last?.median === "number" && first.median > 0
      ? `${usdText(first.median)} ${lineOf(medians)} ${usdText(last.median)} (${changeText})`
      : "no prices were observed in this time";
  return `${title}\n${change}\n`;
}

/** A line of at most {@link LINE_WIDTH} characters: of every nth value, the last one always. One between them may be a gap. */
export function lineOf(values: readonly (number | null)[]): string {
  const every = Math.ceil(values.length / LINE_WIDTH);
  const last = values.map((value, at) => (values.slice(Math.max(0, at + 1 - every), at).includes(null) ? null : value));
  return sparkline(last.filter((_, at) => (values.length - 1 - at) % every === 0));
}

function trendGrid({ step }: GpuPrices, series: readonly GpuPricesAt[]): Grid {
  const isUnknown = series.some(({ availability }) => availability !== undefined);
  return gridOf(series, [
    [step === "week" ? "WEEK OF" : "DATE", ({ at }) => dateText(at.endsWith("T00:00:00.000Z") ? at.slice(0, 10) : at)],
    ["MIN", ({ min }) => price(min), "right"],
    ["P10", ({ p10 }) => price(p10), "right"],
    ["MEDIAN", ({ median }) => price(median), "right"],
    ["P90", ({ p90 }) => price(p90), "right"],
    ["OFFERS", ({ offers }) => `${offers}`, "right"],
    ["PROVIDERS", ({ providers }) => `${providers}`, "right"],
    ["REGIONS", ({ regions }) => `${regions}`, "right"],
    ["OBSERVED", ({ observed, known }) => `${observed} of ${known}`, "right"],
    ...(isUnknown ? [["AVAILABILITY", ({ availability }: GpuPricesAt) => availability ?? ""] as const] : []),
  ]);
}
