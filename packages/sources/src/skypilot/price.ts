import { MAX_PRICE, roundPrice } from "@gpu-offers/domain";
import { Rejection } from "../rejection.js";
import { showValue } from "../shown-value.js";
import { parseDecimal } from "./decimal.js";
import type { ProviderQuirks } from "./provider-quirks.js";

/**
 * Hourly price of the whole instance, or a rejection. Only Price counts: a spot price is
 * not guaranteed, so it never replaces a missing one. A spot price of 0 means that there is none. Where `priceMayBeSpot`, an
 * equal spot price means that Price is one, too.
 */
export function priceOf(
  price: string,
  spotPrice: string,
  { priceMayBeSpot }: Pick<ProviderQuirks, "priceMayBeSpot"> = { priceMayBeSpot: false },
): number | Rejection {
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
  if (priceMayBeSpot && parseDecimal(spotPrice) === usd) {
    return new Rejection(
      "spot_only",
      `Price and SpotPrice are both ${showValue(price)}: the row only has a spot price.`,
    );
  }
  return usd;
}

function hasSpotPrice(text: string): boolean {
  return text !== "" && parseDecimal(text) !== 0;
}
