import { writeSync } from "node:fs";
import { constants } from "node:os";
import { EXIT } from "./exit-codes.js";
import { exitCodeOf, internalError, lineOf } from "./cli/errors.js";
import type { Flags } from "./cli/flags.js";
import { createProgram } from "./cli/program.js";
import type { Settings } from "./cli/settings.js";
import { openPicker } from "./cli/open-picker.js";

// The program as a process, and the only code that exits. Standard output has results only; messages go to standard
// error, one line each.

function notify(message: string): void {
  process.stderr.write(lineOf(message));
}

/** Exits once the result is written, without waiting for the picker's timers and input. */
async function pick(flags: Flags, settings: Settings): Promise<void> {
  const { exitCode, output, message } = await openPicker(flags, settings, notify);
  if (message !== undefined) {
    notify(message);
  }
  await new Promise<void>((resolve) => process.stdout.write(output, () => resolve()));
  process.exit(exitCode);
}

for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // The reader closed the pipe, as `head` does.
    if (error.code === "EPIPE") {
      process.exit(EXIT.ok);
    }
    // The terminal was closed, which also sends SIGHUP.
    if (error.code === "EIO") {
      process.exit(128 + constants.signals.SIGHUP);
    }
    exitWith(EXIT.unwritten, `cannot write: ${error.message}.`);
  });
}

process.on("uncaughtException", (error) => exitWith(EXIT.internal, internalError(error)));

/** Exits at once. An earlier exit listener restores the screen, so the message is printed after it. */
function exitWith(exitCode: number, message: string): void {
  process.once("exit", () => {
    try {
      writeSync(process.stderr.fd, lineOf(message));
    } catch {
      // Standard error is gone, so this can't be reported.
    }
  });
  process.exit(exitCode);
}

const program = createProgram({
  environment: process.env,
  print: (text) => void process.stdout.write(text),
  notify,
  pick,
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error, notify);
}
