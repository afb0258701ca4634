import type { StoredOffer } from "./offer-row.js";

const AVAILABLE = '"isAvailable":true';
const UNAVAILABLE = '"isAvailable":false';

/** The JSON of an offer, which is unavailable if it is stale. */
export function servedBody(
  { provider, scope, body }: StoredOffer,
  isStale: (provider: string, scope: string | null) => boolean,
): string {
  // Quotes inside a text are escaped, so this can only match the field itself.
  return isStale(provider, scope) ? body.replace(AVAILABLE, UNAVAILABLE) : body;
}
