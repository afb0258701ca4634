#!/usr/bin/env node
import "../node-version.js";
import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { ConfigError } from "../config.js";
import { DatabaseError, isUnreachable, reasonOf } from "../store/database-error.js";
import { addAccountCommands } from "./account-commands.js";
import { addCatalogExport } from "./catalog-export.js";
import { addCatalogImport } from "./catalog-import.js";
import { addCatalogRemove } from "./catalog-remove.js";
import { addCatalogStatus } from "./catalog-status.js";
import { CommandFailure } from "./command-failure.js";
import { addCreditCommands } from "./credit-commands.js";
import { addDatabaseCopy } from "./database-copy.js";
import { addKeyCommands } from "./key-commands.js";
import { addVerify } from "./verify.js";

// The operator's command line. It works on the database itself; running services notice by themselves.
// Exit codes: 0 done, 1 not done and nothing changed, 2 bad usage.

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

const program = new Command("gpu-offers-admin")
  .description("Administers a gpu-offers database (DATABASE_URL, by default sqlite:./data/gpu-offers.sqlite).")
  .version(version, "--version", "print the version")
  .showHelpAfterError("Run with --help to see what there is.")
  .addHelpText(
    "after",
    `
All commands that print something take --json, which programs can read.
Exit codes: 0 done; 1 not done, and nothing changed; 2 wrong usage, or a wrong setting.

Examples:
  catalog import offers.ndjson --format native
  account create --email ada@example.com --name "Ada Lovelace"
  key create --account ada@example.com --label laptop
  credit add --account ada@example.com --amount 25.00 --reference invoice-17
  credit add --help`,
  )
  .exitOverride();

const catalog = program
  .command("catalog")
  .description("the offers, providers and images that are served")
  .exitOverride();
addCatalogImport(catalog);
addCatalogStatus(catalog);
addCatalogExport(catalog);
addCatalogRemove(catalog);
addAccountCommands(program);
addKeyCommands(program);
addCreditCommands(program);
addVerify(program);
addDatabaseCopy(program);

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // The reader closed the pipe, as head does: no fault of ours.
  process.exit(error.code === "EPIPE" ? 0 : 1);
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  if (error instanceof CommanderError) {
    // Commander has said it already; asking for help is no fault.
    return error.exitCode === 0 ? 0 : 2;
  }
  if (error instanceof CommandFailure) {
    process.stderr.write(`gpu-offers-admin: ${error.message}\n`);
    return error.exitCode;
  }
  if (error instanceof ConfigError || error instanceof DatabaseError) {
    process.stderr.write(`${error.message.replaceAll(/^/gm, "gpu-offers-admin: ")}\n`);
    return error instanceof ConfigError ? 2 : 1;
  }
  if (isUnreachable(error)) {
    process.stderr.write(`gpu-offers-admin: the database did not answer: ${reasonOf(error)}\n`);
    return 1;
  }
  throw error;
}
