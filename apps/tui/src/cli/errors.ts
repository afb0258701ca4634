import { printable } from "@gpu-offers/list";
import { CommanderError } from "commander";
import { EXIT, Failure } from "../exit-codes.js";

// How the program reports errors: one line each, and an exit code.

/** A message as a line of standard error. */
export function lineOf(message: string): string {
  return `gpu-offers: ${printable(message.replaceAll(/\s*\n\s*/g, " "))}\n`;
}

/** The message of an error that the program doesn't expect. */
export function internalError(error: unknown): string {
  return `internal error, please report it: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

/** Prints the message of an error that ended the command line, and returns the exit code. */
export function exitCodeOf(error: unknown, notify: (message: string) => void): number {
  if (error instanceof Failure) {
    notify(error.message);
    return error.exitCode;
  }
  if (error instanceof CommanderError) {
    // Help is not an error.
    if (error.exitCode === 0) {
      return EXIT.ok;
    }
    notify(`${error.message.replace(/^error: /, "").replace(/\.?$/, ".")} See gpu-offers --help.`);
    return EXIT.usage;
  }
  notify(internalError(error));
  return EXIT.internal;
}
