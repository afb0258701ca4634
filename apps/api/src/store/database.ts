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
  /** As it was given. */
  email: string;
  /** The address in lower case, as Unicode has it; no two accounts have the same. */
  email_key: string;
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

/** Milliseconds without a byte after which a connection that somebody waits for is given up. */
const SILENCE_MS = 15_000;

/** The same while requests are answered; longer than a statement may take. */
const SERVING_SILENCE_MS = 3_000;

/** Options of {@link openDatabase}. */
export interface OpenOptions {
  /** Only read: nothing is made or migrated. */
  isReader?: boolean;
  /** Answer requests: nothing is made or migrated, and what takes long is given up. */
  isServing?: boolean;
  /** Told when a connection breaks while nobody uses it; the next use opens another. */
  onConnectionLost?: (error: Error) => void;
}

/**
 * Opens the database of a `DATABASE_URL` and brings its tables up to date, unless `isReader` or `isServing`.
 * @throws DatabaseError with one line for the operator.
 */
export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  const isSqlite = url.startsWith("sqlite:");
  const path = isSqlite ? resolve(url.slice("sqlite:".length)) : withoutPassword(url);
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
  text: sql`text collate "C"`,
  serial: "bigserial",
  appendOnly: (table) => [
    `create function ${table}_refuse() returns trigger language plpgsql as $$ begin raise exception '${table} is append-only'; end $$`,
    `create trigger ${table}_no_change before update or delete or truncate on ${table} for each statement execute function ${table}_refuse()`,
  ],
};

// Row numbers and counts stay far below 2^53; amounts are read as text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

function postgresDialect(url: string, { isReader = false, isServing = false, onConnectionLost }: OpenOptions): Dialect {
  const silenceMs = isServing ? SERVING_SILENCE_MS : SILENCE_MS;
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: isServing ? SERVING_TIMEOUT_MS : CONNECT_TIMEOUT_MS,
    statement_timeout: isServing ? SERVING_TIMEOUT_MS : STATEMENT_TIMEOUT_MS,
    // Connections that nobody uses end before they would count as lost.
    idleTimeoutMillis: SERVING_TIMEOUT_MS,
    keepAlive: true,
    // A command may read its input for long between two statements; a service never does.
    ...(isReader || isServing ? { stream: () => impatientSocket(silenceMs) } : {}),
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

/** The address of a database for messages: a password may also stand in the query. */
function withoutPassword(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) {
    return "of this URL";
  }
  parsed.password = "";
  parsed.search = "";
  return parsed.href;
}

// Failures

/** What an error says, in one line. Connection failures of several addresses at once have a code, but no message. */
function reasonOf(error: unknown): string {
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
