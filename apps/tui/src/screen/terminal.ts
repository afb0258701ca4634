import { openSync, writeSync } from "node:fs";
import { ReadStream, WriteStream } from "node:tty";
import { noTerminal } from "../output/exit.js";

// The terminal as a place: it is drawn on standard error, or on /dev/tty where that leads elsewhere; standard output
// belongs to the result. Every way out restores it.

// The line of the start goes before the screen is left to the alternate one: it would be there again afterwards.
const ENTER_SCREEN = "\r\u001B[K\u001B[?1049h\u001B[?25l\u001B[2J";
const LEAVE_SCREEN = "\u001B[?2026l\u001B[m\u001B[?25h\u001B[?1049l";

const STDERR = 2;

/** A terminal with a keyboard. */
export class Terminal {
  readonly #input: ReadStream;
  readonly #output: WriteStream;
  readonly #fd: number;
  #isEntered = false;

  /** @throws Failure when there is no terminal; it names the flags to use instead. */
  constructor() {
    this.#input = process.stdin.isTTY ? process.stdin : new ReadStream(openTty("r"));
    this.#fd = process.stderr.isTTY ? STDERR : openTty("w");
    this.#output = process.stderr.isTTY ? process.stderr : new WriteStream(this.#fd);
    process.once("exit", () => this.leave());
  }

  /** Columns and rows, as they are now. */
  get size(): { columns: number; rows: number } {
    const { columns, rows } = this.#output;
    return { columns: columns || 80, rows: rows || 24 };
  }

  /** Takes the screen over. */
  enter(): void {
    if (!this.#isEntered) {
      this.#isEntered = true;
      this.#input.setRawMode(true);
      this.write(ENTER_SCREEN);
    }
  }

  /** Gives the screen back as it was. It may be called at any time, and by a process that is ending. */
  leave(): void {
    if (this.#isEntered) {
      this.#isEntered = false;
      this.write(LEAVE_SCREEN);
      this.#input.setRawMode(false);
    }
  }

  /** Writes to the screen while it is taken over; afterwards it is another program's. */
  draw(text: string): void {
    if (this.#isEntered) {
      this.write(text);
    }
  }

  /** Writes at once: what is buffered would be lost when the process ends. */
  write(text: string): void {
    let bytes = Buffer.from(text);
    while (bytes.length > 0) {
      try {
        bytes = bytes.subarray(writeSync(this.#fd, bytes));
      } catch (error) {
        if (!isBusy(error)) {
          // The terminal is gone; its hangup ends the picker.
          return;
        }
      }
    }
  }

  /** Tells of input and of new sizes, until the stop. */
  listen(onInput: (text: string) => void, onResize: () => void): () => void {
    const resized = (): void => {
      this.#refreshSize();
      onResize();
    };
    this.#input.setEncoding("utf8").on("data", onInput).resume();
    process.on("SIGWINCH", resized);
    return () => {
      this.#input.off("data", onInput).pause();
      process.off("SIGWINCH", resized);
    };
  }

  /** Only the standard streams learn of a new size by themselves; another one takes it from a new look at the device. */
  #refreshSize(): void {
    const now = new WriteStream(openTty("w"));
    this.#output.columns = now.columns;
    this.#output.rows = now.rows;
    now.destroy();
  }
}

function openTty(mode: "r" | "w"): number {
  try {
    return openSync("/dev/tty", mode);
  } catch {
    throw noTerminal();
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EAGAIN";
}
