import { mkdirSync } from "node:fs";
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
  type ColumnType,
  type DatabaseConnection,
  type Dialect,
  type GeneratedAlways,
  type Transaction,
  type TransactionSettings,
} from "kysely";
import pg from "pg";
import Cursor from "pg-cursor";
import { migrate } from "./migrations.js";

// Everything that depends on the kind of database. The rest of the store speaks Kysely.

/** Tables of the database. Texts of times are ISO 8601 UTC. */
export interface Tables {
  catalog_revision: {
    revision: GeneratedAlways<number>;
    /** Random text that tells this revision from the same number in another database. */
    mark: string;
    created_at: string;
    /** What made it, for people: `import --format native starter.json`. */
    cause: string;
    added: number;
    changed: number;
    removed: number;
    refused: number;
  };
  provider: {
    name: string;
    type: string;
    /** Date of its figures, as the last import said; null when it did not. */
    as_of: string | null;
  };
  os_image: {
    provider: string;
    id: string;
    /** The image as the interface has it, as JSON. */
    body: string;
    /** JSON array of the instance types it is restricted to; empty for all. */
    instance_types: string;
  };
  offer: OfferTable;
  account: AccountTable;
  api_key: ApiKeyTable;
  ledger_entry: LedgerEntryTable;
  /** Offers of an import in progress. Same columns as `offer`; a temporary table of one connection. */
  staged_offer: OfferTable;
}

interface OfferTable {
  id: string;
  provider: string;
  gpu_slug: string;
  continent: string;
  gpu_count: number;
  price_hourly: number;
  price_per_gpu: number;
  /** The offer as the interface has it, as JSON: the bytes that are served. */
  body: string;
}

interface AccountTable {
  /** UUID. */
  id: string;
  /** As it was given; no two accounts have the same one in lower case. */
  email: string;
  display_name: string;
  created_at: string;
  /** When it was disabled; null while it may be used. */
  disabled_at: string | null;
}

interface ApiKeyTable {
  /** UUID. It names the key to people; the key itself is nowhere. */
  id: string;
  account_id: string;
  /** SHA-256 of the key in hexadecimal. */
  hash: string;
  label: string;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
}

interface LedgerEntryTable {
  /** Order of the entries. */
  id: GeneratedAlways<number>;
  account_id: string;
  /** Chosen by the caller, unique in the account. */
  reference: string;
  /** Ten-thousandths of a dollar; negative for a debit. Written as bigint, read with `cast(... as text)`. */
  amount_e4: ColumnType<never, bigint, never>;
  note: string;
  created_at: string;
}

/** An open database. */
export type Database = Kysely<Tables>;

/** A database that cannot be opened. The message says which one and why. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
}

/** What the tables are made with, where the kinds differ. */
export interface Kind {
  /** Type of a column that numbers its rows. */
  serial: ColumnDataType;
  /** Statements after which a table takes new rows, but neither changes nor removes them. */
  appendOnly: (table: string) => string[];
}

/** Milliseconds that a writer of SQLite waits for another one before it gives up. */
const BUSY_TIMEOUT_MS = 10_000;

/** Milliseconds between two attempts to switch a new SQLite database to its write-ahead log. */
const SWITCH_RETRY_MS = 10;

/** Connections to PostgreSQL of one process. */
const POOL_SIZE = 10;

/** Milliseconds to wait for a connection to PostgreSQL. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Milliseconds that one statement may take; an import's largest ones included. */
const STATEMENT_TIMEOUT_MS = 60_000;

/** Options of {@link openDatabase}. */
export interface OpenOptions {
  /** Only read: nothing is made or migrated. */
  isReader?: boolean;
  /** Told when a connection breaks while nobody uses it; the next use opens another. */
  onConnectionLost?: (error: Error) => void;
}

/**
 * Opens the database of a `DATABASE_URL` and brings its tables up to date, unless `isReader`.
 * @throws DatabaseError with one line for the operator.
 */
