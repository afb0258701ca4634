import { afterAll } from "vitest";
import { openDatabase, type Database, type OpenOptions } from "../src/store/database.ts";

const opened: Database[] = [];

afterAll(async () => {
  await Promise.all(opened.map((database) => database.destroy()));
});

/** Opens a database like the service and the admin command; it is closed after the test file. */
export async function open(url: string, options: OpenOptions = {}): Promise<Database> {
  const database = await openDatabase(url, options);
  opened.push(database);
  return database;
}
