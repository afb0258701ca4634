import { providerKey } from "@gpu-offers/domain";
import type { LiveSource } from "@gpu-offers/sources";
import type { Selectable } from "kysely";
import * as z from "zod";
import type { Database } from "./database.js";
import type { Tables } from "./tables.js";

// Stored state of live sources: whether they are enabled, when they are due, who runs them, and how their last run
// ended. It survives restarts, and so do backoff and age.

/** Outcome of a run. Only `applied` changes offers; `unchanged` confirms them. */
export type RunOutcome = "applied" | "unchanged" | "quarantined" | "failed";

const scopeSchema = z.object({ checked_at: z.string().nullable(), error: z.string().nullable() });

/** When a scope was last confirmed, and its last error since. */
export type ScopeState = z.output<typeof scopeSchema>;

export interface StoredSource extends Omit<
  Selectable<Tables["live_source"]>,
  "is_enabled" | "is_stopped" | "outcome" | "notes" | "scopes"
> {
  isEnabled: boolean;
  isStopped: boolean;
  outcome: RunOutcome | null;
  notes: string[];
  scopes: Record<string, ScopeState>;
}

function toSource(stored: Selectable<Tables["live_source"]>): StoredSource {
  const { is_enabled, is_stopped, outcome, notes, scopes, ...row } = stored;
  return {
    ...row,
    isEnabled: is_enabled === 1,
    // Without secrets a source is never stopped; versions before 0.2 did that.
    isStopped: is_stopped === 1 && (row.secrets_mark ?? "") !== "",
    outcome: outcome as RunOutcome | null,
    notes: z.array(z.string()).parse(JSON.parse(notes)),
    scopes: z.record(z.string(), scopeSchema).parse(JSON.parse(scopes)),
  };
}

/** All sources that were ever enabled, by name. */
export async function listStoredSources(database: Database): Promise<StoredSource[]> {
  return (await database.selectFrom("live_source").selectAll().orderBy("name").execute()).map(toSource);
}

/** A source by name; undefined if it was never enabled. */
export async function findStoredSource(database: Database, name: string): Promise<StoredSource | undefined> {
  const row = await database.selectFrom("live_source").selectAll().where("name", "=", name).executeTakeFirst();
  return row && toSource(row);
}

/**
 * The name under which the catalog lists the provider of a source; undefined if it lists none. An import may have named it
 * differently, such as `akamai` for `linode`; a second name would show its old prices beside the new ones.
 */
export async function findListedName(database: Database, source: string): Promise<string | undefined> {
  const rows = await database.selectFrom("provider").select(["name", "source"]).orderBy("name").execute();
  const same = rows.filter((row) => (row.source ?? source) === source && providerKey(row.name) === providerKey(source));
  const listed = same.find((row) => row.source === source) ?? same.find(({ name }) => name === source) ?? same[0];
  return listed?.name;
}

interface StoredSettings {
  intervalSeconds: number;
  staleAfterSeconds: number;
  dropAfterSeconds: number;
}

/** Enables or disables a source, and stores its settings for instances that don't sync. */
export async function saveSource(
  database: Database,
  source: LiveSource,
  settings: StoredSettings,
  isEnabled: boolean,
): Promise<void> {
  const columns = settingColumns(source, settings, isEnabled);
  await database
    .insertInto("live_source")
    .values({ name: source.name, ...columns, ...NEVER_RUN })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(columns))
    .execute();
}

/** A source as it would be stored if it was enabled now. */
export function newSource(source: LiveSource, settings: StoredSettings): StoredSource {
  return toSource({ name: source.name, ...settingColumns(source, settings, true), ...NEVER_RUN });
}

function settingColumns(source: LiveSource, settings: StoredSettings, isEnabled: boolean) {
  return {
    is_enabled: isEnabled ? 1 : 0,
    kind: source.kind,
    stock: source.stock,
    interval_seconds: settings.intervalSeconds,
    stale_after_seconds: settings.staleAfterSeconds,
    drop_after_seconds: settings.dropAfterSeconds,
  };
}

