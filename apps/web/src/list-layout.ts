import { gpuText, memoizeLast } from "@gpu-offers/list";
import type { Catalog } from "./catalog.js";
import { NUMBER_CELLS, type Cell } from "./offer-cells.js";

// Which columns a list has in its width.

/** Room between columns, and beside them, in rem. */
const GAP = 0.5;
const PADDING = 1.75;
/** What provider and place need so that few are cut. */
const PROVIDER = 5.75;
const PLACE = 9;
const WORTH = 6;

/** How the list is laid out in its width. */
export interface Layout {
  /** A row takes one line, with columns for provider and place. */
  isWide: boolean;
  cells: readonly Cell[];
  /** The columns as a CSS grid. */
  grid: string;
}

/** The columns that fit into a list. Names and prices are never cut; all widths are in rem. */
export function layoutOf(
  width: number,
  { nameWidth, hasHours, hasWorth }: { nameWidth: number; hasHours: boolean; hasWorth: boolean },
): Layout {
  const all = NUMBER_CELLS.filter(({ id }) => id !== "hours" || hasHours);
  const needed = (cells: readonly Cell[]): number =>
    [1.75, nameWidth, PROVIDER, PLACE, ...cells.map((cell) => cell.width[0]), ...(hasWorth ? [WORTH] : [])].reduce(
      (sum, one) => sum + one + GAP,
      PADDING - GAP,
    );
  let wide = all;
  for (let rank = 0; needed(wide) > width && wide.some(({ dropRank }) => dropRank !== undefined); rank++) {
    wide = wide.filter(({ dropRank }) => dropRank !== rank);
  }
  const isWide = needed(wide) <= width;
  const cells = isWide ? wide : all.filter(({ dropRank }) => dropRank === undefined);
  const grid = [
    isWide
      ? `1.75rem minmax(${nameWidth}rem, 2fr) minmax(${PROVIDER}rem, 1fr) minmax(6rem, 1.6fr)`
      : "1.5rem minmax(0, 1fr)",
    ...cells.map((cell) => `${cell.width[isWide ? 0 : 1]}rem`),
    ...(hasWorth ? [`${WORTH}rem`] : []),
  ].join(" ");
  return { isWide, cells, grid };
}

/** Used where a browser can't measure texts, in rem. */
const DEFAULT_NAME = 15;

/** The width of the longest name of a GPU in the catalog, in rem, as the page's font has it. */
export const nameWidthOf = memoizeLast(({ list: { columns } }: Catalog, rem: number): number => {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  if (context === null) {
    return DEFAULT_NAME;
  }
  context.font = `600 ${rem}px ${getComputedStyle(document.documentElement).fontFamily}`;
  const { codes, values, numbers } = columns;
  const counts = new Map<number, number>();
  for (let at = 0; at < columns.size; at++) {
    const code = codes.gpu[at] ?? 0;
    counts.set(code, Math.max(counts.get(code) ?? 0, numbers.gpuCount[at] ?? 0));
  }
  const widths = [...counts].map(([code, gpuCount]) => {
    const gpu = values.gpu[code];
    return gpu === undefined ? 0 : context.measureText(gpuText({ gpu, gpuCount })).width;
  });
  return Math.ceil(Math.max(0, ...widths) * (10 / rem)) / 10;
});
