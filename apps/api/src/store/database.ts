import { mkdirSync } from "node:fs";
import { Socket } from "node:net";
import { dirname, resolve } from "node:path";
import SqliteDatabase from "better-sqlite3";
import {
  CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  sql,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type ColumnDataType,
  type RawBuilder,
  type DatabaseConnection,
  type Dialect,
  type Transaction,
  type TransactionSettings,
} from "kysely";
import pg from "pg";
import Cursor from "pg-cursor";
import { migrate } from "./migrations.js";
import type { Tables } from "./tables.js";

// Everything that depends on the kind of database. The rest of the store speaks Kysely.

/** An open database. */
export type Database = Kysely<Tables>;

/** A database that cannot be opened. The message says which one and why. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
}

/** What the tables are made with, where the kinds differ. */
export interface Kind {
  /** Type of a column of text. It sorts by code point, whatever the language of the database. */
  text: "text" | RawBuilder<unknown>;
  /** Type of a column that numbers its rows. */
  serial: ColumnDataType;
  /** Statements after which a table takes new rows, but neither changes nor removes them. `uniques` are its keys. */
  appendOnly: (table: string, uniques: readonly (readonly string[])[]) => string[];
}

/** Milliseconds that a writer of SQLite waits for another one before it gives up. */
const BUSY_TIMEOUT_MS = 10_000;

/** The same while requests are answered: SQLite waits with the whole thread. */
const SERVING_BUSY_TIMEOUT_MS = 50;

/** Milliseconds between two attempts to switch a new SQLite database to its write-ahead log. */
const SWITCH_RETRY_MS = 10;

/** Connections to PostgreSQL of one process. */
const POOL_SIZE = 10;

/** Milliseconds to wait for a connection to PostgreSQL. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Milliseconds that one statement may take; an import's largest ones included. */
const STATEMENT_TIMEOUT_MS = 60_000;

/** The same while requests are answered: for a connection, and for a statement. */
const SERVING_TIMEOUT_MS = 2_000;

/** Milliseconds without a byte after which a connection counts as lost while requests are answered. */
const SERVING_SILENCE_MS = 3_000;

/** Options of {@link openDatabase}. */
export interface OpenOptions {
  /** Only read: nothing is made or migrated. */
  isReader?: boolean;
  /** Answer requests: nothing is made or migrated, and what takes long is given up. */
  isServing?: boolean;
  /** Milliseconds without a byte from PostgreSQL after which a connection counts as lost. */
  silenceMs?: number;
  /** Told when a connection breaks while nobody uses it; the next use opens another. */
  onConnectionLost?: (error: Error) => void;
}

/**
 * Opens the database of a `DATABASE_URL` and brings its tables up to date, unless `isReader` or `isServing`.
 * @throws DatabaseError with one line for the operator.
 */
export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  const isSqlite = url.startsWith("sqlite:");
  const path = isSqlite ? pathOf(url) : withoutPassword(url);
  let database: Database | undefined;
  try {
    database = new Kysely<Tables>({
      dialect: isSqlite ? sqliteDialect(path, options) : postgresDialect(url, options),
    });
    if (options.isReader === true || options.isServing === true) {
      await sql`select 1`.execute(database);
    } else {
      await migrate(database, isSqlite ? SQLITE : POSTGRES);
    }
    return database;
  } catch (error) {
    await database?.destroy();
    throw new DatabaseError(`cannot open the database ${path}: ${reasonOf(error)}`, { cause: error });
  }
}

/** The name of a database for messages: its URL without a password, which may also stand in the query. */
export function withoutPassword(url: string): string {
  if (url.startsWith("sqlite:")) {
    return `sqlite:${pathOf(url)}`;
  }
  const parsed = URL.parse(url);
  if (parsed === null) {
    return "of this URL";
  }
  parsed.password = "";
  parsed.search = "";
  return parsed.href;
}

function pathOf(sqliteUrl: string): string {
  return resolve(sqliteUrl.slice("sqlite:".length));
}

// What the kinds do differently once they are open

const isPostgres = (database: Database): boolean => database.getExecutor().adapter instanceof PostgresAdapter;

/** Keeps other writers of a table out until the transaction ends; readers go on. SQLite has one writer at a time anyway. */
export async function lockForWriting(transaction: Transaction<Tables>, table: keyof Tables): Promise<void> {
  if (isPostgres(transaction)) {
    await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(transaction);
  }
}

