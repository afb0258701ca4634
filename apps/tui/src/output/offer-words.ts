import {
  paidDisk,
  HOURS_OF_30_DAYS,
  isDiskFixed,
  runwaySeconds,
  toMicrosUp,
  type Balance,
  type Offer,
} from "@gpu-offers/domain";
import { countText } from "../text/count-text.js";
import type { ColumnId } from "./columns.js";
import { totalMicros } from "./offer-cost.js";
import { gpuText, placeText } from "./offer-names.js";
import { dateText } from "../text/age-text.js";
import { usdMicrosText, usdText } from "../text/price-text.js";
import { runwayOf, runwayText } from "../text/runway-text.js";
import { printable, textWidth } from "../text/width.js";

// Descriptions of an offer for the summary, the details and the prompts.

/** A part of a summary, and its rank: parts with the highest rank are dropped first if space is short. */
export interface SummaryPart {
  text: string;
  /** Shorter text if the full one doesn't fit. */
  short?: string;
  rank: number;
  /** The column of the list that says the same. */
  column?: ColumnId;
  /** Width that fits most texts of this part. */
  usualWidth?: number;
}

/** The parts of a one-line summary: GPU, place, machine, price, runway. */
export function summaryParts(offer: Offer, neededGb: number | undefined, balance: Balance | undefined): SummaryPart[] {
  const runway = runwayOf(balance, totalMicros(offer, neededGb));
  return given([
    ...machineParts(offer),
    {
      text: priceSentence(offer, neededGb),
      short: `${offer.costDataComplete ? "" : "≥"}${priceText(offer, neededGb)}`,
      rank: 1,
    },
    { text: runway === undefined ? "" : `runway ${runway}`, rank: 3 },
  ]);
}

/** Describes an offer without its price. */
export function machineParts(offer: Offer): SummaryPart[] {
  const { specs, regionInfo } = offer;
  return given([
    { text: gpuText(offer), rank: 0, column: "gpu" },
    { text: printable(offer.provider.name), rank: 4, column: "provider" },
    { text: printable(regionInfo.cityState || placeText(offer)), rank: 5, column: "where" },
    { text: specs.vcpu === 0 ? "" : `${specs.vcpu} vCPU`, rank: 6, usualWidth: 8 },
    { text: specs.ram === 0 ? "" : `${countText(specs.ram)} GB`, rank: 7 },
    { text: offer.isAvailable ? "" : "UNAVAILABLE", rank: 2 },
  ]);
}

/** The cost of an offer with a disk: per hour, per 30 days, the runway, and the disk in it. */
export function costParts(offer: Offer, neededGb: number | undefined, balance: Balance | undefined): SummaryPart[] {
  const micros = totalMicros(offer, neededGb);
  const runway = runwayOf(balance, micros);
  return given([
    { text: `${lowerBound(offer)}${usdMicrosText(micros)}/h`, rank: 0, usualWidth: 9 },
    { text: `${monthText(micros)} in 30 days`, rank: 2, usualWidth: 18 },
    { text: runway === undefined ? "" : `runway ${runway}`, rank: 1, usualWidth: 14 },
    { text: diskText(offer, neededGb), rank: 3 },
  ]);
}

/** `incl. 500 GB disk ($0.14/h)`, `incl. 500 GB disk`; empty if the cost includes no known disk. */
function diskText(offer: Offer, neededGb: number | undefined): string {
  const diskGb = paidDisk(offer, neededGb);
  const diskMicros = totalMicros(offer, neededGb) - toMicrosUp(offer.priceHourly);
  const text = `incl. ${countText(diskGb)} GB disk`;
  return diskMicros === 0 ? (isDiskFixed(offer) && diskGb > 0 ? text : "") : `${text} (${usdMicrosText(diskMicros)}/h)`;
}

/** Cost of 30 days at an hourly cost in micro-dollars, rounded up to a dollar. */
function monthText(micros: number): string {
  return `$${countText(Math.ceil((micros * HOURS_OF_30_DAYS) / 1e6))}`;
}

function given(parts: readonly SummaryPart[]): SummaryPart[] {
  return parts.filter(({ text }) => text !== "");
}

/** A summary in `width` columns: as many parts as fit, in order. */
export function summaryTexts(parts: readonly SummaryPart[], width: number, gap: number): string[] {
  return fittingParts(parts, width, gap).map(({ text }) => text);
}

/**
 * Like {@link summaryTexts}, but pads each part to the width of its list column, or to its usual width, if the line has
 * room. Parts then keep their positions from offer to offer, which is easier to read and redraws fewer cells.
 * @param widths Widths of the columns of the list.
 */
export function alignedSummary(
  parts: readonly SummaryPart[],
  { width, gap, widths }: { width: number; gap: number; widths: ReadonlyMap<ColumnId, number> },
): string[] {
  const fitting = fittingParts(parts, width, gap);
  const aligned = fitting.map(({ text, column, usualWidth = 0 }, index) => {
    const columns = (column === undefined ? undefined : widths.get(column)) ?? usualWidth;
    return index === fitting.length - 1 ? text : text + " ".repeat(Math.max(0, columns - textWidth(text)));
  });
  const length = aligned.reduce((sum, text) => sum + textWidth(text) + gap, -gap);
  return length <= width ? aligned : fitting.map(({ text }) => text);
}

