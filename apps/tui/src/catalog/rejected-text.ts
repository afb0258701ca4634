import type { RejectedRow } from "./offer-source.js";
import { countOf } from "../text/count-text.js";

/**
 * How many rows of a catalog file are not offers, and the command that lists why.
 * @param sourceOptions The options that name the file.
 */
export function rejectedText(rejected: readonly RejectedRow[], sourceOptions: string): string {
  return `${countOf(rejected.length, "row")} rejected; gpu-offers rejected ${sourceOptions} lists the reasons.`;
}
