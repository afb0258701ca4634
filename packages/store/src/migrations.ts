import { sql, type Kysely } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import type { Database, Kind } from "./database-kind.js";
import { catalog } from "./migrations/001-catalog.js";
import { accounts } from "./migrations/002-accounts.js";
import { runningBalance } from "./migrations/003-running-balance.js";
import { liveSources } from "./migrations/004-live-sources.js";
import { history } from "./migrations/005-history.js";
import { changesOfRevision } from "./migrations/006-changes-of-revision.js";
import { prices } from "./migrations/010-prices.js";
import { listings } from "./migrations/011-listings.js";
import { operation } from "./migrations/013-operation.js";
import { observations } from "./migrations/020-observations.js";
import { sample } from "./migrations/021-sample.js";
import { lastSeen } from "./migrations/022-last-seen.js";
import { stock } from "./migrations/023-stock.js";
import { statementsOf, type Step } from "./migrations/step.js";

// The history of the tables. A migration that has shipped is never edited (a test compares them); a change is a new one.
// They are plain SQL, or code of their own, so that no change of other code changes them.

/** All migrations of this version, in order. */
export const MIGRATIONS: Readonly<Record<string, readonly Step[]>> = {
  "001-catalog": catalog,
  "002-accounts": accounts,
  "003-running-balance": runningBalance,
  "004-live-sources": liveSources,
  "005-history": history,
  "006-changes-of-revision": changesOfRevision,
  "010-prices": prices,
  "011-listings": listings,
  "013-operation": operation,
  "020-observations": observations,
  "021-sample": sample,
  "022-last-seen": lastSeen,
  "023-stock": stock,
};

function toMigration(steps: readonly Step[], { name }: Kind): Migration {
  return {
    async up(db: Kysely<never>) {
      for (const step of steps) {
        await (typeof step === "function" ? step(db) : run(statementsOf([step], name), db));
      }
    },
  };
}

async function run(statements: readonly string[], database: Kysely<never>): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(database);
  }
}

/**
 * Migrates the tables to this version. Concurrent migrations wait for each other.
 * @throws Error if a migration fails, or if the database is of a newer version of gpu-offers.
 */
export async function migrate(database: Database, kind: Kind): Promise<void> {
  const migrations = Object.fromEntries(
    Object.entries(MIGRATIONS).map(([name, steps]) => [name, toMigration(steps, kind)]),
  );
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) {
    return;
  }
  const { unknown } = await compareMigrations(database).catch(() => ({ unknown: [] }));
  if (unknown[0] !== undefined) {
    throw new Error(newerVersion(unknown[0]));
  }
  throw error instanceof Error ? error : new Error("The migrations failed.", { cause: error });
}

/** The reason why a database with a migration of a newer version can't be opened. */
export function newerVersion(migration: string): string {
  return `it was created by a newer version of gpu-offers (migration ${migration}). Use that version or a later one.`;
}

/** The names of the applied migrations, in order. */
export async function listMigrations(database: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database);
  return rows.map(({ name }) => name).sort();
}

/** This version's migrations that aren't applied yet, and applied ones that this version doesn't have. */
export async function compareMigrations(database: Database): Promise<{ missing: string[]; unknown: string[] }> {
  const [known, had] = [Object.keys(MIGRATIONS).sort(), await listMigrations(database)];
  return {
    missing: known.filter((name) => !had.includes(name)),
    unknown: had.filter((name) => !known.includes(name)),
  };
}
