import { atEnd } from "@gpu-offers/testkit/leftovers";
import { createPostgresDatabase, startPostgres, type PostgresServer } from "@gpu-offers/testkit/postgres-server";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";

/** A new, empty database. */
export interface TestDatabase {
  kind: "SQLite" | "PostgreSQL";
  url: string;
  /** The server it runs on, used by nothing else. */
  server?: PostgresServer;
}

/** Runs the same check on a database of each kind, and reports the result of each. Data of both survive a kill -9. */
export async function onBothDatabases(work: (database: TestDatabase) => Promise<string>): Promise<string> {
  const server = await startPostgres({ isDurable: true });
  atEnd(server.remove);
  const onSqlite = await work({ kind: "SQLite", url: `sqlite:${tempDatabase()}` });
  const onPostgres = await work({ kind: "PostgreSQL", url: await createPostgresDatabase(server.url), server });
  return `SQLite: ${onSqlite}; PostgreSQL: ${onPostgres}`;
}
