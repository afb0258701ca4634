import {
  isDiskFixed,
  toMicrosUp,
  worth,
  WORTH_KEYS,
  type Balance,
  type Offer,
  type WorthKey,
} from "@gpu-offers/domain";
import type { SortBy } from "./query.js";
import { decimalsFor, microsText, type Decimals } from "./price-text.js";
import { runwayOf } from "./runway-text.js";
import { printable } from "./printable.js";
import { monthText } from "./offer-facts.js";
import { totalMicros } from "./offer-cost.js";
import { gpuText, placesText, placeText } from "./offer-names.js";

// The columns of offer lists, shared by the screen and printed tables.

/** Alignment of a cell. */
export type Align = "left" | "right";

/** Context of cells besides their offer; the same for a whole result. */
export interface CellFacts {
  /** Required disk in GB; undefined if none is requested. */
  diskGb: number | undefined;
  balance: Balance | undefined;
  /** Number of images by provider, where known. */
  imageCounts: ReadonlyMap<string, number>;
  /** Decimals of all prices. */
  decimals: Decimals;
}

/** A column: its heading, and the text of its cells. */
export interface Column {
  id: ColumnId;
  title: (diskGb: number | undefined) => string;
  align: Align;
  /** Maximum width on a screen. */
  maxWidth: number;
  /** Minimum width before another column is dropped; undefined if it is never truncated. */
  minWidth?: number;
  /** Order in which columns are dropped on narrow screens, lowest first; undefined if never. */
  dropRank?: number;
  /** Sort key for which this column has the sort mark. */
  sort?: SortBy;
  /** Cache key of a cell: offers with the same key have the same cell, which is measured once. */
  key: (offer: Offer) => string | number;
  /** The cell of an offer, or of a group of offers that differ only in region. */
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
  | "month"
  | "runway"
  | "machine"
  | "disk"
  | "images"
  | "available"
  | WorthKey;

/** Text of an unknown value. */
export const UNKNOWN = "–";

const WORTH_TITLES: Readonly<Record<WorthKey, string>> = {
  vramPrice: "$/GB-H",
  bandwidthPrice: "$/TB/S-H",
  bf16Price: "$/BF16-PF-H",
  fp8Price: "$/FP8-PF-H",
};

/** Decimals of a price by what a GPU has: a GB of memory costs about a cent. */
const WORTH_DECIMALS = 4;

/** A price by what a GPU has, rounded up; {@link UNKNOWN} if that figure of the GPU is unknown. */
function worthText(offer: Offer, key: WorthKey): string {
  const usd = worth(offer, key);
  return usd === null ? UNKNOWN : priced(offer, toMicrosUp(usd), { decimals: WORTH_DECIMALS });
}

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
    id: "month",
    title: () => "$/30 DAYS",
    align: "right",
    maxWidth: 12,
    dropRank: 4,
    key: ({ id }) => id,
    cell: (offer, { diskGb }) =>
      `${offer.costDataComplete ? "" : "≥"}${monthText(totalMicros(offer, diskGb)).slice(1)}`,
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

/** The column of a price that is only shown if the list is sorted by it: what a GPU costs by what it has. */
export function findWorthColumn(sort: SortBy): Column | undefined {
  const key = WORTH_KEYS.find((known) => known === sort);
  return key && worthColumn(key, SORTED_DROP_RANK);
}

/** A price that the list is sorted by is dropped last. */
const SORTED_DROP_RANK = 11;

function worthColumn(key: WorthKey, dropRank: number): Column {
  return {
    id: key,
    title: () => WORTH_TITLES[key],
    align: "right",
    maxWidth: 12,
    dropRank,
    sort: key,
    key: ({ gpu, pricePerGpu }) => `${gpu.slug} ${pricePerGpu}`,
    cell: (offer) => worthText(offer, key),
  };
}

/** A price that was chosen goes before the place does. */
const CHOSEN_DROP_RANK = 4;

/** Columns of the screen, where rows have a mark for availability instead of a column. */
export const SCREEN_COLUMNS: readonly Column[] = [
  ...COLUMNS.filter(({ id }) => id !== "available"),
  ...WORTH_KEYS.map((key) => worthColumn(key, CHOSEN_DROP_RANK)),
];

/** Columns that are hidden until users choose them. */
export const HIDDEN_AT_FIRST: readonly ColumnId[] = ["month", ...WORTH_KEYS];

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

/** Formats a price; `≥` means at least, because a part of the cost is unknown. */
function priced({ costDataComplete }: Offer, micros: number, { decimals }: Pick<CellFacts, "decimals">): string {
  return `${costDataComplete ? "" : "≥"}${microsText(micros, decimals)}`;
}
