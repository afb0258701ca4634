import type { PriceHistory, PricePoint } from "@gpu-offers/domain";
import { ageSince } from "./age-text.js";
import { usdText } from "./price-text.js";

// The price history of an offer in the details.

/** Number of latest prices in the sparkline. */
const LINE_LENGTH = 20;

const BARS = "▁▂▃▄▅▆▇█";

/** Facts of a history: last price change, sparkline, start of tracking. */
export function priceHistoryFacts({ trackedSince, prices }: PriceHistory, nowMs: number): [string, string][] {
  const since = trackedSince.slice(0, 10);
  const changed = lastChange(prices);
  if (changed === undefined) {
    return [["price changed", `not since ${since}`]];
  }
  const { before, after } = changed;
  const values = prices.map(({ priceHourly }) => priceHourly).filter((price) => price !== null);
  const age = ageSince(after.at, nowMs);
  const range = `${usdText(Math.min(...values))} to ${usdText(Math.max(...values))}/h`;
  return [
    ["price changed", `${age === undefined ? "time unknown" : `${age} ago`}, was ${usdText(before)}/h`],
    ["price history", `${priceLine(prices)} ${range}, tracked since ${since}`],
  ];
}

/** The last change from one price to another, also if the offer was gone in between. */
function lastChange(prices: readonly PricePoint[]): { before: number; after: PricePoint } | undefined {
  const known = prices.filter(({ priceHourly }) => priceHourly !== null);
  const index = known.findLastIndex(({ priceHourly }, at) => at > 0 && priceHourly !== known[at - 1]?.priceHourly);
  const [before, after] = [known[index - 1]?.priceHourly, known[index]];
  return before == null || after === undefined ? undefined : { before, after };
}

/** A sparkline of the latest prices; a space while the offer was gone. */
export function priceLine(prices: readonly PricePoint[]): string {
  return sparkline(prices.slice(-LINE_LENGTH).map(({ priceHourly }) => priceHourly));
}

/** A line as high as the values, a character each; a space for an unknown one. */
export function sparkline(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null);
  const low = Math.min(...known);
  const span = Math.max(...known) - low;
  return values
    .map((value) => (value === null ? " " : BARS.charAt(span === 0 ? 3 : Math.round(((value - low) / span) * 7))))
    .join("");
}
