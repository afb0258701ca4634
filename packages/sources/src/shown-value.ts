import { isPlainText } from "@gpu-offers/domain";

const PLAIN = /^[\w.+-]{1,60}$/;

/**
 * Formats a value of a source to quote in a sentence: short, on one line, without control characters.
 * Numbers and plain words stay as they are, other texts are quoted, objects and lists are named by kind.
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

/** A text of a source, truncated to `maxLength` characters, with unsafe characters escaped. */
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
