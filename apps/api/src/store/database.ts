import { statSync } from "node:fs";
import { Kysely, PostgresAdapter, sql, type Transaction } from "kysely";
import { DatabaseError, NoDatabaseError, reasonOf } from "./database-error.js";
import type { Database, Kind, OpenOptions } from "./database-kind.js";
import { isSqlite, pathOf, withoutPassword } from "./database-url.js";
import { migrate, migrationNames } from "./migrations.js";
import { POSTGRES } from "./postgres.js";
import { SQLITE } from "./sqlite.js";
import type { Tables } from "./tables.js";

// The one door to the databases of both kinds. The rest of the store speaks Kysely and does not know which it has.

export type { Database, OpenOptions } from "./database-kind.js";

/**
 * Opens the database of a `DATABASE_URL` and brings its tables up to date, unless `isReader` or `isServing`.
 * @throws DatabaseError with one line for the operator.
 */
export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  const kind = isSqlite(url) ? SQLITE : POSTGRES;
  const name = isSqlite(url) ? pathOf(url) : withoutPassword(url);
  let database: Database | undefined;
  try {
    if (options.mustExist === true && isSqlite(url) && !isFilled(name)) {
      throw new NoDatabaseError(name);
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
      await migrate(database, kind);
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

/** Whether there is a file and something in it. */
function isFilled(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

async function hasTables(database: Database): Promise<boolean> {
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  return tables.some(({ name }) => name === "kysely_migration");
}

/** Responses all requests of `read` from one state of the database, whatever is written meanwhile. */
export function readOneState<Result>(
  database: Database,
  read: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  return database.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(read);
}

/** The names of the migrations that a database has had, in order. */
export async function listMigrations(database: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database);
  return rows.map(({ name }) => name).sort();
}

/** Migrations of this version that a database lacks, and those it has had that this version does not know. */
export async function compareMigrations(database: Database): Promise<{ missing: string[]; unknown: string[] }> {
  const [known, had] = [migrationNames(kindOf(database)), await listMigrations(database)];
  return {
    missing: known.filter((name) => !had.includes(name)),
    unknown: had.filter((name) => !known.includes(name)),
  };
}

function kindOf(database: Database): Kind {
  return database.getExecutor().adapter instanceof PostgresAdapter ? POSTGRES : SQLITE;
}

/** Keeps other writers of a table out until the transaction ends; readers go on. */
export async function lockForWriting(transaction: Transaction<Tables>, table: keyof Tables): Promise<void> {
  await kindOf(transaction).lockForWriting(transaction, table);
}

/** Keeps other writers of an account's ledger out until the transaction ends; readers and other accounts go on. */
export async function lockLedgerOf(transaction: Transaction<Tables>, accountId: string): Promise<void> {
  await kindOf(transaction).lockLedgerOf(transaction, accountId);
}

/** What the database itself finds wrong with its own structures; empty when all is well. */
export async function listStructuralProblems(database: Database): Promise<string[]> {
  const { rows } = await kindOf(database).problems.execute(database);
  return rows.map(({ problem }) => problem);
}

/** The last number that a numbered table has given to a row, that of a removed one included; 0 for none. */
export async function lastNumber(database: Database, table: keyof Tables, column: string): Promise<number> {
  const { rows } = await kindOf(database).lastNumber(table, column).execute(database);
  return rows[0]?.last ?? 0;
}

/** Makes a numbered table go on after a number. */
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
