import type { Align } from "@gpu-offers/list";
import stringWidth from "string-width";
import { isNarrow } from "./narrow.js";

// Width of texts in terminal columns; truncates and pads without breaking characters.

let graphemes: Intl.Segmenter | undefined;

/** Width of a text in terminal columns. */
export function textWidth(text: string): number {
  return isNarrow(text) ? text.length : stringWidth(text);
}

/** The graphemes of a text: a letter with its accents is one. */
export function charactersOf(text: string): string[] {
  if (isNarrow(text)) {
    return text.split("");
  }
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** Truncates a text to `width` columns, with an ellipsis. */
export function truncate(text: string, width: number): string {
  if (textWidth(text) <= width) {
    return text;
  }
  return width < 1 ? "" : `${splitAt(text, width - 1)[0]}…`;
}

/** Splits a text after the characters that fit in `width` columns. */
function splitAt(text: string, width: number): [string, string] {
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

/** Truncates or pads a text to exactly `width` columns. */
export function fit(text: string, width: number, align: Align = "left"): string {
  const cut = truncate(text, width);
  const padding = " ".repeat(Math.max(0, width - textWidth(cut)));
  return align === "right" ? padding + cut : cut + padding;
}

/** Breaks a text after each `width` columns. Unlike {@link wrapped}, it keeps all spaces. */
export function broken(text: string, width: number): string[] {
  const [start, rest] = splitAt(text, Math.max(2, width));
  return rest === "" ? [start] : [start, ...broken(rest, width)];
}

/** Wraps a text to lines of up to `width` columns, between words if possible. */
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
