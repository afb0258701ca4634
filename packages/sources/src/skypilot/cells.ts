import { MAX_PRICE, roundPrice } from "@gpu-offers/domain";
import { Rejection } from "../rejection.js";
import { showValue } from "../shown-value.js";

// What the texts of single cells mean: numbers, prices, regions.

const DECIMAL = /^\d{1,15}(?:\.\d{1,20})?$/;

/** Parses a plain non-negative decimal number, such as `8`, `8.0` or `0.25`. Signs, exponents, NaN and Infinity are invalid. */
export function parseDecimal(text: string): number | undefined {
  return DECIMAL.test(text) ? Number(text) : undefined;
}

/** The number of a column rounded down, because a machine has at least that much; empty means 0, which is unknown. */
export function wholeNumber(column: string, text: string): number | Rejection {
  const number = text === "" ? 0 : parseDecimal(text);
  return number === undefined
    ? new Rejection("bad_number", `${column} is ${showValue(text)}, which is not a non-negative decimal number.`)
    : Math.floor(number);
}

/**
 * Hourly price of the whole instance, or a rejection. Only Price counts: a spot price is
 * not guaranteed, so it never replaces a missing one. A spot price of 0 means that there is none. Where `priceMayBeSpot`, an
 * equal spot price means that Price is one, too.
 */
export function priceOf(price: string, spotPrice: string, priceMayBeSpot = false): number | Rejection {
  if (price === "" && (spotPrice === "" || parseDecimal(spotPrice) === 0)) {
    return new Rejection("no_price", "Price and SpotPrice are both empty.");
  }
  if (price === "") {
    const reason = `Price is empty and SpotPrice is ${showValue(spotPrice)}: the row only has a spot price.`;
    return new Rejection("spot_only", reason);
  }
  const usd = parseDecimal(price);
  if (usd === undefined || usd > MAX_PRICE || roundPrice(usd) === 0) {
    return new Rejection("bad_price", `Price is ${showValue(price)}, which is not a positive decimal number.`);
  }
  if (priceMayBeSpot && parseDecimal(spotPrice) === usd) {
    const reason = `Price and SpotPrice are both ${showValue(price)}: the row only has a spot price.`;
    return new Rejection("spot_only", reason);
  }
  return usd;
}

/**
 * The region of an offer. A zone that contains its region as whole words is used alone (`US-KS-2` of `US`,
 * `us-central1-a` of `us-central1`); any other follows the region (`us-east-1/use1-az4`). A row
 * without either is of the region `unknown`.
 */
export function regionText(region: string, zone: string): string {
  if (region === "" || zone === "") {
    return region || zone || "unknown";
  }
  const repeats = `-${zone}-`.toLowerCase().includes(`-${region}-`.toLowerCase());
  return repeats ? zone : `${region}/${zone}`;
}

/** What catalogs write for an unknown location. */
const NO_PLACES: ReadonlySet<string> = new Set(["default", "earth", "global", "unknown", "world", "worldwide"]);

/** Whether the region of an offer is known. A type cannot be available in an unnamed region. */
export function namesPlace(region: string): boolean {
  return !NO_PLACES.has(region.toLowerCase());
}
