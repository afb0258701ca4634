import type { RejectedRow } from "./offer-source.js";
import { countOf } from "../text/count-text.js";

/** How many rows of a catalog file are no offers, and how to see why. */
export function rejectedText(rejected: readonly RejectedRow[], place: string): string {
  return `${countOf(rejected.length, "row")} rejected; gpu-offers rejected --catalog ${place} lists the reasons.`;
}
