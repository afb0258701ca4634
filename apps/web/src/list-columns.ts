import { listingTotal, toMicrosUp, type AnySortKey, type Offer } from "@gpu-offers/domain";
import {
  ageSince,
  countText,
  diskOf,
  findWorthColumn,
  gpuText,
  isTotalAtLeast,
  memoizeLast,
  microsText,
  type Column,
  type Result,
} from "@gpu-offers/list";
import { decimalsOf, type Catalog } from "./catalog.js";
import type { Page } from "./page.js";

// The columns of the list, and which of them it has in its width.

/** A column of the list. */
export interface Cell {
  id: string;
  /** Its heading; a longer one where there is room. */
  title: (result: Result, isWide: boolean) => string;
  sort?: AnySortKey | undefined;
  /** Width in rem: in rows of one line, and in rows of two. */
  width: readonly [wide: number, narrow: number];
  /** Order in which columns are dropped where there is no room, lowest first; undefined if never. */
  dropRank?: number;
  text: (offer: Offer, catalog: Catalog, result: Result, page: Page) => string;
  /** The exact value of a rounded one. */
  exact?: (offer: Offer, result: Result) => string;
  /** What is good or needs care, as a class. */
  tone?: (text: string) => string;
}

const NUMBER_CELLS: readonly Cell[] = [
  {
    id: "perGpu",
    title: () => "$/GPU-h",
    sort: "pricePerGpu",
    width: [5.2, 4.7],
    text: (offer, catalog, result) => priceText(catalog, result, offer.pricePerGpu, isTotalAtLeast(offer, undefined)),
  },
  {
    id: "hourly",
    title: () => "$/h",
    sort: "priceHourly",
    width: [5.5, 5.5],
    dropRank: 0,
    text: (offer, catalog, result) => priceText(catalog, result, offer.priceHourly, isTotalAtLeast(offer, undefined)),
  },
  {
    id: "total",
    title: ({ shownDiskGb: gb }, isWide) => (isWide && gb !== undefined ? `$/h+${countText(gb)} GB` : "$/h+disk"),
    sort: "total",
    width: [6.6, 5.1],
    text: (offer, catalog, result) => {
      const { hourly, isAtLeast } = listingTotal(offer, { disk: diskOf(offer, result.shownDiskGb) });
      return priceText(catalog, result, hourly, isAtLeast);
    },
  },
  {
    id: "hours",
    title: ({ hours }) => `${countText(hours ?? 0)} h`,
    width: [6, 5.4],
    text: (offer, _, result) => hoursText(offer, result).replace("$", ""),
    exact: (offer, { shownDiskGb, hours }) =>
      `$${listingTotal(offer, { disk: diskOf(offer, shownDiskGb), hours }).forHours ?? 0}`,
  },
  {
    id: "median",
    title: () => "vs median",
    width: [7.2, 7.2],
    dropRank: 3,
    text: medianText,
    tone: (text) => (text.endsWith("below") ? "good" : ""),
  },
  {
    id: "machine",
    title: () => "CPU/RAM",
    width: [5.2, 5.2],
    dropRank: 1,
    text: ({ specs: { vcpu, ram } }) =>
      vcpu === 0 && ram === 0 ? "–" : `${vcpu === 0 ? "–" : vcpu}/${ram === 0 ? "–" : ram}`,
  },
  {
    id: "age",
    title: () => "Price age",
    width: [6.2, 6.2],
    dropRank: 2,
    tone: (text) => (/^\d{2,} d/.test(text) ? "old" : ""),
    text: ({ provider }, { pricesAsOf }, _, { state: { nowMs } }) =>
      ageSince(pricesAsOf.get(provider.name) ?? "", nowMs) ?? "unknown",
  },
];

/** The columns of numbers of a result, in order; the last is of what a price is worth, if it is sorted by that. */
function cellsOf({ hours, selection }: Result): readonly Cell[] {
  const worth = findWorthColumn(selection.sort.sort);
  return [
    ...NUMBER_CELLS.filter(({ id }) => id !== "hours" || hours !== undefined),
    ...(worth === undefined ? [] : [worthCell(worth)]),
  ];
}

/** How the price of an offer is beside the median of its GPU: `15 % below`; empty if too few are known. */
export function medianText(offer: Offer, catalog: Catalog, { isSpot }: Result, page: Page): string {
  const percent = isSpot ? undefined : page.parts.later.value?.percentOfMedian(offer, catalog);
  const side = (percent ?? 0) < 0 ? "below" : "above";
  return percent === undefined ? "" : percent === 0 ? "median" : `${Math.abs(percent)} % ${side}`;
}

function worthCell({ sort, title, cell }: Column): Cell {
  return {
    id: "worth",
    title: () => title(undefined).replace(/-H$/, ""),
    sort,
    width: [6, 6],
    text: (offer, catalog, { shownDiskGb: diskGb, isSpot }) => {
      const decimals = decimalsOf(catalog, diskGb, isSpot);
      return cell(offer, { diskGb, balance: undefined, imageCounts: new Map(), decimals });
    },
  };
}

