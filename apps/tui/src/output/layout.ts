import type { Offer } from "@gpu-offers/domain";
import { fit, textWidth } from "../text/width.js";
import type { CellFacts, Column } from "./columns.js";

// Which columns a width has room for, and how wide each of them is.

/** Columns between two cells. */
const GAP = 2;

/** Columns that the GPU's name keeps before another column goes. */
const LEAST_NAME_WIDTH = 12;

/** What it keeps before a price goes: enough for `H100 SXM`. */
const LEAST_NAME_WIDTH_BESIDE_PRICES = 8;

/** A column with the width it has. */
export interface LaidColumn {
  column: Column;
  width: number;
}

/**
 * The widest arrangement that fits: columns are dropped by their rank until the others have room; then the name of
 * the GPU gives way. Cells are measured in `offers`, so the caller passes all that can be scrolled to.
 */
export function layOut(
  columns: readonly Column[],
  offers: readonly Offer[],
  facts: CellFacts,
  width: number,
): LaidColumn[] {
  let laid = columns.map((column) => ({ column, width: widthOf(column, offers, facts) }));
  for (let next = firstToDrop(laid); next !== undefined; next = firstToDrop(laid)) {
    const leastName = next.column.isPrice === true ? LEAST_NAME_WIDTH_BESIDE_PRICES : LEAST_NAME_WIDTH;
    if (totalWidth(laid) - spare(laid, leastName) <= width) {
      break;
    }
    laid = laid.filter((item) => item !== next);
  }
  return shrinkName(laid, width);
}

/** Columns that a row of this arrangement takes. */
export function totalWidth(laid: readonly LaidColumn[]): number {
  return laid.reduce((sum, { width }) => sum + width, 0) + GAP * Math.max(0, laid.length - 1);
}

/** The heading of an arrangement, with a mark behind some titles. */
export function headingText(laid: readonly LaidColumn[], mark: (column: Column) => string): string {
  return joined(laid, (column) => `${column.title}${mark(column)}`);
}

/** A row of the list, in exactly the width of its columns. */
export function rowText(laid: readonly LaidColumn[], offer: Offer, facts: CellFacts): string {
  return joined(laid, (column) => column.cell(offer, facts));
}

function joined(laid: readonly LaidColumn[], textOf: (column: Column) => string): string {
  return laid.map(({ column, width }) => fit(textOf(column), width, column.align)).join(" ".repeat(GAP));
}

/** Room for the arrow of a sort. */
const MARK_WIDTH = 1;

/** Columns are as wide as their widest cell and no wider than they may get; headings keep room for a sort mark. */
function widthOf(column: Column, offers: readonly Offer[], facts: CellFacts): number {
  let width = textWidth(column.title) + (column.sort === undefined ? 0 : MARK_WIDTH);
  for (const offer of offers) {
    width = Math.max(width, Math.min(column.maxWidth, textWidth(column.cell(offer, facts))));
  }
  return width;
}

function spare(laid: readonly LaidColumn[], leastName: number): number {
  const name = laid.find(({ column }) => column.id === "gpu");
  return Math.max(0, (name?.width ?? 0) - leastName);
}

function firstToDrop(laid: readonly LaidColumn[]): LaidColumn | undefined {
  let first: LaidColumn | undefined;
  for (const item of laid) {
    const rank = item.column.dropRank;
    if (rank !== undefined && rank < (first?.column.dropRank ?? Number.POSITIVE_INFINITY)) {
      first = item;
    }
  }
  return first;
}

function shrinkName(laid: readonly LaidColumn[], width: number): LaidColumn[] {
  const excess = Math.max(0, totalWidth(laid) - width);
  return laid.map((item) => (item.column.id === "gpu" ? { ...item, width: Math.max(3, item.width - excess) } : item));
}
