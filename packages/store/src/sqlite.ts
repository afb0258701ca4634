import { closeSync, mkdirSync, openSync, readFileSync, statSync, type BigIntStats } from "node:fs";
import { dirname } from "node:path";
import SqliteDatabase from "better-sqlite3";
import {
  CompiledQuery,
  sql,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
  type TransactionSettings,
} from "kysely";
import { codeOf } from "@gpu-offers/domain";
import { ReplacedFileError } from "./database-error.js";
import type { Kind, OpenOptions } from "./database-kind.js";
import { pathOf } from "./database-url.js";

/** Milliseconds a writer waits for another one before it fails. */
const BUSY_TIMEOUT_MS = 10_000;

/** The same while serving requests, where waiting blocks the thread. */
const SERVING_BUSY_TIMEOUT_MS = 50;

/** Milliseconds between attempts to switch a new database to a write-ahead log. */
const SWITCH_RETRY_MS = 10;

/** Size to which an emptied write-ahead log is truncated. A large import makes it as large as itself. */
const LOG_LIMIT_BYTES = 16 * 1024 * 1024;

/** Size of the write-ahead log above which it is truncated after a rollback. */
const ROLLED_BACK_LOG_BYTES = 1024 * 1024;

/** SQLite: one file, many readers, one writer at a time. */
export const SQLITE: Kind = {
  name: "sqlite",
  openDialect,
  // Transactions are serialized anyway: see DeclaredDriver.
  lockForWriting: async () => {},
  lockLedgerOf: async () => {},
  // SQLite is bundled with its driver.
  findUnsupported: async () => undefined,
  textInJson: (column, field) => sql`${sql.ref(column)} ->> ${sql.lit(field)}`,
  collectJson: sql`json_group_array`,
  collectObject: sql`json_group_object`,
  fieldOf: (column, field) => sql`${sql.ref(column)} -> ${`$."${field}"`}`,
  withExcluded: (table, column, field) => {
    const path = `$."${field}"`;
    return sql`json_set(${sql.ref(`${table}.${column}`)}, ${path}, json(${sql.ref(`excluded.${column}`)} -> ${path}))`;
  },
  // File damage, dangling references, and missing triggers.
  problems: sql`
    select integrity_check || coalesce((
        select ' (' || type || ' ' || name || ')' from sqlite_master
          where integrity_check like '%Tree ' || rootpage || ' page%' limit 1
      ), '') as problem from pragma_integrity_check where integrity_check <> 'ok'
    union all
    select 'row ' || coalesce(rowid, '?') || ' of ' || "table" || ' refers to a missing row of ' || parent
      from pragma_foreign_key_check
    union all
    select 'ledger_entry has lost the trigger ' || column1 || ', so ' || column2
      from (values
        ('ledger_entry_no_update', 'entries could be changed'),
        ('ledger_entry_no_delete', 'entries could be changed'),
        ('ledger_entry_no_replace', 'entries could be changed'),
        ('ledger_entry_follows', 'balances could be wrong'))
      where column1 not in (select name from sqlite_master where type = 'trigger')`,
  bytes: sql`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`,
  lastNumber: (table) => sql`select seq as last from sqlite_sequence where name = ${table}`,
  continueAfter: (table, _column, last) => [
    sql`delete from sqlite_sequence where name = ${table}`,
    sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`,
  ],
};

/**
 * Driver whose transactions declare at the start whether they write: SQLite starts all of them as readers, and one that
 * writes later fails if another process wrote in between. It also streams rows in chunks.
 */
class DeclaredDriver extends SqliteDriver {
  readonly #opened: BigIntStats | undefined;
  readonly #version: SqliteDatabase.Statement;
  #seen: { mtimeNs: bigint; version: string; mark: string } | undefined;

  constructor(
    private readonly file: SqliteDatabase.Database,
    private readonly path: string,
    private readonly isServing: boolean,
  ) {
    super({ database: file });
    this.#opened = statOf(path);
    this.#version = file.prepare(VERSION).pluck();
  }

  /** @throws ReplacedFileError if the path no longer leads to the open file, or another program has overwritten it. */
  #assertSameFile(): void {
    const now = statOf(this.path);
    if (now === undefined || now.dev !== this.#opened?.dev || now.ino !== this.#opened.ino) {
      throw new ReplacedFileError(
        this.path,
        "deleted or replaced while it was open. Restore it, or restart the service",
      );
    }
    if (this.isServing && !this.file.inTransaction) {
      this.#assertSameContent(now.mtimeNs);
    }
  }

  /**
   * SQLite doesn't notice that another program writes to the file, whose pages are in memory. A new connection reads them, and
   * the content then differs without a commit. Opening the file without SQLite would drop SQLite's locks.
   */
  #assertSameContent(mtimeNs: bigint): void {
    const seen = this.#seen;
    const version = String(this.#version.get());
    if (seen?.mtimeNs === mtimeNs && seen.version === version) {
      return;
    }
    const other = seen?.mtimeNs === mtimeNs ? undefined : new SqliteDatabase(this.path, { readonly: true });
    try {
      const mark = String((other ?? this.file).prepare(MARK).pluck().get());
      if (seen?.version === version && seen.mark !== mark && this.#version.get() === version) {
        throw new ReplacedFileError(
          this.path,
          "overwritten while it was open. Stop the services, and restore a backup",
        );
      }
      this.#seen = { mtimeNs, version, mark };
    } finally {
      other?.close();
    }
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    return {
      // Not in this function: Kysely would keep its lock on the connection after an error.
      executeQuery: async (query, options) => {
        this.#assertSameFile();
        return connection.executeQuery(query, options);
      },
      streamQuery: (query, chunkSize) => this.#stream(query, chunkSize),
    };
  }

  /** Kysely's own connection yields each row alone, which takes as long as reading it. */
  async *#stream<Row>({ sql: text, parameters }: CompiledQuery, chunkSize = 100): AsyncGenerator<QueryResult<Row>> {
    this.#assertSameFile();
    let rows: Row[] = [];
    for (const row of this.file.prepare<unknown[], Row>(text).iterate(...parameters)) {
      rows.push(row);
      if (rows.length === chunkSize) {
        yield { rows };
        rows = [];
      }
    }
    yield { rows };
  }

  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    // SQLite always has the strictest isolation; only the access mode matters here.
    const isReader = settings?.accessMode === "read only";
    await connection.executeQuery(CompiledQuery.raw(isReader ? "begin" : "begin immediate"));
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // If the disk is full or the file damaged, SQLite has already rolled back. Another rollback would hide the cause.
    if (this.file.inTransaction) {
      await super.rollbackTransaction(connection);
    }
    this.#truncateLog();
  }

  /**
   * After a rollback, everything the transaction wrote stays in the write-ahead log. While another process has the file
   * open, a full disk would stay full.
   */
  #truncateLog(): void {
    const bytes = statSync(`${this.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes <= ROLLED_BACK_LOG_BYTES || this.file.readonly) {
      return;
    }
    try {
      this.file.pragma("wal_checkpoint(TRUNCATE)");
    } catch {
      // On a full disk even a checkpoint may fail; the transaction's own error must still be reported.
    }
  }
}

