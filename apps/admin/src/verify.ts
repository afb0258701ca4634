import type { Command } from "commander";
import * as z from "zod";
import { verifyDatabase, type CheckResult } from "@gpu-offers/store/verification";
import { withReadOnly } from "./admin-database.js";
import { CommandFailure } from "./command-failure.js";
import { addUsage, type JsonOption } from "./command-usage.js";
import { counted } from "./counted.js";
import { print } from "./output.js";

const verifyJson = z.strictObject({
  ok: z.boolean(),
  checks: z.array(
    z.strictObject({
      check: z.string(),
      count: z.int().describe("number of items checked"),
      problems: z.int(),
      first: z.array(z.string()).describe("the first problems"),
    }),
  ),
});

/** `verify`: checks accounts, ledger and catalog against the rules they were written by. Read-only. */
export function addVerify(program: Command): void {
  addUsage(program.command("verify").description("Check the database, ledger and catalog (read-only)"), {
    json: verifyJson,
    notes: "Exits with status 1 if any check fails.",
    examples: ["gpu-offers-admin verify", "gpu-offers-admin verify --json | jq '.checks[] | select(.problems > 0)'"],
  }).action(run);
}

async function run(options: JsonOption): Promise<void> {
  const checks = await withReadOnly(verifyDatabase);
  const problems = checks.reduce((sum, check) => sum + check.problems, 0);
  await print(verifyJson, { ok: problems === 0, checks }, options, () => checks.map(format).join("\n"));
  if (problems > 0) {
    const names = checks.filter((check) => check.problems > 0).map(({ check }) => check);
    throw new CommandFailure(`${counted(problems, "problem")} in ${names.join(", ")}.`);
  }
}

function format({ check, count, problems, first }: CheckResult): string {
  const found = problems === 0 ? "" : `, ${counted(problems, "problem")}`;
  const lines = [`${problems === 0 ? "ok    " : "FAILED"}  ${check.padEnd(14)}  ${count} checked${found}`];
  lines.push(...first.map((problem) => `          ${problem}`));
  if (problems > first.length) {
    lines.push(`          and ${problems - first.length} more`);
  }
  return lines.join("\n");
}