/** What the hours of a query cost, rounded up to a cent: `≥$1,309.57`; empty if it has none. */
export function hoursText(offer: Offer, { shownDiskGb, hours }: Pick<Result, "shownDiskGb" | "hours">): string {
  const { forHours, isAtLeast } = listingTotal(offer, { disk: diskOf(offer, shownDiskGb), hours });
  if (forHours === undefined) {
    return "";
  }
  const cents = Math.ceil(toMicrosUp(forHours) / 10_000);
  return `${isAtLeast ? "≥" : ""}$${countText(Math.floor(cents / 100))}.${String(cents % 100).padStart(2, "0")}`;
}

/** A price with the decimals of all; minimums are marked. */
function priceText(catalog: Catalog, { shownDiskGb, isSpot }: Result, usd: number, isAtLeast: boolean): string {
  return `${isAtLeast ? "≥" : ""}${microsText(toMicrosUp(usd), decimalsOf(catalog, shownDiskGb, isSpot))}`;
}

/** Room between columns, and beside them, in rem. */
const GAP = 0.5;
const PADDING = 1.75;
/** What provider and place need so that few are cut. */
const PROVIDER = 5.75;
const PLACE = 9;
/** What the mark and the heading of names need in rows of two lines, where a name has its line to itself. */
const FEWEST_NAME = 6;
/** A list that is narrower has rows of three lines, so that provider and place have one to themselves. */
const TWO_LINES = 40;

/** How the list is laid out in its width. */
export interface Layout {
  /** A row takes one line, with columns for provider and place. */
  isWide: boolean;
  /** A row takes three lines. */
  isTall: boolean;
  /** Height of a row, px. */
  height: number;
  cells: readonly Cell[];
  /** The columns as a CSS grid. */
  grid: string;
}

/** An arrow in the direction of a sorted column; empty for the others. */
export function arrowOf(key: AnySortKey, { selection: { sort } }: Result): string {
  return key !== sort.sort ? "" : sort.order === "asc" ? "↑ " : "↓ ";
}

/** The columns that fit into a list. Names, prices and headings are never cut; all widths but `rem`, in px, are in rem. */
export function layoutOf(width: number, rem: number, catalog: Catalog, result: Result): Layout {
  const nameWidth = nameWidthOf(catalog, rem);
  const all = cellsOf(result);
  const widths = (cells: readonly Cell[], isWide: boolean): number[] =>
    cells.map(({ width: [wide, narrow], sort, title }) => {
      const heading = `${sort === undefined ? "" : arrowOf(sort, result)}${title(result, isWide)}`;
      return Math.max(isWide ? wide : narrow, textWidth(heading, rem));
    });
  const needed = (cells: readonly Cell[]): number =>
    [1.75, nameWidth, PROVIDER, PLACE, ...widths(cells, true)].reduce((sum, one) => sum + one + GAP, PADDING - GAP);
  let wide = all;
  for (let rank = 0; needed(wide) > width && wide.some(({ dropRank }) => dropRank !== undefined); rank++) {
    wide = wide.filter(({ dropRank }) => dropRank !== rank);
  }
  const isWide = needed(wide) <= width;
  let cells = isWide ? wide : all.filter(({ dropRank }) => dropRank === undefined);
  const room = isWide ? Number.POSITIVE_INFINITY : width - PADDING - FEWEST_NAME;
  // A price stays beside what it is worth
  const fewest = all.at(-1)?.id === "worth" ? 2 : 1;
  while (cells.length > fewest && widths(cells, isWide).reduce((sum, one) => sum + one + GAP, 0) > room) {
    // What the list is sorted by stays
    const dropped = cells.findIndex(({ sort }) => sort !== result.selection.sort.sort);
    cells = cells.toSpliced(dropped, 1);
  }
  const grid = [
    isWide
      ? `1.75rem minmax(${nameWidth}rem, 1fr) minmax(${PROVIDER}rem, 1fr) minmax(6rem, 3fr)`
      : "1.5rem minmax(0, 1fr)",
    ...widths(cells, isWide).map((column) => `${column}rem`),
  ].join(" ");
  const isTall = width < TWO_LINES;
  return { isWide, isTall, height: Math.round((isWide ? 2.25 : isTall ? 4.5 : 3.6) * rem), cells, grid };
}

const context = memoizeLast((rem: number, family: string) => {
  const drawn = new OffscreenCanvas(1, 1).getContext("2d");
  if (drawn !== null) {
    drawn.font = `600 ${rem}px ${family}`;
  }
  return drawn;
});

/** The width of a bold text in the page's font, in rem; 0 where a browser can't measure texts. */
function textWidth(text: string, rem: number): number {
  const width = context(rem, getComputedStyle(document.documentElement).fontFamily)?.measureText(text).width ?? 0;
  return Math.ceil(width * (10 / rem)) / 10;
}

/** Used where a browser can't measure texts, in rem. */
const DEFAULT_NAME = 15;

/** The width of the longest name of a GPU in the catalog, in rem, as the page's font has it. */
const nameWidthOf = memoizeLast(({ list: { columns } }: Catalog, rem: number): number => {
  const { codes, values, numbers } = columns;
  const counts = new Map<number, number>();
  for (let at = 0; at < columns.size; at++) {
    const code = codes.gpu[at] ?? 0;
    counts.set(code, Math.max(counts.get(code) ?? 0, numbers.gpuCount[at] ?? 0));
  }
  const widths = [...counts].map(([code, gpuCount]) => {
    const gpu = values.gpu[code];
    return gpu === undefined ? 0 : textWidth(gpuText({ gpu, gpuCount }), rem);
  });
  return Math.max(0, ...widths) || DEFAULT_NAME;
});