/** Changes with every commit that a connection sees or makes. */
const VERSION = "select data_version || '/' || total_changes() from pragma_data_version";

/** Differs between databases. */
const MARK =
  "select json_array((select mark from catalog_revision order by revision desc limit 1), (select max(id) from ledger_entry), (select count(*) from account))";

/** Numbers of devices and inodes may exceed 2^53. */
function statOf(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

/**
 * Kysely migrates SQLite without a transaction, so two processes that open a new database at the same time would both
 * create its tables.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function openDialect(url: string, { isReader = false, isServing = false }: OpenOptions): Dialect {
  const path = pathOf(url);
  if (!isReader) {
    mkdirSync(dirname(path), { recursive: true });
  }
  const settings = {
    readonly: isReader,
    fileMustExist: isReader || isServing,
    timeout: isServing ? SERVING_BUSY_TIMEOUT_MS : BUSY_TIMEOUT_MS,
  };
  if (!settings.fileMustExist) {
    // Only its owner can read a new file: it will have accounts and keys.
    closeSync(openSync(path, "a", 0o600));
  }
  const file = isReader ? openReader(path, settings) : new SqliteDatabase(path, settings);
  if (!isReader) {
    switchToWal(file);
  }
  file.pragma(`journal_size_limit = ${LOG_LIMIT_BYTES}`);
  file.pragma("synchronous = FULL");
  file.pragma("foreign_keys = ON");
  const standard = new SqliteDialect({ database: file });
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new DeclaredDriver(file, path, isServing),
    createIntrospector: (database) => standard.createIntrospector(database),
    createQueryCompiler: () => standard.createQueryCompiler(),
  };
}

/**
 * Opens a file read-only. On read-only media SQLite can't open a file in write-ahead log mode, so such a file is read
 * into memory.
 * @throws Error if there are changes in a log next to the file.
 */
function openReader(path: string, settings: SqliteDatabase.Options): SqliteDatabase.Database {
  const file = new SqliteDatabase(path, settings);
  try {
    file.pragma("schema_version");
    return file;
  } catch (error) {
    file.close();
    if (!/^SQLITE_(?:CANTOPEN|READONLY)/.test(codeOf(error))) {
      throw error;
    }
    if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
      throw new Error("its latest changes are in the -wal file beside it. Copy both files to a writable directory", {
        cause: error,
      });
    }
    const bytes = readFileSync(path);
    // The version numbers of the file format: 1 means a rollback journal, 2 a write-ahead log
    // (https://www.sqlite.org/fileformat2.html, 1.3.3). A database in memory cannot have the latter.
    bytes.fill(1, 18, 20);
    return new SqliteDatabase(bytes, { readonly: true });
  }
}

/**
 * Turns on the write-ahead log, so that readers aren't blocked while an import writes. Unlike other statements, the
 * switch doesn't wait for another process that does so at the same time.
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
