// Creates the folder to deploy: the built service with its production dependencies as plain files, the operator docs,
// and an SBOM. The folder needs only Node, neither pnpm nor this repository. The Dockerfile runs this script too.
//
//     node scripts/package.mjs [folder]      default dist/gpu-offers; any previous contents are replaced
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { buildName } from "./build-name.mjs";
import { pnpm } from "./pnpm.mjs";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));
const PACKAGE = "gpu-offers-server";

/** Files that are never read at run time: source maps, TypeScript, C and C++, notes. Licenses stay. */
const UNUSED = /\.(?:map|[cm]?ts|tsx|markdown|md|c|h|cc|cpp|hpp|gyp|gypi)$/;

/** Tests inside dependencies. Some contain packages that scanners would count as dependencies. */
const TESTS = /^(?:tests?|__tests__|.*\.test\.[cm]?js)$/;

/** Files that pnpm leaves for its next run, with paths of this machine. */
const TRACES = [
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "node_modules/.modules.yaml",
  "node_modules/.pnpm-workspace-state-v1.json",
  "node_modules/.pnpm",
  "node_modules/.bin",
];

/** Docs that an operator reads without the repository. They only link to each other (tested). */
const OPERATORS_PAGES = [
  "operations.md",
  "operations",
  "commands.md",
  "configuration.md",
  "errors.md",
  "errors",
  "guides",
  "native-format.md",
  "observability.md",
  "own-source.md",
  "sources.md",
];

const folder = resolve(process.argv[2] ?? join(REPOSITORY, "dist/gpu-offers"));
clear(folder);
// Plain files that can be copied anywhere, with none shared with pnpm's store.
const plainFiles = ["--config.node-linker=hoisted", "--config.package-import-method=copy"];
const options = [...plainFiles, "--config.ignore-scripts=true"];
pnpm(["--filter", PACKAGE, "deploy", "--prod", ...options, folder], "packaging");
for (const trace of TRACES) {
  rmSync(join(folder, trace), { recursive: true, force: true });
}
prune(folder);
describe(folder);
addDocuments(folder);
const sbom = join(folder, "sbom.cdx.json");
const format = ["--sbom-format=cyclonedx", "--sbom-spec-version=1.6", "--sbom-type=application"];
pnpm(["--filter", PACKAGE, "sbom", "--prod", ...format, `--out=${sbom}`], "the SBOM");
addHashes(sbom);
process.stdout.write(`${folder}\n`);

/** Empties the folder, but only one that this script made. */
function clear(path) {
  mkdirSync(path, { recursive: true });
  const entries = readdirSync(path);
  if (entries.length > 0 && !entries.includes("sbom.cdx.json")) {
    fail(`${path} is not empty and was not created by this command. Choose another folder.`);
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

/**
 * pnpm stores a package's hash with its archive URL; scanners expect it on the package itself. It must be that of the
 * lockfile.
 */
function addHashes(file) {
  const lockfile = readFileSync(new URL("../pnpm-lock.yaml", import.meta.url), "utf8");
  const bill = JSON.parse(readFileSync(file, "utf8"));
  for (const component of bill.components) {
    const archive = component.externalReferences?.find(({ type, hashes }) => type === "distribution" && hashes);
    if (archive !== undefined) {
      component.hashes = archive.hashes;
      const digests = archive.hashes.map(({ content }) => Buffer.from(content, "hex").toString("base64"));
      if (!digests.some((digest) => lockfile.includes(digest))) {
        fail(`${component.purl} of the SBOM isn't the one of pnpm-lock.yaml.`);
      }
    }
  }
  writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
}

/** What an operator needs without the repository: the guides, the settings, and the systemd units. */
function addDocuments(path) {
  for (const page of OPERATORS_PAGES) {
    cpSync(join(REPOSITORY, "docs", page), join(path, "docs", page), { recursive: true });
  }
  // Keep the operator's own settings and passwords.
  const filter = (file) => basename(file) !== ".env";
  cpSync(join(REPOSITORY, "deploy"), join(path, "deploy"), { recursive: true, filter });
  cpSync(join(REPOSITORY, "scripts/package-readme.md"), join(path, "README.md"));
}

/** The manifest without repository-only fields, plus the license and the operator's command. */
function describe(path) {
  const manifest = join(path, "package.json");
  const { name, version, description, license, bin, type, engines } = JSON.parse(readFileSync(manifest, "utf8"));
  const text = { name, version, build: buildName(), private: true, description, license, type, bin, engines };
  writeFileSync(manifest, `${JSON.stringify(text, null, 2)}\n`);
  cpSync(join(REPOSITORY, "LICENSE"), join(path, "LICENSE"));
  mkdirSync(join(path, "bin"));
  for (const [command, program] of Object.entries(bin)) {
    chmodSync(join(path, program), 0o755);
    symlinkSync(join("..", program), join(path, "bin", command));
  }
}

function fail(message) {
  process.stderr.write(`gpu-offers: ${message}\n`);
  process.exit(1);
}
