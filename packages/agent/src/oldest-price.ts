import type { AgentCatalog } from "./agent-catalog.js";

/** Times of each provider's prices in one form, ISO 8601 UTC: files state days. Unknown ones are missing. */
export async function readPriceTimes(catalog: AgentCatalog): Promise<ReadonlyMap<string, string>> {
  const times = [...(await catalog.pricesAsOf())].map(([provider, text]) => [provider, new Date(text)] as const);
  return new Map(
    times.flatMap(([provider, time]) => (Number.isNaN(time.getTime()) ? [] : [[provider, time.toISOString()]])),
  );
}

/** The oldest of some times from {@link readPriceTimes}; null if there is none. */
export function oldestOf(times: readonly string[]): string | null {
  return times.reduce<string | null>((oldest, time) => (oldest === null || time < oldest ? time : oldest), null);
}
