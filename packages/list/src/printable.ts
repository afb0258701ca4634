import { isPlainText } from "@gpu-offers/domain";

/** Replaces characters that could move a terminal's cursor or reverse the line by `?`. */
export function printable(text: string): string {
  return isPlainText(text)
    ? text
    : Array.from(text, (character) => (isPlainText(character) ? character : "?")).join("");
}
