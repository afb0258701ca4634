import { openSync } from "node:fs";
import { ReadStream, WriteStream } from "node:tty";
import { noTerminal } from "../output/exit.js";

/** The streams of a terminal with a keyboard. */
export interface Terminal {
  input: ReadStream;
  output: WriteStream;
  /** The size as it is now; 80 x 24 where it is not known. */
  size: () => { columns: number; rows: number };
}

/**
 * The terminal of this process: standard input and standard error, or /dev/tty in the place of one that leads elsewhere.
 * Standard output belongs to the result.
 * @throws Failure when there is no terminal; it names the flags to use instead.
 */
export function openTerminal(): Terminal {
  const input = process.stdin.isTTY ? process.stdin : new ReadStream(openTty("r"));
  const output = process.stderr.isTTY ? process.stderr : new WriteStream(openTty("w"));
  // When the terminal goes away, its hangup ends the picker.
  input.on("error", () => {});
  output.on("error", () => {});
  return { input, output, size: () => (output === process.stderr ? sizeOf(output) : freshSize()) };
}

/** Only the standard streams learn of a new size by themselves; for another one it takes a new look at the device. */
function freshSize(): { columns: number; rows: number } {
  const now = new WriteStream(openTty("w"));
  const size = sizeOf(now);
  now.destroy();
  return size;
}

function sizeOf({ columns, rows }: WriteStream): { columns: number; rows: number } {
  return { columns: columns || 80, rows: rows || 24 };
}

function openTty(mode: "r" | "w"): number {
  try {
    return openSync("/dev/tty", mode);
  } catch {
    throw noTerminal();
  }
}
