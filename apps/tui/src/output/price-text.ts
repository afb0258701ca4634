import { toMicrosUp } from "@gpu-offers/domain";

// Prices as text. Decimals are fixed for a whole result, so that paging does not jitter, and what does not fit into
// them is rounded up: a price that errs must err upwards.

/** Decimals of a column of prices. */
export type Decimals = 2 | 3 | 4;

/** The fewest decimals, from 2 to 4, that show every price exactly, or 4. */
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

/** Micro-dollars as a decimal with fixed places, rounded up: `1900000` with 3 becomes `1.900`. */
export function microsText(micros: number, decimals: Decimals): string {
  const unit = 10 ** (6 - decimals);
  const units = Math.ceil(micros / unit);
  const scale = 10 ** decimals;
  return `${Math.floor(units / scale)}.${String(units % scale).padStart(decimals, "0")}`;
}

/** A price in USD for a sentence: `$1.90`, with up to 4 decimals where it needs them. */
export function usdText(usd: number): string {
  const micros = toMicrosUp(usd);
  return `$${microsText(micros, decimalsFor([micros]))}`;
}

/** A balance with cents; it is rounded down, as far as that keeps its sign. */
export function balanceText(balance: string): string {
  const [whole = "0", decimals = ""] = balance.split(".");
  return `${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ",")}.${decimals.slice(0, 2)}`;
}
