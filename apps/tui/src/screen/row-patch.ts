import { styledCharsFromTokens, tokenize } from "@alcalzone/ansi-tokenize";
import { textWidth } from "../text/width.js";

// What has to be written so that a terminal that shows one row shows another one. A cursor key changes a few cells of
// two rows; writing those alone keeps a slow line quick.

/** What one column of a row holds. The second column of a wide character holds no text. */
interface Cell {
  text: string;
  /** Parameters of its attributes, as `CSI ... m` takes them; empty for plain. */
  style: string;
}

const ESC = "\u001B[";
const RESET = `${ESC}m`;
const ERASE_REST = `${ESC}K`;
const BLANK: Cell = { text: " ", style: "" };

/** Equal cells between two that differ: writing up to so many is shorter than moving the cursor over them. */
const LONGEST_BRIDGE = 4;

/**
 * Bytes that turn row number `row` (from 0), which shows `before`, into `after`: both are text with attribute codes, of
 * which no more than `columns` columns are shown.
 */
export function patchRow(row: number, [before, after]: readonly [string, string], columns: number): string {
  return before === after ? "" : patchCells(row, cellsOf(before).slice(0, columns), cellsOf(after).slice(0, columns));
}

/** The cells of a row, up to the last one that shows something. */
function cellsOf(row: string): Cell[] {
  const cells: Cell[] = [];
  for (const { value: text, styles } of styledCharsFromTokens(tokenize(row))) {
    const codes = styles.map(({ code }) => code.slice(ESC.length, -1));
    // On a blank, only what is drawn behind or under it can be seen.
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

function patchCells(row: number, before: readonly Cell[], after: readonly Cell[]): string {
  if (before.some(isUncertain) || after.some(isUncertain)) {
    return drawRow(row, after);
  }
  let written = "";
  let style = "";
  let column = 0;
  for (const { start, end } of runsOf(before, after)) {
    written += written === "" ? moveTo(row, start) : moveRight(start - column);
    const drawn = drawCells(after.slice(start, end), style);
    written += drawn.text;
    style = drawn.style;
    column = end;
  }
  written += style === "" ? "" : RESET;
  if (before.length > after.length) {
    written += (written === "" ? moveTo(row, after.length) : moveRight(after.length - column)) + ERASE_REST;
  }
  return written;
}

/**
 * A character that terminals give different widths: joined emoji, scripts that are newer than the terminal. A row
 * with one is drawn anew as a whole, and the cursor is put to its column behind each of them, so that no other
 * character depends on what the terminal makes of it.
 */
function isUncertain({ text }: Cell): boolean {
  return text !== "" && !/^[\u0020-\u02FF\u2000-\u2BFF]$/.test(text);
}

function drawRow(row: number, cells: readonly Cell[]): string {
  let written = moveTo(row, 0) + ERASE_REST;
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

function moveTo(row: number, column: number): string {
  return `${ESC}${row + 1};${column + 1}H`;
}

function moveRight(columns: number): string {
  return columns === 0 ? "" : `${ESC}${columns === 1 ? "" : columns}C`;
}

interface Run {
  start: number;
  end: number;
}

/** Where the rows differ, with short bridges filled in. */
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

/** The cells, written by a terminal whose attributes are `style`; and the attributes that it has afterwards. */
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
