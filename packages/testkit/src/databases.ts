import { inject } from "vitest";
import { createPostgresDatabase } from "./postgres-server.ts";
import { tempDatabase } from "./temp-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the PostgreSQL that runs during the tests. */
    postgresUrl: string;
  }
}

// The two supported kinds of database, both real.

export interface DatabaseKind {
  kind: "SQLite" | "PostgreSQL";
  /** Creates an empty database and returns its `DATABASE_URL`. */
  create: () => Promise<string>;
  /** Runs of a property test with a database each: PostgreSQL takes ten times as long for one, so it gets a quarter. */
  runsOf: (runs: number) => number;
}

const both: readonly DatabaseKind[] = [
  { kind: "SQLite", create: async () => `sqlite:${tempDatabase()}`, runsOf: (runs) => runs },
  {
    kind: "PostgreSQL",
    create: () => createPostgresDatabase(inject("postgresUrl")),
    runsOf: (runs) => Math.ceil(runs / 4),
  },
];

/**
 * Both kinds; store tests run once for each. Mutation runs only use SQLite: the differences between the two are in
 * database.ts, which is not mutated.
 */
export const databases = process.env["MUTATION_AREA"] === undefined ? both : both.slice(0, 1);

const suiteKind = process.env["TEST_SUITE"] === "full" ? "PostgreSQL" : "SQLite";
/** Slow tests run on SQLite by default, and also on PostgreSQL in the full suite; their files are `*.database.test.ts`. */
export const databasesOfSuite = both.filter(({ kind }) => kind === suiteKind);
