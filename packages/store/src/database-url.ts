import { resolve } from "node:path";

// DATABASE_URL in messages, which must never contain its password.

/** Removes the password from a (possibly malformed) database URL. The password may also be in the query. */
export function withoutPassword(text: string): string {
  const url = /^postgres(?:ql)?:\/\//.test(text) ? URL.parse(text) : null;
  if (url === null) {
    return text.replace(/(:\/\/[^:/@]*):.*@/, "$1:***@").replaceAll(/([?&]password=)[^&]*/gi, "$1***");
  }
  url.password = "";
  url.search = "";
  return url.href;
}

/**
 * A text in place of a database URL, for messages; undefined if it may contain a password in an unknown place, such as
 * `host=db password=secret`.
 */
export function withoutAnyPassword(text: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !/@|password/i.test(text) ? withoutPassword(text) : undefined;
}

/** The name of a database: its URL without password; for SQLite with the absolute path. */
export function nameOf(url: string): string {
  return isSqlite(url) ? `sqlite:${pathOf(url)}` : withoutPassword(url);
}

/** Whether a database URL names an SQLite file. */
export function isSqlite(url: string): boolean {
  return url.startsWith("sqlite:");
}

/** The path of an SQLite file from its URL. Relative paths are relative to the working directory. */
export function pathOf(sqliteUrl: string): string {
  return resolve(sqliteUrl.slice("sqlite:".length));
}
