import { isDiskFixed, placeCode, toMicrosUp, type Balance, type Offer } from "@gpu-offers/domain";
import { printable, type Align } from "../text/width.js";
import type { SortBy } from "../query/query.js";
import { totalMicros } from "./offer-cost.js";
import { decimalsFor, microsText, type Decimals } from "../text/price-text.js";
import { runwayOf } from "../text/runway-text.js";

// The columns of an offer list: one table for the screen, the printed table and the csv.

/** What cells depend on beside their offer; the same for a whole result. */
export interface CellFacts {
  /** Disk that is needed, GB; undefined when no disk was asked for. */
  diskGb: number | undefined;
  balance: Balance | undefined;
  /** Images that a provider has, as far as they are known. */
  imageCounts: ReadonlyMap<string, number>;
  decimals: { perGpu: Decimals; hourly: Decimals; total: Decimals };
}

/** A column: its heading, and the text of its cells. */
export interface Column {
  id: ColumnId;
  title: string;
  align: Align;
  /** Widest that the column gets on a screen. */
  maxWidth: number;
  /** Place in the order in which columns are dropped on a narrow screen, the first one first; undefined: never. */
  dropRank?: number;
  /** It is a price: the name of the GPU gives way before it goes. */
  isPrice?: true;
  /** What the list is ordered by when this column carries the mark of the sort. */
  sort?: SortBy;
  cell: (offer: Offer, facts: CellFacts) => string;
}

/** Names of the columns. */
export type ColumnId =
  | "gpu"
  | "gpus"
  | "vram"
  | "provider"
  | "where"
  | "machine"
  | "disk"
  | "images"
  | "perGpu"
  | "hourly"
  | "total"
  | "runway"
  | "available";

/** All columns from left to right. */
export const COLUMNS: readonly Column[] = [
  { id: "gpu", title: "GPU", align: "left", maxWidth: 20, cell: (offer) => printable(offer.gpu.name) },
  { id: "gpus", title: "GPUS", align: "right", maxWidth: 4, sort: "gpuCount", cell: (offer) => String(offer.gpuCount) },
  { id: "vram", title: "VRAM", align: "right", maxWidth: 5, dropRank: 6, cell: (offer) => `${offer.gpu.vramGB}G` },
  {
    id: "provider",
    title: "PROVIDER",
    align: "left",
    maxWidth: 12,
    dropRank: 5,
    cell: (o) => printable(o.provider.name),
  },
  {
    id: "where",
    title: "WHERE",
    align: "left",
    maxWidth: 5,
    dropRank: 7,
    cell: (o) => printable(placeCode(o.regionInfo)),
  },
  { id: "machine", title: "CPU/RAM", align: "right", maxWidth: 9, dropRank: 2, cell: machineCell },
  { id: "disk", title: "DISK GB", align: "right", maxWidth: 11, dropRank: 4, cell: diskCell },
  { id: "images", title: "IMAGES", align: "right", maxWidth: 6, dropRank: 1, cell: imagesCell },
  { id: "runway", title: "RUNWAY", align: "right", maxWidth: 10, dropRank: 3, cell: runwayCell },
  {
    id: "available",
    title: "AVAIL",
    align: "left",
    maxWidth: 5,
    dropRank: 0,
    cell: (o) => (o.isAvailable ? "yes" : "no"),
  },
  { id: "perGpu", title: "$/GPU-H", align: "right", maxWidth: 11, sort: "pricePerGpu", cell: perGpuCell },
  { id: "hourly", title: "$/H", align: "right", maxWidth: 11, sort: "priceHourly", cell: hourlyCell },
  {
    id: "total",
    title: "$/H+DISK",
    align: "right",
    maxWidth: 12,
    dropRank: 8,
    isPrice: true,
    sort: "total",
    cell: totalCell,
  },
];

/** Columns of the screen: its rows mark what is not available before the name, and the column of that is for print. */
export const SCREEN_COLUMNS: readonly Column[] = COLUMNS.filter(({ id }) => id !== "available");

/** Names of the columns that a person may hide; without the others a list says too little. */
export const HIDEABLE_COLUMNS: readonly ColumnId[] = SCREEN_COLUMNS.filter(
  ({ dropRank }) => dropRank !== undefined,
).map(({ id }) => id);

/** Facts of a result: the decimals of its prices are those that all of its offers need. */
export function cellFacts(
  offers: readonly Offer[],
  known: Partial<Omit<CellFacts, "decimals">> & { diskGb: number | undefined },
): CellFacts {
  const decimals = (microsOf: (offer: Offer) => number): Decimals => decimalsFor(mapped(offers, microsOf));
  return {
    diskGb: known.diskGb,
    balance: known.balance,
    imageCounts: known.imageCounts ?? new Map(),
    decimals: {
      perGpu: decimals((offer) => toMicrosUp(offer.pricePerGpu)),
      hourly: decimals((offer) => toMicrosUp(offer.priceHourly)),
      total: decimals((offer) => totalMicros(offer, known.diskGb)),
    },
  };
}

function* mapped(offers: readonly Offer[], microsOf: (offer: Offer) => number): Generator<number> {
  for (const offer of offers) {
    yield microsOf(offer);
  }
}

function machineCell({ specs }: Offer): string {
  const known = (count: number): string => (count === 0 ? "–" : String(count));
  return `${known(specs.vcpu)}/${known(specs.ram)}`;
}

function diskCell(offer: Offer): string {
  const { storageMinGB, storageMaxGB } = offer;
  if (storageMaxGB === 0) {
    // The source tells nothing about disks.
    return "–";
  }
  return isDiskFixed(offer) ? `${storageMaxGB} incl` : `${storageMinGB}–${storageMaxGB}`;
}

function imagesCell(offer: Offer, { imageCounts }: CellFacts): string {
  return String(imageCounts.get(offer.provider.name) ?? "–");
}

function runwayCell(offer: Offer, { balance, diskGb }: CellFacts): string {
  return runwayOf(balance, totalMicros(offer, diskGb)) ?? "–";
}

/** A price that lacks a part of its cost is a lower bound. */
function priced(offer: Offer, micros: number, decimals: Decimals): string {
  return `${offer.costDataComplete ? "" : "≥"}${microsText(micros, decimals)}`;
}

function perGpuCell(offer: Offer, { decimals }: CellFacts): string {
  return priced(offer, toMicrosUp(offer.pricePerGpu), decimals.perGpu);
}

function hourlyCell(offer: Offer, { decimals }: CellFacts): string {
  return priced(offer, toMicrosUp(offer.priceHourly), decimals.hourly);
}

function totalCell(offer: Offer, { decimals, diskGb }: CellFacts): string {
  return priced(offer, totalMicros(offer, diskGb), decimals.total);
}
