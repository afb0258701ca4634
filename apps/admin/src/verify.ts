import * as z from "zod";
import { verifyDatabase, type CheckResult } from "@gpu-offers/store/verification";
import { withReadOnly } from "./admin-database.js";
import type { AdminCommand } from "./command.js";
import { counted } from "./table.js";

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
export function addVerify(program: AdminCommand): void {
  program
    .command("verify")
    .description("Check the database, ledger and catalog (read-only)")
    .notes("Exits with status 1 if any check fails.")
    .examples("gpu-offers-admin verify", "gpu-offers-admin verify --json | jq '.checks[] | select(.problems > 0)'")
    .prints(verifyJson, verify);
}

async function verify() {
  const checks = await withReadOnly(verifyDatabase);
  const failed = checks.filter(({ problems }) => problems > 0);
  const problems = failed.reduce((sum, check) => sum + check.problems, 0);
  const names = failed.map(({ check }) => check).join(", ");
  return {
    json: { ok: problems === 0, checks },
    text: checks.map(format).join("\n"),
    failure: problems === 0 ? undefined : `${counted(problems, "problem")} in ${names}.`,
  };
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
