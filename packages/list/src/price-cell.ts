import { microsText, type Decimals } from "./price-text.js";

/** Text of an unknown value. */
export const UNKNOWN = "–";

/** The cell of a price in micro-dollars; `≥` means at least, because a part of the cost is unknown. */
export function priceCell(isAtLeast: boolean, micros: number, { decimals }: { decimals: Decimals }): string {
  return `${isAtLeast ? "≥" : ""}${microsText(micros, decimals)}`;
}
