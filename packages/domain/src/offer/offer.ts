import { fromMicros, toMicros } from "../money/money.js";

/** Values of `deploymentType` that gpu-offers writes. Readers must accept others (docs/interface.md, Offers). */
export const DEPLOYMENT_TYPES = ["virtual", "container", "bare-metal"] as const;

/**
 * Hourly price per GPU in USD: priceHourly / gpuCount, rounded to 6 decimals.
 * @throws RangeError if the price is invalid (see {@link toMicros}), or the count is not a finite number of at least 1.
 */
export function pricePerGpu(priceHourly: number, gpuCount: number): number {
  if (!(gpuCount >= 1 && gpuCount < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`A GPU count must be a finite number of at least 1, not ${gpuCount}.`);
  }
  return fromMicros(Math.round(toMicros(priceHourly) / gpuCount));
}
