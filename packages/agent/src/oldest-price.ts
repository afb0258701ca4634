import type { AgentCatalog } from "./agent-catalog.js";

/** Times of each provider's prices in one form, ISO 8601 UTC: files state days. Unknown ones are missing. */
export async function readPriceTimes(catalog: AgentCatalog): Promise<ReadonlyMap<string, string>> {
  const times = [...(await catalog.pricesAsOf())].map(([provider, text]) => [provider, new Date(text)] as const);
  return new Map(
    times.flatMap(([provider, time]) => (Number.isNaN(time.getTime()) ? [] : [[provider, time.toISOString()]])),
  );
}

/** The oldest of some times, and its age in whole days; both are null if there is none. */
export function ageOf(times: readonly string[]): { pricesAsOf: string | null; ageDays: number | null } {
  const pricesAsOf = oldestOf(times);
  return {
    pricesAsOf,
    ageDays: pricesAsOf === null ? null : daysSince(pricesAsOf),
  };
}

/** Whole days since a time. */
export function daysSince(time: string): number {
  return Math.floor((Date.now() - Date.parse(time)) / 86_400_000);
}

/** The oldest of some times from {@link readPriceTimes}; null if there is none. */
function oldestOf(times: readonly string[]): string | null {
  return times.reduce<string | null>((oldest, time) => (oldest === null || time < oldest ? time : oldest), null);
}
