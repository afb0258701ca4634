import { MAX_PRICE, roundPrice } from "@gpu-offers/domain";
import { Rejection } from "../rejection.js";
import { showValue } from "../shown-value.js";
import { parseDecimal } from "./decimal.js";

/**
 * Hourly price of the whole instance in USD, rounded to 6 decimals, or a rejection. Only Price counts: a spot price is
 * not guaranteed, so it never replaces a missing one. A spot price of 0 means that there is none.
 */
export function priceOf(price: string, spotPrice: string): number | Rejection {
  if (price === "") {
    return hasSpotPrice(spotPrice)
      ? new Rejection(
          "spot_only",
          `Price is empty and SpotPrice is ${showValue(spotPrice)}: the row only has a spot price.`,
        )
      : new Rejection("no_price", "Price and SpotPrice are both empty.");
  }
  const usd = parseDecimal(price);
  if (usd === undefined || usd > MAX_PRICE || roundPrice(usd) === 0) {
    return new Rejection("bad_price", `Price is ${showValue(price)}, which is not a positive decimal number.`);
  }
  return roundPrice(usd);
}

function hasSpotPrice(text: string): boolean {
  return text !== "" && parseDecimal(text) !== 0;
}
