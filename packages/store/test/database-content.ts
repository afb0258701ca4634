import SqliteDatabase from "better-sqlite3";

/** Every row of the catalog in a database file, without write times, to compare as a whole. */
export function contentOf(databasePath: string): Record<string, unknown[]> {
  const file = new SqliteDatabase(databasePath, { readonly: true });
  try {
    const rows = (table: string, order: string) => file.prepare(`select * from ${table} order by ${order}`).all();
    return {
      revisions: rows("catalog_revision", "revision"),
      providers: rows("(select name, type, as_of, source from provider)", "name"),
      images: rows("os_image", "provider, id"),
      offers: rows("offer", "id"),
    };
  } finally {
    file.close();
  }
}
