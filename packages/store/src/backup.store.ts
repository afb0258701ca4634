import type { Selectable } from "kysely";
import type { Database } from "./database.js";
import type { Tables } from "./tables.js";

// The record of verified backups. It tells when the last one was made, and how the database grows.

/** A verified backup. */
export type BackupRecord = Selectable<Tables["backup"]>;

/** Milliseconds for which backups stay in the record. */
const KEPT_MS = 35 * 86_400_000;

/** Milliseconds over which growth is measured, and the minimum that says anything. */
const GROWTH_MS = 7 * 86_400_000;
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

/** The last verified backup; undefined if there is none. */
export function findLastBackup(database: Database): Promise<BackupRecord | undefined> {
  return database.selectFrom("backup").selectAll().orderBy("at", "desc").limit(1).executeTakeFirst();
}

/** Growth of the database in bytes a day since a backup of the last week; undefined if none is half a day old. */
export async function findGrowth(database: Database, bytes: number, nowMs: number): Promise<number | undefined> {
  const first = await database
    .selectFrom("backup")
    .select(["at", "database_bytes"])
    .where("at", ">=", new Date(nowMs - GROWTH_MS).toISOString())
    .orderBy("at")
    .limit(1)
    .executeTakeFirst();
  const ms = first === undefined ? 0 : nowMs - Date.parse(first.at);
  return first === undefined || ms < LEAST_GROWTH_MS ? undefined : ((bytes - first.database_bytes) * 86_400_000) / ms;
}
