import { ReadStream, WriteStream } from "node:tty";
import { openTty } from "../output/tty.js";

export interface Terminal {
  input: ReadStream;
  output: WriteStream;
  /** The current size; 80 x 24 if unknown. */
  size: () => { columns: number; rows: number };
}

/**
 * The terminal of this process: standard input and standard error, or /dev/tty if one of them is redirected. Standard
 * output is for the result.
 * @throws Failure if there is no terminal, with the flags to use instead.
 */
export function openTerminal(): Terminal {
  const input = process.stdin.isTTY ? process.stdin : new ReadStream(openTty("r"));
  const output = process.stderr.isTTY ? process.stderr : new WriteStream(openTty("w"));
  // If the terminal closes, the picker ends as if by SIGHUP.
  input.on("error", () => {});
  output.on("error", () => {});
  return { input, output, size: () => (output === process.stderr ? sizeOf(output) : freshSize()) };
}

/** Only standard streams update their size; others must be read from the device. */
function freshSize(): { columns: number; rows: number } {
  const now = new WriteStream(openTty("w"));
  const size = sizeOf(now);
  now.destroy();
  return size;
}

function sizeOf({ columns, rows }: WriteStream): { columns: number; rows: number } {
  return { columns: columns || 80, rows: rows || 24 };
}
