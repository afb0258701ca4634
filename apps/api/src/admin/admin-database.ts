import { readConfig } from "../config.js";
import { openDatabase, readOneState, type Database, type OpenOptions } from "../store/database.js";

/** Opens the database of the settings for one command, and closes it after. One that does not exist is an error. */
export async function withDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  return withOpened(work, { mustExist: true });
}

/** The same for a command that reads in several queries: all of them see one state. */
export async function withSnapshot<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  return withDatabase((database) => readOneState(database, work));
}

/** The same for a command that only reads, from a database that may be damaged or a copy that cannot be written. */
export async function withReadOnly<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  return withOpened(work, { mustExist: true, isReader: true });
}

/** The same for a command that may be the first one: it creates the database. */
export async function withNewDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  return withOpened(work, {});
}

async function withOpened<Result>(
  work: (database: Database) => Promise<Result>,
  options: OpenOptions,
): Promise<Result> {
  const { DATABASE_URL } = readConfig({ DATABASE_URL: process.env["DATABASE_URL"] });
  const database = await openDatabase(DATABASE_URL, options);
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}
