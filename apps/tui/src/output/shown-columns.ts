import type { Column, Query } from "@gpu-offers/list";

/** Whether to show the price with the disk: a disk is requested, or the list is sorted by that price. */
export function wantsTotal({ filter, sort }: Query): boolean {
  return filter.diskGb !== undefined || filter.maxTotalHourly !== undefined || sort === "total";
}

/** The columns, with the price including the disk only if it should be shown. */
export function columnsFor(columns: readonly Column[], withTotal: boolean): Column[] {
  return columns.filter(({ id }) => id !== "total" || withTotal);
}
