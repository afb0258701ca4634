import type { Column } from "../output/columns.js";
import type { Query } from "./query.js";

/** The price with the disk is a column where a disk was asked for, or where it is what the list is sorted by. */
export function columnsFor(columns: readonly Column[], { filter, sort }: Query): Column[] {
  const isAsked = filter.diskGb !== undefined || filter.maxTotalHourly !== undefined || sort === "total";
  return columns.filter(({ id }) => id !== "total" || isAsked);
}
