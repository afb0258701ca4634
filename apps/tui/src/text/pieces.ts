import { printable } from "@gpu-offers/list";
import { charactersOf, fit, textWidth, truncate, wrapped } from "./width.js";

// Rows of the screen as data: pieces of text with roles. The theme styles roles.

/** Role of a piece of text. */
export type Role = "plain" | "strong" | "muted" | "accent" | "warning" | "match" | "cursor";

export interface Piece {
  text: string;
  role: Role;
}

/** A row of the screen, from left to right. */
export type Pieces = readonly Piece[];

/** Creates a piece, by default plain. Control characters are neutralized. */
export function piece(text: string, role: Role = "plain"): Piece {
  return { text: printable(text), role };
}

export function row(text: string, role: Role = "plain"): Pieces {
  return [piece(text, role)];
}

/** A sentence wrapped to `width` columns. */
export function wrappedRows(sentence: string, width: number, role: Role = "plain"): Pieces[] {
  return wrapped(sentence, width - 2).map((text) => row(` ${text}`, role));
}

/** An empty row. */
export const BLANK: Pieces = [];

export function piecesWidth(pieces: Pieces): number {
  return pieces.reduce((sum, { text }) => sum + textWidth(text), 0);
}

/** The row truncated to `width` columns. */
export function clip(pieces: Pieces, width: number): Pieces {
  if (piecesWidth(pieces) <= width) {
    return pieces;
  }
  const clipped: Piece[] = [];
  let room = width;
  for (const { text, role } of pieces) {
    const cut = truncate(text, room);
    clipped.push({ text: cut, role });
    room -= textWidth(cut);
    if (cut !== text || room <= 0) {
      break;
    }
  }
  return clipped;
}

/** The row truncated or padded to exactly `width` columns. */
export function filled(pieces: Pieces, width: number): Pieces {
  const shown = clip(pieces, width);
  return [...shown, piece(" ".repeat(Math.max(0, width - piecesWidth(shown))))];
}

/** Two rows aligned left and right in `width` columns; the left one is truncated if necessary. */
export function ends(left: Pieces, right: Pieces, width: number): Pieces {
  const shownRight = clip(right, width);
  return [...filled(left, Math.max(0, width - piecesWidth(shownRight))), ...shownRight];
}

/** Whether two rows have equal text and roles. */
export function isSameRow(a: Pieces, b: Pieces): boolean {
  return (
    a === b ||
    (a.length === b.length && a.every(({ text, role }, index) => text === b[index]?.text && role === b[index].role))
  );
}

export function fieldPieces(text: string, cursor: number): Piece[] {
  const characters = charactersOf(text);
  return [
    piece(characters.slice(0, cursor).join(""), "strong"),
    piece(characters[cursor] ?? " ", "cursor"),
    piece(characters.slice(cursor + 1).join(""), "strong"),
  ];
}

/** The part of a text field around its cursor that fits in `width` columns. */
export function fieldWindow(text: string, cursor: number, width: number): Piece[] {
  const characters = charactersOf(text);
  const widthOf = (place: number): number => textWidth(characters[place] ?? " ");
  // An ellipsis stands for the cut start; what is cut at the end is clipped.
  let room = width - 1 - widthOf(cursor);
  let start = cursor;
  while (start > 0 && room >= widthOf(start - 1)) {
    start--;
    room -= widthOf(start);
  }
  const shown = fieldPieces(characters.slice(start).join(""), cursor - start);
  return [...clip(start === 0 ? shown : [piece("…", "muted"), ...shown], width)];
}

/** Width of the names of facts, with the spaces around them. */
export const NAME_WIDTH = 16;

/** A name and a value in two columns. */
export function pair(name: string, value: string): Pieces {
  return [piece(` ${fit(name, NAME_WIDTH - 2)} `, "muted"), piece(value)];
}

/** A line of a list with a cursor, or its beginning. */
export function pointed(text: string, isCurrent: boolean): Pieces {
  return [piece(isCurrent ? " ❯ " : "   ", "accent"), piece(text, isCurrent ? "strong" : "plain")];
}

/** Rows whose last one says how many more there are. */
export function withMore(rows: readonly Pieces[], more: number, width: number): readonly Pieces[] {
  const last = rows.at(-1) ?? BLANK;
  return more <= 0 ? rows : [...rows.slice(0, -1), ends(last, row(` ↓ ${more} more `, "accent"), width)];
}

/** Rows padded or truncated to a number of rows. */
export function padded(rows: readonly Pieces[], height: number): Pieces[] {
  return [...rows, ...Array.from({ length: Math.max(0, height - rows.length) }, () => BLANK)].slice(0, height);
}

/** The visible rows around a cursor, which stays away from the edges if there are more rows beyond them. */
export function around<Item>(items: readonly Item[], cursor: number, height: number): Item[] {
  const top = Math.max(0, Math.min(cursor - Math.floor(height / 2), items.length - height));
  return items.slice(top, top + height);
}

/** The parts of a text that match a pattern, in a role of their own. */
export function highlighted(text: string, patterns: readonly RegExp[], role: Role): Piece[] {
  if (patterns.length === 0) {
    return [{ text, role }];
  }
  const marks = marksOf(text, patterns);
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

function marksOf(text: string, patterns: readonly RegExp[]): boolean[] {
  const marks = Array.from({ length: text.length }, () => false);
  for (const pattern of patterns) {
    for (const { index, 0: found } of text.matchAll(pattern)) {
      marks.fill(true, index, index + found.length);
    }
  }
  return marks;
}
