import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { sql, type RawBuilder } from "kysely";
import { describe, expect, test } from "vitest";
import type { Database } from "@gpu-offers/store/database";
import type { CheckResult } from "@gpu-offers/store/verification";
import type { TestAccount } from "@gpu-offers/testkit/accounts";
import { databasesOfSuite } from "@gpu-offers/testkit/databases";
import { addCredit, makeAccount } from "@gpu-offers/store/test/accounts";
import { storeCatalog } from "@gpu-offers/store/test/catalogs";
import { open } from "@gpu-offers/store/test/databases";
import { nativeImage, nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { admin } from "./in-process.ts";

interface Verification {
  code: number | null;
  stderr: string;
  ok: boolean;
  checks: CheckResult[];
}

async function verify(database: string): Promise<Verification> {
  const { code, stdout, stderr } = await admin(database, "verify", "--json");
  return { code, stderr, ...(JSON.parse(stdout) as Pick<Verification, "ok" | "checks">) };
}

/** Creates a database with some of everything. */
async function fill(database: string): Promise<TestAccount> {
  const images = [nativeImage("ubuntu", { isDefault: true }), nativeImage("debian")];
  await storeCatalog(database, nativeRows(12), images);
  const account = await makeAccount(database);
  for (const reference of ["a", "b"]) {
    await addCredit(database, account.id, "5", reference);
  }
  return account;
}

describe.each(databasesOfSuite)("verify on $kind", ({ kind, create }) => {
  /** Makes a change that the database would normally reject, on one connection. */
  const harm = (database: Database, statement: RawBuilder<unknown>): Promise<void> =>
    database.connection().execute(async (connection) => {
      const isSqlite = kind === "SQLite";
      await (isSqlite ? sql`pragma foreign_keys = off` : sql`set session_replication_role = replica`).execute(
        connection,
      );
      const triggers = isSqlite ? await dropTriggers(connection) : [];
      await statement.execute(connection);
      for (const trigger of triggers) {
        await sql.raw(trigger).execute(connection);
      }
      await (isSqlite ? sql`pragma foreign_keys = on` : sql`set session_replication_role = origin`).execute(connection);
    });

  test("finds no problem in sound data, and lists what it checked", async () => {
    const database = await create();
    await fill(database);
    const { code, stdout, stderr } = await admin(database, "verify");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.trimEnd().split("\n")).toEqual([
      "ok      database        21 checked",
      "ok      accounts        1 checked",
      "ok      API keys        1 checked",
      "ok      ledger entries  2 checked",
      "ok      balances        1 checked",
      "ok      providers       1 checked",
      "ok      offers          12 checked",
      "ok      images          2 checked",
    ]);
    expect(await verify(database)).toMatchObject({ code: 0, ok: true });
  });

  test("accepts an empty database", async () => {
    const database = await create();
    await open(database);
    expect(await verify(database)).toMatchObject({ code: 0, ok: true });
  });

  test("reports every change made behind the service's back", { timeout: 120_000 }, async () => {
    const database = await create();
    const { id, email } = await fill(database);
    const store = await open(database);
    const harms: [check: string, statement: RawBuilder<unknown>, told: RegExp][] = [
      [
        "offers",
        sql`update offer set body = '{' where id = (select min(id) from offer)`,
        /^offer \S+: its body is not JSON$/,
      ],
      [
        "offers",
        sql`update offer set price_hourly = 9 where id = (select max(id) from offer)`,
        /^offer \S+: its column price_hourly is 9, its body says 1\.\d+$/,
      ],
      [
        "offers",
        sql`update offer set body = replace(body, '"gpuCount":1', '"gpuCount":0') where price_hourly = 1.05`,
        /^offer \S+: gpuCount /,
      ],
      [
        "offers",
        sql`insert into offer (id, provider, gpu_slug, continent, gpu_count, price_hourly, price_per_gpu, body)
            select 'x', 'acme', gpu_slug, continent, gpu_count, price_hourly, price_per_gpu, body
            from offer where price_hourly = 1.07`,
        /^rows of offer with the missing provider acme: 1$/,
      ],
      [
        "images",
        sql`update os_image set body = replace(body, '"isDefault":true', '"isDefault":false')`,
        /^provider fjord has 0 default images, not one$/,
      ],
      [
        "images",
        sql`update os_image set instance_types = '{}' where id = 'debian'`,
        /^image debian of fjord: its instance types are not a list of strings$/,
      ],
      ["providers", sql`update provider set type = 'balloon'`, /^provider fjord: type /],
      ["accounts", sql`update account set created_at = 'today'`, /^account \S+: created_at /],
      [
        "accounts",
        sql`update account set email_key = 'x'`,
        new RegExp(`^account ${id}: ${email} would be looked up as x$`),
      ],
      ["API keys", sql`update api_key set hash = 'gpo_x'`, /^key \S+: its hash is not a SHA-256 hash$/],
      [
        "ledger entries",
        sql`update ledger_entry set balance_e4 = 50001 where reference = 'a'`,
        new RegExp(`^entry \\d+ \\(a\\) has the balance 5\\.0001 USD for account ${id}, not 5\\.0000$`),
      ],
      [
        "balances",
        sql`update ledger_entry set balance_e4 = 100001 where reference = 'b'`,
        new RegExp(`^account ${id} has 10\\.0001 USD, but its entries add up to 10\\.0000 USD$`),
      ],
      [
        "balances",
        sql`insert into ledger_entry (account_id, reference, amount_e4, balance_e4, note, created_at)
            values (${id}, 'stolen', -100001, -1, '', '')`,
        new RegExp(`^account ${id} has -0\\.0001 USD$`),
      ],
      ["ledger entries", sql`select 1`, /^entry \d+ \(stolen\) took account \S+ to -0\.0001 USD$/],
      [
        "ledger entries",
        sql`insert into ledger_entry (account_id, reference, amount_e4, balance_e4, note, created_at)
            values ('ghost', 'a', 1, 1, '', '')`,
        /^rows of ledger_entry with the missing account ghost: 1$/,
      ],
      [
        "database",
        kind === "SQLite"
          ? sql`drop trigger ledger_entry_no_update`
          : sql`alter table ledger_entry disable trigger ledger_entry_no_change`,
        /^ledger_entry has lost the trigger ledger_entry_no_(?:update|change), so entries could be changed$/,
      ],
      [
        "database",
        kind === "SQLite"
          ? sql`drop trigger ledger_entry_follows`
          : sql`alter table ledger_entry disable trigger ledger_entry_follows`,
        /^ledger_entry has lost the trigger ledger_entry_follows, so balances could be wrong$/,
      ],
    ];
    // One command finds the first harm of each check, the next one the second harm of each check, and so on.
    const rounds = Object.groupBy(
      harms,
      ([check], index) => harms.slice(0, index).filter(([earlier]) => earlier === check).length,
    );
    for (const round of Object.values(rounds)) {
      for (const [check, statement] of round ?? []) {
        // The database does not protect the triggers themselves.
        await (check === "database" ? statement.execute(store) : harm(store, statement));
      }
      const { code, ok, checks, stderr } = await verify(database);
      expect([code, ok]).toEqual([1, false]);
      expect(stderr).toMatch(/^gpu-offers-admin: \d+ problems? in [^\n]+\.\n$/);
      for (const [check, , told] of round ?? []) {
        expect(stderr).toContain(check);
        const found = checks.find((result) => result.check === check);
        expect(found?.first).toContainEqual(expect.stringMatching(told));
      }
      // Each problem remains; this makes room for the next in the list of examples.
      await harm(store, sql`delete from offer where id = 'x' or body = '{'`);
      await harm(store, sql`delete from os_image`);
      await harm(
        store,
        sql`insert into os_image (provider, id, body, instance_types) values
          ('fjord', 'debian', ${JSON.stringify(nativeImage("debian", { isDefault: true }))}, '[]')`,
      );
    }
    const { stdout } = await admin(database, "verify");
    expect(stdout).toMatch(/^FAILED {2}database {8}21 checked, \d problems\n {10}/);
  });

  test("changes nothing", async () => {
    const database = await create();
    await fill(database);
    const store = await open(database);
    const content = async () =>
      JSON.stringify([
        await store.selectFrom("offer").selectAll().orderBy("id").execute(),
        await store.selectFrom("catalog_revision").selectAll().execute(),
        await store.selectFrom("api_key").selectAll().execute(),
      ]);
    const before = await content();
    await verify(database);
    expect(await content()).toBe(before);
  });
});

/** Drops SQLite's ledger triggers, and returns the statements that recreate them. */
async function dropTriggers(connection: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string; sql: string }>`
    select name, sql from sqlite_master where type = 'trigger' and tbl_name = 'ledger_entry'`.execute(connection);
  for (const { name } of rows) {
    await sql`drop trigger ${sql.id(name)}`.execute(connection);
  }
  return rows.map((row) => row.sql);
}

test("an SQLite file with damaged pages is reported in a readable message", async () => {
  const path = tempDatabase();
  await storeCatalog(path, nativeRows(2_000));
  const size = statSync(path).size;
  const file = openSync(path, "r+");
  for (let position = 200_000; position < size; position += 100_000) {
    writeSync(file, Buffer.alloc(3_000, 0xa5), 0, 3_000, position);
  }
  closeSync(file);
  const { code, stdout, stderr } = await admin(path, "verify");
  expect(code).toBe(1);
  expect(`${stdout}${stderr}`).toMatch(/FAILED {2}database|malformed/);
  expect(stderr).toMatch(/^gpu-offers-admin: [^\n]+\n$/);
});
