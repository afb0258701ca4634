import type { AgentCatalog } from "./agent-catalog.js";

/** Times of each provider's prices in one form, ISO 8601 UTC: files state days. Unknown ones are missing. */
export async function readPriceTimes(catalog: AgentCatalog): Promise<ReadonlyMap<string, string>> {
  const stated = [...(await catalog.pricesAsOf())].filter(([, text]) => !Number.isNaN(Date.parse(text)));
  return new Map(stated.map(([provider, text]) => [provider, new Date(text).toISOString()]));
}

/** The oldest of some times from {@link readPriceTimes}, and its age in whole days; both are null if there is none. */
export function ageOf(times: readonly string[]): { pricesAsOf: string | null; ageDays: number | null } {
  const pricesAsOf = times.toSorted()[0] ?? null;
  return { pricesAsOf, ageDays: pricesAsOf === null ? null : daysSince(pricesAsOf) };
}

/** Whole days since a time. */
export function daysSince(time: string): number {
  return Math.floor((Date.now() - Date.parse(time)) / 86_400_000);
}
