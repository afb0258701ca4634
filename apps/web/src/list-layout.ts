import type { AnySortKey } from "@gpu-offers/domain";
import { gpuText, memoizeLast, type Result } from "@gpu-offers/list";
import type { Catalog } from "./catalog.js";
import { cellsOf, type Cell } from "./offer-cells.js";

// Which columns a list has in its width.

/** Room between columns, and beside them, in rem. */
const GAP = 0.5;
const PADDING = 1.75;
/** What provider and place need so that few are cut. */
const PROVIDER = 5.75;
const PLACE = 9;
/** What the mark and the heading of names need in rows of two lines, where a name has its line to itself. */
const FEWEST_NAME = 4.5;

/** How the list is laid out in its width. */
export interface Layout {
  /** A row takes one line, with columns for provider and place. */
  isWide: boolean;
  /** Height of a row, px. */
  height: number;
  cells: readonly Cell[];
  /** The columns as a CSS grid. */
  grid: string;
}

/** The heading of a column, with an arrow if the list is sorted by it. */
export function headingOf({ title, sort }: Cell, result: Result, isWide: boolean): string {
  return `${sort === undefined ? "" : arrowOf(sort, result)}${title(result, isWide)}`;
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
    cells.map((cell) => Math.max(cell.width[isWide ? 0 : 1], textWidth(headingOf(cell, result, isWide), rem)));
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
    cells = cells.slice(1);
  }
  const grid = [
    isWide
      ? `1.75rem minmax(${nameWidth}rem, 2fr) minmax(${PROVIDER}rem, 1fr) minmax(6rem, 1.6fr)`
      : "1.5rem minmax(0, 1fr)",
    ...widths(cells, isWide).map((column) => `${column}rem`),
  ].join(" ");
  return { isWide, height: Math.round((isWide ? 2.25 : 3.6) * rem), cells, grid };
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
