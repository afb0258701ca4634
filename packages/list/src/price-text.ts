import { MAX_PRICE, toMicrosUp, type Balance } from "@gpu-offers/domain";
import { countText } from "./count-text.js";

// Formats prices. Decimals are fixed for a whole result, so that columns don't jitter while paging. Prices are rounded up,
// never down.

/** Decimals of a column of prices. */
export type Decimals = 2 | 3 | 4;

/** The minimum decimals, from 2 to 4, that show every price exactly, or 4. */
export function decimalsFor(pricesMicros: Iterable<number>): Decimals {
  let decimals: Decimals = 2;
  for (const micros of pricesMicros) {
    if (micros % 1_000 !== 0) {
      return 4;
    }
    if (micros % 10_000 !== 0) {
      decimals = 3;
    }
  }
  return decimals;
}

/** Formats micro-dollars with fixed decimals, rounded up: `1900000` with 3 is `1.900`. */
export function microsText(micros: number, decimals: Decimals): string {
  const unit = 10 ** (6 - decimals);
  const units = Math.ceil(micros / unit);
  const scale = 10 ** decimals;
  return `${Math.floor(units / scale)}.${String(units % scale).padStart(decimals, "0")}`;
}

/**
 * Formats a price in USD: `$1.90`, with up to 4 decimals if needed. Numbers that aren't prices, which a price history may
 * contain, are shown as they are.
 */
export function usdText(usd: number): string {
  return usd >= 0 && usd <= MAX_PRICE ? usdMicrosText(toMicrosUp(usd)) : `$${usd}`;
}

/** {@link usdText} of micro-dollars. */
export function usdMicrosText(micros: number): string {
  return `$${microsText(micros, decimalsFor([micros]))}`;
}

/** Formats a balance in dollars and cents: `$1,212.40`, rounded down. */
export function creditText({ balance }: Balance): string {
  const [whole = "0", decimals = ""] = balance.split(".");
  return `$${countText(whole)}.${decimals.slice(0, 2)}`;
}

/** Text of an unknown value. */
export const UNKNOWN = "–";

/** The cell of a price in micro-dollars; `≥` means at least, because a part of the cost is unknown. */
export function priceCell(isAtLeast: boolean, micros: number, { decimals }: { decimals: Decimals }): string {
  return `${isAtLeast ? "≥" : ""}${microsText(micros, decimals)}`;
}
