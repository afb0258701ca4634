import type { AnySortKey, Balance, ListedOffer, Offer, WorthKey } from "@gpu-offers/domain";
import type { Decimals } from "./price-text.js";

export type Align = "left" | "right";

/** Context of cells besides their offer; the same for a whole result. */
export interface CellFacts {
  diskGb: number | undefined;
  balance: Balance | undefined;
  imageCounts: ReadonlyMap<string, number>;
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
  sort?: AnySortKey;
  /** Cache key of a cell: offers with the same key have the same cell, which is measured once. */
  key: (offer: ListedOffer) => string | number;
  /** The cell of an offer, or of a group of offers that differ only in region. */
  cell: (offer: ListedOffer, facts: CellFacts, places?: readonly Offer[]) => string;
}

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
  | "stock"
  | "stock14d"
  | WorthKey;
