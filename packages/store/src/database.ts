import { statSync } from "node:fs";
import {
  Kysely,
  PostgresAdapter,
  sql,
  type Insertable,
  type RawBuilder,
  type SelectQueryBuilder,
  type SelectType,
  type Transaction,
} from "kysely";
import { reasonOf } from "@gpu-offers/domain";
import { DatabaseError, NoDatabaseError } from "./database-error.js";
import type { Database, Kind, OpenOptions } from "./database-kind.js";
import { isSqlite, pathOf, withoutPassword } from "./database-url.js";
import { compareMigrations, migrate } from "./migrations.js";
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
    if (isSqlite(url) && fileBytes(name) === 0 && options.mustExist === true) {
      throw new NoDatabaseError(name);
    }
    database = new Kysely<Tables>({ dialect: await kind.openDialect(url, options) });
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
  const migrating = new Kysely<Tables>({ dialect: await kind.openDialect(url, { isMigrating: true }) });
  try {
    await migrate(migrating, kind);
  } finally {
    await migrating.destroy();
  }
}

/** Bytes of a file, 0 if there is none. Of something else, SQLite's own message would be a disk I/O error. */
function fileBytes(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === false) {
    throw new Error(found.isDirectory() ? "it is a directory. Name a file in it." : "it is not a regular file.");
  }
  return found?.size ?? 0;
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

/** What is special about this kind of database. */
export function kindOf(database: Database): Kind {
  return database.getExecutor().adapter instanceof PostgresAdapter ? POSTGRES : SQLITE;
}

/** Rows of one statement, which has few parameters then, and of those in memory. */
const ROWS_A_BATCH = 200;

/** Rows in batches, as they come. */
export async function* batchesOf<Row>(rows: Iterable<Row> | AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length >= ROWS_A_BATCH) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) {
    yield batch;
  }
}

/** Inserts rows as they come, or replaces those with the same key. Columns must be the same in all of them. */
export async function insertAll<Table extends keyof Tables>(
  database: Database,
  table: Table,
  rows: Iterable<Insertable<Tables[Table]>> | AsyncIterable<Insertable<Tables[Table]>>,
  key: readonly (keyof Tables[Table] & string)[] = [],
): Promise<void> {
  for await (const batch of batchesOf(rows)) {
    const insert = database.insertInto(table).values(batch);
    await (key.length === 0 ? insert : insert.modifyEnd(replacing(key, Object.keys(batch[0] ?? {})))).execute();
  }
}

function replacing(key: readonly string[], columns: readonly string[]): RawBuilder<unknown> {
  const others = columns.filter((column) => !key.includes(column));
  return sql`on conflict (${sql.join(key.map((column) => sql.ref(column)))}) do update set
    ${sql.join(others.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`))}`;
}

/** SQL condition: a table has no such id. For `not in`, PostgreSQL compares each row with each id that doesn't fit into its memory. */
export const isMissingIn = (table: "offer" | "staged_offer" | "gone_offer", id: string): RawBuilder<boolean> =>
  sql`not exists (select 1 from ${sql.table(table)} where ${sql.ref(`${table}.id`)} = ${sql.ref(id)})`;

/** The number of rows of a query. */
export async function countRows<Table extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Table, object>,
): Promise<number> {
  const { count } = await query.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return count;
}

/** The least or greatest value of a column in the rows of a query; undefined if there are none. */
export async function findBound<Table extends keyof Tables, Column extends keyof Tables[Table] & string>(
  query: SelectQueryBuilder<Tables, Table, object>,
  bound: "min" | "max",
  column: Column,
) {
  const value = sql<SelectType<Tables[Table][Column]> | null>`${sql.raw(bound)}(${sql.ref(column)})`;
  const found = await query.select(value.as("bound")).executeTakeFirst();
  return found?.bound ?? undefined;
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
