import { afterAll, inject } from "vitest";
import { openDatabase, type Database, type OpenOptions } from "../src/store/database.ts";
import { createPostgresDatabase } from "./postgres-server.ts";
import { tempDatabase } from "./temp-folder.ts";

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

const opened: Database[] = [];

afterAll(async () => {
  await Promise.all(opened.map((database) => database.destroy()));
});

/** Opens a database as the service and the command line do; it is closed when the test file is done. */
export async function open(url: string, options: OpenOptions = {}): Promise<Database> {
  const database = await openDatabase(url, options);
  opened.push(database);
  return database;
}
