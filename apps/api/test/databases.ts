import { atEnd } from "@gpu-offers/testkit/leftovers";
import { openDatabase, type Database, type OpenOptions } from "../src/store/database.ts";

/** Opens a database like the service and the admin command; it is closed after the test file. */
export async function open(url: string, options: OpenOptions = {}): Promise<Database> {
  const database = await openDatabase(url, options);
  atEnd(() => database.destroy());
  return database;
}
