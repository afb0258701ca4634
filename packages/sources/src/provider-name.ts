import { providerNameSchema } from "@gpu-offers/domain";
import { showValue } from "./shown-value.js";
import { SourceError } from "./source-error.js";

/** Whether a text can be the name of a provider in our catalogs. */
export function isProviderName(name: string): boolean {
  return providerNameSchema.safeParse(name).success;
}

/** @throws SourceError unless the text can be the name of a provider. */
export function checkProviderName(name: string): void {
  if (!isProviderName(name)) {
    throw new SourceError(`${showValue(name)} is not a valid provider name. It must be lower-case and URL-safe.`);
  }
}
