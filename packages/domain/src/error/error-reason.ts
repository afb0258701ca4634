/** An error's message in one line. Failed connections to several addresses have a code, but no message. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error && error.message !== "" ? error.message : codeOf(error) || String(error);
  return text.replaceAll(/\s+/g, " ");
}

/** The code of an error, such as Node's, PostgreSQL's or SQLite's; empty for none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
