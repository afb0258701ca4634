import { Writable } from "node:stream";
import { styledCharsFromTokens, tokenize } from "@alcalzone/ansi-tokenize";
import { textWidth } from "../text/width.js";

// The stream that Ink renders to. Ink writes whole frames (its `debug` option); this stream writes only changed cells,
// which halves the bytes per key. The rest of the program is independent of it: without it Ink works the same.
// docs/decisions/010-picker-cells.md has the figures.

const ESC = "\u001B[";
const RESET = `${ESC}m`;
const ERASE_REST = `${ESC}K`;
const ERASE_ROW = `${ESC}2K`;
const ERASE_SCREEN = `${ESC}2J`;

/** Prefix of Ink's writes that aren't frames: they set terminal modes. No row of a frame contains it. */
const MODE = `${ESC}?`;
const ENTER_ALTERNATE_SCREEN = `${MODE}1049h`;
const LEAVE_ALTERNATE_SCREEN = `${MODE}1049l`;
const HIDE_CURSOR = `${MODE}25l`;

/** Clicks and the wheel (terminals still select text while Shift is held), and pastes with their ends. */
const INPUT_MODES = ["1000", "1006", "2004"];

/** Bytes from which an update uses synchronized output. */
const SYNCHRONIZED_FROM = 1_000;

/** The output of a terminal. */
interface Drawable {
  write: (text: string) => unknown;
  /** Converts frames to what the terminal can show. */
  convert?: (text: string) => string;
  size: () => { columns: number; rows: number };
}

/** A terminal stream for Ink that writes the cells that differ from the previous frame. */
export class CellWriter extends Writable {
  readonly isTTY = true;
  columns: number;
  rows: number;
  /** Rows on the terminal, as Ink wrote them; undefined while the terminal isn't ours. */
  #shown: readonly string[] | undefined;

  constructor(private readonly terminal: Drawable) {
    super({ decodeStrings: false });
    ({ columns: this.columns, rows: this.rows } = terminal.size());
    process.on("SIGWINCH", this.#resize);
  }

  override _write(text: string, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    // Ink also writes empty texts, for the callback after all previous writes.
    const written =
      text === ""
        ? ""
        : text.startsWith(MODE)
          ? this.#setModes(text)
          : this.#patch((this.terminal.convert?.(text) ?? text).split("\n").slice(0, this.rows));
    if (written !== "") {
      this.terminal.write(written);
    }
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    process.off("SIGWINCH", this.#resize);
    done(error);
  }

  #setModes(modes: string): string {
    if (modes.includes(LEAVE_ALTERNATE_SCREEN)) {
      this.#shown = undefined;
      return (
        INPUT_MODES.map((mode) => `${MODE}${mode}l`)
          .toReversed()
          .join("") + modes
      );
    }
    if (!modes.includes(ENTER_ALTERNATE_SCREEN)) {
      return modes;
    }
    this.#shown = [];
    // The startup line would reappear after the alternate screen. Ink hides the cursor only before the first frame.
    const opened = `\r${ERASE_REST}${modes}${ERASE_SCREEN}${HIDE_CURSOR}`;
    return opened + INPUT_MODES.map((mode) => `${MODE}${mode}h`).join("");
  }

  /** After a resize, Ink draws the old frame once more; what doesn't fit is dropped. */
  #patch(rows: readonly string[]): string {
    const before = this.#shown;
    if (before === undefined) {
      return "";
    }
    this.#shown = rows;
    const written = patchRows(before, rows, this.columns);
    return written.length < SYNCHRONIZED_FROM ? written : `${MODE}2026h${written}${MODE}2026l`;
  }

  /** Draws the whole screen again, after something else wrote to the terminal. */
  redraw(): void {
    this.#resize();
  }

  /** Reads the new size. Node updates only its standard streams, and the terminal may be another stream. */
  readonly #resize = (): void => {
    ({ columns: this.columns, rows: this.rows } = this.terminal.size());
    if (this.#shown !== undefined) {
      this.#shown = [];
      this.terminal.write(ERASE_SCREEN);
    }
    this.emit("resize");
  };
}

/** A cell of a row. The second cell of a wide character has no text. */
interface Cell {
  text: string;
  /** Parameters of its attributes for `CSI ... m`; empty for plain text. */
  style: string;
  /** Whether the terminal may draw it in another width: joined emoji, recent scripts. */
  isUncertain: boolean;
}

