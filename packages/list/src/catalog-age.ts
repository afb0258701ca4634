import type { Offer, SourceList } from "@gpu-offers/domain";
import { ageText } from "./age-text.js";

/** The age of prices, as far as known. */
export interface CatalogAge {
  /** Date or time of prices (ISO 8601, UTC) by provider name, without providers of unknown date. */
  pricesAsOf: ReadonlyMap<string, string>;
  staleProviders: readonly string[];
}

export const UNKNOWN_AGE: CatalogAge = { pricesAsOf: new Map(), staleProviders: [] };

type DatedSource = Pick<SourceList["sources"][number], "providers" | "pricesAsOf" | "state" | "offers">;

/** The age of the prices of these sources. A provider's first source is the one of its offers. */
export function ageOf({ sources }: { sources: readonly DatedSource[] }): CatalogAge {
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

/** The ages of some offers' prices. */
export type AgeRange = ReturnType<typeof ageRangeOf>;

/**
 * The ages of the prices of these offers: how many have a date, and the time of the oldest and the newest in milliseconds since
 * 1970; undefined if none has a date.
 */
export function ageRangeOf(offers: readonly Offer[], { pricesAsOf }: CatalogAge) {
  const counts = new Map<string, number>();
  for (const { provider } of offers) {
    counts.set(provider.name, (counts.get(provider.name) ?? 0) + 1);
  }
  const times = [...counts].flatMap(([provider, count]) => {
    const ms = Date.parse(pricesAsOf.get(provider) ?? "");
    return Number.isNaN(ms) ? [] : [{ ms, count }];
  });
  const all = times.map(({ ms }) => ms);
  return {
    total: offers.length,
    dated: times.reduce((sum, { count }) => sum + count, 0),
    oldestMs: all.length === 0 ? undefined : Math.min(...all),
    newestMs: all.length === 0 ? undefined : Math.max(...all),
  };
}

/**
 * Describes the ages of prices: `prices 3 h old`, `prices 3 h to 5 d old`, `5% of prices dated, oldest 357 d`,
 * `prices undated`; in few words if `isShort`.
 */
export function ageRangeText({ total, dated, oldestMs, newestMs }: AgeRange, nowMs: number, isShort = false): string {
  if (oldestMs === undefined || newestMs === undefined) {
    return isShort ? "undated" : "prices undated";
  }
  const [oldest, newest] = [ageText(nowMs - oldestMs), ageText(nowMs - newestMs)];
  if (dated < total) {
    const percent = Math.min(99, Math.max(1, Math.floor((100 * dated) / total)));
    return isShort ? `${percent}% dated, ≤${oldest}` : `${percent}% of prices dated, oldest ${oldest}`;
  }
  const range = newest === oldest ? oldest : isShort ? `≤${oldest}` : `${newest} to ${oldest}`;
  return `prices ${range} old`;
}
