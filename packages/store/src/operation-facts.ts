import * as z from "zod";
import { stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { sql, type Selectable } from "kysely";
import { findRevision } from "./catalog.store.js";
import { databaseBytes, type Database } from "./database.js";
import { isSqlite, pathOf } from "./database-url.js";
import { readSourceFacts } from "./source-facts.js";
import { describeSource, isOverdue } from "./source-status.js";
import type { Tables } from "./tables.js";

// What an operator must know about an installation, read from small tables and the disk. The rules that judge it are in
// operation-findings.ts; the command `doctor` and the metrics show both.

const DAY_MS = 86_400_000;

/** The facts at one point in time, as `doctor --json` prints them. */
export const operationFactsSchema = z.strictObject({
  at: z.iso.datetime(),
  catalog: z.strictObject({ revision: z.int(), created_at: z.string() }).nullable(),
  installed_at: z.string().nullable().describe("time of the first catalog"),
  database_bytes: z.int(),
  bytes_a_day: z.int().nullable().describe("growth since a backup of the last week"),
  disk_free_bytes: z.int().nullable().describe("null for PostgreSQL"),
  memory: z.strictObject({ used_bytes: z.int(), limit_bytes: z.int() }).nullable().describe("of the service"),
  backup: z
    .strictObject({ at: z.string(), bytes: z.int(), database_bytes: z.int(), place: z.string() })
    .nullable()
    .describe("the last verified one"),
  keys_expire: z.array(z.string()).describe("within 7 days, of keys that were used in the last 7"),
  sources: z
    .array(
      z.strictObject({
        name: z.string(),
        state: z.string(),
        error: z.string().nullable(),
        is_overdue: z.boolean(),
        runs: z.int().describe("in the last 24 hours"),
        good_runs: z.int(),
        failing_since: z.string().nullable(),
        checked_at: z.string().nullable(),
        changed_at: z.string().nullable(),
        rentable: z.int().describe("offers that can be rented"),
      }),
    )
    .describe("enabled live sources"),
});

/** The facts at one point in time. */
export type OperationFacts = z.output<typeof operationFactsSchema>;

/** What the database doesn't know. */
interface Surroundings {
  url: string;
  memory: OperationFacts["memory"];
  rentable: ReadonlyMap<string, number>;
  /** Milliseconds since 1970; by default now. */
  nowMs?: number;
}

export async function readOperationFacts(
  database: Database,
  { url, memory, rentable, nowMs = Date.now() }: Surroundings,
): Promise<OperationFacts> {
  const bytes = await databaseBytes(database);
  const current = await findRevision(database);
  const first = await findRevision(database, "first");
  const disk = isSqlite(url) ? await statfs(dirname(pathOf(url))) : null;
  const growth = await findGrowth(database, bytes, nowMs);
  return {
    at: new Date(nowMs).toISOString(),
    catalog: current === undefined ? null : { revision: current.revision, created_at: current.created_at },
    installed_at: first?.created_at ?? null,
    database_bytes: bytes,
    bytes_a_day: growth === undefined ? null : Math.round(growth),
    disk_free_bytes: disk === null ? null : disk.bavail * disk.bsize,
    memory,
    backup: (await findLastBackup(database)) ?? null,
    keys_expire: await listExpiries(database, nowMs),
    sources: await readSources(database, rentable, nowMs),
  };
}

async function readSources(
  database: Database,
  rentable: Surroundings["rentable"],
  nowMs: number,
): Promise<OperationFacts["sources"]> {
  const facts = await readSourceFacts(database);
  const runs = new Map((await countRuns(database, nowMs)).map((row) => [row.source, row]));
  return facts.sources
    .filter(({ isEnabled }) => isEnabled)
    .map((stored) => {
      const { name, state, error, providers } = describeSource(stored, facts, new Map(), nowMs);
      const counted = runs.get(name);
      return {
        name,
        // Also if later runs failed.
        state: facts.quarantined.has(name) ? "quarantined" : state,
        error: error?.message ?? null,
        is_overdue: isOverdue(stored, nowMs),
        runs: counted?.runs ?? 0,
        good_runs: counted?.good_runs ?? 0,
        failing_since: counted?.failing_since ?? null,
        checked_at: stored.checked_at,
        changed_at: stored.changed_at,
        rentable: providers.reduce((sum, provider) => sum + (rentable.get(provider) ?? 0), 0),
      };
    });
}

/** Runs in the last 24 hours, and the first that failed since the last good one, at most two days back. */
async function countRuns(database: Database, nowMs: number) {
  const dayAgo = new Date(nowMs - DAY_MS).toISOString();
  const { rows } = await sql<{ source: string; runs: number; good_runs: number; failing_since: string | null }>`
    select run.source, count(*) filter (where run.at > ${dayAgo}) as runs,
      count(*) filter (where run.at > ${dayAgo} and is_good = 1) as good_runs,
      min(run.at) filter (where good.at is null or run.at > good.at) as failing_since
    from source_run as run
      left join (select source, max(at) as at from source_run where is_good = 1 group by source) as good
      on good.source = run.source
    group by run.source`.execute(database);
  return rows;
}

async function listExpiries(database: Database, nowMs: number): Promise<string[]> {
  const inDays = (days: number): string => new Date(nowMs + days * DAY_MS).toISOString();
  const rows = await database
    .selectFrom("api_key")
    .innerJoin("account", "account.id", "api_key.account_id")
    .select("expires_at")
    .where("expires_at", ">", inDays(0))
    .where("expires_at", "<", inDays(7))
    .where("last_used_at", ">", inDays(-7))
    .where("revoked_at", "is", null)
    .where("disabled_at", "is", null)
    .orderBy("expires_at")
    .execute();
  return rows.flatMap(({ expires_at: expiresAt }) => expiresAt ?? []);
}

export type BackupRecord = Selectable<Tables["backup"]>;

/** Milliseconds for which backups stay in the record. */
const KEPT_MS = 35 * DAY_MS;

/** Milliseconds over which growth is measured, and the minimum that says anything. */
const GROWTH_MS = 7 * DAY_MS;
const LEAST_GROWTH_MS = 43_200_000;

/** Records a backup that was verified and is where it should be. */
export async function recordBackup(database: Database, backup: BackupRecord): Promise<void> {
  const oldest = new Date(Date.parse(backup.at) - KEPT_MS).toISOString();
  await database
    .deleteFrom("backup")
    .where((where) => where.or([where("at", "<", oldest), where("at", ">=", backup.at)]))
    .execute();
  await database.insertInto("backup").values(backup).execute();
}

/** The last verified backup that is where it was put, as far as its folder can be seen; undefined if there is none. */
export async function findLastBackup(database: Database): Promise<BackupRecord | undefined> {
  for (const backup of await database.selectFrom("backup").selectAll().orderBy("at", "desc").execute()) {
    const [isThere, hasFolder] = await Promise.all([backup.place, dirname(backup.place)].map(canSee));
    if (isThere === true || hasFolder === false) {
      return backup;
    }
  }
  return undefined;
}

function canSee(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Growth of the database in bytes a day since a backup of the last week; undefined if none is half a day old. */
export async function findGrowth(database: Database, bytes: number, nowMs: number): Promise<number | undefined> {
  const backups = database.selectFrom("backup").where("at", ">=", new Date(nowMs - GROWTH_MS).toISOString());
  const first = await backups.selectAll().orderBy("at").limit(1).executeTakeFirst();
  const ms = first === undefined ? 0 : nowMs - Date.parse(first.at);
  return first === undefined || ms < LEAST_GROWTH_MS ? undefined : ((bytes - first.database_bytes) * DAY_MS) / ms;
}
