import { findWorthColumn, type Column, type Query, type SortBy } from "@gpu-offers/list";

/** Whether to show the price with the disk: a disk is requested, or the list is sorted by that price. */
export function wantsTotal({ filter, sort }: Query): boolean {
  return filter.diskGb !== undefined || filter.maxTotalHourly !== undefined || sort === "total";
}

/** The columns, with the price including the disk only if it should be shown, and a price that only decides the order. */
export function columnsFor(columns: readonly Column[], withTotal: boolean, sort: SortBy): Column[] {
  const worth = findWorthColumn(sort);
  const shown = columns.filter(({ id }) => (id !== "total" || withTotal) && id !== worth?.id);
  const after = shown.findIndex(({ id }) => id === "perGpu") + 1;
  return worth === undefined ? shown : shown.toSpliced(after, 0, worth);
}
