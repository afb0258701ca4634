import { providerKey, type SourceStatus } from "@gpu-offers/domain";
import { priceDate } from "@gpu-offers/domain/history";
import { findLiveSource, stockOf } from "@gpu-offers/sources";
import type { StoredSource } from "./live.store.js";
import { confirmedAt, priceTime, type ProviderOrigin, type SourceFacts } from "./source-facts.js";
import { isGone, isSourceStale } from "./staleness.js";

// The state of sources, as `GET /api/v2/sources` and the command line show it.

/**
 * The sources for `GET /api/v2/sources`, one row each: live sources that are enabled or have offers, then imported files. The
 * imported offers of a provider that an enabled source will replace are in the row of the source.
 */
export function describeSources(
  facts: SourceFacts,
  offers: ReadonlyMap<string, number>,
  nowMs: number,
): SourceStatus[] {
  const { sources, providers } = facts;
  const live = sources
    .map((source) => describeSource(source, facts, offers, nowMs))
    .filter(({ state, providers: own }) => state !== "off" || own.length > 0);
  const described = new Set(live.flatMap((source) => source.providers));
  const imported = providers
    .filter(({ name }) => !described.has(name))
    .map((provider): SourceStatus => ({
      name: provider.name,
      providers: [provider.name],
      kind: "import",
      state: "imported",
      stock: "unknown",
      sample: provider.is_sample === 1,
      checkedAt: null,
      pricesAsOf: priceTime(provider, facts),
      lastOfferedAt: seenInFiles([provider], offers),
      lastInStockAt: null,
      offers: offers.get(provider.name) ?? 0,
      nextRunAt: null,
      error: null,
      coverage: null,
      origin: null,
    }));
  return [...live, ...imported];
}

/** A live source for `GET /api/v2/sources`. */
export function describeSource(
  source: StoredSource,
  facts: SourceFacts,
  offers: ReadonlyMap<string, number>,
  nowMs: number,
): SourceStatus {
  const own = listOwn(source, facts);
  const names = own.map(({ name }) => name);
  const checkedAt = confirmedAt(source, names, facts);
  const scopes = Object.entries(source.scopes);
  const definition = findLiveSource(source.name);
  const dates = own.flatMap(({ as_of }) => as_of ?? []).sort();
  return {
    name: source.name,
    providers: names,
    kind: source.kind,
    state: stateOf(source, nowMs),
    stock: definition === undefined ? source.stock : stockOf(definition, (source.secrets_mark ?? "") !== ""),
    sample: own.some(({ is_sample }) => is_sample === 1),
    checkedAt,
    pricesAsOf: dates[0] ?? checkedAt,
    lastOfferedAt: source.offered_at ?? seenInFiles(own, offers),
    lastInStockAt: source.in_stock_at,
    offers: own.reduce((sum, { name }) => sum + (offers.get(name) ?? 0), 0),
    nextRunAt: willRun(source) ? source.next_run_at : null,
    error:
      source.error_code === null
        ? null
        : { code: source.error_code, message: source.error_message ?? "", at: source.error_at },
    coverage:
      scopes.length === 0
        ? null
        : { scopes: scopes.length, failed: scopes.filter(([, { error }]) => error !== null).map(([scope]) => scope) },
    origin: source.kind === "feed" ? (definition?.homepage ?? source.name) : null,
  };
}

/**
 * The providers of a source. Before its first success, these are the imported ones that it will replace, under the name
 * in the catalog.
 */
function listOwn(source: StoredSource, { providers }: SourceFacts): ProviderOrigin[] {
  const own = providers.filter((provider) => provider.source === source.name);
  return own.length > 0 || !source.isEnabled || source.kind === "feed"
    ? own
    : providers.filter(
        (provider) => provider.source === null && providerKey(provider.name) === providerKey(source.name),
      );
}

/** The newest date of files with offers, which were observed on it; null if there is none. A sample is no observation. */
function seenInFiles(providers: readonly ProviderOrigin[], offers: ReadonlyMap<string, number>): string | null {
  const dates = providers.flatMap(({ name, source, as_of, imported_at, is_sample }) =>
    source !== null || is_sample === 1 || imported_at === null || !offers.get(name)
      ? []
      : [priceDate(as_of, imported_at)],
  );
  return dates.sort().at(-1) ?? null;
}

/** Time after which a run that is due but hasn't ended is overdue: a run takes at most 3 minutes, and waits for others. */
const OVERDUE_MS = 15 * 60_000;

/** Whether a scheduled run is overdue: no process runs it, or the one that does hangs. */
export function isOverdue(source: StoredSource, nowMs: number): boolean {
  const { next_run_at: nextRunAt } = source;
  return willRun(source) && nextRunAt !== null && nowMs - Date.parse(nextRunAt) > OVERDUE_MS;
}

/** Whether the service will run a source by itself; without an accepted key it waits for the operator. */
function willRun({ isEnabled, isStopped, error_code: code }: StoredSource): boolean {
  return isEnabled && !isStopped && code !== "needs_key";
}

/** The state that the last run left, so that it agrees with its error. */
function stateOf(source: StoredSource, nowMs: number): SourceStatus["state"] {
  if (!source.isEnabled) {
    return "off";
  }
  if (source.error_code === "needs_key") {
    return "needs_key";
  }
  if (source.isStopped) {
    return "stopped";
  }
  if (source.last_run_at !== null && isGone(source, Date.parse(source.last_run_at))) {
    return "no_longer_sells";
  }
  if (source.outcome === "quarantined") {
    return "quarantined";
  }
  if (source.last_run_at === null) {
    return "pending";
  }
  if (isSourceStale(source, nowMs)) {
    return source.checked_at === null ? "failing" : "stale";
  }
  return source.outcome === "failed" ? "failing" : "fresh";
}
