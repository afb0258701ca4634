import { isDiskFixed, toMicrosUp, type Balance, type Offer } from "@gpu-offers/domain";
import type { SortBy } from "../query/query.js";
import { decimalsFor, microsText, type Decimals } from "../text/price-text.js";
import { runwayOf } from "../text/runway-text.js";
import { printable, type Align } from "../text/width.js";
import { totalMicros } from "./offer-cost.js";
import { gpuText, placesText, placeText } from "./offer-names.js";

// The columns of an offer list: one table for the screen and the printed table.

/** What cells depend on beside their offer; the same for a whole result. */
export interface CellFacts {
  /** Disk that is needed, GB; undefined when no disk was asked for. */
  diskGb: number | undefined;
  balance: Balance | undefined;
  /** Images that a provider has, as far as they are known. */
  imageCounts: ReadonlyMap<string, number>;
  /** Decimals of all prices. */
  decimals: Decimals;
  /** Which prices carry a mark: lower bounds a `≥`, or, where nearly all are, the exact ones a `=`. */
  marks: PriceMarks;
}

/** See {@link CellFacts}. */
export type PriceMarks = "lower bounds" | "exact prices";

/** A column: its heading, and the text of its cells. */
export interface Column {
  id: ColumnId;
  title: (diskGb: number | undefined) => string;
  align: Align;
  /** Widest that the column gets on a screen. */
  maxWidth: number;
  /** Narrowest that the column gets before another one is dropped; undefined: it is not cut. */
  minWidth?: number;
  /** Place in the order in which columns are dropped on a narrow screen, the first one first; undefined: never. */
  dropRank?: number;
  /** What the list is ordered by when this column carries the mark of the sort. */
  sort?: SortBy;
  /** What a cell depends on: offers with the same key have the same cell, so that it is measured once. */
  key: (offer: Offer) => string | number;
  /** The cell of an offer, or of a group of offers that differ in their region alone. */
  cell: (offer: Offer, facts: CellFacts, places?: readonly Offer[]) => string;
}

/** Names of the columns. */
export type ColumnId =
  | "gpu"
  | "provider"
  | "where"
  | "perGpu"
  | "hourly"
  | "total"
  | "runway"
  | "machine"
  | "disk"
  | "images"
  | "available";

/** What a cell holds where nothing is known. */
export const UNKNOWN = "–";

/** All columns from left to right. The name of the GPU is never dropped, and the prices are the last that are. */
export const COLUMNS: readonly Column[] = [
  {
    id: "gpu",
    title: () => "GPU",
    align: "left",
    maxWidth: 40,
    sort: "gpuCount",
    key: ({ gpu, gpuCount }) => `${gpuCount} ${gpu.name} ${gpu.vramGB}`,
    cell: (offer) => gpuText(offer),
  },
  {
    id: "provider",
    title: () => "PROVIDER",
    align: "left",
    maxWidth: 14,
    minWidth: 9,
    dropRank: 7,
    key: ({ provider }) => provider.name,
    cell: ({ provider }) => printable(provider.name),
  },
  {
    id: "where",
    title: () => "WHERE",
    align: "left",
    maxWidth: 18,
    minWidth: 13,
    dropRank: 6,
    key: ({ region }) => region,
    cell: (offer, _, places) => (places === undefined ? placeText(offer) : placesText(places)),
  },
  {
    id: "perGpu",
    title: () => "$/GPU-H",
    align: "right",
    maxWidth: 12,
    dropRank: 9,
    sort: "pricePerGpu",
    key: ({ pricePerGpu, costDataComplete }) => (costDataComplete ? pricePerGpu : -pricePerGpu),
    cell: (offer, facts) => priced(offer, toMicrosUp(offer.pricePerGpu), facts),
  },
  {
    id: "hourly",
    title: () => "$/H",
    align: "right",
    maxWidth: 12,
    dropRank: 8,
    sort: "priceHourly",
    key: ({ priceHourly, costDataComplete }) => (costDataComplete ? priceHourly : -priceHourly),
    cell: (offer, facts) => priced(offer, toMicrosUp(offer.priceHourly), facts),
  },
  {
    id: "total",
    title: totalTitle,
    align: "right",
    maxWidth: 12,
    dropRank: 10,
    sort: "total",
    key: ({ id }) => id,
    cell: (offer, facts) => priced(offer, totalMicros(offer, facts.diskGb), facts),
  },
  {
    id: "runway",
    title: () => "RUNWAY",
    align: "right",
    maxWidth: 10,
    dropRank: 5,
    key: ({ id }) => id,
    cell: runwayCell,
  },
  {
    id: "machine",
    title: () => "CPU/RAM",
    align: "right",
    maxWidth: 9,
    dropRank: 2,
    key: ({ specs }) => `${specs.vcpu} ${specs.ram}`,
    cell: machineCell,
  },
  {
    id: "disk",
    title: () => "DISK GB",
    align: "right",
    maxWidth: 11,
    dropRank: 3,
    key: ({ storageMinGB, storageMaxGB }) => `${storageMinGB} ${storageMaxGB}`,
    cell: diskCell,
  },
  {
    id: "images",
    title: () => "IMAGES",
    align: "right",
    maxWidth: 6,
    dropRank: 1,
    key: ({ provider }) => provider.name,
    cell: imagesCell,
  },
  {
    id: "available",
    title: () => "AVAIL",
    align: "left",
    maxWidth: 5,
    dropRank: 0,
    key: ({ isAvailable }) => String(isAvailable),
    cell: ({ isAvailable }) => (isAvailable ? "yes" : "no"),
  },
];

