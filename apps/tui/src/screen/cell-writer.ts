import { Writable } from "node:stream";
import { patchRows } from "./row-patch.js";

// The stream that Ink renders to. Ink writes whole frames (its `debug` option); this stream writes only changed cells,
// which halves the bytes per key. The rest of the program is independent of it: without it Ink works the same.
// docs/decisions/010-picker-cells.md has the figures.

const ENTER_ALTERNATE_SCREEN = "\u001B[?1049h";
const LEAVE_ALTERNATE_SCREEN = "\u001B[?1049l";
/** Erases the startup line before switching to the alternate screen; otherwise it would reappear afterwards. */
const ERASE_LINE = "\r\u001B[K";
const ERASE_SCREEN = "\u001B[2J";

/**
 * Ink hides the cursor only before the first frame. Clicks and the wheel are reported (modes 1000 and 1006); terminals
 * still select text while Shift is held.
 */
const QUIET_CURSOR_AND_MOUSE = "\u001B[?25l\u001B[?1000h\u001B[?1006h";
const NO_MOUSE = "\u001B[?1006l\u001B[?1000l";

/** Prefix of Ink's writes that aren't frames: they set terminal modes. No row of a frame contains it. */
const MODE = "\u001B[?";

/** Bytes from which an update uses synchronized output. */
const SYNCHRONIZED_FROM = 1_000;

/** The output of a terminal. */
interface Drawable {
  write: (text: string) => unknown;
  /** Converts frames to what the terminal can show. */
  convert?: (text: string) => string;
  /** Its current size. */
  size: () => { columns: number; rows: number };
}

/** A terminal stream for Ink that writes the cells that differ from the previous frame. */
export class CellWriter extends Writable {
  readonly isTTY = true;
  columns: number;
  rows: number;
  readonly #terminal: Drawable;
  /** Rows on the terminal, as Ink wrote them; undefined while the terminal isn't ours. */
  #shown: readonly string[] | undefined;

  constructor(terminal: Drawable) {
    super({ decodeStrings: false });
    this.#terminal = terminal;
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
          : this.#patch((this.#terminal.convert?.(text) ?? text).split("\n").slice(0, this.rows));
    if (written !== "") {
      this.#terminal.write(written);
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
      return NO_MOUSE + modes;
    }
    if (!modes.includes(ENTER_ALTERNATE_SCREEN)) {
      return modes;
    }
    this.#shown = [];
    return ERASE_LINE + modes + ERASE_SCREEN + QUIET_CURSOR_AND_MOUSE;
  }

  /** After a resize, Ink draws the old frame once more; what doesn't fit is dropped. */
  #patch(rows: readonly string[]): string {
    const before = this.#shown;
    if (before === undefined) {
      return "";
    }
    this.#shown = rows;
    const written = patchRows(before, rows, this.columns);
    return written.length < SYNCHRONIZED_FROM ? written : `\u001B[?2026h${written}\u001B[?2026l`;
  }

  /** Draws the whole screen again, after something else wrote to the terminal. */
  redraw(): void {
    this.#resize();
  }

  /** Reads the new size. Node updates only its standard streams, and the terminal may be another stream. */
  readonly #resize = (): void => {
    ({ columns: this.columns, rows: this.rows } = this.#terminal.size());
    if (this.#shown !== undefined) {
      this.#shown = [];
      this.#terminal.write(ERASE_SCREEN);
    }
    this.emit("resize");
  };
}
