import { readConfig } from "../config.js";
import { openDatabase, type Database } from "../store/database.js";

/** Opens the database of the settings for one command, and closes it after. */
export async function withDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  const { DATABASE_URL } = readConfig({ DATABASE_URL: process.env["DATABASE_URL"] });
  const database = await openDatabase(DATABASE_URL);
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}
