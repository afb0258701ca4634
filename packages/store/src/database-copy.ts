import { createHash, type Hash } from "node:crypto";
import { formatAmount, reasonOf } from "@gpu-offers/domain";
import { sql } from "kysely";
import { kindOf, lastNumber, readSnapshot, type Database } from "./database.js";
import { CreditStore } from "./credit.store.js";
import { listMigrations } from "./migrations.js";
import type { Tables } from "./tables.js";

// Copies all data to another database of either kind, and compares both afterwards.

/** A table to copy. */
interface CopiedTable {
  name: Exclude<keyof Tables, "staged_offer">;
  /** Its primary key. Text sorts by code point in both kinds of database. */
  key: readonly string[];
  /** Set for tables with numbered rows. */
  number?: string;
}

/** All tables, referenced ones first. */
const TABLES: readonly CopiedTable[] = [
  { name: "catalog_revision", key: ["revision"], number: "revision" },
  { name: "provider", key: ["name"] },
  { name: "os_image", key: ["provider", "id"] },
  { name: "offer", key: ["id"] },
  { name: "live_source", key: ["name"] },
  { name: "live_quarantine", key: ["source"] },
  { name: "live_response", key: ["source", "request"] },
  { name: "source_run", key: ["source", "at"] },
  { name: "backup", key: ["at"] },
  { name: "offer_base_mark", key: ["id"] },
  { name: "offer_base", key: ["id"] },
  { name: "offer_change", key: ["id"], number: "id" },
  { name: "observation", key: ["id"], number: "id" },
  { name: "market_point", key: ["gpu_slug", "step", "period"] },
  { name: "offer_stock", key: ["offer_id"] },
  { name: "gpu_stock", key: ["provider", "gpu_slug", "gpu_count", "region"] },
  { name: "account", key: ["id"] },
  { name: "api_key", key: ["id"] },
  { name: "ledger_entry", key: ["id"], number: "id" },
];

/** Columns with values above 2^53, which are copied as text. */
const AMOUNTS: ReadonlySet<string> = new Set(["amount_e4", "balance_e4"]);

const ROWS_A_BATCH = 500;

type Row = Readonly<Record<string, unknown>>;

/** Content of a table: the number of rows, and a hash over all columns of all rows in key order. */
export interface TableDigest {
  table: string;
  rows: number;
  sha256: string;
  /** The last assigned row number, in tables with numbered rows. */
  lastNumber?: number;
}

/** Content of both databases after a copy. */
export interface CopyReport {
  tables: TableDigest[];
  /** Number of accounts, whose balances were compared. */
  accounts: number;
  /** Sum of all balances in ten-thousandths of a dollar. */
  balanceE4: bigint;
}

/** The copy failed. The target is unchanged. */
export class DatabaseCopyError extends Error {
  override readonly name = "DatabaseCopyError";
}

/**
 * Copies all tables in one transaction and verifies the copy.
 * @throws DatabaseCopyError if the versions differ, the target isn't empty, or the copy differs.
 */
export async function copyDatabase(from: Database, to: Database): Promise<CopyReport> {
  await checkVersions(from, to);
  return readSnapshot(from, (source) =>
    to
      .transaction()
      .setIsolationLevel("read committed")
      .execute(async (target) => {
        for (const { name } of TABLES) {
          await kindOf(target).lockForWriting(target, name);
        }
        await checkEmpty(target);
        const tables: TableDigest[] = [];
        for (const table of TABLES) {
          const read = await copyTable(source, target, table);
          const arrived = await digestTable(target, table);
          if (JSON.stringify(read) !== JSON.stringify(arrived)) {
            throw new DatabaseCopyError(
              `the copy of table ${table.name} differs from the source: ${arrived.rows} of ${read.rows} rows were copied.`,
            );
          }
          tables.push(arrived);
        }
        return { tables, ...(await compareBalances(source, target)) };
      }),
  );
}

async function checkVersions(from: Database, to: Database): Promise<void> {
  const [source, target] = [await listMigrations(from), await listMigrations(to)];
  if (source.join() !== target.join()) {
    throw new DatabaseCopyError(
      `the source database is at migration ${source.at(-1)}, but this version needs ${target.at(-1)}. Run any other command on it to migrate it.`,
    );
  }
}