/** What the database itself finds wrong with its own structures; empty when all is well. */
export async function listStructuralFaults(database: Database): Promise<string[]> {
  const { rows } = await (isPostgres(database) ? POSTGRES_FAULTS : SQLITE_FAULTS).execute(database);
  return rows.map(({ fault }) => fault);
}

/** The last number that a numbered table has given to a row, that of a removed one included; 0 for none. */
export async function lastNumber(database: Database, table: keyof Tables, column: string): Promise<number> {
  const query = isPostgres(database)
    ? sql<{
        last: number | null;
      }>`select pg_sequence_last_value(pg_get_serial_sequence(${table}, ${column})::regclass) as last`
    : sql<{ last: number | null }>`select seq as last from sqlite_sequence where name = ${table}`;
  const { rows } = await query.execute(database);
  return rows[0]?.last ?? 0;
}

/** Makes a numbered table go on after a number. */
export async function continueAfter(
  database: Database,
  table: keyof Tables,
  column: string,
  last: number,
): Promise<void> {
  if (last === 0) {
    return;
  }
  if (isPostgres(database)) {
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${last})`.execute(database);
    return;
  }
  await sql`delete from sqlite_sequence where name = ${table}`.execute(database);
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(database);
}

// SQLite

const SQLITE: Kind = {
  text: "text",
  serial: "integer",
  appendOnly: (table, uniques) => {
    const isTaken = uniques
      .map((columns) => columns.map((column) => `${column} = new.${column}`).join(" and "))
      .join(" or ");
    const refuse = `begin select raise(abort, '${table} is append-only'); end`;
    return [
      `create trigger ${table}_no_update before update on ${table} ${refuse}`,
      `create trigger ${table}_no_delete before delete on ${table} ${refuse}`,
      // An "insert or replace" removes rows without asking the triggers of a delete.
      `create trigger ${table}_no_replace before insert on ${table} when exists (select 1 from ${table} where ${isTaken}) ${refuse}`,
    ];
  },
};

/** Damage of the file, rows that refer to none, and triggers that are gone. */
const SQLITE_FAULTS = sql<{ fault: string }>`
  select integrity_check as fault from pragma_integrity_check where integrity_check <> 'ok'
  union all
  select 'row ' || coalesce(rowid, '?') || ' of ' || "table" || ' refers to a missing row of ' || parent
    from pragma_foreign_key_check
  union all
  select 'ledger_entry has lost the trigger ' || column1 || ', so entries could be changed'
    from (values ('ledger_entry_no_update'), ('ledger_entry_no_delete'), ('ledger_entry_no_replace'))
    where column1 not in (select name from sqlite_master where type = 'trigger')`;

/**
 * SQLite's transactions start as readers, and one that then writes fails when another process wrote in
 * between. Ours say at the start whether they write.
 */
class DeclaredSqliteDriver extends SqliteDriver {
  readonly #file: SqliteDatabase.Database;

  constructor(file: SqliteDatabase.Database) {
    super({ database: file });
    this.#file = file;
  }

  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    // SQLite's isolation is the strictest there is; only the access mode is a choice here.
    const isReader = settings?.accessMode === "read only";
    await connection.executeQuery(CompiledQuery.raw(isReader ? "begin" : "begin immediate"));
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // SQLite has rolled back already when the disk is full or the file damaged. A second try would hide why.
    if (this.#file.inTransaction) {
      await super.rollbackTransaction(connection);
    }
  }
}

/**
 * Kysely migrates SQLite without a transaction, and two processes that open a new database at the same
 * time would both make its tables.
 */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function sqliteDialect(path: string, { isReader = false, isServing = false }: OpenOptions): Dialect {
  if (!isReader) {
    mkdirSync(dirname(path), { recursive: true });
  }
  const file = new SqliteDatabase(path, {
    readonly: isReader,
    fileMustExist: isReader || isServing,
    timeout: isServing ? SERVING_BUSY_TIMEOUT_MS : BUSY_TIMEOUT_MS,
  });
  if (!isReader) {
    switchToWal(file);
  }
  file.pragma("synchronous = FULL");
  file.pragma("foreign_keys = ON");
  const standard = new SqliteDialect({ database: file });
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => new DeclaredSqliteDriver(file),
    createIntrospector: (database) => standard.createIntrospector(database),
    createQueryCompiler: () => standard.createQueryCompiler(),
  };
}

/**
 * Lets readers go on while an import writes. Unlike other statements, the switch does not wait for a process
 * that makes it at the same moment.
 */
function switchToWal(file: SqliteDatabase.Database): void {
  const deadlineMs = Date.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      file.pragma("journal_mode = WAL");
      return;
    } catch (error) {
      if (codeOf(error) !== "SQLITE_BUSY" || Date.now() > deadlineMs) {
        throw error;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SWITCH_RETRY_MS);
    }
  }
}

// PostgreSQL

const POSTGRES: Kind = {
  text: sql`text collate "C"`,
  serial: "bigserial",
  appendOnly: (table) => [
    `create function ${table}_refuse() returns trigger language plpgsql as $$ begin raise exception '${table} is append-only'; end $$`,
    `create trigger ${table}_no_change before update or delete or truncate on ${table} for each statement execute function ${table}_refuse()`,
  ],
};

/** Pages that failed their checksum, indexes and constraints that do not hold, and triggers that are gone. */
const POSTGRES_FAULTS = sql<{ fault: string }>`
  select checksum_failures || ' pages had a wrong checksum' as fault
    from pg_stat_database where datname = current_database() and checksum_failures > 0
  union all
  select 'the index ' || indexrelid::regclass || ' is not valid'
    from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = current_schema()::regnamespace and not (indisvalid and indisready)
  union all
  select 'the constraint ' || conname || ' of ' || conrelid::regclass || ' is not enforced'
    from pg_constraint
    where connamespace = current_schema()::regnamespace and not (convalidated and conenforced)
  union all
  select 'ledger_entry has lost the trigger ledger_entry_no_change, so entries could be changed'
    where not exists (
      select from pg_trigger
      where tgrelid = 'ledger_entry'::regclass and tgname = 'ledger_entry_no_change' and tgenabled in ('O', 'A')
    )`;

// Row numbers and counts stay far below 2^53; amounts are read as text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

function postgresDialect(url: string, { isServing = false, onConnectionLost, ...options }: OpenOptions): Dialect {
  const silenceMs = options.silenceMs ?? (isServing ? SERVING_SILENCE_MS : undefined);
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: isServing ? SERVING_TIMEOUT_MS : CONNECT_TIMEOUT_MS,
    statement_timeout: isServing ? SERVING_TIMEOUT_MS : STATEMENT_TIMEOUT_MS,
    // Connections that nobody uses end before they would count as lost.
    idleTimeoutMillis: SERVING_TIMEOUT_MS,
    keepAlive: true,
    ...(silenceMs === undefined ? {} : { stream: () => impatientSocket(silenceMs) }),
  });
  // Without these listeners, a restart of PostgreSQL would end the process: the pool's is for connections
  // that nobody uses, the other one for those of a transaction between two of its statements.
  pool.on("error", onConnectionLost ?? (() => {}));
  pool.on("connect", (client) => client.on("error", () => {}));
  return new PostgresDialect({ pool, cursor: Cursor });
}

/** A network that swallows everything reports no error, and the pool would lend its dead connections for ever. */
function impatientSocket(silenceMs: number): Socket {
  const socket = new Socket();
  return socket.setTimeout(silenceMs, () => {
    socket.destroy(new Error(`Connection terminated: no answer for ${silenceMs / 1000} s`));
  });
}

// Failures

/** What an error says, in one line. Connection failures of several addresses at once have a code, but no message. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error && error.message !== "" ? error.message : codeOf(error) || String(error);
  return text.replaceAll(/\s+/g, " ");
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Codes of Node, of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html), and of SQLite. */
const UNREACHABLE = new RegExp(
  `^(?:${[
    "ECONN|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EHOST|ENET|EADDRNOTAVAIL|EMFILE",
    // Connection, authorization, no such database, resources, operator; canceled, no lock.
    "08...|28...|3D000|53...|57P..|57014|55P03",
    "SQLITE_(?:BUSY|LOCKED|IOERR|CANTOPEN|FULL|NOTADB|CORRUPT|READONLY)",
  ].join("|")})`,
);

/** What pg says without a code. */
const UNREACHABLE_MESSAGE =
  /^(?:Connection terminated|timeout exceeded|timeout expired|Client has encountered a connection error|Postgres connection has been discarded)/;

/** True when an error says that the database cannot be reached or is busy, rather than that we asked wrongly. */
export function isUnreachable(error: unknown): boolean {
  return UNREACHABLE.test(codeOf(error)) || (error instanceof Error && UNREACHABLE_MESSAGE.test(error.message));
}
