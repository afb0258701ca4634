import type { ListingQuery } from "@gpu-offers/domain";
import { findWorthColumn, type Column } from "@gpu-offers/list";

/** Whether to show the price with the disk: a disk is requested, or the list is sorted by that price. */
export function wantsTotal({ disk, max_total, sort_by }: ListingQuery): boolean {
  return disk !== undefined || max_total !== undefined || sort_by === "total";
}

/** The columns, with the price including the disk only if it should be shown, and a price that only decides the order. */
export function columnsFor(columns: readonly Column[], withTotal: boolean, sort: ListingQuery["sort_by"]): Column[] {
  const worth = sort === undefined ? undefined : findWorthColumn(sort);
  const shown = columns.filter(({ id }) => (id !== "total" || withTotal) && id !== worth?.id);
  const after = shown.findIndex(({ id }) => id === "perGpu") + 1;
  return worth === undefined ? shown : shown.toSpliced(after, 0, worth);
}
