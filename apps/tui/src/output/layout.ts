import { limitsTotal, type ListingQuery, type Offer } from "@gpu-offers/domain";
import {
  cityText,
  findWorthColumn,
  placesText,
  printable,
  UNKNOWN,
  type CellFacts,
  type Column,
  type ColumnId,
} from "@gpu-offers/list";
import { fit, textWidth } from "../text/width.js";

// Chooses the columns that fit a width, and their widths.

const GAP = 2;

/** Columns of a lower rank, which many sources don't state, are dropped before names are truncated. */
const CUT_FROM_RANK = 4;

export interface OfferRow {
  /** The offer, or the first one of a group. */
  offer: Offer;
  /** All offers of a group; undefined if the row is a single offer. */
  places?: readonly Offer[];
  /** Length of the longest region of its open group, if it is below one. */
  regionLength?: number;
}

/** Whether to show the price with the disk: a disk is requested, or the list is sorted or limited by that price. */
export function wantsTotal(query: ListingQuery): boolean {
  return query.disk !== undefined || limitsTotal(query) || query.sort_by === "total";
}

/** The columns, with the price including the disk only if it should be shown, and a price that only decides the order. */
export function columnsFor(columns: readonly Column[], withTotal: boolean, sort: ListingQuery["sort_by"]): Column[] {
  const worth = sort === undefined ? undefined : findWorthColumn(sort);
  const shown = columns.filter(({ id }) => (id !== "total" || withTotal) && id !== worth?.id);
  const after = shown.findIndex(({ id }) => id === "perGpu") + 1;
  return worth === undefined ? shown : shown.toSpliced(after, 0, worth);
}

export interface SizedColumn {
  column: Column;
  width: number;
  /** Width that fits most of its cells. */
  usualWidth: number;
}

/**
 * Fits the columns to a width. Columns without values are dropped. Then columns are dropped by rank until the rest fit at
 * their minimum widths; one price column always stays, preferably the sort column. GPU names are truncated only as a last
 * resort: long ones may first overflow into neighboring cells.
 * @param offers All offers that can be scrolled to, so that scrolling doesn't move columns.
 * @param sort The list's sort key.
 */
export function layOut(
  columns: readonly Column[],
  offers: readonly Offer[],
  { facts, width, sort }: { facts: CellFacts; width: number; sort?: Column["sort"] },
): SizedColumn[] {
  let sized = columns.flatMap((column) => measured(column, offers, facts));
  while (totalWidth(sized) > width) {
    const next = firstToDrop(sized, sort);
    const isMinor = (next?.column.dropRank ?? CUT_FROM_RANK) < CUT_FROM_RANK;
    if (!isMinor && totalWidth(sized) - spareWidth(sized) <= width) {
      break;
    }
    if (next === undefined) {
      return shrunk(sized, width, (item) => (item.column.id === "gpu" ? 3 : item.width));
    }
    sized = sized.filter((item) => item !== next);
  }
  return shrunk(sized, width, (item) => minimumWidth(item, sized));
}

export function totalWidth(sized: readonly SizedColumn[]): number {
  return sized.reduce((sum, { width }) => sum + width, 0) + GAP * Math.max(0, sized.length - 1);
}

/** The heading of a layout, with marks after some titles. */
export function headingText(
  sized: readonly SizedColumn[],
  { diskGb }: CellFacts,
  mark: (column: Column) => string,
): string {
  return joined(sized, (column) => `${column.title(diskGb)}${mark(column)}`);
}

/** A row of the list, padded to the exact widths of its columns. An offer of an open group shows only its place. */
export function rowText(
  sized: readonly SizedColumn[],
  { offer, places, regionLength }: OfferRow,
  facts: CellFacts,
): string {
  return regionLength === undefined
    ? joined(sized, (column) => column.cell(offer, facts, places))
    : fit(`    ${fit(printable(offer.region), regionLength)}  ${cityText(offer)}`, totalWidth(sized));
}

function joined(sized: readonly SizedColumn[], textOf: (column: Column) => string): string {
  const cells = sized.map(({ column }) => textOf(column));
  const widths = overflowWidths(sized, cells);
  return sized
    .map(({ column }, index) => fit(cells[index] ?? "", widths[index] ?? 0, column.align))
    .join(" ".repeat(GAP));
}

/** Minimum width of a cell that gives room to the GPU name. */
const MIN_SHARED_WIDTH = 8;

/** How many columns a cell can give to the GPU name: only truncatable cells can. */
function spareColumns({ column, width }: SizedColumn): number {
  return column.minWidth === undefined ? 0 : Math.max(0, width - MIN_SHARED_WIDTH);
}

/**
 * Widths of a row's cells. A GPU name wider than its column uses blanks of the other cells first, then truncates them,
 * from the right.
 */