const BLANK: Cell = { text: " ", style: "", isUncertain: false };

/** Maximum number of equal cells between different ones that are rewritten, because moving the cursor takes more bytes. */
const LONGEST_BRIDGE = 4;

/** Returns the bytes that change the rows of a screen, texts with attribute codes, of which `columns` columns are visible. */
function patchRows(before: readonly string[], after: readonly string[], columns: number): string {
  let written = "";
  // The row above which the cursor is known to be; a line break reaches it in fewer bytes than an absolute move.
  let nextRow = -1;
  for (let row = 0; row < Math.max(before.length, after.length); row++) {
    if ((before[row] ?? "") !== (after[row] ?? "")) {
      const isNext = row === nextRow;
      const moveTo = (column: number): string =>
        isNext ? `\r\n${moveRight(column)}` : `${ESC}${row + 1};${column + 1}H`;
      const [old = [], now = []] = [before, after].map((rows) => cellsOf(rows[row] ?? "").slice(0, columns));
      const patch = patchCells(moveTo, old, now);
      written += patch;
      nextRow = patch === "" ? nextRow : now.some(({ isUncertain }) => isUncertain) ? -1 : row + 1;
    }
  }
  return written;
}

/** The cells of a row, up to the last visible one. */
function cellsOf(row: string): Cell[] {
  const cells: Cell[] = [];
  for (const { value, styles } of styledCharsFromTokens(tokenize(row))) {
    const codes = styles.map(({ code }) => code.slice(ESC.length, -1));
    // On a blank, only background, inverse and underline are visible.
    const style = (value === " " ? codes.filter((code) => /^(?:[47]|4\d|10\d)$/.test(code)) : codes).sort().join(";");
    const width = textWidth(value);
    const isUncertain = !/^[\u0020-\u02FF\u2000-\u2BFF]$/.test(value);
    // The cursor is put behind an uncertain character, so that no other one is affected.
    const text = isUncertain ? `${value}${ESC}${cells.length + width + 1}G` : value;
    cells.push({ text, style, isUncertain });
    for (let extra = width; extra > 1; extra--) {
      cells.push({ text: "", style, isUncertain });
    }
  }
  return cells.slice(0, cells.findLastIndex((cell) => !isSame(cell, BLANK)) + 1);
}

/** The shorter way: only the different cells, or the whole row anew. A row with uncertain characters is always drawn anew. */
function patchCells(moveTo: (column: number) => string, before: readonly Cell[], after: readonly Cell[]): string {
  const first = after.findIndex((cell) => !isSame(cell, BLANK));
  const changed = drawCells(moveTo, before, after);
  if (first === -1) {
    return changed;
  }
  // If a whole row changed, such as one that lost its highlight, erasing it first saves writing its blanks.
  const anew = drawCells((column) => moveTo(column) + ERASE_ROW, [], after);
  return anew.length < changed.length || before.concat(after).some(({ isUncertain }) => isUncertain) ? anew : changed;
}

function drawCells(moveTo: (column: number) => string, before: readonly Cell[], after: readonly Cell[]): string {
  let written = "";
  let style = "";
  let cursor = -1;
  const put = (cell: Cell): void => {
    const isInvisible = cell.text === " " && cell.style === "" && !/(?:^|;)[47](?:;|$)/.test(style);
    if (cell.style !== style && cell.text !== "" && !isInvisible) {
      written += cell.style === "" ? RESET : `${ESC}${style === "" ? "" : "0;"}${cell.style}m`;
      style = cell.style;
    }
    written += cell.text;
  };
  for (const [column, cell] of after.entries()) {
    if (isSame(before[column] ?? BLANK, cell)) {
      continue;
    }
    if (cursor !== -1 && column - cursor <= LONGEST_BRIDGE) {
      after.slice(cursor, column).forEach(put);
    } else {
      written += cursor === -1 ? moveTo(column) : moveRight(column - cursor);
    }
    put(cell);
    cursor = column + 1;
  }
  written += style === "" ? "" : RESET;
  if (before.length > after.length) {
    written += (cursor === -1 ? moveTo(after.length) : moveRight(after.length - cursor)) + ERASE_REST;
  }
  return written;
}

function moveRight(columns: number): string {
  return columns === 0 ? "" : `${ESC}${columns === 1 ? "" : columns}C`;
}

function isSame(a: Cell, b: Cell): boolean {
  return a.text === b.text && a.style === b.style;
}
