// Each letter may be percent-encoded.
const KEY = /(?:g|%67)(?:p|%70)(?:o|%6f)(?:_|%5f)(?:[a-z0-9]|%[0-9a-f]{2})+/gi;

/** A text of a caller without the keys in it. They have no place there, and must not reach a log or an error. */
export function withoutKeys(text: string): string {
  return text.includes("gpo_") || text.includes("%") ? text.replaceAll(KEY, "gpo_***") : text;
}
