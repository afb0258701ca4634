import { countOf } from "@gpu-offers/list";
import type { RejectedRow } from "./offer-source.js";

/**
 * Says how many rows of a catalog file were rejected, and which command lists the reasons.
 * @param sourceOptions The options that name the file.
 */
export function rejectedText(rejected: readonly RejectedRow[], sourceOptions: string): string {
  const { length } = rejected;
  const rows = `${countOf(length, "row")} ${length === 1 ? "was" : "were"} rejected`;
  return `${rows}. For the reasons, run gpu-offers rejected ${sourceOptions}.`;
}
