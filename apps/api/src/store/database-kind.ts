import type { ColumnDataType, Dialect, Kysely, RawBuilder, Transaction } from "kysely";
import type { Tables } from "./tables.js";

// What the kinds of database do differently: sqlite.ts and postgres.ts. Only database.ts and the migrations ask them.

/** An open database. */
export type Database = Kysely<Tables>;

/** How a database is opened. */
export interface OpenOptions {
  /** Only read: nothing is made or migrated. */
  isReader?: boolean;
  /** Reject a database that was never made, rather than make it. */
  mustExist?: boolean;
  /** Response requests: nothing is made or migrated, and what takes long is given up. */
  isServing?: boolean;
  /** Milliseconds without a byte from PostgreSQL after which a connection counts as lost. */
  silenceMs?: number;
  /** Told when a connection breaks while nobody uses it; the next use opens another. */
  onConnectionLost?: (error: Error) => void;
}

/** A kind of database. */
export interface Kind {
  /** Opens a connection or a pool of them to a URL. */
  openDialect: (url: string, options: OpenOptions) => Dialect;

  // What the tables are made with

  /** Type of a column of text. It sorts by code point, whatever the language of the database. */
  text: "text" | RawBuilder<unknown>;
  /** Type of a column of bytes. */
  bytes: "blob" | "bytea";
  /** Type of a column that numbers its rows. */
  serial: ColumnDataType;
  /** Statements that give the rest of the transaction the time and memory to change a large table. */
  forLongChange: readonly string[];
  /** Statements after which a table takes new rows, but neither changes nor removes them. `uniques` are its keys. */
  appendOnly: (table: string, uniques: readonly (readonly string[])[]) => string[];
  /** Statements that end what `appendOnly` began. */
  changeable: (table: string) => string[];
  /**
   * Statements after which a new entry of the ledger is rejected unless it is the last of its account, its balance is
   * that of the entry before plus its amount, and this is not below zero; whoever writes it.
   */
  runningBalance: readonly string[];

  /**
   * Statements after which the log of changes takes new rows alone: none is changed, and only those that are part of
   * the base (offer_base_mark) can be removed.
   */
  changeLog: readonly string[];

  // What is done with an open database

  /** Keeps other writers of a table out until the transaction ends; readers go on. */
  lockForWriting: (transaction: Transaction<Tables>, table: keyof Tables) => Promise<void>;
  /** Keeps other writers of an account's ledger out until the transaction ends; readers go on. */
  lockLedgerOf: (transaction: Transaction<Tables>, accountId: string) => Promise<void>;
  /** Why this version of the database cannot be used; undefined for a supported one. */
  findUnsupported: (database: Database) => Promise<string | undefined>;
  /** Asks what the database itself finds wrong with its own structures. */
  problems: RawBuilder<{ problem: string }>;
  /** The last number that a numbered table has given to a row; undefined or null for none. */
  lastNumber: (table: keyof Tables, column: string) => RawBuilder<{ last: number | null }>;
  /** Statements that make a numbered table go on after a number above 0. */
  continueAfter: (table: keyof Tables, column: string, last: number) => RawBuilder<unknown>[];
}
