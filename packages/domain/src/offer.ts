import { fromMicros, toMicros } from "./money.js";

/** Values of `deploymentType` that gpu-offers writes. Readers must accept others (docs/interface.md, Offers). */
export const DEPLOYMENT_TYPES = ["virtual", "container", "bare-metal"] as const;

/**
 * Hourly price per GPU in USD: priceHourly / gpuCount (from 1), rounded to 6 decimals.
 * @throws RangeError if the price is invalid (see {@link toMicros}).
 */
export function pricePerGpu(priceHourly: number, gpuCount: number): number {
  return fromMicros(Math.round(toMicros(priceHourly) / gpuCount));
}