function overflowWidths(sized: readonly SizedColumn[], cells: readonly string[]): number[] {
  const widths = sized.map(({ width }) => width);
  const name = sized.findIndex(({ column }) => column.id === "gpu");
  let missing = name === -1 ? 0 : Math.max(0, textWidth(cells[name] ?? "") - (widths[name] ?? 0));
  const take = (index: number, columns: number): void => {
    const taken = Math.max(0, Math.min(missing, columns));
    widths[index] = (widths[index] ?? 0) - taken;
    widths[name] = (widths[name] ?? 0) + taken;
    missing -= taken;
  };
  if (missing > 0) {
    sized.forEach((item, index) =>
      take(index, Math.min(spareColumns(item), item.width - textWidth(cells[index] ?? ""))),
    );
    for (const [index, item] of [...sized.entries()].toReversed()) {
      take(index, spareColumns({ ...item, width: widths[index] ?? 0 }));
    }
  }
  return widths;
}

const MARK_WIDTH = 1;

/** The widest label of a group of places. */
const PLACES_WIDTH = textWidth(placesText([])) + 3;

/**
 * The column with the width of its widest cell or heading, including room for a sort mark, up to its maximum; empty if no
 * cell has a value.
 */
function measured(column: Column, offers: readonly Offer[], facts: CellFacts): SizedColumn[] {
  let width = textWidth(column.title(facts.diskGb)) + (column.sort === undefined ? 0 : MARK_WIDTH);
  let hasValue = false;
  const cellWidths = new Map<string | number, number>();
  const counts: number[] = [];
  for (const offer of offers) {
    const key = column.key(offer);
    let cellWidth = cellWidths.get(key);
    if (cellWidth === undefined) {
      const cell = column.cell(offer, facts);
      hasValue ||= cell !== UNKNOWN && cell !== "";
      cellWidth = Math.min(column.maxWidth, textWidth(cell));
      cellWidths.set(key, cellWidth);
      width = Math.max(width, cellWidth);
    }
    counts[cellWidth] = (counts[cellWidth] ?? 0) + 1;
  }
  if (column.id === "where") {
    width = Math.max(width, Math.min(column.maxWidth, PLACES_WIDTH));
  }
  return hasValue || offers.length === 0 ? [{ column, width, usualWidth: usualWidth(counts, offers.length) }] : [];
}

/** Share of rows whose GPU name must fit its column; the others may overflow. */
const USUAL = 0.75;

/** The width that fits a share {@link USUAL} of the cells, given the number of cells of each width. */
function usualWidth(counts: readonly (number | undefined)[], total: number): number {
  let covered = 0;
  const width = counts.findIndex((count = 0) => {
    covered += count;
    return covered >= total * USUAL;
  });
  return Math.max(0, width);
}

/** Ranks for narrow screens, which need the provider more than a second price. */
const RANKS: Partial<Record<ColumnId, number>> = { provider: 11 };

/** The next column to drop. Never the price that the list is sorted by, or else the last price. */
function firstToDrop(sized: readonly SizedColumn[], sort: Column["sort"]): SizedColumn | undefined {
  const prices = sized.filter(({ column }) => isPrice(column));
  const lastPrice = prices.find(({ column }) => column.sort === sort) ?? prices.at(-1);
  const rankOf = ({ column: { id, dropRank = 0 } }: SizedColumn): number =>
    // If a disk is requested, the price without it matters less.
    id === "hourly" && prices.some((price) => price.column.id === "total") ? 4 : (RANKS[id] ?? dropRank);
  return sized
    .filter((item) => item.column.dropRank !== undefined && item !== lastPrice)
    .toSorted((a, b) => rankOf(a) - rankOf(b))[0];
}

function isPrice({ id }: Column): boolean {
  return id === "perGpu" || id === "hourly" || id === "total";
}

/** Width that can be saved by truncating cells before another column is dropped. */
function spareWidth(sized: readonly SizedColumn[]): number {
  return sized.reduce((sum, item) => sum + Math.max(0, item.width - minimumWidth(item, sized)), 0);
}

/** Minimum width of a column before another one is dropped. GPU names need what their neighbors can't give. */
function minimumWidth({ column, width, usualWidth: usual }: SizedColumn, sized: readonly SizedColumn[]): number {
  if (column.id !== "gpu") {
    // Beside the GPU and one price, a few letters of the provider say more than nothing.
    return Math.min(width, column.id === "provider" && sized.length <= 3 ? 6 : (column.minWidth ?? width));
  }
  const narrowest = sized.map((item) => ({ ...item, width: Math.min(item.width, item.column.minWidth ?? 0) }));
  return Math.max(usual, width - narrowest.reduce((sum, item) => sum + spareColumns(item), 0));
}

/** Truncates columns to their minimum width, from the right, until the layout fits. */
function shrunk(sized: readonly SizedColumn[], width: number, minimumOf: (item: SizedColumn) => number): SizedColumn[] {
  let excess = Math.max(0, totalWidth(sized) - width);
  const cut = sized.toReversed().map(({ ...item }) => {
    const spare = Math.min(excess, Math.max(0, item.width - minimumOf(item)));
    excess -= spare;
    item.width -= spare;
    return item;
  });
  return cut.toReversed();
}
