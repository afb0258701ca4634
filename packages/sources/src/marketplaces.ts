import { providerKey } from "@gpu-offers/domain";
import { marketplaces } from "./providers.facts.js";

const MARKETPLACES: ReadonlySet<string> = new Set(marketplaces);

/**
 * Whether a provider is a marketplace or reseller of many sellers, by any of its names. Two rows of one machine there are
 * two hosts, and people take the cheaper one; in a price list of one seller, they contradict each other.
 */
export function isMarketplace(provider: string): boolean {
  return MARKETPLACES.has(providerKey(provider));
}
