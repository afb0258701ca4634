import {
  availabilityOfOffer,
  isDiskUnknown,
  isSample,
  paidDisk,
  toMicrosUp,
  type Balance,
  type ListedOffer,
  type Offer,
} from "@gpu-offers/domain";
import {
  countText,
  gpuText,
  isTotalAtLeast,
  lowerBound,
  monthText,
  placeText,
  priceSentence,
  printable,
  runwayOf,
  totalMicros,
  totalText,
  usdMicrosText,
  type ColumnId,
} from "@gpu-offers/list";
import { textWidth } from "../text/width.js";

// Descriptions of an offer for the summary, the details and the prompts.

/** A part of a summary, and its rank: parts with the highest rank are dropped first if space is short. */
interface SummaryPart {
  text: string;
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
      short: `${isTotalAtLeast(offer, neededGb) ? "≥" : ""}${totalText(offer, neededGb)}`,
      rank: 1,
    },
    { text: runway === undefined ? "" : `runway ${runway}`, rank: 3 },
  ]);
}

/** Describes an offer without its price. */
export function machineParts(offer: ListedOffer): SummaryPart[] {
  const { specs, regionInfo } = offer;
  return given([
    { text: gpuText(offer), rank: 0, column: "gpu" },
    { text: printable(offer.provider.name), rank: 4, column: "provider" },
    { text: printable(regionInfo.cityState || placeText(offer)), rank: 5, column: "where" },
    { text: specs.vcpu === 0 ? "" : `${specs.vcpu} vCPU`, rank: 6, usualWidth: 8 },
    { text: specs.ram === 0 ? "" : `${countText(specs.ram)} GB`, rank: 7 },
    { text: stockWords(offer), rank: 2 },
  ]);
}

/** What a choice of the offer has to heed; empty if it is in stock or listed. */
function stockWords(offer: ListedOffer): string {
  const availability = availabilityOfOffer(offer);
  return availability === "sold_out" ? "SOLD OUT" : availability === "unknown" ? "stock unknown" : "";
}

/** The cost of an offer with a disk: per hour, per 30 days, the runway, and the disk in it. */
export function costParts(offer: Offer, neededGb: number | undefined, balance: Balance | undefined): SummaryPart[] {
  const micros = totalMicros(offer, neededGb);
  const runway = runwayOf(balance, micros);
  return given([
    { text: `${lowerBound(offer, neededGb)}${usdMicrosText(micros)}/h`, rank: 0, usualWidth: 9 },
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
  const isIncluded = diskGb > 0 && !isDiskUnknown(offer, diskGb);
  return diskMicros === 0 ? (isIncluded ? text : "") : `${text} (${usdMicrosText(diskMicros)}/h)`;
}

function given(parts: readonly SummaryPart[]): SummaryPart[] {
  return parts.filter(({ text }) => text !== "");
}

const GAP = 2;

/** A summary in `width` columns: as many parts as fit, in order. */
export function summaryText(parts: readonly SummaryPart[], width: number): string {
  return fittingParts(parts, width)
    .map(({ text }) => text)
    .join(" ".repeat(GAP));
}

/**
 * Like {@link summaryText}, but pads each part to the width of its list column, or to its usual width, if the line has
 * room. Parts then keep their positions from offer to offer, which is easier to read and redraws fewer cells.
 * @param widths Widths of the columns of the list.
 */
export function alignedSummary(
  parts: readonly SummaryPart[],
  width: number,
  widths: ReadonlyMap<ColumnId, number> = new Map(),
): string[] {
  const fitting = fittingParts(parts, width);
  const aligned = fitting.map(({ text, column, usualWidth = 0 }, index) => {
    const columns = (column === undefined ? undefined : widths.get(column)) ?? usualWidth;
    return index === fitting.length - 1 ? text : text + " ".repeat(Math.max(0, columns - textWidth(text)));
  });
  const length = aligned.reduce((sum, text) => sum + textWidth(text) + GAP, -GAP);
  return length <= width ? aligned : fitting.map(({ text }) => text);
}

function fittingParts(parts: readonly SummaryPart[], width: number): SummaryPart[] {
  const shown = new Map<SummaryPart, string>();
  let room = width;
  for (const part of [...parts].sort((a, b) => a.rank - b.rank)) {
    const before = shown.size === 0 ? 0 : GAP;
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

/** The price change of an offer with the chosen disk. */
export function repricedSentence(before: Offer, now: Offer, diskGb: number | undefined): string {
  return `The price has changed: ${priceSentence(before, diskGb)} is now ${priceSentence(now, diskGb)}.`;
}

/** What accepting an offer does before it is printed. */
export function acceptWords(offer: ListedOffer): string {
  return isSample(offer)
    ? "a sample price, which is not for sale"
    : "availability and price are rechecked before printing";
}

/** A provider doesn't have the image of `--image`. */
export function missingImageSentence({ provider }: Offer, imageId: string): string {
  return `${printable(provider.name)} has no image ${JSON.stringify(imageId)} (--image). Choose another one.`;
}

/** Of a provider whose images no source states. */
export const IMAGES_UNKNOWN = "images unknown: the provider's default is used";
