import type { Database } from "../store/database.js";
export async function seedStarterCatalog(_database: Database): Promise<number | undefined> {
  return undefined;
}
