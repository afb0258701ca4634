import type { RefusedRow } from "./offer-source.js";
import { countOf } from "../text/count-text.js";

/** How many rows of a catalog file are no offers, and how to see why. */
export function refusedText(refused: readonly RefusedRow[], place: string): string {
  return `${countOf(refused.length, "row")} rejected; gpu-offers refused --catalog ${place} lists the reasons.`;
}
