// Checks what changed since the branch left main, and what depends on it, without a build: format, lint, types, and the
// tests of packages that need neither a process nor a database, with the changed tests of all others. `test` checks
// everything.
//
//     npx -y pnpm@12 check [BASE]      default: where the branch left origin/main, or main
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { compileFacts } from "./facts/compile.mjs";

/** Projects of vitest.config.ts whose tests are quick. */
const QUICK = ["domain", "list", "sources", "agent", "scripts"];

const CODE = /\.(?:[cm]?[jt]s|tsx)$/;
const TYPED = /\.tsx?$|(?:^|\/)(?:package|tsconfig[\w.]*)\.json$/;
const TEST = /^(?!.*\.full\.test\.ts$).*\.test\.ts$/;
/** Its tests start a service, so they run if it changed, not if what it imports did. */
const CLIENT = /^packages\/client\//;
const QUICK_FOLDER = new RegExp(String.raw`^(?:packages/)?(?:${QUICK.join("|")})/`);

function git(...args) {
  const { status, stdout } = spawnSync("git", args, { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

function run(command, ...args) {
  const { status, error } = spawnSync(command, args, {
    stdio: "inherit",
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" },
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    process.stderr.write(`check: ${[command, ...args.slice(0, 3)].join(" ")} failed. ${error?.message ?? ""}\n`);
    process.exit(1);
  }
}

function build(...filters) {
  const args = filters.map((filter) => `--filter=${filter}`);
  run("turbo", "run", "build", "--output-logs=errors-only", "--log-prefix=none", ...args);
}

/** Names of the packages that files are in. */
function packagesOf(files) {
  const folders = new Set(files.map((file) => /^(?:(?:packages|apps)\/[^/]+|[^/]+)(?=\/)/.exec(file)?.[0] ?? "."));
  return [...folders].flatMap((folder) => {
    const manifest = `${folder}/package.json`;
    return folder !== "." && existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")).name : [];
  });
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
const code = files.filter((file) => CODE.test(file));

compileFacts();
run("oxfmt", "--check");
run("node", "scripts/check-english.mjs");
run("node", "scripts/draw-architecture.mjs", "--check");
if (files.some((file) => TYPED.test(file))) {
  // All packages at once, from their sources. What didn't change since the last check isn't checked again.
  run("tsc", "-p", "tsconfig.check.json");
  const kept = ["--incremental", "--tsBuildInfoFile", "node_modules/.cache/check/web.tsbuildinfo"];
  run("tsc", "-p", "apps/web/tsconfig.json", "--customConditions", "gpu-offers-source", ...kept);
}
if (code.length > 0) {
  // Lint reads the types of the packages that the changed ones import.
  const packages = packagesOf(code);
  if (packages.length > 0) {
    build(...packages.map((name) => `${name}^...`));
  }
  run("oxlint", "--type-aware", "--deny-warnings", ...code);
}
const projects = [...QUICK];
if (code.some((file) => CLIENT.test(file))) {
  build("gpu-offers-server");
  projects.push("client");
}
run("vitest", "run", "--changed", base, ...projects.flatMap((name) => ["--project", name]));
const others = code.filter((file) => TEST.test(file) && !QUICK_FOLDER.test(file) && !CLIENT.test(file));
if (others.length > 0) {
  build(...packagesOf(others));
  run("vitest", "run", ...others);
}
