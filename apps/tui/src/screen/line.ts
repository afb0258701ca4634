import { NAME_WIDTH } from "../picker/reading-pane.js";
import { charactersOf, fit, printable, textWidth, truncate } from "../text/width.js";

// Lines of the screen as data: pieces of text with the role they play. How a role looks is the theme's matter.

/** What a piece of text is. */
export type Role = "plain" | "strong" | "muted" | "accent" | "warning" | "match" | "cursor";

/** A piece of a line. */
export interface Piece {
  text: string;
  role: Role;
}

/** A line of the screen, from left to right. */
export type Line = readonly Piece[];

/** A piece; plain where no role is given. Nothing in it can act on the terminal, wherever its text is from. */
export function piece(text: string, role: Role = "plain"): Piece {
  return { text: printable(text), role };
}

/** A line of one piece. */
export function line(text: string, role: Role = "plain"): Line {
  return [piece(text, role)];
}

/** A line without anything. */
export const BLANK: Line = [];

/** Columns that a line takes. */
export function lineWidth(pieces: Line): number {
  return pieces.reduce((sum, { text }) => sum + textWidth(text), 0);
}

/** The line in at most `width` columns. */
export function clip(pieces: Line, width: number): Line {
  const clipped: Piece[] = [];
  let room = width;
  for (const { text, role } of pieces) {
    const cut = truncate(text, room);
    clipped.push(piece(cut, role));
    room -= textWidth(cut);
    if (cut !== text || room <= 0) {
      break;
    }
  }
  return clipped;
}

/** The line in exactly `width` columns: cut or padded. */
export function filled(pieces: Line, width: number): Line {
  const shown = clip(pieces, width);
  return [...shown, piece(" ".repeat(Math.max(0, width - lineWidth(shown))))];
}

/** Two lines at the ends of `width` columns; the left one gives way. */
export function ends(left: Line, right: Line, width: number): Line {
  const shownRight = clip(right, width);
  return [...filled(left, Math.max(0, width - lineWidth(shownRight))), ...shownRight];
}

/** Whether two lines read and look the same. */
export function isSameLine(a: Line, b: Line): boolean {
  return (
    a === b ||
    (a.length === b.length && a.every(({ text, role }, index) => text === b[index]?.text && role === b[index].role))
  );
}

/** A text with its cursor shown, for fields that are typed into. */
export function fieldPieces(text: string, cursor: number): Piece[] {
  const characters = charactersOf(text);
  return [
    piece(characters.slice(0, cursor).join(""), "strong"),
    piece(characters[cursor] ?? " ", "cursor"),
    piece(characters.slice(cursor + 1).join(""), "strong"),
  ];
}

/** Texts in two columns: a name and what it is. */
export function pair(name: string, value: string): Line {
  return [piece(` ${fit(name, NAME_WIDTH - 2)} `, "muted"), piece(value)];
}

/** The parts of a text in which a word occurs, by the rules of the text filter (smart case). */
export function highlighted(text: string, words: readonly string[], role: Role): Piece[] {
  const marks = marksOf(text, words);
  const pieces: Piece[] = [];
  let start = 0;
  for (let place = 1; place <= text.length; place++) {
    if (place === text.length || marks[place] !== marks[start]) {
      pieces.push(piece(text.slice(start, place), marks[start] === true ? "match" : role));
      start = place;
    }
  }
  return pieces;
}

function marksOf(text: string, words: readonly string[]): boolean[] {
  const marks = Array.from({ length: text.length }, () => false);
  const folded = text.toLowerCase();
  for (const word of words) {
    const within = word === word.toLowerCase() && folded.length === text.length ? folded : text;
    for (let place = within.indexOf(word); place !== -1; place = within.indexOf(word, place + 1)) {
      marks.fill(true, place, place + word.length);
    }
  }
  return marks;
}
