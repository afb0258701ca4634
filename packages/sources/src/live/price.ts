import { fromMicros, MAX_PRICE } from "@gpu-offers/domain";
import { Rejection } from "../rejection.js";
import { showValue } from "../shown-value.js";

// Float noise of sums and products in a source: 8.000300000000001 means 8.0003.
const NOISE_MICROS = 1e-3;

/**
 * A price in USD as offers have it: at most 6 decimals, rounded up, because an estimate must never be too low. Float noise is
 * dropped before.
 * @throws RangeError unless it is from 0 to {@link MAX_PRICE}.
 */
export function roundUp(usd: number): number {
  if (!(usd >= 0 && usd <= MAX_PRICE)) {
    throw new RangeError(`A price must be a number from 0 to ${MAX_PRICE}, not ${usd}.`);
  }
  const micros = usd * 1e6;
  const nearest = Math.round(micros);
  return fromMicros(Math.abs(micros - nearest) <= NOISE_MICROS ? nearest : Math.ceil(micros));
}

/** The hourly price of an instance, rounded up, or a rejection. */
export function hourlyPrice(usd: number): number | Rejection {
  if (!(usd > 0 && usd <= MAX_PRICE)) {
    return new Rejection("bad_price", `The hourly price is ${showValue(usd)}, which is not above 0.`);
  }
  return roundUp(usd);
}
