import { styledCharsFromTokens, tokenize } from "@alcalzone/ansi-tokenize";
import { textWidth } from "../text/width.js";

// Computes the bytes that change the rows of a terminal to others. A cursor key changes a few cells of two rows; writing
// only those keeps slow connections fast.

/** A cell of a row. The second cell of a wide character has no text. */
interface Cell {
  text: string;
  /** Parameters of its attributes for `CSI ... m`; empty for plain text. */
  style: string;
}

const ESC = "\u001B[";
const RESET = `${ESC}m`;
const ERASE_REST = `${ESC}K`;
const ERASE_ROW = `${ESC}2K`;
const BLANK: Cell = { text: " ", style: "" };

/** Maximum number of equal cells between different ones that are rewritten, because moving the cursor takes more bytes. */
const LONGEST_BRIDGE = 4;

/**
 * Returns the bytes that change the rows `before` of a screen to `after`, texts with attribute codes, of which `columns`
 * columns are visible.
 */
export function patchRows(before: readonly string[], after: readonly string[], columns: number): string {
  let written = "";
  // The row the cursor is known to be in; -1 if unknown.
  let cursorRow = -1;
  for (let row = 0; row < Math.max(before.length, after.length); row++) {
    const [old, now] = [before[row] ?? "", after[row] ?? ""];
    if (old === now) {
      continue;
    }
    const cells = [old, now].map((text) => cellsOf(text).slice(0, columns));
    const [oldCells = [], newCells = []] = cells;
    const isCertain = !cells.flat().some(isUncertain);
    const move = moverTo(row, cursorRow);
    const patch = isCertain ? patchCells(move, oldCells, newCells) : drawRow(move, newCells);
    if (patch !== "") {
      written += patch;
      cursorRow = isCertain ? row : -1;
    }
  }
  return written;
}

/** Moves the cursor to a column of the row that is to be patched. */
type Move = (column: number) => string;

/** A line break reaches the next row in fewer bytes than an absolute move. */
function moverTo(row: number, cursorRow: number): Move {
  return row === cursorRow + 1 && cursorRow !== -1
    ? (column) => `\r\n${moveRight(column)}`
    : (column) => `${ESC}${row + 1};${column + 1}H`;
}

/** The cells of a row, up to the last visible one. */
function cellsOf(row: string): Cell[] {
  const cells: Cell[] = [];
  for (const { value: text, styles } of styledCharsFromTokens(tokenize(row))) {
    const codes = styles.map(({ code }) => code.slice(ESC.length, -1));
    // On a blank, only background, inverse and underline are visible.
    const style = (text === " " ? codes.filter((code) => /^(?:[47]|4\d|10\d)$/.test(code)) : codes).sort().join(";");
    cells.push({ text, style });
    for (let extra = textWidth(text); extra > 1; extra--) {
      cells.push({ text: "", style });
    }
  }
  while (cells.length > 0 && isSame(cells.at(-1) ?? BLANK, BLANK)) {
    cells.pop();
  }
  return cells;
}

function patchCells(move: Move, before: readonly Cell[], after: readonly Cell[]): string {
  const changed = drawRuns(move, [before, after]);
  const first = after.findIndex((cell) => !isSame(cell, BLANK));
  // If a whole row changed, such as one that lost its highlight, erasing it first saves writing its blanks.
  const anew = first === -1 ? changed : drawRuns(move, [[], after], move(first) + ERASE_ROW);
  return anew.length < changed.length ? anew : changed;
}

/** Writes the cells that differ; `prefix` is output that has already moved the cursor to the first of them. */
function drawRuns(move: Move, [before, after]: readonly [readonly Cell[], readonly Cell[]], prefix = ""): string {
  let written = prefix;
  let style = "";
  let column = 0;
  for (const { start, end } of runsOf(before, after)) {
    written += column === 0 ? (prefix === "" ? move(start) : "") : moveRight(start - column);
    const drawn = drawCells(after.slice(start, end), style);
    written += drawn.text;
    style = drawn.style;
    column = end;
  }
  written += style === "" ? "" : RESET;
  if (before.length > after.length) {
    written += (written === "" ? move(after.length) : moveRight(after.length - column)) + ERASE_REST;
  }
  return written;
}

/**
 * Characters whose width depends on the terminal: joined emoji, recent scripts. A row with one is redrawn as a whole,
 * and the cursor is repositioned after each of them, so that no other character is affected.
 */
function isUncertain({ text }: Cell): boolean {
  return text !== "" && !/^[\u0020-\u02FF\u2000-\u2BFF]$/.test(text);
}

function drawRow(move: Move, cells: readonly Cell[]): string {
  let written = move(0) + ERASE_REST;
  let style = "";
  for (const [column, cell] of cells.entries()) {
    const drawn = drawCells([cell], style);
    written += drawn.text;
    style = drawn.style;
    if (isUncertain(cell)) {
      const width = cells[column + 1]?.text === "" ? 2 : 1;
      written += `${ESC}${column + width + 1}G`;
    }
  }
  return style === "" ? written : written + RESET;
}

function moveRight(columns: number): string {
  return columns === 0 ? "" : `${ESC}${columns === 1 ? "" : columns}C`;
}

interface Run {
  start: number;
  end: number;
}

/** The ranges that differ, with short gaps filled. */
function runsOf(before: readonly Cell[], after: readonly Cell[]): Run[] {
  const runs: Run[] = [];
  for (let column = 0; column < after.length; column++) {
    if (isSame(before[column] ?? BLANK, after[column] ?? BLANK)) {
      continue;
    }
    const last = runs.at(-1);
    if (last !== undefined && column - last.end <= LONGEST_BRIDGE) {
      last.end = column + 1;
    } else {
      runs.push({ start: column, end: column + 1 });
    }
  }
  return runs;
}

function isSame(a: Cell, b: Cell): boolean {
  return a.text === b.text && a.style === b.style;
}

/** Writes cells with the current attributes `style`. Returns the bytes and the resulting attributes. */
function drawCells(cells: readonly Cell[], style: string): { text: string; style: string } {
  let text = "";
  let current = style;
  for (const cell of cells) {
    const isInvisible = cell.text === " " && cell.style === "" && !/(?:^|;)[47](?:;|$)/.test(current);
    if (cell.style !== current && cell.text !== "" && !isInvisible) {
      text += cell.style === "" ? RESET : `${ESC}${current === "" ? "" : "0;"}${cell.style}m`;
      current = cell.style;
    }
    text += cell.text;
  }
  return { text, style: current };
}
