import type { Selectable } from "kysely";
import type { Database } from "./database.js";
import { listStoredSources, type StoredSource } from "./live.store.js";
import { listQuarantined } from "./quarantine.js";
import type { Tables } from "./tables.js";

// Facts about the catalog's sources, read from small tables. GET /api/v2/sources, headers, metrics and the command line all
// derive the age of prices from them.

/** Where the offers of a provider come from; see the table for the fields. */
export type ProviderOrigin = Selectable<Tables["provider"]>;

/** The facts at one point in time. */
export interface SourceFacts {
  sources: readonly StoredSource[];
  quarantined: ReadonlySet<string>;
  providers: readonly ProviderOrigin[];
  /** Parts of providers that failed since the rest of their source was confirmed. They have old prices. */
  oldParts: readonly { provider: string; checkedAt: string }[];
}

export async function readSourceFacts(database: Database): Promise<SourceFacts> {
  const providers = await database.selectFrom("provider").selectAll().orderBy("name").execute();
  const sources = await listStoredSources(database);
  return {
    sources,
    quarantined: await listQuarantined(database),
    providers,
    oldParts: await listOldParts(database, sources, providers),
  };
}

/** Parts without offers have no prices, such as one whose offers expired. */
async function listOldParts(
  database: Database,
  sources: readonly StoredSource[],
  providers: readonly ProviderOrigin[],
): Promise<SourceFacts["oldParts"]> {
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
  const offers = database.selectFrom("offer").where("provider", "in", names).where("scope", "is not", null);
  const held = await offers.select(["provider", "scope"]).distinct().execute();
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

export async function countOffers(database: Database): Promise<Map<string, number>> {
  const rows = await database
    .selectFrom("offer")
    .groupBy("provider")
    .select(({ fn }) => ["provider", fn.countAll<number>().as("count")])
    .execute();
  return new Map(rows.map(({ provider, count }) => [provider, count]));
}

/** Time of a provider's prices, ISO 8601 UTC: last confirmation, or date of the file; null if unknown. */
export function priceTime({ name, source, as_of }: ProviderOrigin, facts: SourceFacts): string | null {
  const live = source === null ? undefined : facts.sources.find((stored) => stored.name === source);
  const time = live === undefined ? as_of : confirmedAt(live, [name], facts);
  const ms = time === null ? Number.NaN : Date.parse(time);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** When all offers of some providers of a source were last confirmed; null if never. */
export function confirmedAt(
  { checked_at }: StoredSource,
  providers: readonly string[],
  { oldParts }: SourceFacts,
): string | null {
  const old = oldParts.filter(({ provider }) => providers.includes(provider)).map(({ checkedAt }) => checkedAt);
  return old.sort()[0] ?? checked_at;
}
