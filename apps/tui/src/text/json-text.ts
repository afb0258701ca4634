import { isPlainText } from "@gpu-offers/domain";

/**
 * Formats a value as JSON that is safe for terminals: control characters are escaped, so that it still parses to the
 * same value.
 * @param indent Spaces per level; if omitted, everything is on one line.
 */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(/[^\n -~]/gu, escaped);
}

function escaped(character: string): string {
  return isPlainText(character)
    ? character
    : character
        .split("")
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
        .join("");
}
