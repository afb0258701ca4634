import type { Dialect, Kysely, RawBuilder, Transaction } from "kysely";
import type { Tables } from "./tables.js";

// What differs between databases, implemented by sqlite.ts and postgres.ts. Code gets it from `kindOf` of database.ts.

export type Database = Kysely<Tables>;

export interface OpenOptions {
  /** Open read-only: nothing is created or migrated. */
  isReader?: boolean;
  /** Fail if the database doesn't exist, rather than create it. */
  mustExist?: boolean;
  /** Open to serve requests: nothing is created or migrated, and slow statements are canceled. */
  isServing?: boolean;
  /**
   * Milliseconds without a byte of a response from PostgreSQL after which a connection counts as lost. By default more
   * than its statements may take.
   */
  silenceMs?: number;
  /** Open to migrate: statements may take any time. */
  isMigrating?: boolean;
  /** Called when an idle connection breaks; the next use opens another one. */
  onConnectionLost?: (error: Error) => void;
}

export interface Kind {
  name: "sqlite" | "postgres";
  /** Opens a connection or a connection pool. */
  openDialect: (url: string, options: OpenOptions) => Dialect | Promise<Dialect>;

  /** Locks a table against other writers, but not readers, until the transaction ends. */
  lockForWriting: (transaction: Transaction<Tables>, table: keyof Tables) => Promise<void>;
  /** Locks an account's ledger against other writers, but not readers, until the transaction ends. */
  lockLedgerOf: (transaction: Transaction<Tables>, accountId: string) => Promise<void>;
  /** Why this version of the database isn't supported; undefined if it is. */
  findUnsupported: (database: Database) => Promise<string | undefined>;
  /** The text of a field in a column of JSON objects, none of which has another field of this name. */
  textInJson: (column: string, field: string) => RawBuilder<string>;
  /** The function that collects the values of a group as a JSON array. */
  collectJson: RawBuilder<unknown>;
  /** The function that collects the names and values of a group as a JSON object. */
  collectObject: RawBuilder<unknown>;
  /** A field of a column's JSON object, as JSON; null without it. */
  fieldOf: (column: string, field: string) => RawBuilder<string | null>;
  /** On conflict, a column's JSON object with the one field that the excluded row's has. */
  withExcluded: (table: string, column: string, field: string) => RawBuilder<string>;
  /** Query of the database's own integrity checks. */
  problems: RawBuilder<{ problem: string }>;
  /** Query of the size of the database in bytes. */
  bytes: RawBuilder<{ bytes: number }>;
  /** Query of the last assigned row number of a table; undefined or null if there is none. */
  lastNumber: (table: keyof Tables, column: string) => RawBuilder<{ last: number | null }>;
  /** Statements that continue a table's row numbers after a number above 0. */
  continueAfter: (table: keyof Tables, column: string, last: number) => RawBuilder<unknown>[];
}
