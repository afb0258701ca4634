import type { Column } from "./columns.js";
import type { Query } from "../query/query.js";

/** Whether the price with the disk is wanted: a disk was asked for, or the list is sorted by it. */
export function wantsTotal({ filter, sort }: Query): boolean {
  return filter.diskGb !== undefined || filter.maxTotalHourly !== undefined || sort === "total";
}

/** The columns, without the price with the disk where that is not wanted. */
export function columnsFor(columns: readonly Column[], withTotal: boolean): Column[] {
  return columns.filter(({ id }) => id !== "total" || withTotal);
}