const NEVER_RUN = {
  next_run_at: null,
  lease_owner: null,
  lease_until: null,
  last_run_at: null,
  outcome: null,
  failures: 0,
  is_stopped: 0,
  secrets_mark: null,
  checked_at: null,
  changed_at: null,
  offered_at: null,
  in_stock_at: null,
  empty_since: null,
  error_code: null,
  error_message: null,
  error_at: null,
  notes: "[]",
  scopes: "{}",
};

export async function planRun(database: Database, name: string, nextRunAt: string | null): Promise<void> {
  await database.updateTable("live_source").set({ next_run_at: nextRunAt }).where("name", "=", name).execute();
}

/**
 * Takes or renews the lease of a source. False if another process has it.
 * @param plannedAt `next_run_at` as the caller has read it. If it has changed, another process made the run already.
 * @param now, until ISO 8601 UTC. A lease beyond `until` was written with a fast clock and is ignored.
 */
export async function takeLease(
  database: Database,
  name: string,
  owner: string,
  { now, until, plannedAt }: { now: string; until: string; plannedAt?: string | null | undefined },
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable("live_source")
    .set({ lease_owner: owner, lease_until: until })
    .where("name", "=", name)
    .$if(plannedAt !== undefined, (query) =>
      query.where("next_run_at", plannedAt === null ? "is" : "=", plannedAt ?? null),
    )
    .where((where) =>
      where.or([
        where("lease_until", "is", null),
        where("lease_until", "<=", now),
        where("lease_until", ">", until),
        where("lease_owner", "=", owner),
      ]),
    )
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function releaseLease(database: Database, name: string, owner: string): Promise<void> {
  const leased = database.updateTable("live_source").where("name", "=", name).where("lease_owner", "=", owner);
  await leased.set({ lease_owner: null, lease_until: null }).execute();
}

/** When a source last showed offers. */
export type SeenOffers = Pick<StoredSource, "offered_at" | "in_stock_at" | "empty_since">;

/** What a run changes of its source; what it leaves out stays. */
export interface RunRecord extends Partial<Omit<StoredSource, "isEnabled" | "changed_at">> {
  name: string;
  outcome: RunOutcome;
  last_run_at: string;
  isStopped: boolean;
}

/** Records the outcome of a run, and releases the lease of its owner. */
export async function recordRun(
  database: Database,
  owner: string,
  { name, isStopped, notes, scopes, ...columns }: RunRecord,
): Promise<void> {
  const { outcome, last_run_at: at } = columns;
  const isGood = outcome === "applied" || outcome === "unchanged";
  await database
    .updateTable("live_source")
    .set({
      ...columns,
      is_stopped: isStopped ? 1 : 0,
      changed_at: outcome === "applied" ? columns.checked_at : undefined,
      notes: notes && JSON.stringify(notes),
      scopes: scopes && JSON.stringify(scopes),
    })
    .where("name", "=", name)
    .execute();
  await releaseLease(database, name, owner);
  await logRun(database, { source: name, at, is_good: isGood ? 1 : 0 });
  if (isGood) {
    await database.deleteFrom("live_quarantine").where("source", "=", name).execute();
  }
}

const RUNS_KEPT_MS = 2 * 86_400_000;

/** Logs the end of a run. Runs in the future are those of a clock that was fast. */
async function logRun(database: Database, run: Selectable<Tables["source_run"]>): Promise<void> {
  const oldest = new Date(Date.parse(run.at) - RUNS_KEPT_MS).toISOString();
  await database
    .deleteFrom("source_run")
    .where("source", "=", run.source)
    .where((where) => where.or([where("at", "<", oldest), where("at", ">=", run.at)]))
    .execute();
  await database.insertInto("source_run").values(run).execute();
}
