import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { liveSources } from "@gpu-offers/sources";
import { reasonOf } from "@gpu-offers/domain";
import type { Config } from "./config.js";
import { readGpuAliases } from "@gpu-offers/fetch/gpu-alias-file";
import { loadSourceModules } from "@gpu-offers/fetch/source-modules";
import { LiveSettingsFile } from "@gpu-offers/fetch/live-settings";
import { DatabaseError, NoDatabaseError } from "@gpu-offers/store/database-error";
import { openDatabase } from "@gpu-offers/store/database";
import { isSqlite, nameOf, pathOf } from "@gpu-offers/store/database-url";
import { compareMigrations, newerVersion } from "@gpu-offers/store/migrations";

/** Reads the files and loads the modules that settings name. @throws ConfigError naming what is invalid in them. */
export async function checkFiles(config: Config): Promise<void> {
  await loadSourceModules(config);
  LiveSettingsFile.read(liveSources, config);
  readGpuAliases(config);
}

/**
 * Opens the database for reading, and changes nothing.
 * @returns what the service will find when it starts, as a clause for the operator.
 * @throws DatabaseError if the service could not start with it.
 */
export async function checkDatabase(url: string): Promise<string> {
  try {
    const { missing, unknown } = await readMigrations(url);
    const [newer] = unknown;
    if (newer !== undefined) {
      throw new DatabaseError(
        `cannot open the database ${isSqlite(url) ? pathOf(url) : nameOf(url)}: ${newerVersion(newer)}`,
      );
    }
    if (isSqlite(url)) {
      assertWritable(pathOf(url), "open");
    }
    return missing.length === 0
      ? "the database can be read"
      : `the tables of the database ${nameOf(url)} will be upgraded when the service starts`;
  } catch (error) {
    if (!(error instanceof NoDatabaseError)) {
      throw error;
    }
    if (isSqlite(url)) {
      assertWritable(pathOf(url), "create");
    }
    return `the ${isSqlite(url) ? "" : "tables of the "}database ${nameOf(url)} will be created when the service starts`;
  }
}

async function readMigrations(url: string): Promise<{ missing: string[]; unknown: string[] }> {
  const database = await openDatabase(url, { isReader: true, mustExist: true });
  try {
    return await compareMigrations(database);
  } finally {
    await database.destroy();
  }
}

/** @throws DatabaseError if a file with this path, or those that SQLite puts beside it, could not be created. */
function assertWritable(path: string, purpose: "open" | "create"): void {
  let nearest = dirname(path);
  while (!existsSync(nearest)) {
    nearest = dirname(nearest);
  }
  try {
    if (!statSync(nearest).isDirectory()) {
      throw new Error(`${nearest} is not a directory`);
    }
    accessSync(nearest, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new DatabaseError(`cannot ${purpose} the database ${path}: ${reasonOf(error)}`, { cause: error });
  }
}
