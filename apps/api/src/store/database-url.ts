import { resolve } from "node:path";

// A DATABASE_URL in messages: it may carry a password, which belongs in none.

/** A text that is a database URL, or was meant to be one, without its password, which may also stand in the query. */
export function withoutPassword(text: string): string {
  const url = /^postgres(?:ql)?:\/\//.test(text) ? URL.parse(text) : null;
  if (url === null) {
    return text.replace(/(:\/\/[^:/@]*):.*@/, "$1:***@").replaceAll(/([?&]password=)[^&]*/gi, "$1***");
  }
  url.password = "";
  url.search = "";
  return url.href;
}

/** The name of a database: its URL without a password; for SQLite with the whole path. */
export function nameOf(url: string): string {
  return isSqlite(url) ? `sqlite:${pathOf(url)}` : withoutPassword(url);
}

/** Whether a database URL names an SQLite file. */
export function isSqlite(url: string): boolean {
  return url.startsWith("sqlite:");
}

/** The path of an SQLite file from its URL. A relative one starts at the working directory. */
export function pathOf(sqliteUrl: string): string {
  return resolve(sqliteUrl.slice("sqlite:".length));
}
