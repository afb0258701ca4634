import { createHash } from "node:crypto";
import { reasonOf } from "@gpu-offers/domain";
import { sql } from "kysely";
import * as z from "zod";
import { AccountStore } from "./account.store.js";
import { batchesOf, countRows, kindOf, lastNumber, readSnapshot, type Database } from "./database.js";
import { listMigrations } from "./migrations.js";
import type { Tables } from "./tables.js";

// Copies all data to another database of either kind, and compares both afterwards.

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
  { name: "gone_offer", key: ["id"] },
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
  { name: "price_step", key: ["name", "step", "period"] },
  { name: "offer_stock", key: ["offer_id"] },
  { name: "gpu_stock", key: ["provider", "gpu_slug", "gpu_count", "region"] },
  { name: "account", key: ["id"] },
  { name: "api_key", key: ["id"] },
  { name: "ledger_entry", key: ["id"], number: "id" },
];

/** Columns with values above 2^53, which are copied as text. */
const AMOUNTS: ReadonlySet<string> = new Set(["amount_e4", "balance_e4"]);

type Row = Readonly<Record<string, unknown>>;

/** Content of a table; the hash is over all columns of all rows in key order. */
export const tableDigestSchema = z.strictObject({
  table: z.string(),
  rows: z.int(),
  sha256: z.string().describe("hash of all rows, equal in both databases"),
  last_number: z.int().optional().describe("last assigned row number, in tables with numbered rows"),
});
type TableDigest = z.output<typeof tableDigestSchema>;

/** Content of both databases after a copy. */
export interface CopyReport {
  tables: TableDigest[];
  /** Number of accounts, whose balances are the same in both. */
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
        const accounts = await new AccountStore(target).list();
        const balanceE4 = accounts.reduce((sum, account) => sum + account.balanceE4, 0n);
        return { tables, accounts: accounts.length, balanceE4 };
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
  const filled: string[] = [];
  for (const { name } of TABLES) {
    const count = await countRows(target.selectFrom(name));
    filled.push(...(count > 0 ? [`${count} in ${name}`] : []));
  }
  if (filled.length > 0) {
    throw new DatabaseCopyError(`the target is not empty. These tables have rows: ${filled.join(", ")}.`);
  }
}

/** Copies a table. Returns the content that was read. */
async function copyTable(source: Database, target: Database, table: CopiedTable): Promise<TableDigest> {
  const columns = await listColumns(target, table);
  const reader = new TableReader(source, table, columns);
  for await (const rows of batchesOf(reader.rows())) {
    await insertRows(target, table, columns, rows).catch((error: unknown) => {
      throw new DatabaseCopyError(`${table.name} cannot be written: ${reasonOf(error)}.`, { cause: error });
    });
  }
  const read = await reader.digest();
  if (table.number !== undefined && read.last_number !== undefined && read.last_number > 0) {
    // The number that was read: PostgreSQL's sequences are not part of the snapshot and may have advanced.
    for (const statement of kindOf(target).continueAfter(table.name, table.number, read.last_number)) {
      await statement.execute(target);
    }
  }
  return read;
}

async function digestTable(database: Database, table: CopiedTable): Promise<TableDigest> {
  const reader = new TableReader(database, table, await listColumns(database, table));
  for await (const _ of reader.rows()) {
    // Reading counts and hashes the rows.
  }
  return reader.digest();
}

/** Read from the database, so that no column can be forgotten. */
async function listColumns(database: Database, { name }: CopiedTable): Promise<string[]> {
  const tables = await database.introspection.getTables();
  return (tables.find((table) => table.name === name)?.columns ?? []).map((column) => column.name).sort();
}

/** Reads the rows of a table by their key, and counts and hashes them. */
class TableReader {
  readonly #hash = createHash("sha256");
  #rows = 0;

  constructor(
    private readonly database: Database,
    private readonly table: CopiedTable,
    private readonly columns: readonly string[],
  ) {}

  async *rows(): AsyncGenerator<Row> {
    const { database, table, columns } = this;
    const read = columns.map((column) =>
      (AMOUNTS.has(column) ? sql`cast(${sql.ref(column)} as text)` : sql`${sql.ref(column)}`).as(column),
    );
    const rows: AsyncIterable<Row> = database
      .selectFrom(table.name)
      .select(read)
      .orderBy(sql.join(table.key.map((column) => sql.ref(column))))
      .stream();
    for await (const row of rows) {
      this.#hash.update(`${JSON.stringify(columns.map((column) => row[column]))}\n`);
      this.#rows++;
      yield row;
    }
  }

  async digest(): Promise<TableDigest> {
    const { name, number } = this.table;
    const digest = { table: name, rows: this.#rows, sha256: this.#hash.digest("hex") };
    return number === undefined ? digest : { ...digest, last_number: await lastNumber(this.database, name, number) };
  }
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
