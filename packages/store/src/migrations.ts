import { sql, type Kysely } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import type { Database, Kind } from "./database-kind.js";
import { statementsOf, type Step } from "./migrations/step.js";
import { MIGRATIONS } from "./migrations/steps.js";

function toMigration(steps: readonly Step[], { name }: Kind): Migration {
  return {
    async up(database: Kysely<never>) {
      for (const step of steps) {
        if (typeof step === "function") {
          await step(database);
        }
        for (const statement of statementsOf([step], name)) {
          await sql.raw(statement).execute(database);
        }
      }
    },
  };
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
