import type { RefusedRow } from "../catalog/offer-source.js";
import { countText } from "./count-text.js";

/** How many rows of a catalog file are no offers, and how to see why. */
export function refusedText(refused: readonly RefusedRow[], place: string): string {
  const rows = refused.length === 1 ? "1 row was" : `${countText(refused.length)} rows were`;
  return `${rows} refused; gpu-offers refused --catalog ${place} says why.`;
}
