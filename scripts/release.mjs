// Versions of a release. All packages and server.json have one version, and CHANGELOG.md has a section for it.
//
//     node scripts/release.mjs set 0.2.0       write the version everywhere, and date the unreleased changes
//     node scripts/release.mjs check v0.2.0    fail unless the tag, every package, server.json and the changelog agree
//     node scripts/release.mjs notes v0.2.0    print the changes of the version
//     node scripts/release.mjs packed v0.2.0   check the tarballs in dist/packages
import { spawnSync } from "node:child_process";
import { globSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Major, minor, patch, and an optional pre-release, as in semver.org. */
const SEMVER = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;
const FILES = ["README.md", "LICENSE", "package.json"];

const read = (path) => readFileSync(path, "utf8");

/** Paths of all manifests with a version. */
const manifests = () =>
  ["package.json", ...globSync("{packages/*,apps/*,bench,robustness}/package.json").sort()].filter((path) =>
    /"version"/.test(read(path)),
  );

/** Replaces the version of a manifest; server.json states it once more for its package. */
function set(version) {
  for (const path of [...manifests(), "server.json"]) {
    writeFileSync(path, read(path).replaceAll(/^( *"version": )"[^"]*"/gm, `$1"${version}"`));
  }
  const today = new Date().toISOString().slice(0, 10);
  const changes = read("CHANGELOG.md").replace("## Unreleased\n", `## Unreleased\n\n## ${version} - ${today}\n`);
  writeFileSync("CHANGELOG.md", changes);
}

/** What doesn't have the version. */
function problems(version) {
  const stated = [...manifests(), "server.json"].flatMap((path) =>
    [...read(path).matchAll(/^ *"version": "([^"]*)"/gm)].map(([, one]) => [path, one]),
  );
  const wrong = stated
    .filter(([, one]) => one !== version)
    .map(([path, one]) => `${path} has version ${one}, not ${version}.`);
  return notes(version) === undefined ? [...wrong, `CHANGELOG.md has no section "## ${version} - DATE".`] : wrong;
}

/** The section of a version in the changelog; undefined if there is none. */
function notes(version) {
  const section = read("CHANGELOG.md")
    .split(/^## /m)
    .find((part) => part.startsWith(`${version} - `));
  return section?.slice(section.indexOf("\n")).trim();
}

/** What is wrong with a tarball: its version, missing files, or dependencies that only the workspace has. */
function problemsOfTarball(path, version) {
  const list = tar("-tzf", path).trim().split("\n");
  const manifest = JSON.parse(tar("-xzOf", path, "package/package.json"));
  const has = (file) => list.includes(`package/${file.replace(/^\.\//, "")}`);
  const targets = [
    ...FILES,
    ...Object.values(manifest.bin ?? {}),
    ...Object.values(manifest.exports ?? {}).flatMap((one) =>
      typeof one === "string" ? [one] : [one.types, one.default],
    ),
  ];
  const all = Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies });
  return [
    ...(manifest.version === version ? [] : [`has version ${manifest.version}, not ${version}`]),
    ...targets.filter((file) => file !== undefined && !file.includes("*") && !has(file)).map((file) => `lacks ${file}`),
    ...all
      .filter(([, range]) => /^(?:workspace|catalog|link|file):/.test(range))
      .map(([name, range]) => `depends on ${name} by ${range}`),
    ...list.filter((file) => /\.(?:test|fixture)\.ts$/.test(file)).map((file) => `contains ${file}`),
  ].map((problem) => `${manifest.name} ${problem}.`);
}

function tar(...args) {
  const { status, stdout, stderr } = spawnSync("tar", args, { encoding: "utf8", maxBuffer: 1 << 26 });
  if (status !== 0) {
    throw new Error(`tar ${args.join(" ")} failed: ${stderr}`);
  }
  return stdout;
}

function failIfAny(lines) {
  if (lines.length > 0) {
    fail(lines);
  }
}

/** @returns {never} */
function fail(lines) {
  process.stderr.write(lines.map((line) => `release: ${line}\n`).join(""));
  process.exit(1);
}

const [command, tag = ""] = process.argv.slice(2);
const version = tag.replace(/^v/, "");
if (!SEMVER.test(version)) {
  fail([`${JSON.stringify(tag)} is not a version such as v0.2.0.`]);
}
if (command === "set") {
  set(version);
} else if (command === "check") {
  failIfAny(problems(version));
} else if (command === "notes") {
  process.stdout.write(`${notes(version) ?? fail([`CHANGELOG.md has no section for ${version}.`])}\n`);
} else if (command === "packed") {
  const folder = "dist/packages";
  failIfAny(readdirSync(folder).flatMap((file) => problemsOfTarball(join(folder, file), version)));
} else {
  fail([`${JSON.stringify(command ?? "")} is not a command: set, check, notes or packed.`]);
}