export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  const isReader = options.isReader ?? false;
  const isSqlite = url.startsWith("sqlite:");
  const path = isSqlite ? resolve(url.slice("sqlite:".length)) : withoutPassword(url);
  let database: Database | undefined;
  try {
    database = new Kysely<Tables>({
      dialect: isSqlite ? sqliteDialect(path, isReader) : postgresDialect(url, options.onConnectionLost),
    });
    if (isReader) {
      await sql`select 1`.execute(database);
    } else {
      await migrate(database, isSqlite ? SQLITE : POSTGRES);
    }
    return database;
  } catch (error) {
    await database?.destroy();
    const reason = error instanceof Error && error.message !== "" ? error.message : codeOf(error);
    throw new DatabaseError(`cannot open the database ${path}: ${reason}`, { cause: error });
  }
}

/**
 * Keeps other writers of a table out until the transaction ends; readers go on. SQLite has one writer at
 * a time anyway.
 */
export async function lockForWriting(
  transaction: Transaction<Tables>,
  table: "catalog_revision" | "ledger_entry",
): Promise<void> {
  if (transaction.getExecutor().adapter instanceof PostgresAdapter) {
    await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(transaction);
  }
}

// SQLite

const SQLITE: Kind = {
  serial: "integer",
  appendOnly: (table) =>
    ["update", "delete"].map(
      (change) =>
        `create trigger ${table}_no_${change} before ${change} on ${table} begin select raise(abort, '${table} is append-only'); end`,
    ),
};

/**
 * SQLite's transactions start as readers, and one that then writes fails when another process wrote in
 * between. Ours say at the start whether they write.
 */
class DeclaredSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    // SQLite's isolation is the strictest there is; only the access mode is a choice here.
    const isReader = settings?.accessMode === "read only";
    await connection.executeQuery(CompiledQuery.raw(isReader ? "begin" : "begin immediate"));
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

function sqliteDialect(path: string, isReader: boolean): Dialect {
  if (!isReader) {
    mkdirSync(dirname(path), { recursive: true });
  }
  const file = new SqliteDatabase(path, { readonly: isReader, fileMustExist: isReader, timeout: BUSY_TIMEOUT_MS });
  if (!isReader) {
    switchToWal(file);
  }
  file.pragma("synchronous = FULL");
  file.pragma("foreign_keys = ON");
  const standard = new SqliteDialect({ database: file });
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => new DeclaredSqliteDriver({ database: file }),
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
  serial: "bigserial",
  appendOnly: (table) => [
    `create function ${table}_refuse() returns trigger language plpgsql as $$ begin raise exception '${table} is append-only'; end $$`,
    `create trigger ${table}_no_change before update or delete on ${table} for each row execute function ${table}_refuse()`,
  ],
};

// Row numbers and counts stay far below 2^53; amounts are read as text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

function postgresDialect(url: string, onConnectionLost: (error: Error) => void = () => {}): Dialect {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
  });
  // Without a listener, a restart of PostgreSQL would end the process.
  pool.on("error", onConnectionLost);
  return new PostgresDialect({ pool, cursor: Cursor });
}

function withoutPassword(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) {
    return "of this URL";
  }
  parsed.password = "";
  return parsed.href;
}

/** Connection failures of several addresses at once have a code, but no message. */
function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

/** True when an error says that the database cannot be reached or is busy, rather than that we asked wrongly. */
export function isUnreachable(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  // Connection errors of Node, classes 08 (connection), 53 (resources), 57 (operator) of PostgreSQL, and SQLite's.
  return (
    /^(?:ECONN|ENOTFOUND|EPIPE|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|08|53|57P|SQLITE_(?:BUSY|IOERR|CANTOPEN|FULL|NOTADB|CORRUPT))/.test(
      code,
    ) ||
    (error instanceof Error && /Connection terminated|timeout exceeded|Query read timeout/.test(error.message))
  );
}
