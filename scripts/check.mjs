// Checks what changed since the branch left main, and what depends on it: format, lint, types, and the tests of packages
// that need neither a process nor a database. `test` checks everything.
//
//     npx -y pnpm@12 check [BASE]      default: where the branch left origin/main, or main
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Projects of vitest.config.ts whose tests are quick. */
const QUICK = ["domain", "list", "sources", "client", "agent", "scripts"];

const LINTED = /\.(?:[cm]?[jt]s|tsx)$/;

function git(...args) {
  const { status, stdout } = spawnSync("git", args, { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

function run(command, ...args) {
  const { status, error } = spawnSync(command, args, {
    stdio: "inherit",
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", TURBO_SCM_BASE: base },
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    process.stderr.write(`check: ${[command, ...args.slice(0, 3)].join(" ")} failed. ${error?.message ?? ""}\n`);
    process.exit(1);
  }
}

const mergeBase = ["origin/main", "main"].map((branch) => git("merge-base", "HEAD", branch)).find(Boolean);
const base = process.argv[2] ?? mergeBase;
const changed = base === undefined ? undefined : git("diff", "--name-only", base);
if (changed === undefined) {
  process.stderr.write(`check: ${base ?? "main"} is not a commit here. Name one: pnpm check COMMIT\n`);
  process.exit(2);
}
const files = [...changed.split("\n"), ...(git("ls-files", "--others", "--exclude-standard") ?? "").split("\n")].filter(
  (file) => file !== "" && existsSync(file),
);

run("oxfmt", "--check");
run("node", "scripts/check-english.mjs");
run("node", "scripts/draw-architecture.mjs", "--check");
// It builds the packages that the checked ones import.
const turbo = ["run", "typecheck", "--affected", "--output-logs=errors-only", "--log-prefix=none"];
run("turbo", ...turbo);
const linted = files.filter((file) => LINTED.test(file));
if (linted.length > 0) {
  run("oxlint", "--type-aware", "--deny-warnings", ...linted);
}
run("vitest", "run", "--changed", base, ...QUICK.flatMap((name) => ["--project", name]));
