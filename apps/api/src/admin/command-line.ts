import { readFileSync } from "node:fs";
import { CommanderError } from "commander";
import { ConfigError } from "../config.js";
import { DatabaseError, isUnreachable, reasonOf } from "../store/database-error.js";
import { CommandFailure } from "./command-failure.js";
import { unwritable } from "./output.js";
import { PACKAGE_FOLDER } from "../package-folder.js";
import { createProgram } from "./program.js";

// The operator's command line as a process. It works on the database itself; running services notice changes.

const { version } = JSON.parse(readFileSync(new URL("package.json", PACKAGE_FOLDER), "utf8")) as {
  version: string;
};

let outputError: Error | undefined;
process.stdout.on("error", (error) => (outputError = error));
// If standard error is gone, the exit code still says what happened.
process.stderr.on("error", () => {});

try {
  await (await createProgram(version, process.argv[2])).parseAsync();
  if (outputError !== undefined) {
    // Help and the version are printed by Commander.
    throw unwritable(outputError);
  }
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  if (error instanceof CommanderError) {
    // Commander has printed the message already. Help is not an error.
    return error.exitCode === 0 ? (outputError === undefined ? 0 : report(unwritable(outputError))) : 2;
  }
  if (error instanceof CommandFailure) {
    tell(error.message);
    return error.exitCode;
  }
  if (error instanceof ConfigError || error instanceof DatabaseError) {
    tell(error.message);
    return error instanceof ConfigError ? 2 : 1;
  }
  if (isUnreachable(error)) {
    tell(`the database does not respond: ${reasonOf(error)}`);
    return 1;
  }
  throw error;
}

function tell(message: string): void {
  if (message !== "") {
    process.stderr.write(`${message.replaceAll(/^/gm, "gpu-offers-admin: ")}\n`);
  }
}
