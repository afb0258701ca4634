import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";

// The service's packages in the lockfile. It is parsed line by line, because its format is pnpm's own and strict.

const LOCKFILE = new URL("../../../pnpm-lock.yaml", import.meta.url);
const GROUPS = ["dependencies", "optionalDependencies"];

/** Names and versions of all third-party packages that the service is deployed with, as `name@version`. */
export function productionPackages(): Set<string> {
  const text = readFileSync(LOCKFILE, "utf8");
  const [, importers = "", packages = ""] = /^importers:\n([^]*?)^packages:\n([^]*?)^snapshots:$/m.exec(text) ?? [];
  const [, snapshots = ""] = /^snapshots:\n([^]*)/m.exec(text) ?? [];
  const found = new Set<string>();
  const folders = new Set<string>();
  const addFolder = (folder: string): void => {
    if (!folders.has(folder)) {
      folders.add(folder);
      for (const [name, version] of directDependencies(blockOf(importers, folder))) {
        const link = /^link:(.*)/.exec(version)?.[1];
        if (link === undefined) {
          addPackage(`${name}@${version}`);
        } else {
          addFolder(new URL(link, `file:///${folder}/`).pathname.replaceAll(/^\/|\/$/g, ""));
        }
      }
    }
  };
  const seen = new Set<string>();
  const addPackage = (key: string): void => {
    if (!seen.has(key)) {
      seen.add(key);
      const plain = key.replace(/\(.*/, "");
      found.add(plain);
      // A peer dependency is installed by the package's dependents, or not at all.
      const peers = groupOf(blockOf(packages, plain), "peerDependencies");
      for (const [name, version] of dependenciesOf(blockOf(snapshots, key))) {
        if (!new RegExp(`^ {6}'?${name}'?:`, "m").test(peers)) {
          addPackage(`${name}@${version}`);
        }
      }
    }
  };
  addFolder("apps/api");
  return found;
}

/** The environment of a program that can only load these packages. */
export function onlyPackages(packages: readonly string[]): Record<string, string> {
  const list = join(tempFolder(), "packages.json");
  writeFileSync(list, JSON.stringify(packages));
  return { NODE_OPTIONS: `--import=${new URL("./only-shipped.ts", import.meta.url).href}`, SHIPPED_PACKAGES: list };
}

/** Names of packages with install scripts, run or not, from `allowBuilds`. */
export function packagesThatBuild(): string[] {
  const text = readFileSync(new URL("../../../pnpm-workspace.yaml", import.meta.url), "utf8");
  const [, builds = ""] = /^allowBuilds:\n((?: .*\n)*)/m.exec(text) ?? [];
  return [...builds.matchAll(/^ {2}"?([^":]+)"?: true$/gm)].map(([, name = ""]) => name);
}

/** The indented lines below a key that is indented by two spaces. */
function blockOf(section: string, key: string): string {
  const lines = section.split("\n");
  const start = lines.findIndex((line) =>
    [`  ${key}:`, `  '${key}':`, `  ${key}: {}`, `  '${key}': {}`].includes(line),
  );
  if (start === -1) {
    throw new Error(`pnpm-lock.yaml has no ${key}.`);
  }
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^ {0,2}\S/.test(line));
  return rest.slice(0, end === -1 ? undefined : end).join("\n");
}

/** An importer's: the version is two lines below each name. */
function directDependencies(block: string): [name: string, version: string][] {
  return GROUPS.flatMap((group) =>
    [...groupOf(block, group).matchAll(/^ {6}'?([^' ]+?)'?:\n {8}specifier: .*\n {8}version: (.*)$/gm)].map(
      ([, name = "", version = ""]): [string, string] => [name, version],
    ),
  );
}

/** A package's: the version is on the same line as each name. */
function dependenciesOf(block: string): [name: string, version: string][] {
  return GROUPS.flatMap((group) =>
    [...groupOf(block, group).matchAll(/^ {6}'?([^' ]+?)'?: (\S.*)$/gm)].map(
      ([, name = "", version = ""]): [string, string] => [name, version],
    ),
  );
}

function groupOf(block: string, group: string): string {
  return new RegExp(`^ {4}${group}:\\n((?: {5,}.*\\n?)*)`, "m").exec(block)?.[1] ?? "";
}
