import { statSync } from "node:fs";
import { Kysely, PostgresAdapter, sql, type Transaction } from "kysely";
import { reasonOf } from "@gpu-offers/domain";
import { DatabaseError, NoDatabaseError } from "./database-error.js";
import type { Database, Kind, OpenOptions } from "./database-kind.js";
import { isSqlite, pathOf, withoutPassword } from "./database-url.js";
import { migrate, migrationNames } from "./migrations.js";
import { POSTGRES } from "./postgres.js";
import { SQLITE } from "./sqlite.js";
import type { Tables } from "./tables.js";

// Opens databases of both kinds. The rest of the store uses Kysely and is independent of the kind.

export type { Database, OpenOptions } from "./database-kind.js";

/**
 * Opens the database of a `DATABASE_URL` and brings its tables up to date, unless `isReader` or `isServing`.
 * @throws DatabaseError with a one-line message for the operator.
 */
export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  const kind = isSqlite(url) ? SQLITE : POSTGRES;
  const name = isSqlite(url) ? pathOf(url) : withoutPassword(url);
  let database: Database | undefined;
  try {
    if (isSqlite(url)) {
      assertFile(name);
      if (options.mustExist === true && !isFilled(name)) {
        throw new NoDatabaseError(name);
      }
    }
    database = new Kysely<Tables>({ dialect: kind.openDialect(url, options) });
    const unsupported = await kind.findUnsupported(database);
    if (unsupported !== undefined) {
      throw new Error(unsupported);
    }
    if (options.mustExist === true && !(await hasTables(database))) {
      throw new NoDatabaseError(name);
    }
    if (options.isReader === true || options.isServing === true) {
      await sql`select 1`.execute(database);
    } else {
      await migrateIfNeeded(database, kind, url);
    }
    return database;
  } catch (error) {
    await database?.destroy();
    if (error instanceof NoDatabaseError) {
      throw error;
    }
    throw new DatabaseError(`cannot open the database ${name}: ${reasonOf(error)}`, { cause: error });
  }
}

/** Migrates on connections of its own, whose statements may take any time, if there is anything to do. */
async function migrateIfNeeded(database: Database, kind: Kind, url: string): Promise<void> {
  const { missing, unknown } = await compareMigrations(database).catch(() => ({ missing: [""], unknown: [] }));
  if (missing.length === 0 && unknown.length === 0) {
    return;
  }
  const migrating = new Kysely<Tables>({ dialect: kind.openDialect(url, { isMigrating: true }) });
  try {
    await migrate(migrating, kind);
  } finally {
    await migrating.destroy();
  }
}

/** SQLite's own message would be a disk I/O error. */
function assertFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === false) {
    throw new Error(found.isDirectory() ? "it is a directory. Name a file in it." : "it is not a regular file.");
  }
}

/** Whether the file exists and isn't empty. */
function isFilled(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

async function hasTables(database: Database): Promise<boolean> {
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  return tables.some(({ name }) => name === "kysely_migration");
}

/** Runs all queries of `read` on one consistent snapshot of the database. */
export function readSnapshot<Result>(
  database: Database,
  read: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  return database.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(read);
}

/** The names of the applied migrations, in order. */
export async function listMigrations(database: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database);
  return rows.map(({ name }) => name).sort();
}

/** This version's migrations that aren't applied yet, and applied ones that this version doesn't have. */
export async function compareMigrations(database: Database): Promise<{ missing: string[]; unknown: string[] }> {
  const [known, had] = [migrationNames(), await listMigrations(database)];
  return {
    missing: known.filter((name) => !had.includes(name)),
    unknown: had.filter((name) => !known.includes(name)),
  };
}

/** How this kind of database reads and makes JSON. */
export function jsonOf(database: Database): Pick<Kind, "textInJson" | "collectJson" | "collectObject" | "withField"> {
  return kindOf(database);
}

function kindOf(database: Database): Kind {
  return database.getExecutor().adapter instanceof PostgresAdapter ? POSTGRES : SQLITE;
}

/** Locks a table against other writers, but not readers, until the transaction ends. */
export async function lockForWriting(transaction: Transaction<Tables>, table: keyof Tables): Promise<void> {
  await kindOf(transaction).lockForWriting(transaction, table);
}

/** Locks an account's ledger against other writers, but not readers, until the transaction ends. */
export async function lockLedgerOf(transaction: Transaction<Tables>, accountId: string): Promise<void> {
  await kindOf(transaction).lockLedgerOf(transaction, accountId);
}

/** Problems found by the database's own integrity checks. */
export async function listStructuralProblems(database: Database): Promise<string[]> {
  const { rows } = await kindOf(database).problems.execute(database);
  return rows.map(({ problem }) => problem);
}

/** Size of the database in bytes. */
export async function databaseBytes(database: Database): Promise<number> {
  const { rows } = await kindOf(database).bytes.execute(database);
  return rows[0]?.bytes ?? 0;
}

/** The last assigned row number of a table, including removed rows; 0 if there is none. */
export async function lastNumber(database: Database, table: keyof Tables, column: string): Promise<number> {
  const { rows } = await kindOf(database).lastNumber(table, column).execute(database);
  return rows[0]?.last ?? 0;
}

/** Continues a table's row numbers after a number. */
export async function continueAfter(
  database: Database,
  table: keyof Tables,
  column: string,
  last: number,
): Promise<void> {
  for (const statement of last === 0 ? [] : kindOf(database).continueAfter(table, column, last)) {
    await statement.execute(database);
  }
}
