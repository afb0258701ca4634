import { constants, createReadStream, fstatSync, openSync, statSync } from "node:fs";
import { Socket } from "node:net";
import { reasonOf } from "@gpu-offers/domain";
import { CommandFailure } from "./command.js";

// The bytes of an imported file, of a pipe or of standard input.

/** Milliseconds that a pipe may take until its first byte. */
const FIRST_BYTE_MS = 30_000;

/** Opens a file, or standard input for `-`. Read errors fail like a file that can't be opened. @throws CommandFailure */
export function openInput(file: string): AsyncIterable<Uint8Array> {
  if (file === "-") {
    return readInput(file, process.stdin);
  }
  try {
    // Reading a FIFO without a writer, or a file such as /proc/kmsg, would otherwise block a thread for ever.
    const isBlocking = statSync(file).isCharacterDevice();
    const fd = openSync(file, isBlocking ? constants.O_RDONLY : constants.O_RDONLY | constants.O_NONBLOCK);
    const status = fstatSync(fd);
    if (status.isDirectory()) {
      throw new Error("it is a directory");
    }
    const bytes = status.isFIFO() ? readPipe(new Socket({ fd, writable: false })) : createReadStream("", { fd });
    return readInput(file, bytes);
  } catch (error) {
    throw new CommandFailure(`cannot read ${file}: ${reasonOf(error)}.`, 2);
  }
}

async function* readPipe(pipe: Socket): AsyncGenerator<Uint8Array> {
  const timer = setTimeout(
    () => pipe.destroy(new Error(`nothing was written to it within ${FIRST_BYTE_MS / 1_000} s`)),
    FIRST_BYTE_MS,
  );
  try {
    for await (const chunk of pipe) {
      clearTimeout(timer);
      yield chunk as Uint8Array;
    }
  } finally {
    clearTimeout(timer);
  }
}

async function* readInput(file: string, input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* input;
  } catch (error) {
    throw new CommandFailure(`cannot read ${file}: ${reasonOf(error)}. Nothing was changed.`);
  }
}
