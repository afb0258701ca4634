import type { Command } from "commander";
import { verifyDatabase, type CheckResult } from "../store/verification.js";
import { withDatabase } from "./admin-database.js";
import { CommandFailure } from "./command-failure.js";
import { print } from "./output.js";

/** `verify`: holds everything in the database against the rules it was written by. */
export function addVerify(program: Command): void {
  program
    .command("verify")
    .description("check the database, the ledger and the catalog; changes nothing")
    .option("--json", "print the checks as JSON")
    .addHelpText(
      "after",
      "\nIt ends with 1 when something is wrong.\n\nExample:\n  verify --json | jq '.checks[] | select(.faults > 0)'",
    )
    .exitOverride()
    .action(run);
}

async function run(options: { json?: true }): Promise<void> {
  const checks = await withDatabase(verifyDatabase);
  const faults = checks.reduce((sum, check) => sum + check.faults, 0);
  print({ ok: faults === 0, checks }, options, () => checks.map(format).join("\n"));
  if (faults > 0) {
    const names = checks.filter((check) => check.faults > 0).map(({ check }) => check);
    throw new CommandFailure(`${faults} wrong in ${names.join(", ")}.`);
  }
}

function format({ check, count, faults, first }: CheckResult): string {
  const lines = [
    `${faults === 0 ? "ok   " : "WRONG"}  ${check.padEnd(14)}  ${count} checked${faults === 0 ? "" : `, ${faults} wrong`}`,
  ];
  lines.push(...first.map((fault) => `         ${fault}`));
  if (faults > first.length) {
    lines.push(`         and ${faults - first.length} more`);
  }
  return lines.join("\n");
}
