import { removeExpiredOffers } from "../store/catalog-import.js";
import type { Database } from "../store/database.js";
import { pruneHistory } from "../store/offer-history.js";
import { isoOf } from "./live-run.js";
import { listStoredSources } from "./live.store.js";

const DAY_MS = 86_400_000;

/** Removes expired offers and old history. Returns the numbers of both. */
export async function removeExpired(
  database: Database,
  { nowMs, historyDays }: { nowMs: number; historyDays: number },
): Promise<{ dropped: number; pruned: number }> {
  let dropped = 0;
  for (const { name, checked_at, drop_after_seconds, scopes } of await listStoredSources(database)) {
    const limit = isoOf(nowMs - drop_after_seconds * 1_000);
    if (checked_at !== null && checked_at < limit) {
      dropped += await removeExpiredOffers(
        database,
        { source: name },
        `live: ${name}, not confirmed since ${checked_at}`,
      );
      continue;
    }
    const expired = Object.entries(scopes).filter(([, scope]) => scope.checked_at !== null && scope.checked_at < limit);
    if (expired.length > 0) {
      const names = expired.map(([scope]) => scope);
      dropped += await removeExpiredOffers(
        database,
        { source: name, scopes: names },
        `live: ${name} ${names.join(", ")}, not confirmed for too long`,
      );
    }
  }
  return { dropped, pruned: await pruneHistory(database, isoOf(nowMs - historyDays * DAY_MS)) };
}
