import type { LaunchChoice, LaunchedListing } from "./launch-text.js";
import { toMicrosUp } from "../money/money.js";
import { hourlyCostMicros } from "../offer/hourly-cost.js";

/** How far a price may rise by default before the texts no longer rent, in percent. */
export const CEILING_PERCENT = 5;

const MICROS_OF_A_CENT = 10_000;

/** A limit of the price, which texts state where a tool takes one. */
export interface Ceiling {
  /** USD per hour of one machine, in whole cents. */
  usd: number;
  /** How it follows from the shown price, on one line. */
  reason: string;
}

/**
 * The shown price of a machine, without its disk unless the tool compares prices with it, and a percentage of it, rounded up
 * to the cent. Undefined for a free machine, whose price tools can't limit.
 */
export function launchCeiling(
  { offer, storage, spot }: LaunchedListing,
  { isSpot = false, ceilingPercent = CEILING_PERCENT, diskGb }: LaunchChoice,
  { isDiskPriced = false } = {},
): Ceiling | undefined {
  const priceHourly = isSpot && spot !== null ? spot.priceHourly : offer.priceHourly;
  const withDisk = hourlyCostMicros({ ...offer, storage, priceHourly }, diskGb ?? 0);
  const micros = isDiskPriced ? withDisk : toMicrosUp(priceHourly);
  const cents = Math.ceil((micros * (100 + ceilingPercent)) / 100 / MICROS_OF_A_CENT);
  const disk = isDiskPriced ? " with the disk" : withDisk > micros ? " without the disk" : "";
  return cents === 0
    ? undefined
    : { usd: cents / 100, reason: `The shown price${disk}, ${micros / 1e6} USD an hour, plus ${ceilingPercent} %.` };
}
