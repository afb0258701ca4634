import { removeExpiredOffers, type ExpiredOffers } from "@gpu-offers/store/catalog-removal";
import type { Database } from "@gpu-offers/store/database";
import { foldPast } from "@gpu-offers/store/folded-steps";
import { pruneHistory } from "@gpu-offers/store/offer-history";
import { pruneObservations } from "@gpu-offers/store/observations";
import { foldStock } from "@gpu-offers/store/stock-memory";
import { isoOf } from "./live-run.js";
import { findStoredSource, listStoredSources, type StoredSource } from "@gpu-offers/store/live.store";
import { liveCause } from "@gpu-offers/store/catalog-revision";

const DAY_MS = 86_400_000;

/** Interval of checks for expired offers and history. */
export const EXPIRY_CHECK_MS = 3_600_000;

/** Removes expired offers and old history. Returns the numbers of both. */
export async function removeExpired(
  database: Database,
  { nowMs, historyDays }: { nowMs: number; historyDays: number },
): Promise<{ dropped: number; pruned: number }> {
  let dropped = 0;
  for (const stored of await listStoredSources(database)) {
    if (findExpired(stored, nowMs) !== undefined) {
      dropped += await removeExpiredOffers(database, stored.name, async (transaction) => {
        const current = await findStoredSource(transaction, stored.name);
        return current && findExpired(current, nowMs);
      });
    }
  }
  const start = isoOf(nowMs - historyDays * DAY_MS);
  await foldStock(database, { nowMs, keptSince: start });
  await pruneObservations(database, start);
  await foldPast(database);
  return { dropped, pruned: await pruneHistory(database, start) };
}

/** The offers of a source that were not confirmed for too long; undefined if there can be none. */
function findExpired(
  { name, checked_at, drop_after_seconds, scopes }: StoredSource,
  nowMs: number,
): ExpiredOffers | undefined {
  const limit = isoOf(nowMs - drop_after_seconds * 1_000);
  if (checked_at !== null && checked_at < limit) {
    return { cause: liveCause(`${name}, not confirmed since ${checked_at}`) };
  }
  const expired = Object.entries(scopes)
    .filter(([, scope]) => scope.checked_at !== null && scope.checked_at < limit)
    .map(([scope]) => scope);
  return expired.length === 0
    ? undefined
    : { scopes: expired, cause: liveCause(`${name} ${expired.join(", ")}, not confirmed for too long`) };
}
