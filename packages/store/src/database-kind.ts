import type { ColumnDataType, Dialect, Kysely, RawBuilder, Transaction } from "kysely";
import type { Tables } from "./tables.js";

// What differs between databases, implemented by sqlite.ts and postgres.ts. Only database.ts and migrations use it.

/** An open database. */
export type Database = Kysely<Tables>;

/** Options for opening a database. */
export interface OpenOptions {
  /** Open read-only: nothing is created or migrated. */
  isReader?: boolean;
  /** Fail if the database doesn't exist, rather than create it. */
  mustExist?: boolean;
  /** Open to serve requests: nothing is created or migrated, and slow statements are canceled. */
  isServing?: boolean;
  /** Milliseconds without a byte from PostgreSQL after which a connection counts as lost. */
  silenceMs?: number;
  /** Called when an idle connection breaks; the next use opens another one. */
  onConnectionLost?: (error: Error) => void;
}

/** A kind of database. */
export interface Kind {
  /** Opens a connection or a connection pool. */
  openDialect: (url: string, options: OpenOptions) => Dialect;

  // Building blocks of tables

  /** Type of text columns. They sort by code point, regardless of the database's locale. */
  text: "text" | RawBuilder<unknown>;
  /** Type of binary columns. */
  bytes: "blob" | "bytea";
  /** Type of auto-increment columns. */
  serial: ColumnDataType;
  /** Statements that raise time and memory limits for the rest of the transaction, to change a large table. */
  forLongChange: readonly string[];
  /** Statements that make a table append-only. `uniques` are its keys. */
  appendOnly: (table: string, uniques: readonly (readonly string[])[]) => string[];
  /** Statements that revert `appendOnly`. */
  changeable: (table: string) => string[];
  /**
   * Statements that enforce running balances: a new ledger entry is rejected unless it is the last of its account and
   * its balance is that of the previous entry plus its amount, and not negative.
   */
  runningBalance: readonly string[];

  /**
   * Statements that make the log of changes append-only, except that rows that are part of the base (offer_base_mark)
   * can be removed.
   */
  changeLog: readonly string[];

  // Operations on an open database

  /** Locks a table against other writers, but not readers, until the transaction ends. */
  lockForWriting: (transaction: Transaction<Tables>, table: keyof Tables) => Promise<void>;
  /** Locks an account's ledger against other writers, but not readers, until the transaction ends. */
  lockLedgerOf: (transaction: Transaction<Tables>, accountId: string) => Promise<void>;
  /** Why this version of the database isn't supported; undefined if it is. */
  findUnsupported: (database: Database) => Promise<string | undefined>;
  /** Query of the database's own integrity checks. */
  problems: RawBuilder<{ problem: string }>;
  /** Query of the last assigned row number of a table; undefined or null if there is none. */
  lastNumber: (table: keyof Tables, column: string) => RawBuilder<{ last: number | null }>;
  /** Statements that continue a table's row numbers after a number above 0. */
  continueAfter: (table: keyof Tables, column: string, last: number) => RawBuilder<unknown>[];
}
