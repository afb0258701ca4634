import { Writable } from "node:stream";
import chalk from "chalk";
import { render, type Instance } from "ink";
import type { PickerState } from "../picker/state.js";
import { App } from "./app.js";
import { parseFrame, type Frame } from "./frame.js";
import { patchFrame } from "./frame-patch.js";
import type { Theme } from "./theme.js";

// Ink lays the screen out; what of it is written to the terminal is decided here, cell by cell.

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
  #shown: Frame = [];

  constructor(theme: Theme, write: (text: string) => void) {
    this.#theme = theme;
    this.#write = write;
    // The theme decides on color; without a level, chalk would drop bold and inverse as well.
    chalk.level = 1;
  }

  /** Writes what has changed since the last state. */
  paint(state: PickerState): void {
    this.#sink.columns = state.columns;
    this.#sink.rows = state.rows;
    const app = <App state={state} theme={this.#theme} />;
    if (this.#instance === undefined) {
      this.#instance = this.#start(app);
    } else {
      this.#instance.rerender(app);
    }
    const frame = parseFrame(this.#sink.frame).slice(0, state.rows);
    const patch = patchFrame(this.#shown, frame);
    this.#shown = frame;
    if (patch !== "") {
      this.#write(patch);
    }
  }

  /** The terminal shows nothing any more: after a resize, or when it comes back from another program. */
  forget(): void {
    this.#shown = [];
  }

  /** Lets go of Ink. */
  close(): void {
    this.#instance?.unmount();
  }

  #start(app: Parameters<typeof render>[0]): Instance {
    return render(app, {
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
