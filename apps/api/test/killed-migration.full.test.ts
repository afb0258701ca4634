import { statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { pathOf } from "@gpu-offers/store/database-url";
import { openDatabase, type Database } from "@gpu-offers/store/database";
import { AccountStore } from "@gpu-offers/store/account.store";
import { CreditStore } from "@gpu-offers/store/credit.store";
import { admin, startAdmin } from "@gpu-offers/testkit/admin";
import { databases, type DatabaseKind } from "@gpu-offers/testkit/databases";
import { open } from "@gpu-offers/store/test/databases";
import { withoutBalances } from "@gpu-offers/store/test/old-ledger";

// Kills processes in the middle of migration 003, which writes every row of the ledger.

const ACCOUNTS = 10;
const ENTRIES_EACH = 20_000;

/** Moments to kill at: bytes written to SQLite's log, or PostgreSQL's current statement. */
const moments: Record<DatabaseKind["kind"], readonly (number | string)[]> = {
  SQLite: [1, 3_000_000],
  PostgreSQL: ["update ledger_entry", "create index"],
};

/**
 * Adds accounts with the given number of entries each to a database without balances: 3, -1, 3, -1 and so on.
 * @returns the accounts' ids.
 */
async function fillOldLedger(database: Database, accounts: number, entriesEach: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < accounts; number++) {
    const id =
      (await new AccountStore(database).create({ email: `${number}@example.com`, displayName: "Ada" }))?.id ?? "";
    await sql`
      insert into ledger_entry (account_id, reference, amount_e4, note, created_at)
      with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${sql.lit(entriesEach)})
      select ${sql.lit(id)}, 'r' || number, case number % 2 when 1 then 3 else -1 end, '', '2026-01-01T00:00:00.000Z'
      from numbers`.execute(database);
    ids.push(id);
  }
  return ids;
}

describe.each(databases)("a process killed while it adds balances to a ledger in $kind", ({ kind, create }) => {
  /** Whether the moment has come. */
  async function hasCome(moment: number | string, url: string, observer: Database): Promise<boolean> {
    if (typeof moment === "number") {
      return (statSync(`${pathOf(url)}-wal`, { throwIfNoEntry: false })?.size ?? 0) >= moment;
    }
    const { rows } = await sql`
      select 1 from pg_stat_activity
      where datname = current_database() and state = 'active' and pid <> pg_backend_pid()
        and ltrim(query, E' \n') ilike ${`${moment}%`}`.execute(observer);
    return rows.length > 0;
  }

  /** Starts a command and kills it at a moment; false if it ended first. */
  async function killAt(moment: number | string, url: string, observer: Database): Promise<boolean> {
    const running = startAdmin(url, ["account", "list"]);
    while (running.child.exitCode === null) {
      if (await hasCome(moment, url, observer)) {
        running.child.kill("SIGKILL");
        break;
      }
      await delay(1);
    }
    return (await running.ended).signal === "SIGKILL";
  }

  /** Whether the tables are fully migrated; otherwise they must be fully unmigrated. */
  async function isAfter(url: string): Promise<boolean> {
    // Not read-only: after a kill, SQLite has to recover its log.
    const database = await openDatabase(url, kind === "SQLite" ? { isServing: true } : { isReader: true });
    try {
      const tables = await database.introspection.getTables();
      const columns = tables.find(({ name }) => name === "ledger_entry")?.columns.map(({ name }) => name) ?? [];
      const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database);
      const isListed = rows.some(({ name }) => name === "003-running-balance");
      expect(columns.includes("balance_e4")).toBe(isListed);
      await expect(sql`update ledger_entry set note = 'changed'`.execute(database)).rejects.toThrow("append-only");
      expect([...(await new CreditStore(database).sumByAccount()).values()]).toEqual(
        Array.from({ length: ACCOUNTS }, () => BigInt(ENTRIES_EACH)),
      );
      return isListed;
    } finally {
      await database.destroy();
    }
  }

  test(
    "leaves it fully unmigrated or fully migrated, and the next start completes it",
    { timeout: 180_000 },
    async () => {
      const url = await create();
      const old = await openDatabase(url);
      await withoutBalances(old, kind);
      const ids = await fillOldLedger(old, ACCOUNTS, ENTRIES_EACH);
      // Closing empties SQLite's log.
      await old.destroy();
      const observer = await open(kind === "SQLite" ? await create() : url, { isReader: kind === "PostgreSQL" });
      let before = 0;
      for (const moment of moments[kind]) {
        const wasKilled = await killAt(moment, url, observer);
        const after = await isAfter(url);
        before += wasKilled && !after ? 1 : 0;
        if (after) {
          break;
        }
      }
      expect(before).toBeGreaterThan(0);

      const database = await open(url);
      expect(await isAfter(url)).toBe(true);
      expect(await admin(url, "verify")).toMatchObject({ code: 0, stderr: "" });
      for (const id of ids) {
        expect(await new CreditStore(database).getBalance(id)).toBe(BigInt(ENTRIES_EACH));
      }
    },
  );
});
