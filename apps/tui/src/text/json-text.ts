import { isPlainText } from "@gpu-offers/domain";

/**
 * A value as JSON that can be shown on any terminal: characters that would act on it are written as escapes, which
 * readers turn back into the same value.
 * @param indent Spaces of a level; left out, all is on one line.
 */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent)
    .split("\n")
    .map((line) => (isPlainText(line) ? line : Array.from(line, escaped).join("")))
    .join("\n");
}

function escaped(character: string): string {
  return isPlainText(character) ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
