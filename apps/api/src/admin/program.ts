import { Command } from "commander";
import { addAccountCommands } from "./account-commands.js";
import { addCatalogCheck } from "./catalog-check.js";
import { addCatalogExport } from "./catalog-export.js";
import { addCatalogHistory } from "./catalog-history.js";
import { addCatalogImport } from "./catalog-import.js";
import { addCatalogRemove } from "./catalog-remove.js";
import { addCatalogStatus } from "./catalog-status.js";
import { addCompletion } from "./completion.js";
import { addCreditCommands } from "./credit-commands.js";
import { addDatabaseCopy } from "./database-copy.js";
import { asCalled, invocation } from "./invocation.js";
import { addKeyCommands } from "./key-commands.js";
import { addSourceCommands } from "./source-commands.js";
import { addVerify } from "./verify.js";

/** Exit codes and what they mean; docs/operations.md has the same table. */
export const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [0, "done"],
  [1, "not done, and nothing was changed"],
  [2, "wrong usage, or an invalid setting"],
  [3, "done, but the output could not be written; standard error says what was done"],
];

/** The operator's command line. Every command throws a CommanderError instead of ending the process. */
export function createProgram(version: string): Command {
  // Subcommands inherit these settings, so they come first.
  const program = new Command(invocation())
    .description("Administer a gpu-offers database (DATABASE_URL, by default sqlite:./data/gpu-offers.sqlite).")
    .version(version, "--version", "print the version")
    .exitOverride()
    .showHelpAfterError("Run with --help to see the available commands and options.");
  program.addHelpText("after", () =>
    asCalled(`
Commands that print a result accept --json.

Exit codes:
${EXIT_CODES.map(([code, meaning]) => `  ${code}  ${meaning}`).join("\n")}

Examples:
  gpu-offers-admin catalog import offers.ndjson
  gpu-offers-admin account create --email ada@example.com --name "Ada Lovelace"
  gpu-offers-admin key create --account ada@example.com --label laptop
  gpu-offers-admin credit add --account ada@example.com --amount 25.00 --reference invoice-17
  gpu-offers-admin credit add --help`),
  );
  const catalog = program.command("catalog").description("Manage the offers, providers and images that are served");
  addCatalogImport(catalog);
  addCatalogStatus(catalog);
  addCatalogCheck(catalog);
  addCatalogExport(catalog);
  addCatalogHistory(catalog);
  addCatalogRemove(catalog);
  addSourceCommands(program);
  addAccountCommands(program);
  addKeyCommands(program);
  addCreditCommands(program);
  addVerify(program);
  addDatabaseCopy(program);
  addCompletion(program);
  return program;
}
