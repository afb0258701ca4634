import type { SourceList } from "@gpu-offers/domain";

/** The age of prices, as far as known. */
export interface CatalogAge {
  /** Date or time of prices (ISO 8601, UTC) by provider name, without providers of unknown date. */
  pricesAsOf: ReadonlyMap<string, string>;
  /** Providers with stale prices. */
  staleProviders: readonly string[];
}

/** An unknown age of prices. */
export const UNKNOWN_AGE: CatalogAge = { pricesAsOf: new Map(), staleProviders: [] };

/** The age of the prices of these sources. A provider's first source is the one of its offers. */
export function ageOf({ sources }: SourceList): CatalogAge {
  const pricesAsOf = new Map<string, string>();
  const staleProviders = new Set<string>();
  for (const { providers, pricesAsOf: date, state, offers } of sources) {
    for (const provider of offers === 0 ? [] : providers) {
      if (date !== null && !pricesAsOf.has(provider)) {
        pricesAsOf.set(provider, date);
      }
      if (state === "stale") {
        staleProviders.add(provider);
      }
    }
  }
  return { pricesAsOf, staleProviders: [...staleProviders] };
}

/** Time of the oldest prices in milliseconds since 1970; undefined if no date is known. */
export function oldestPricesMs({ pricesAsOf }: CatalogAge): number | undefined {
  const times = [...pricesAsOf.values()].map((date) => Date.parse(date)).filter((ms) => !Number.isNaN(ms));
  return times.length === 0 ? undefined : Math.min(...times);
}
