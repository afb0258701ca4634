// Makes the folder that is deployed: the built service with its production dependencies as plain files, and its
// bill of materials. It needs Node, and neither pnpm nor anything else of this repository. The image is made by this script too.
//
//     node scripts/package.mjs [folder]      by default dist/gpu-offers; it is made anew
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));
const PACKAGE = "@gpu-offers/api";

/** Files that nothing reads at run time: source maps, TypeScript, C and C++, notes. Licenses stay. */
const UNUSED = /\.(?:map|[cm]?ts|tsx|markdown|md|c|h|cc|cpp|hpp|gyp|gypi)$/;

/** Tests inside dependencies. Some of their folders hold further packages, which would be taken for dependencies. */
const TESTS = /^(?:tests?|__tests__|.*\.test\.[cm]?js)$/;

/** What pnpm leaves for its own next run, with paths of this machine. */
const TRACES = [
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "node_modules/.modules.yaml",
  "node_modules/.pnpm-workspace-state-v1.json",
  "node_modules/.pnpm",
  "node_modules/.bin",
];

const folder = resolve(process.argv[2] ?? join(REPOSITORY, "dist/gpu-offers"));
clear(folder);
pnpm(
  "deploy",
  "--prod",
  // Plain files, which may be copied anywhere, and none that is shared with pnpm's store.
  "--config.node-linker=hoisted",
  "--config.package-import-method=copy",
  "--config.ignore-scripts=true",
  folder,
);
for (const trace of TRACES) {
  rmSync(join(folder, trace), { recursive: true, force: true });
}
prune(folder);
describe(folder);
pnpm(
  "sbom",
  "--prod",
  "--sbom-format=cyclonedx",
  "--sbom-spec-version=1.6",
  "--sbom-type=application",
  `--out=${join(folder, "sbom.cdx.json")}`,
);
process.stdout.write(`${folder}\n`);

/** Empties the folder, but only one that this script made. */
function clear(path) {
  mkdirSync(path, { recursive: true });
  const entries = readdirSync(path);
  if (entries.length > 0 && !entries.includes("sbom.cdx.json")) {
    fail(`${path} is not empty, and was not made by this command; name another folder.`);
  }
  for (const entry of entries) {
    rmSync(join(path, entry), { recursive: true });
  }
}

function prune(path) {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (TESTS.test(entry.name)) {
      rmSync(child, { recursive: true });
    } else if (entry.isDirectory()) {
      prune(child);
    } else if (UNUSED.test(entry.name) && !/^licen[cs]e/i.test(entry.name)) {
      rmSync(child);
    }
  }
}

/** The manifest without what only the repository knows, the license, and the operator's command. */
function describe(path) {
  const manifest = join(path, "package.json");
  const { name, version, description, license, bin, type, engines } = JSON.parse(readFileSync(manifest, "utf8"));
  const text = { name, version, private: true, description, license, type, bin, engines };
  writeFileSync(manifest, `${JSON.stringify(text, null, 2)}\n`);
  cpSync(join(REPOSITORY, "LICENSE"), join(path, "LICENSE"));
  mkdirSync(join(path, "bin"));
  for (const [command, program] of Object.entries(bin)) {
    chmodSync(join(path, program), 0o755);
    symlinkSync(join("..", program), join(path, "bin", command));
  }
}

function pnpm(...args) {
  const { status, stdout, error } = spawnSync("pnpm", ["--filter", PACKAGE, ...args], {
    cwd: REPOSITORY,
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    process.stderr.write(stdout ?? "");
    fail(`pnpm ${args[0]} failed${error === undefined ? "" : `: ${error.message}`}`);
  }
}

function fail(message) {
  process.stderr.write(`gpu-offers: ${message}\n`);
  process.exit(1);
}
