import { createHash } from "node:crypto";
import SqliteDatabase from "better-sqlite3";

/** Columns that a service updates on its own. */
const OWN_WRITES = new Set(["last_used_at"]);

/** SHA-256 over every row of every table of an SQLite file, except the times at which keys were last used. */
export function databaseHash(databasePath: string): string {
  const file = new SqliteDatabase(databasePath, { readonly: true });
  try {
    const hash = createHash("sha256");
    const tables = file.prepare("select name, sql from sqlite_master where type = 'table' order by name").all() as {
      name: string;
      sql: string;
    }[];
    for (const { name, sql } of tables) {
      hash.update(`${name} ${sql}\n`);
      const rows = (file.prepare(`select * from "${name}"`).all() as Record<string, unknown>[]).map((row) =>
        JSON.stringify(Object.entries(row).filter(([column]) => !OWN_WRITES.has(column))),
      );
      hash.update(rows.sort().join("\n"));
    }
    return hash.digest("hex");
  } finally {
    file.close();
  }
}
