import type { Offer } from "@gpu-offers/domain";
import type { AgentCatalog } from "./agent-catalog.js";

/** Times of each provider's prices in one form, ISO 8601 UTC: files state days. Unknown ones are missing. */
export async function readPriceTimes(catalog: AgentCatalog): Promise<ReadonlyMap<string, string>> {
  const times = [...(await catalog.pricesAsOf())].map(([provider, text]) => [provider, new Date(text)] as const);
  return new Map(
    times.flatMap(([provider, time]) => (Number.isNaN(time.getTime()) ? [] : [[provider, time.toISOString()]])),
  );
}

/** Time of the oldest price among the offers as ISO 8601; null if any of them is unknown. */
export async function oldestPrice(catalog: AgentCatalog, offers: readonly Offer[]): Promise<string | null> {
  if (offers.length === 0) {
    return null;
  }
  const known = await readPriceTimes(catalog);
  const dates = [...new Set(offers.map((offer) => offer.provider.name))].map((provider) => known.get(provider));
  return (
    dates.reduce<string | null | undefined>(
      (oldest, date) =>
        date === undefined || oldest === null ? null : oldest === undefined || date < oldest ? date : oldest,
      undefined,
    ) ?? null
  );
}
