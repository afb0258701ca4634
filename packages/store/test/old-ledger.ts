import { sql } from "kysely";
import type { Database } from "../src/database.ts";
import type { DatabaseKind } from "@gpu-offers/testkit/databases";

// Ledgers as left by versions before migration 003: their entries have no balance.

/** What later migrations added to the tables of 001; new tables are simply dropped. */
const LATER_COLUMNS = [
  ["provider", "source"],
  ["provider", "imported_at"],
  ["offer", "scope"],
  ["offer", "listing"],
  ["provider", "facts_version"],
  ["provider", "is_sample"],
  ["os_image", "source"],
] as const;

const LATER_TABLES = [
  "live_source",
  "live_quarantine",
  "live_response",
  "offer_change",
  "offer_base",
  "offer_base_mark",
  "source_run",
  "backup",
  "observation",
  "market_point",
  "price_step",
  "offer_stock",
  "gone_offer",
  "gpu_stock",
];

/** Removes the balances from a database's tables, as if 003 and later migrations had never run. */
export async function withoutBalances(database: Database, kind: DatabaseKind["kind"]): Promise<void> {
  const isSqlite = kind === "SQLite";
  for (const statement of [
    ...LATER_TABLES.map((table) => `drop table ${table}`),
    ...(isSqlite ? [] : ["drop function offer_change_refuse()", "drop function offer_change_keep()"]),
    ...LATER_COLUMNS.map(([table, column]) => `alter table ${table} drop column ${column}`),
    isSqlite ? "drop trigger ledger_entry_follows" : "drop trigger ledger_entry_follows on ledger_entry",
    ...(isSqlite ? [] : ["drop function ledger_entry_follow()"]),
    "drop index ledger_entry_account",
    "alter table ledger_entry drop column balance_e4",
    "delete from kysely_migration where name >= '003'",
  ]) {
    await sql.raw(statement).execute(database);
  }
}
