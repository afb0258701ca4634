import type { StoredSource } from "./live.store.js";
import type { SourceFacts } from "./source-facts.js";
import type { StoredOffer } from "./offer-row.js";

// When the prices of a source are stale. How long that takes is a setting of the source: source-durations.ts of
// packages/fetch has the defaults.

/** Whether something last confirmed at a time is stale at another time. Never confirmed means stale. */
export function isStale(checkedAt: string | null, staleAfterSeconds: number, nowMs: number): boolean {
  return checkedAt === null || nowMs - Date.parse(checkedAt) > staleAfterSeconds * 1_000;
}

/** Whether a source had no successful run for longer than its `staleAfter`. */
export function isSourceStale({ checked_at, stale_after_seconds }: StoredSource, nowMs: number): boolean {
  return isStale(checked_at, stale_after_seconds, nowMs);
}

/** How long all complete responses of a source that no longer sells were empty. */
export const GONE_AFTER_MS = 7 * 86_400_000;

/** Whether a source no longer sells: all of its complete responses were empty for 7 days. */
export function isGone({ empty_since: since }: Pick<StoredSource, "empty_since">, atMs: number): boolean {
  return since !== null && atMs - Date.parse(since) >= GONE_AFTER_MS;
}

/** A provider, or a part of it, whose offers are stale. */
export interface StalePart {
  provider: string;
  /** Undefined for all of its offers. */
  scope?: string;
}

function keyOf({ provider, scope = "" }: StalePart): string {
  return `${provider}\0${scope}`;
}

export function staleCheck(stale: readonly StalePart[]): (provider: string, scope: string | null) => boolean {
  const keys = new Set(stale.map(keyOf));
  return (provider, scope) =>
    keys.size > 0 && (keys.has(keyOf({ provider })) || (scope !== null && keys.has(keyOf({ provider, scope }))));
}

/** Finds stale parts, by provider and scope. Imported files never go stale, because they aren't refreshed. */
export function findStale({ sources, providers }: SourceFacts, nowMs: number): StalePart[] {
  return sources
    .flatMap((stored) => {
      const { name, stale_after_seconds, scopes } = stored;
      const own = providers.filter(({ source }) => source === name).map((provider) => provider.name);
      if (isSourceStale(stored, nowMs)) {
        return own.map((provider): StalePart => ({ provider }));
      }
      const old = Object.entries(scopes).filter(([, scope]) => isStale(scope.checked_at, stale_after_seconds, nowMs));
      return own.flatMap((provider) => old.map(([scope]): StalePart => ({ provider, scope })));
    })
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

const AVAILABLE = '"isAvailable":true';
const UNAVAILABLE = '"isAvailable":false';

/** The JSON of an offer, which is unavailable if it is stale. */
export function servedBody(
  { provider, scope, body }: StoredOffer,
  isOld: (provider: string, scope: string | null) => boolean,
): string {
  // Quotes inside a text are escaped, so this can only match the field itself.
  return isOld(provider, scope) ? body.replace(AVAILABLE, UNAVAILABLE) : body;
}