async function checkEmpty(target: Database): Promise<void> {
  const counts = await Promise.all(
    TABLES.map(async ({ name }) => {
      const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(target);
      return { name, count: Number(rows[0]?.count) };
    }),
  );
  const filled = counts.filter(({ count }) => count > 0).map(({ name, count }) => `${count} in ${name}`);
  if (filled.length > 0) {
    throw new DatabaseCopyError(`the target is not empty. These tables have rows: ${filled.join(", ")}.`);
  }
}

/** Copies a table. Returns the content that was read. */
async function copyTable(source: Database, target: Database, table: CopiedTable): Promise<TableDigest> {
  const columns = await listColumns(target, table);
  const digest = new RowDigest();
  let batch: Row[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0) {
      await insertRows(target, table, columns, batch).catch((error: unknown) => {
        throw new DatabaseCopyError(`${table.name} cannot be written: ${reasonOf(error)}.`, { cause: error });
      });
      batch = [];
    }
  };
  for await (const row of streamRows(source, table, columns)) {
    digest.add(columns, row);
    batch.push(row);
    if (batch.length >= ROWS_A_BATCH) {
      await flush();
    }
  }
  await flush();
  const read = await digest.end(source, table);
  if (table.number !== undefined && read.lastNumber !== undefined && read.lastNumber > 0) {
    // The number that was read: PostgreSQL's sequences are not part of the snapshot and may have advanced.
    for (const statement of kindOf(target).continueAfter(table.name, table.number, read.lastNumber)) {
      await statement.execute(target);
    }
  }
  return read;
}

async function digestTable(database: Database, table: CopiedTable): Promise<TableDigest> {
  const columns = await listColumns(database, table);
  const digest = new RowDigest();
  for await (const row of streamRows(database, table, columns)) {
    digest.add(columns, row);
  }
  return digest.end(database, table);
}

/** Read from the database, so that no column can be forgotten. */
async function listColumns(database: Database, { name }: CopiedTable): Promise<string[]> {
  const tables = await database.introspection.getTables();
  const columns = tables.find((table) => table.name === name)?.columns ?? [];
  return columns.map((column) => column.name).sort();
}

function streamRows(database: Database, { name, key }: CopiedTable, columns: readonly string[]): AsyncIterable<Row> {
  return database
    .selectFrom(name)
    .select(
      columns.map((column) =>
        (AMOUNTS.has(column) ? sql`cast(${sql.ref(column)} as text)` : sql`${sql.ref(column)}`).as(column),
      ),
    )
    .orderBy(sql.join(key.map((column) => sql.ref(column))))
    .stream();
}

async function insertRows(
  target: Database,
  { name }: CopiedTable,
  columns: readonly string[],
  rows: readonly Row[],
): Promise<void> {
  const toValue = (column: string, value: unknown): unknown => (AMOUNTS.has(column) ? BigInt(String(value)) : value);
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => toValue(column, row[column])))})`);
  const names = sql.join(columns.map((column) => sql.ref(column)));
  await sql`insert into ${sql.table(name)} (${names}) values ${sql.join(values)}`.execute(target);
}

/** Counts and hashes rows in the given order. */
class RowDigest {
  readonly #hash: Hash = createHash("sha256");
  #rows = 0;

  add(columns: readonly string[], row: Row): void {
    this.#hash.update(`${JSON.stringify(columns.map((column) => row[column]))}\n`);
    this.#rows++;
  }

  async end(database: Database, { name, number }: CopiedTable): Promise<TableDigest> {
    const digest = { table: name, rows: this.#rows, sha256: this.#hash.digest("hex") };
    return number === undefined ? digest : { ...digest, lastNumber: await lastNumber(database, name, number) };
  }
}

async function compareBalances(
  source: Database,
  target: Database,
): Promise<Pick<CopyReport, "accounts" | "balanceE4">> {
  const accounts = await source.selectFrom("account").select(["id", "email"]).orderBy("id").execute();
  let balanceE4 = 0n;
  for (const { id, email } of accounts) {
    const [before, after] = [
      await new CreditStore(source).getBalance(id),
      await new CreditStore(target).getBalance(id),
    ];
    if (before !== after) {
      throw new DatabaseCopyError(
        `the balance of ${email} is ${formatAmount(after)} USD in the copy, but ${formatAmount(before)} USD in the source.`,
      );
    }
    balanceE4 += after;
  }
  return { accounts: accounts.length, balanceE4 };
}
