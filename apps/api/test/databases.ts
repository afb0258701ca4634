import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, inject } from "vitest";
import { openDatabase, type Database, type OpenOptions } from "../src/store/database.ts";
import { tempDatabase } from "./temp-folder.ts";

// The two kinds of database that everything has to work on, each a real one.

/** A kind of database. */
export interface DatabaseKind {
  kind: "SQLite" | "PostgreSQL";
  /** Makes an empty database and gives its `DATABASE_URL`. */
  create: () => Promise<string>;
}

/** Both kinds; the tests of a store run once for each. */
export const databases: readonly DatabaseKind[] = [
  { kind: "SQLite", create: async () => `sqlite:${tempDatabase()}` },
  { kind: "PostgreSQL", create: () => createPostgresDatabase(inject("postgresUrl")) },
];

/** Makes an empty database on a PostgreSQL server and gives its URL. */
export async function createPostgresDatabase(serverUrl: string): Promise<string> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${name} template template0`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = name;
  return url.href;
}

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
