import { codeOf, reasonOf } from "@gpu-offers/domain";

/** The database can't be opened. The message says which one and why. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
}

/** The database doesn't exist. */
export class NoDatabaseError extends DatabaseError {
  constructor(name: string) {
    super(
      `there is no gpu-offers database ${name}. Check DATABASE_URL. To create one, start the service, or run catalog import or account create.`,
    );
  }
}

/** The SQLite file was deleted, replaced or overwritten while it was open. What the open file has is seen by no other process. */
export class ReplacedFileError extends Error {
  override readonly name = "ReplacedFileError";
  readonly code = "SQLITE_CANTOPEN";

  /** @param how what happened, and what to do. */
  constructor(path: string, how: string) {
    super(`the file ${path} was ${how}`);
  }
}

/** A sentence for an operator about an error for which {@link isUnreachable} is true. */
export function describeUnreachable(error: unknown): string {
  const code = codeOf(error);
  const reason = reasonOf(error);
  if (code === "57014") {
    return `the database did not finish in time (${reason}). Another process may hold a lock: see pg_stat_activity.`;
  }
  return /^(?:53100|25006|SQLITE_(?:FULL|READONLY))/.test(code)
    ? `the database cannot be written to: ${reason}${code === "25006" ? ". It is a standby, or was demoted to one: use the primary's address." : ""}`
    : `the database does not respond: ${reason}`;
}

/** Codes of Node and of SQLite. */
const UNREACHABLE =
  /^(?:ECONN|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EHOST|ENET|EADDRNOTAVAIL|EMFILE|SQLITE_(?:BUSY|LOCKED|IOERR|CANTOPEN|FULL|NOTADB|CORRUPT|READONLY))/;

/**
 * Codes of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html), except of the classes that say that a
 * statement is wrong: features, cardinality, data, constraints, cursors, names of statements, syntax and missing tables. A
 * missing permission (42501) isn't the statement's: an operator took it away.
 */
const UNREACHABLE_POSTGRES = /^(?!0A|21|22|23|24|26|2F|34|3B|42(?!501)|44)(?:\d[\dA-Z]|F0|HV|XX)[\dA-Z]{3}$/;

/** Messages of pg's errors without a code. */
const UNREACHABLE_MESSAGE =
  /^(?:Connection terminated|timeout exceeded|timeout expired|Client has encountered a connection error|Postgres connection has been discarded)/;

/** Whether an error means that the database is unreachable or busy, rather than that the query is invalid. */
export function isUnreachable(error: unknown): boolean {
  const code = codeOf(error);
  const isCode = UNREACHABLE.test(code) || UNREACHABLE_POSTGRES.test(code);
  return isCode || (error instanceof Error && UNREACHABLE_MESSAGE.test(error.message));
}
