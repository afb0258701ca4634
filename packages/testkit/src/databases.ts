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

/** A kind of database. */
export interface DatabaseKind {
  kind: "SQLite" | "PostgreSQL";
  /** Creates an empty database and returns its `DATABASE_URL`. */
  create: () => Promise<string>;
}

const both: readonly DatabaseKind[] = [
  { kind: "SQLite", create: async () => `sqlite:${tempDatabase()}` },
  { kind: "PostgreSQL", create: () => createPostgresDatabase(inject("postgresUrl")) },
];

/**
 * Both kinds; store tests run once for each. Mutation runs only use SQLite: the differences between the two are in
 * database.ts, which is not mutated.
 */
export const databases = process.env["MUTATION_AREA"] === undefined ? both : both.slice(0, 1);

const suiteKind = process.env["TEST_SUITE"] === "full" ? "PostgreSQL" : "SQLite";
/** Slow tests run on SQLite by default, and also on PostgreSQL in the full suite; their files are `*.database.test.ts`. */
export const databasesOfSuite = both.filter(({ kind }) => kind === suiteKind);
