/** A text as one word of a POSIX shell. Placeholders in angle brackets within are quoted, too. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
