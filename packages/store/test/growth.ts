import { sql } from "kysely";
import { databaseBytes, kindOf, type Database } from "../src/database.ts";

/** The bytes of what is gone, and of everything after unused space was reclaimed, as the databases do by themselves. */
export async function measureGrowth(database: Database): Promise<{ bytes: number; goneBytes: number; gone: number }> {
  const isSqlite = kindOf(database).name === "sqlite";
  await (isSqlite ? sql`pragma wal_checkpoint(truncate)` : sql`vacuum`).execute(database);
  const { rows } = await sql<Record<"gone" | "bytes", number | string>>`select count(*) as gone,
    coalesce(sum(length(body) + length(coalesce(listing, ''))), 0) as bytes from gone_offer`.execute(database);
  const [{ gone, bytes: texts } = { gone: 0, bytes: 0 }] = rows;
  const size = await (isSqlite
    ? undefined
    : sql<{ bytes: string }>`select pg_total_relation_size('gone_offer') as bytes`.execute(database));
  return { bytes: await databaseBytes(database), goneBytes: Number(size?.rows[0]?.bytes ?? texts), gone: Number(gone) };
}
