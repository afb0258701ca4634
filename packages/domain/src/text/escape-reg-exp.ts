/** The source of a regular expression that matches a text literally. Node has `RegExp.escape` only from version 24. */
export function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