function fittingParts(parts: readonly SummaryPart[], width: number, gap: number): SummaryPart[] {
  const shown = new Map<SummaryPart, string>();
  let room = width;
  for (const part of [...parts].sort((a, b) => a.rank - b.rank)) {
    const before = shown.size === 0 ? 0 : gap;
    const fitting = [part.text, part.short].find((text) => text !== undefined && before + textWidth(text) <= room);
    const text = fitting ?? (shown.size === 0 ? part.text : undefined);
    if (text !== undefined) {
      shown.set(part, text);
      room -= before + textWidth(text);
    }
  }
  return parts.flatMap((part) => {
    const text = shown.get(part);
    return text === undefined ? [] : [{ ...part, text }];
  });
}

/** `$1.97/h with 500 GB`; `$1.90/h` if the disk is included; `at least $1.90/h` if cost data is incomplete. */
function priceSentence(offer: Offer, neededGb: number | undefined): string {
  const disk = isDiskFixed(offer) ? "" : ` with ${countText(paidDisk(offer, neededGb))} GB`;
  return `${lowerBound(offer)}${priceText(offer, neededGb)}${disk}`;
}

/** Prefix of a price with incomplete cost data. */
function lowerBound({ costDataComplete }: Offer): string {
  return costDataComplete ? "" : "at least ";
}

/** The price change of an offer with the chosen disk. */
export function repricedSentence(before: Offer, now: Offer, diskGb: number | undefined): string {
  return `The price has changed: ${priceSentence(before, diskGb)} is now ${priceSentence(now, diskGb)}.`;
}

function priceText(offer: Offer, neededGb: number | undefined): string {
  return `${usdMicrosText(totalMicros(offer, neededGb))}/h`;
}

/** Describes the disk options of an offer. */
export function diskSentence(offer: Offer): string {
  const { storageMinGB, storageMaxGB, storageCostPerGB } = offer;
  if (storageMaxGB === 0) {
    return "unknown";
  }
  return isDiskFixed(offer)
    ? `${countText(storageMaxGB)} GB included`
    : `${countText(storageMinGB)}–${countText(storageMaxGB)} GB at $${storageCostPerGB}/GB-h`;
}

/** Context of an offer's facts. */
export interface FactOptions {
  /** Required disk in GB. */
  diskGb?: number | undefined;
  balance?: Balance | undefined;
  /** Date of the prices by provider. */
  pricesAsOf?: ReadonlyMap<string, string> | undefined;
}

/** Names and values of all facts of an offer, for the details. */
export function offerFacts(offer: Offer, { diskGb: neededGb, balance, pricesAsOf }: FactOptions): [string, string][] {
  const { gpu, regionInfo, specs, interconnect } = offer;
  const place = [regionInfo.cityState, regionInfo.countryName, regionInfo.continent].filter((part) => part !== "");
  const known = (count: number, unit: string): string => (count === 0 ? "unknown" : `${countText(count)}${unit}`);
  const runway = runwayOf(balance, totalMicros(offer, neededGb));
  const atLeast = lowerBound(offer);
  const asOf = pricesAsOf?.get(offer.provider.name);
  const facts: [string, string][] = [
    ["GPU", `${offer.gpuCount} × ${gpu.name}`],
    ["VRAM", `${gpu.vramGB} GB each, ${countText(gpu.vramGB * offer.gpuCount)} GB total`],
    ["architecture", `${gpu.architecture}${offer.nvlinkEnabled ? ", NVLink" : ""}`],
    ["provider", `${offer.provider.name} (${offer.deploymentType})`],
    ["region", offer.region],
    ["location", place.join(", ")],
    ["CPU, memory", `${known(specs.vcpu, " vCPU")}, ${known(specs.ram, " GB")}`],
    ["disk", diskSentence(offer)],
    [
      "network",
      interconnect === null
        ? "unknown"
        : typeof interconnect === "string"
          ? interconnect
          : JSON.stringify(interconnect),
    ],
    ["available", offer.isAvailable ? "yes" : "no"],
    ["per GPU", `${atLeast}${usdText(offer.pricePerGpu)}/h`],
    ["instance", `${atLeast}${usdText(offer.priceHourly)}/h without disk`],
    ["with disk", priceSentence(offer, neededGb)],
    ["30 days", `${atLeast}${monthText(totalMicros(offer, neededGb))}`],
    ["$25 buys", runwayText(runwaySeconds({ balance: "25.0000", currency: "USD" }, totalMicros(offer, neededGb)))],
    ...(runway === undefined ? [] : [["runway", runway] as [string, string]]),
    ["prices as of", asOf === undefined ? "unknown" : dateText(asOf)],
    ["id", offer.id],
  ];
  return facts.map(([name, value]) => [name, printable(value)]);
}
