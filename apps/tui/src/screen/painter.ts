import { Writable } from "node:stream";
import chalk from "chalk";
import { render, type Instance } from "ink";
import type { PickerState } from "../picker/state.js";
import { parseFrame, type Frame } from "./frame.js";
import { patchFrame } from "./frame-patch.js";
import { isSameLine, type Line } from "./line.js";
import { drawRows } from "./rows.js";
import { screenLines } from "./screen-lines.js";
import type { Theme } from "./theme.js";

// Ink draws lines; which lines it is given, and what of them is written to the terminal, is decided here. Ink looks at
// every cell of all that it is given, each time: with the lines that have changed alone, a key costs a fraction of the
// time and of the memory.

/** What Ink takes for its output: it gets whole frames, and never writes to the terminal itself. */
class FrameSink extends Writable {
  columns = 80;
  rows = 24;
  frame = "";

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.frame = chunk.toString();
    done();
  }
}

/** Draws states on a terminal that shows nothing yet. */
export class Painter {
  readonly #sink = new FrameSink();
  readonly #theme: Theme;
  readonly #write: (text: string) => void;
  #instance: Instance | undefined;
  #lines: readonly Line[] = [];
  #shown: Frame = [];

  constructor(theme: Theme, write: (text: string) => void) {
    this.#theme = theme;
    this.#write = write;
    // The theme decides on color; without a level, chalk would drop bold and inverse as well.
    chalk.level = 1;
  }

  /** Writes what has changed since the last state. */
  paint(state: PickerState): void {
    const lines = screenLines(state);
    const frame = this.#draw(lines, state.columns);
    const patch = patchFrame(this.#shown, frame);
    this.#lines = lines;
    this.#shown = frame;
    if (patch !== "") {
      this.#write(patch);
    }
  }

  /** The terminal shows nothing any more: after a resize, or when it comes back from another program. */
  forget(): void {
    this.#lines = [];
    this.#shown = [];
  }

  /** Lets go of Ink. */
  close(): void {
    this.#instance?.unmount();
  }

  /** The cells of all lines; of those that have not changed, the ones that are known. */
  #draw(lines: readonly Line[], columns: number): Frame {
    const isKnown = lines.map((line, row) => {
      const before = this.#lines[row];
      return before !== undefined && isSameLine(before, line);
    });
    const changed = this.#drawAll(
      lines.filter((_, row) => !isKnown[row]),
      columns,
    );
    let next = 0;
    return lines.map((_, row) => (isKnown[row] ? this.#shown[row] : changed[next++]) ?? []);
  }

  #drawAll(lines: readonly Line[], columns: number): Frame {
    if (lines.length === 0) {
      return [];
    }
    this.#sink.columns = columns;
    const rows = drawRows(lines, this.#theme, columns);
    if (this.#instance === undefined) {
      this.#instance = this.#start(rows);
    } else {
      this.#instance.rerender(rows);
    }
    return parseFrame(this.#sink.frame);
  }

  #start(rows: Parameters<typeof render>[0]): Instance {
    return render(rows, {
      // Ink writes to it and asks for its size, no more
      stdout: this.#sink as unknown as NodeJS.WriteStream,
      // Each frame comes whole and at once, without cursor movements of Ink's own.
      debug: true,
      interactive: true,
      exitOnCtrlC: false,
      patchConsole: false,
    });
  }
}
