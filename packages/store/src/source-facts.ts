import { providerKey, type SourceStatus } from "@gpu-offers/domain";
import { findLiveSource, stockOf } from "@gpu-offers/sources";
import type { Database } from "./database.js";
import { listStoredSources, type StoredSource } from "./live.store.js";
import { listQuarantined } from "./quarantine.store.js";

// Facts about the catalog's sources, read from small tables. GET /sources, headers, metrics and the command line all
// derive the age of prices from them.

/** Where the offers of a provider come from. */
export interface ProviderOrigin {
  name: string;
  /** Live source; null if they were imported from a file. */
  source: string | null;
  /** Date of the prices as the source states it; null if it states none. */
  asOf: string | null;
  /** Increases when what the source states beyond its offers changes. */
  factsVersion: number;
}

/** A part of a provider that failed since the rest of its source was confirmed. It has old prices. */
interface OldPart {
  provider: string;
  checkedAt: string;
}

/** The facts at one point in time. */
export interface SourceFacts {
  sources: readonly StoredSource[];
  quarantined: ReadonlySet<string>;
  providers: readonly ProviderOrigin[];
  oldParts: readonly OldPart[];
}

/** Reads the facts. */
export async function readSourceFacts(database: Database): Promise<SourceFacts> {
  const rows = await database
    .selectFrom("provider")
    .select(["name", "source", "as_of as asOf", "facts_version as factsVersion"])
    .orderBy("name")
    .execute();
  const sources = await listStoredSources(database);
  return {
    sources,
    quarantined: await listQuarantined(database),
    providers: rows,
    oldParts: await listOldParts(database, sources, rows),
  };
}

/** Parts without offers have no prices, such as one whose offers expired. */
async function listOldParts(
  database: Database,
  sources: readonly StoredSource[],
  providers: readonly ProviderOrigin[],
): Promise<OldPart[]> {
  const parts = sources.flatMap(({ name, checked_at: newest, scopes }) =>
    Object.entries(scopes).flatMap(([scope, { checked_at: checkedAt }]) =>
      checkedAt === null || newest === null || checkedAt >= newest ? [] : [{ source: name, scope, checkedAt }],
    ),
  );
  const failing = new Set(parts.map(({ source }) => source));
  const names = providers.filter(({ source }) => source !== null && failing.has(source)).map(({ name }) => name);
  if (names.length === 0) {
    return [];
  }
  // One query for all, because this is read every second.
  const held = await database
    .selectFrom("offer")
    .select(["provider", "scope"])
    .distinct()
    .where("provider", "in", names)
    .where("scope", "is not", null)
    .execute();
  const sourceOf = new Map(providers.map(({ name, source }) => [name, source]));
  return held.flatMap(({ provider, scope }) =>
    parts
      .filter((part) => part.scope === scope && part.source === sourceOf.get(provider))
      .map(({ checkedAt }) => ({ provider, checkedAt })),
  );
}

/** Names of sources that a process is running now. */
export function listRunning({ sources }: SourceFacts, nowMs: number): ReadonlySet<string> {
  const running = sources.filter(({ lease_until: until }) => until !== null && Date.parse(until) > nowMs);
  return new Set(running.map(({ name }) => name));
}

/** Number of offers of each provider. */
export async function countOffers(database: Database): Promise<Map<string, number>> {
  const rows = await database
    .selectFrom("offer")
    .groupBy("provider")
    .select((select) => ["provider", select.fn.countAll().as("count")])
    .execute();
  return new Map(rows.map(({ provider, count }) => [provider, Number(count)]));
}

/** Whether something last confirmed at a time is stale at another time. Never confirmed means stale. */
export function isStale(checkedAt: string | null, staleAfterSeconds: number, nowMs: number): boolean {
  return checkedAt === null || nowMs - Date.parse(checkedAt) > staleAfterSeconds * 1_000;
}

/** Whether a source had no successful run for longer than its `staleAfter`. */
export function isSourceStale({ checked_at, stale_after_seconds }: StoredSource, nowMs: number): boolean {
  return isStale(checked_at, stale_after_seconds, nowMs);
}

/** Time of a provider's prices, ISO 8601 UTC: last confirmation, or date of the file; null if unknown. */
export function priceTime({ name, source, asOf }: ProviderOrigin, facts: SourceFacts): string | null {
  const live = source === null ? undefined : facts.sources.find((stored) => stored.name === source);
  const time = live === undefined ? asOf : confirmedAt(live, [name], facts);
  const ms = time === null ? Number.NaN : Date.parse(time);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** When all offers of some providers of a source were last confirmed; null if never. */
function confirmedAt(
  { checked_at }: StoredSource,
  providers: readonly string[],
  { oldParts }: SourceFacts,
): string | null {
  const old = oldParts.filter(({ provider }) => providers.includes(provider)).map(({ checkedAt }) => checkedAt);
  return old.sort()[0] ?? checked_at;
}

/**
 * The sources for `GET /sources`, one row each: live sources that are enabled or have offers, then imported files. The
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
      checkedAt: null,
      pricesAsOf: priceTime(provider, facts),
      offers: offers.get(provider.name) ?? 0,
      nextRunAt: null,
      error: null,
      coverage: null,
      origin: null,
    }));
  return [...live, ...imported];
}

/** A live source for `GET /sources`. */
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
  const dates = own.flatMap(({ asOf }) => (asOf === null ? [] : [asOf])).sort();
  return {
    name: source.name,
    providers: names,
    kind: source.kind,
    state: stateOf(source, nowMs),
    stock: definition === undefined ? source.stock : stockOf(definition, (source.secrets_mark ?? "") !== ""),
    checkedAt,
    pricesAsOf: dates[0] ?? checkedAt,
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
