import stringWidth from "string-width";
import { isPlainText } from "@gpu-offers/domain";

// Texts as a terminal shows them: their width in columns, cut and padded without breaking a character.

/**
 * Texts of characters that are one column wide each, whatever stands beside them: Latin letters, punctuation, arrows,
 * mathematical signs, lines and blocks, the marks of this screen. Anything else is asked of Unicode's tables, which
 * takes a hundred times as long and leaves memory behind that is slow to come back.
 */
const NARROW =
  /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u22ff\u2500-\u259f\u2713\u276f\u2800-\u28ff]*$/;

let graphemes: Intl.Segmenter | undefined;

/** Which side of a cell its text stands on. */
export type Align = "left" | "right";

/** The text without anything that could move the cursor or turn the line around; each such character becomes `?`. */
export function printable(text: string): string {
  return isPlainText(text)
    ? text
    : Array.from(text, (character) => (isPlainText(character) ? character : "?")).join("");
}

/** Columns that a text takes on a terminal. */
export function textWidth(text: string): number {
  return NARROW.test(text) ? text.length : stringWidth(text);
}

/** The characters of a text as a person counts them: a letter with its accents is one. */
export function charactersOf(text: string): string[] {
  if (NARROW.test(text)) {
    return text.split("");
  }
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** The text in at most `width` columns; what is cut off leaves an ellipsis. */
export function truncate(text: string, width: number): string {
  if (textWidth(text) <= width) {
    return text;
  }
  if (width < 1) {
    return "";
  }
  let cut = "";
  let used = 0;
  for (const character of charactersOf(text)) {
    const next = textWidth(character);
    if (used + next > width - 1) {
      break;
    }
    cut += character;
    used += next;
  }
  return `${cut}…`;
}

/** The characters that lie within the first `width` columns, and those behind them. */
export function splitAt(text: string, width: number): [string, string] {
  let start = "";
  let room = width;
  for (const character of charactersOf(text)) {
    room -= textWidth(character);
    if (room < 0) {
      break;
    }
    start += character;
  }
  return [start, text.slice(start.length)];
}

/** The text in exactly `width` columns: cut or padded. */
export function fit(text: string, width: number, align: Align = "left"): string {
  const cut = truncate(text, width);
  const padding = " ".repeat(Math.max(0, width - textWidth(cut)));
  return align === "right" ? padding + cut : cut + padding;
}

/** The text in lines of at most `width` columns, broken between words where that can be done. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    let rest = word;
    if (line !== "" && textWidth(`${line} ${rest}`) > width) {
      lines.push(line);
      line = "";
    }
    while (textWidth(rest) > Math.max(2, width)) {
      const [start, end] = splitAt(rest, Math.max(2, width));
      lines.push(start);
      rest = end;
    }
    line = line === "" ? rest : `${line} ${rest}`;
  }
  return [...lines, line];
}
