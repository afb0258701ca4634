// Prices are JSON numbers with at most 6 decimals (docs/interface.md, Offers). Sums are calculated in
// whole micro-dollars, so that readers never see 1.6567999999.

/** Maximum decimals of a published price. */
export const PRICE_DECIMALS = 6;

/** The maximum price (USD per hour) for which every calculation here is exact: 9 digits before the decimal point. */
export const MAX_PRICE = 999_999_999;

/** Hours of 30 days, which monthly costs are stated for. */
export const HOURS_OF_30_DAYS = 720;

/** Hours that clouds divide the price of a month by, unless their documents say otherwise: 365 x 24 / 12. */
export const HOURS_OF_A_MONTH = 730;

/**
 * Rounds a price in USD to 6 decimals, half away from zero.
 * `1.6567999999999998` becomes `1.6568`.
 * @throws RangeError if the value is not a finite number of at least 0 to {@link MAX_PRICE}.
 */
export function roundPrice(usd: number): number {
  return fromMicros(toMicros(usd));
}

/**
 * A price in USD as whole micro-dollars (millionths of a dollar), rounded to the nearest.
 * @throws RangeError if the value is not a finite number of at least 0 to {@link MAX_PRICE}.
 */
export function toMicros(usd: number): number {
  if (!(usd >= 0 && usd <= MAX_PRICE)) {
    throw new RangeError(`A price must be a number from 0 to ${MAX_PRICE}, not ${usd}.`);
  }
  return Math.round(usd * 1e6);
}

/**
 * Converts a price in USD to micro-dollars, rounded up, for estimates.
 * Equal to {@link toMicros} for a price with at most 6 decimals.
 * @throws RangeError like {@link toMicros}.
 */
export function toMicrosUp(usd: number): number {
  const nearest = toMicros(usd);
  return fromMicros(nearest) < usd ? nearest + 1 : nearest;
}

/** Whole micro-dollars as a price in USD. The nearest double, so it prints with at most 6 decimals. */
export function fromMicros(micros: number): number {
  return micros / 1e6;
}

/**
 * Whether whole micro-dollars per hour cost at most `usd` in `hours`. Exact for the decimals of `usd` and `hours`, so that
 * 3 hours of 0.10 USD cost 0.30.
 */
export function isWithinBudget(hourlyMicros: number, { usd, hours }: { usd: number; hours: number }): boolean {
  const excessMicros = hourlyMicros * hours - usd * 1e6;
  // Rounding only matters if the two are nearly equal.
  if (!(Math.abs(excessMicros) < usd * 1e-6)) {
    return excessMicros <= 0;
  }
  const budget = decimalOf(usd);
  const duration = decimalOf(hours);
  const exponent = budget.exponent + 6 - duration.exponent;
  return (
    BigInt(hourlyMicros) * duration.digits * 10n ** BigInt(Math.max(-exponent, 0)) <=
    budget.digits * 10n ** BigInt(Math.max(exponent, 0))
  );
}

/** The decimal that a finite number prints as: digits x 10^exponent. */
function decimalOf(value: number): { digits: bigint; exponent: number } {
  const [digits = "", exponent] = value.toExponential().split("e");
  const [whole = "", fraction = ""] = digits.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** Whether a number is a publishable price: finite, not negative, up to 6 decimals. */
export function isPrice(value: number): boolean {
  return value >= 0 && value <= MAX_PRICE && roundPrice(value) === value;
}

/**
 * Formats micro-dollars as USD with exactly 4 decimals, rounded up: `1970000` is `"1.9700"`, `1900001` is `"1.9001"`.
 * @throws RangeError if the value is negative or not finite.
 */
export function formatMicrosUp(micros: number): string {
  if (!(micros >= 0 && micros < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`An amount must be a finite number of micro-dollars from 0, not ${micros}.`);
  }
  const tenThousandths = Math.ceil(micros / 100);
  const dollars = Math.floor(tenThousandths / 10_000);
  // A number from 1e21 prints with an exponent, a bigint with all digits.
  return `${dollars < 1e21 ? dollars : BigInt(dollars)}.${String(tenThousandths % 10_000).padStart(4, "0")}`;
}
