import { CommanderError } from "commander";
import { reasonOf } from "@gpu-offers/domain";
import { ConfigError } from "@gpu-offers/fetch/config-error";
import { DatabaseError, describeUnreachable, isUnreachable } from "@gpu-offers/store/database-error";
import { CommandFailure, unwritable } from "./command.js";
import { PROGRAM_NAME } from "./invocation.js";
import { createProgram, type Distribution } from "./program.js";

// The operator's command line as a process. It works on the database itself; running services notice changes.

let outputError: Error | undefined;

/**
 * Runs the command of this process's arguments, and sets its exit code.
 * @param distribution the published package that contains this program.
 */
export async function runCommandLine(distribution: Distribution): Promise<void> {
  // Errors outside the command's own promise must not print a stack either.
  process.on("uncaughtException", (error) => process.exit(report(error)));
  process.stdout.on("error", (error) => (outputError = error));
  // If standard error is gone, the exit code still says what happened.
  process.stderr.on("error", () => {});
  process.exitCode = await runCommand(distribution, process.argv.slice(2));
}

/** Runs a command, and returns its exit code. */
export async function runCommand(distribution: Distribution, args: readonly string[]): Promise<number> {
  try {
    const program = await createProgram(distribution, args);
    await program.parseAsync(args, { from: "user" }).catch((error: unknown) => {
      // A request for help is no error.
      if (!(error instanceof CommanderError && error.exitCode === 0)) {
        throw error;
      }
    });
    // Commander prints help and the version, and does not wait until they are written.
    await new Promise((resolve) => process.stdout.write("", resolve));
    if (outputError !== undefined) {
      throw unwritable(outputError);
    }
    return 0;
  } catch (error) {
    return report(error);
  }
}

function report(error: unknown): number {
  if (error instanceof CommanderError) {
    // Commander has printed it.
    return 2;
  }
  if (error instanceof CommandFailure) {
    tell(error.message);
    return error.exitCode;
  }
  if (error instanceof ConfigError || error instanceof DatabaseError) {
    tell(error.message);
    return error instanceof ConfigError ? 2 : 1;
  }
  tell(
    isUnreachable(error)
      ? describeUnreachable(error)
      : `unexpected error: ${reasonOf(error)}. Please report it, with the command.`,
  );
  return 1;
}

function tell(message: string): void {
  if (message !== "") {
    process.stderr.write(`${message.replaceAll(/^/gm, `${PROGRAM_NAME}: `)}\n`);
  }
}
