import {
  availabilityOfOffer,
  availabilityWords,
  isAtLeast,
  storageOf,
  toMicrosUp,
  WORTH_KEYS,
  type Offer,
} from "@gpu-offers/domain";
import type { CellFacts, Column, ColumnId } from "./column.js";
import { decimalsFor, priceCell, UNKNOWN } from "./price-text.js";
import { stockColumn, worthColumn } from "./worth-column.js";
import { runwayOf } from "./runway-text.js";
import { printable } from "./printable.js";
import { monthText } from "./offer-facts.js";
import { isTotalAtLeast, totalMicros } from "./offer-cost.js";
import { gpuText, placesText, placeText } from "./offer-names.js";

// The columns of offer lists, shared by the screen and printed tables.

/** All columns from left to right. The GPU name is never dropped, and prices are dropped last. */
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
    key: byProvider,
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
  priceColumn("perGpu", "$/GPU-H", "pricePerGpu", 9),
  priceColumn("hourly", "$/H", "priceHourly", 8),
  {
    id: "total",
    title: totalTitle,
    align: "right",
    maxWidth: 12,
    dropRank: 10,
    sort: "total",
    key: byId,
    cell: totalCell,
  },
  { id: "month", title: () => "$/30 DAYS", align: "right", maxWidth: 12, dropRank: 4, key: byId, cell: monthCell },
  { id: "runway", title: () => "RUNWAY", align: "right", maxWidth: 10, dropRank: 5, key: byId, cell: runwayCell },
  {
    id: "machine",
    title: () => "CPU/RAM",
    align: "right",
    maxWidth: 9,
    dropRank: 2,
    key: machineCell,
    cell: machineCell,
  },
  { id: "disk", title: () => "DISK GB", align: "right", maxWidth: 11, dropRank: 3, key: diskCell, cell: diskCell },
  { id: "images", title: () => "IMAGES", align: "right", maxWidth: 6, dropRank: 1, key: byProvider, cell: imagesCell },
  { id: "stock", title: () => "STOCK", align: "left", maxWidth: 8, dropRank: 0, key: stockCell, cell: stockCell },
];

function byId({ id }: Offer): string {
  return id;
}

function byProvider({ provider }: Offer): string {
  return provider.name;
}

function priceColumn(id: ColumnId, title: string, sort: "pricePerGpu" | "priceHourly", dropRank: number): Column {
  return {
    id,
    title: () => title,
    align: "right",
    maxWidth: 12,
    dropRank,
    sort,
    key: (offer) => (isAtLeast(offer) ? -offer[sort] : offer[sort]),
    cell: (offer, facts) => priceCell(isAtLeast(offer), toMicrosUp(offer[sort]), facts),
  };
}

/** A price that was chosen goes before the place does. */
const CHOSEN_DROP_RANK = 4;

/** Columns of the screen, where rows also have a mark for what is sold out or unknown. */
export const SCREEN_COLUMNS: readonly Column[] = [
  ...COLUMNS,
  stockColumn(CHOSEN_DROP_RANK),
  ...WORTH_KEYS.map((key) => worthColumn(key, CHOSEN_DROP_RANK)),
];

/** Columns that are hidden until users choose them. */
export const HIDDEN_AT_FIRST: readonly ColumnId[] = ["month", "stock", "stock14d", ...WORTH_KEYS];

/** Columns that users can hide: all but the GPU. */
export const HIDEABLE_COLUMNS: readonly ColumnId[] = SCREEN_COLUMNS.filter(
  ({ dropRank }) => dropRank !== undefined,
).map(({ id }) => id);

/** Computes the context of a result. Prices have the decimals of the offer that needs the most. */
export function cellFacts(
  offers: readonly Offer[],
  known: Partial<Omit<CellFacts, "decimals">> & { diskGb: number | undefined },
): CellFacts {
  return {
    diskGb: known.diskGb,
    balance: known.balance,
    imageCounts: known.imageCounts ?? new Map(),
    decimals: decimalsFor(shownMicros(offers, known.diskGb)),
  };
}

function* shownMicros(offers: readonly Offer[], diskGb: number | undefined): Generator<number> {
  for (const offer of offers) {
    yield toMicrosUp(offer.pricePerGpu);
    yield toMicrosUp(offer.priceHourly);
    yield totalMicros(offer, diskGb);
  }
}

/** Heading such as `$/H+1TB`, with the requested size. */
function totalTitle(diskGb: number | undefined): string {
  if (diskGb === undefined) {
    return "$/H+DISK";
  }
  return diskGb >= 1000 && diskGb % 100 === 0 ? `$/H+${diskGb / 1000}TB` : `$/H+${diskGb}GB`;
}

function totalCell(offer: Offer, facts: CellFacts): string {
  return priceCell(isTotalAtLeast(offer, facts.diskGb), totalMicros(offer, facts.diskGb), facts);
}

function monthCell(offer: Offer, { diskGb }: CellFacts): string {
  return `${isTotalAtLeast(offer, diskGb) ? "≥" : ""}${monthText(totalMicros(offer, diskGb)).slice(1)}`;
}

function machineCell({ specs }: Offer): string {
  const known = (count: number): string => (count === 0 ? UNKNOWN : String(count));
  return specs.vcpu === 0 && specs.ram === 0 ? UNKNOWN : `${known(specs.vcpu)}/${known(specs.ram)}`;
}

function diskCell(offer: Offer): string {
  const { includedGb, minGb, maxGb } = storageOf(offer);
  if (minGb === null || maxGb === 0) {
    return UNKNOWN;
  }
  return includedGb === null || includedGb === 0 ? `${minGb}–${maxGb ?? ""}` : `${includedGb} incl`;
}

function imagesCell(offer: Offer, { imageCounts }: CellFacts): string {
  return String(imageCounts.get(offer.provider.name) ?? UNKNOWN);
}

function runwayCell(offer: Offer, { balance, diskGb }: CellFacts): string {
  return runwayOf(balance, totalMicros(offer, diskGb)) ?? UNKNOWN;
}

function stockCell(offer: Offer): string {
  return availabilityWords(availabilityOfOffer(offer));
}
