import { stockPercent, type ListingFacts } from "@gpu-offers/domain";
import { ageSince } from "./age-text.js";

type StockSum = NonNullable<ListingFacts["stock14d"]>;

/** Observed hours that count as all of 14 days: an observation or two may be late. */
const ALL_HOURS = 14 * 24 - 8;

/** `in stock 61% of 14 days, last 3 h ago`; `not in stock in 20 h observed`. */
export function stockText(sum: StockSum, nowMs: number): string {
  const { observedHours, lastInStockAt } = sum;
  const span =
    observedHours >= ALL_HOURS
      ? "14 days"
      : observedHours >= 48
        ? `${Math.floor(observedHours / 24)} days observed`
        : `${Math.max(1, Math.round(observedHours))} h observed`;
  const age = lastInStockAt === null ? undefined : ageSince(lastInStockAt, nowMs);
  if (age === undefined) {
    return `not in stock in ${span}`;
  }
  const percent = stockPercent(sum);
  return percent === null ? `last in stock ${age} ago` : `in stock ${percent}% of ${span}, last ${age} ago`;
}
