import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NoDatabaseError } from "@gpu-offers/store/database-error";
import { readSharedSettings } from "@gpu-offers/sync/settings";
import {
  compareMigrations,
  openDatabase,
  readSnapshot,
  type Database,
  type OpenOptions,
} from "@gpu-offers/store/database";

/** Runs a command with the configured database, then closes it. A missing database is an error. */
export async function withDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  return withOpened(work, { mustExist: true });
}

/** Like {@link withDatabase}, for work that only reads: also works where the database can't be written. */
export async function withReader<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  const done = await withReadOnly(async (database) => {
    const { missing, unknown } = await compareMigrations(database);
    return missing.length + unknown.length === 0 ? { result: await work(database) } : undefined;
  });
  // A database of another version is opened for writing, which brings it up to date, or says why it can't be.
  return done === undefined ? withDatabase(work) : done.result;
}

/** Like {@link withReader}, for several queries that must see one consistent state. */
export async function withSnapshot<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  return withReader((database) => readSnapshot(database, work));
}

/** Like {@link withReader}, without a look at its version: also works on a damaged database. */
export async function withReadOnly<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  return withOpened(work, { mustExist: true, isReader: true });
}

/**
 * Like {@link withDatabase}, for work that changes nothing. Without a database, it gets an empty one in a temporary
 * folder, so that a newcomer can see what would happen.
 */
export async function withPreview<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  try {
    return await withDatabase(work);
  } catch (error) {
    if (!(error instanceof NoDatabaseError)) {
      throw error;
    }
  }
  const folder = await mkdtemp(join(tmpdir(), "gpu-offers-preview-"));
  const database = await openDatabase(`sqlite:${join(folder, "preview.sqlite")}`);
  try {
    return await work(database);
  } finally {
    await database.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Like {@link withDatabase}, but creates a missing database. */
export async function withNewDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  return withOpened(work, {});
}

async function withOpened<Result>(
  work: (database: Database) => Promise<Result>,
  options: OpenOptions,
): Promise<Result> {
  const { DATABASE_URL } = readSharedSettings({ DATABASE_URL: process.env["DATABASE_URL"] });
  const database = await openDatabase(DATABASE_URL, options);
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}
