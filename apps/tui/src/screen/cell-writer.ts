import { Writable } from "node:stream";
import { patchRow } from "./row-patch.js";

// The stream that Ink draws on. Ink writes whole frames (its `debug` option); this stream writes the cells of them that
// have changed, which halves the bytes of a key. Nothing else in the program knows of it: without it Ink works the same.
// docs/decisions/010-picker-cells.md has the figures.

const ENTER_ALTERNATE_SCREEN = "\u001B[?1049h";
const LEAVE_ALTERNATE_SCREEN = "\u001B[?1049l";
/** The line of the start goes before the screen is left to the alternate one: it would be there again afterwards. */
const ERASE_LINE = "\r\u001B[K";
const ERASE_SCREEN = "\u001B[2J";

/**
 * Ink hides the cursor before the first frame only. In the alternate screen, the wheel sends cursor keys (mode 1007);
 * how it was before is saved, and restored when the screen is left.
 */
const QUIET_CURSOR_AND_WHEEL = "\u001B[?25l\u001B[?1007s\u001B[?1007h";
const WHEEL_AS_BEFORE = "\u001B[?1007r";

/** What Ink writes beside frames begins with this: it sets modes of the terminal. No row of a frame can hold it. */
const MODE = "\u001B[?";

/** From this size on, a terminal is asked to show the change at once (synchronized output). */
const SYNCHRONIZED_FROM = 1_000;

/** A terminal, as far as it is drawn on. */
export interface Drawable {
  write: (text: string) => unknown;
  /** Its size as it is now. */
  size: () => { columns: number; rows: number };
}

/** A terminal for Ink that compares each frame with the one before, cell by cell. */
export class CellWriter extends Writable {
  readonly isTTY = true;
  columns: number;
  rows: number;
  readonly #terminal: Drawable;
  /** Rows that the terminal shows, as Ink wrote them; undefined while the terminal is not ours to draw on. */
  #shown: readonly string[] | undefined;

  constructor(terminal: Drawable) {
    super({ decodeStrings: false });
    this.#terminal = terminal;
    ({ columns: this.columns, rows: this.rows } = terminal.size());
    process.on("SIGWINCH", this.#resize);
  }

  override _write(text: string, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    // Ink writes empty texts as well, to be called back once all before them is written.
    const written =
      text === ""
        ? ""
        : text.startsWith(MODE)
          ? this.#setModes(text)
          : this.#patch(text.split("\n").slice(0, this.rows));
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
      return WHEEL_AS_BEFORE + modes;
    }
    if (!modes.includes(ENTER_ALTERNATE_SCREEN)) {
      return modes;
    }
    this.#shown = [];
    return ERASE_LINE + modes + ERASE_SCREEN + QUIET_CURSOR_AND_WHEEL;
  }

  /** After a resize, Ink draws the frame of the old size once more: what of it has no room is left out. */
  #patch(rows: readonly string[]): string {
    const before = this.#shown;
    if (before === undefined) {
      return "";
    }
    this.#shown = rows;
    let written = "";
    for (let row = 0; row < Math.max(before.length, rows.length); row++) {
      written += patchRow(row, [before[row] ?? "", rows[row] ?? ""], this.columns);
    }
    return written.length < SYNCHRONIZED_FROM ? written : `\u001B[?2026h${written}\u001B[?2026l`;
  }

  /** Node itself tells only its standard streams of a new size; a terminal may be another stream. */
  readonly #resize = (): void => {
    ({ columns: this.columns, rows: this.rows } = this.#terminal.size());
    if (this.#shown !== undefined) {
      this.#shown = [];
      this.#terminal.write(ERASE_SCREEN);
    }
    this.emit("resize");
  };
}
