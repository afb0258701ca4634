import { databaseUrlOf } from "@gpu-offers/testkit/admin";
import { atEnd } from "@gpu-offers/testkit/leftovers";
import { sql } from "kysely";
import { kindOf, openDatabase, type Database, type OpenOptions } from "../src/database.ts";

/** Opens a database like the service and the admin command; it is closed after the test file, and need not survive the machine. */
export async function open(url: string, options: OpenOptions = {}): Promise<Database> {
  const database = await openDatabase(url, options);
  if (kindOf(database).name === "sqlite") {
    await sql`pragma synchronous = off`.execute(database);
  }
  atEnd(() => database.destroy());
  return database;
}

/** Opens a database given by its URL or the path of its SQLite file, and closes it after `use`. */
export async function withDatabase<Result>(
  database: string,
  use: (database: Database) => Promise<Result>,
): Promise<Result> {
  const connection = await openDatabase(databaseUrlOf(database));
  try {
    return await use(connection);
  } finally {
    await connection.destroy();
  }
}
