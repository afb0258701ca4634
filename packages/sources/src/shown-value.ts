import { isPlainText } from "@gpu-offers/domain";

const PLAIN = /^[\w.+-]{1,60}$/;

/**
 * A value of a source as a sentence may quote it: short, on one line, without control characters.
 * Numbers and plain words stand as they are, other texts in quotes, objects and lists by their kind.
 */
export function showValue(value: unknown): string {
  if (typeof value === "string") {
    return PLAIN.test(value) ? value : `"${safeText(value)}"`;
  }
  if (value === null || ["number", "boolean", "undefined"].includes(typeof value)) {
    return String(value);
  }
  return Array.isArray(value) ? "a list" : "an object";
}

/** A text of a source, cut to `maxLength` characters, with unsafe characters written as escapes. */
export function safeText(text: string, maxLength = 60): string {
  const shown = text.length > maxLength ? `${text.slice(0, maxLength)}...` : text;
  return isPlainText(shown)
    ? shown
    : Array.from(shown, (character) => (isPlainText(character) ? character : escaped(character))).join("");
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}
