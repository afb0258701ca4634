import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import SqliteDatabase from "better-sqlite3";
import {
  CompiledQuery,
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type GeneratedAlways,
  type TransactionSettings,
} from "kysely";
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

/** An open database. */
export type Database = Kysely<Tables>;

/** A database that cannot be opened. The message says which one and why. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
}

/** Milliseconds that a writer waits for another one before it gives up. */
const BUSY_TIMEOUT_MS = 10_000;

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
 * Opens the database of a `DATABASE_URL` and brings its tables up to date, unless `isReader`.
 * @throws DatabaseError with one line for the operator.
 */
export async function openDatabase(url: string, options: { isReader?: boolean } = {}): Promise<Database> {
  const path = resolve(url.slice("sqlite:".length));
  try {
    const file = openFile(path, options.isReader ?? false);
    const database = new Kysely<Tables>({
      dialect: {
        createAdapter: () => new SqliteAdapter(),
        createDriver: () => new DeclaredSqliteDriver({ database: file }),
        createIntrospector: (db) => new SqliteDialect({ database: file }).createIntrospector(db),
        createQueryCompiler: () => new SqliteDialect({ database: file }).createQueryCompiler(),
      },
    });
    if (options.isReader !== true) {
      await migrate(database);
    }
    return database;
  } catch (error) {
    throw new DatabaseError(
      `cannot open the database ${path}: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
}

function openFile(path: string, isReader: boolean): SqliteDatabase.Database {
  if (!isReader) {
    mkdirSync(dirname(path), { recursive: true });
  }
  const file = new SqliteDatabase(path, { readonly: isReader, fileMustExist: isReader, timeout: BUSY_TIMEOUT_MS });
  if (!isReader) {
    // Readers go on while an import writes.
    file.pragma("journal_mode = WAL");
  }
  file.pragma("synchronous = FULL");
  file.pragma("foreign_keys = ON");
  return file;
}
