import { afterAll } from "vitest";
import { openDatabase, type Database, type OpenOptions } from "../src/store/database.ts";

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