/** Columns of the screen: its rows mark what is not available before the name, and the column of that is for print. */
export const SCREEN_COLUMNS: readonly Column[] = COLUMNS.filter(({ id }) => id !== "available");

/** Names of the columns that a person may hide; without the GPU a list says too little. */
export const HIDEABLE_COLUMNS: readonly ColumnId[] = SCREEN_COLUMNS.filter(
  ({ dropRank }) => dropRank !== undefined,
).map(({ id }) => id);

/** From this share of lower bounds on, the list says so once, and marks the exact prices. */
const MOSTLY = 0.5;

/** Facts of a result: the decimals of its prices are those that all of its offers need. */
export function cellFacts(
  offers: readonly Offer[],
  known: Partial<Omit<CellFacts, "decimals">> & { diskGb: number | undefined },
): CellFacts {
  return {
    diskGb: known.diskGb,
    balance: known.balance,
    imageCounts: known.imageCounts ?? new Map(),
    decimals: decimalsFor(shownMicros(offers, known.diskGb)),
    marks: known.marks ?? "lower bounds",
  };
}

function* shownMicros(offers: readonly Offer[], diskGb: number | undefined): Generator<number> {
  for (const offer of offers) {
    yield toMicrosUp(offer.pricePerGpu);
    yield toMicrosUp(offer.priceHourly);
    yield totalMicros(offer, diskGb);
  }
}

/** How many of the offers have a price that is a lower bound, from 0 to 1. */
export function shareOfLowerBounds(offers: readonly Offer[]): number {
  const incomplete = offers.reduce((count, { costDataComplete }) => count + (costDataComplete ? 0 : 1), 0);
  return offers.length === 0 ? 0 : incomplete / offers.length;
}

/** What to mark among offers of which a share are lower bounds: the exceptions. */
export function marksFor(share: number): PriceMarks {
  return share > MOSTLY ? "exact prices" : "lower bounds";
}

/** `$/H+1TB`: the size is named where one was asked for. */
function totalTitle(diskGb: number | undefined): string {
  if (diskGb === undefined) {
    return "$/H+DISK";
  }
  return diskGb >= 1000 && diskGb % 100 === 0 ? `$/H+${diskGb / 1000}TB` : `$/H+${diskGb}GB`;
}

function machineCell({ specs }: Offer): string {
  const known = (count: number): string => (count === 0 ? UNKNOWN : String(count));
  return specs.vcpu === 0 && specs.ram === 0 ? UNKNOWN : `${known(specs.vcpu)}/${known(specs.ram)}`;
}

function diskCell(offer: Offer): string {
  const { storageMinGB, storageMaxGB } = offer;
  if (storageMaxGB === 0) {
    return UNKNOWN;
  }
  return isDiskFixed(offer) ? `${storageMaxGB} incl` : `${storageMinGB}–${storageMaxGB}`;
}

function imagesCell(offer: Offer, { imageCounts }: CellFacts): string {
  return String(imageCounts.get(offer.provider.name) ?? UNKNOWN);
}

function runwayCell(offer: Offer, { balance, diskGb }: CellFacts): string {
  return runwayOf(balance, totalMicros(offer, diskGb)) ?? UNKNOWN;
}

/** A price that lacks a part of its cost is a lower bound. */
function priced({ costDataComplete }: Offer, micros: number, { decimals, marks }: CellFacts): string {
  const text = microsText(micros, decimals);
  if (marks === "exact prices") {
    return costDataComplete ? `=${text}` : text;
  }
  return costDataComplete ? text : `≥${text}`;
}
