import { providerKey } from "@gpu-offers/domain";

// Providers with many sellers. Two rows of one machine there are two hosts, and people take the cheaper one; in a price list
// of one seller, they contradict each other.

const MARKETPLACES: ReadonlySet<string> = new Set(
  `akash clore cudo fluidstack gpuai hotaisle hyperbolic lium mithril primeintellect runpod salad shadeform spheron tensordock vast yotta`.split(
    /\s+/,
  ),
);

/** Whether a provider is a marketplace or reseller of many sellers, by any of its names. */
export function isMarketplace(provider: string): boolean {
  return MARKETPLACES.has(providerKey(provider));
}
