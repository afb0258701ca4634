import { inject } from "vitest";
import { createPostgresDatabase } from "./postgres-server.ts";
import { tempDatabase } from "./temp-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the PostgreSQL that runs as long as the tests do. */
    postgresUrl: string;
  }
}

// The two kinds of database that everything has to work on, each a real one.

/** A kind of database. */
export interface DatabaseKind {
  kind: "SQLite" | "PostgreSQL";
  /** Makes an empty database and gives its `DATABASE_URL`. */
  create: () => Promise<string>;
}

const both: readonly DatabaseKind[] = [
  { kind: "SQLite", create: async () => `sqlite:${tempDatabase()}` },
  { kind: "PostgreSQL", create: () => createPostgresDatabase(inject("postgresUrl")) },
];

/**
 * Both kinds; the tests of a store run once for each. Mutation runs have SQLite alone: what differs
 * between the two is in database.ts, which they leave as it is.
 */
export const databases = process.env["MUTATION_AREA"] === undefined ? both : both.slice(0, 1);

const suiteKind = process.env["TEST_SUITE"] === "full" ? "PostgreSQL" : "SQLite";
/** What takes long runs on SQLite in the default tests, and on PostgreSQL in the full ones; its files are `*.database.test.ts`. */
export const databasesOfSuite = both.filter(({ kind }) => kind === suiteKind);
