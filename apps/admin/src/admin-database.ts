import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { reasonOf } from "@gpu-offers/domain";
import { NoDatabaseError } from "@gpu-offers/store/database-error";
import { isSqlite, pathOf } from "@gpu-offers/store/database-url";
import { readSharedSettings } from "@gpu-offers/sync/settings";
import { compareMigrations } from "@gpu-offers/store/migrations";
import { openDatabase, readSnapshot, type Database, type OpenOptions } from "@gpu-offers/store/database";
import { CommandFailure } from "./command.js";

/** Runs a command with the configured database, then closes it. A missing database is an error. */
export async function withDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  return withUrl(configuredUrl(), work, { mustExist: true });
}

/** Like {@link withDatabase}, for work that only reads: also works where the database can't be written. */
export async function withReader<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  return withUrl(configuredUrl(), work, { mustExist: true }, openForReading);
}

/** Like {@link withReader}, for several queries that must see one consistent state. */
export async function withSnapshot<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  return withReader((database) => readSnapshot(database, work));
}

/** Like {@link withReader}, without a look at its version: also works on a damaged database, and on a compressed backup. */
export async function withReadOnly<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  return withDecompressed(configuredUrl(), (url) => withUrl(url, work, { mustExist: true, isReader: true }));
}

/**
 * Like {@link withDatabase}, for work that changes nothing. Without a database, it gets an empty one in a temporary
 * folder, so that a newcomer can see what would happen.
 */
export async function withPreview<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  return withDatabase(work).catch((error: unknown) => {
    if (!(error instanceof NoDatabaseError)) {
      throw error;
    }
    return withTemporary("preview", (url) => withUrl(url, work));
  });
}

/** Like {@link withDatabase}, but creates a missing database. */
export async function withNewDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  return withUrl(configuredUrl(), work);
}

/** The database of the environment. @throws ConfigError. */
export function configuredUrl(): string {
  return readSharedSettings({ DATABASE_URL: process.env["DATABASE_URL"] }).DATABASE_URL;
}

/** Runs work on the database of a URL, then closes it. */
export async function withUrl<Result>(
  url: string,
  work: (database: Database) => Promise<Result>,
  options: OpenOptions = {},
  open: typeof openDatabase = openDatabase,
): Promise<Result> {
  const database = await open(url, options);
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}

/**
 * Runs work on a database. One in a compressed file (`sqlite:backup.sqlite.gz`) is first decompressed into the folder for
 * temporary files.
 * @param work gets the URL of the database to open.
 * @throws CommandFailure if the file cannot be decompressed.
 */
export async function withDecompressed<Result>(url: string, work: (url: string) => Promise<Result>): Promise<Result> {
  if (!isSqlite(url) || !url.endsWith(".gz")) {
    return work(url);
  }
  return withTemporary("backup", async (plain) => {
    const file = createWriteStream(pathOf(plain), { mode: 0o600 });
    await pipeline(createReadStream(pathOf(url)), createGunzip(), file).catch((error: unknown) => {
      throw new CommandFailure(`cannot decompress ${pathOf(url)}: ${reasonOf(error)}.`);
    });
    return work(plain);
  });
}

/** Runs work with the URL of an SQLite file that doesn't exist, in a folder that is removed afterwards. */
async function withTemporary<Result>(purpose: string, work: (url: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), `gpu-offers-${purpose}-`));
  try {
    return await work(`sqlite:${join(folder, `${purpose}.sqlite`)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Opens a database for writing, and a file read-only if that isn't possible. It isn't always read-only, because that would leave
 * files of SQLite's log beside the database, and wouldn't bring one of an earlier version up to date.
 * @throws DatabaseError why it can't be written, if it can't be read or is of another version.
 */
async function openForReading(url: string, options?: OpenOptions): Promise<Database> {
  try {
    return await openDatabase(url, options);
  } catch (error) {
    if (!isSqlite(url)) {
      throw error;
    }
    const reader = await openDatabase(url, { ...options, isReader: true }).catch(() => undefined);
    const migrations = reader && (await compareMigrations(reader).catch(() => undefined));
    if (reader !== undefined && migrations?.missing.length === 0 && migrations.unknown.length === 0) {
      return reader;
    }
    await reader?.destroy();
    throw error;
  }
}
