import { writeSync } from "node:fs";
import { CommanderError } from "commander";
import { failureOf, SourceProblem } from "./catalog/source-problem.js";
import { EXIT, Failure } from "./output/exit.js";
import type { Flags } from "./cli/flags.js";
import { createProgram } from "./cli/program.js";
import type { Settings } from "./cli/settings.js";
import { openPicker } from "./cli/open-picker.js";
import { printable } from "./text/width.js";

// The program as a process: the one place that exits. Standard output holds results and nothing else; everything for
// people goes to standard error, one line.

function lineOf(message: string): string {
  return `gpu-offers: ${printable(message.replaceAll(/\s*\n\s*/g, " "))}\n`;
}

function tell(message: string): void {
  process.stderr.write(lineOf(message));
}

function internalError(error: unknown): string {
  return `internal error, please report it: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

function exitCodeOf(error: unknown): number {
  if (error instanceof SourceProblem) {
    return exitCodeOf(failureOf(error.problem));
  }
  if (error instanceof Failure) {
    tell(error.message);
    return error.exitCode;
  }
  if (error instanceof CommanderError) {
    return usageCodeOf(error);
  }
  tell(internalError(error));
  return EXIT.internal;
}

/** Asking for help is no error. */
function usageCodeOf(error: CommanderError): number {
  if (error.exitCode === 0) {
    return EXIT.ok;
  }
  tell(`${error.message.replace(/^error: /, "").replace(/\.?$/, ".")} See gpu-offers --help.`);
  return EXIT.usage;
}

/** A picker has timers and an open keyboard: once its line is written, the process ends there and then. */
async function pick(flags: Flags, settings: Settings): Promise<void> {
  const { exitCode, output } = await openPicker(flags, settings, tell);
  await new Promise<void>((resolve) => process.stdout.write(output, () => resolve()));
  process.exit(exitCode);
}

for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // The reader closed the pipe, as head does.
    if (error.code === "EPIPE") {
      process.exit(EXIT.ok);
    }
    exitWith(EXIT.internal, `cannot write: ${error.message}.`);
  });
}

process.on("uncaughtException", (error) => exitWith(EXIT.internal, internalError(error)));

/** Ends at once. The screen is given back by an exit listener that was there before: the message must come after it. */
function exitWith(exitCode: number, message: string): void {
  process.once("exit", () => {
    try {
      writeSync(process.stderr.fd, lineOf(message));
    } catch {
      // Nobody is left to tell.
    }
  });
  process.exit(exitCode);
}

const program = createProgram({
  environment: process.env,
  print: (text) => void process.stdout.write(text),
  tell,
  pick,
});
// Commander's errors are printed here, in one line.
program.configureOutput({ writeErr: () => {} });
for (const command of program.commands) {
  command.configureOutput({ writeErr: () => {} });
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}
