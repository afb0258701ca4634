import { readFileSync } from "node:fs";
import { parse } from "yaml";

// The service's packages in the lockfile.

export const repositoryFile = (name: string): unknown =>
  parse(readFileSync(new URL(`../../../${name}`, import.meta.url), "utf8"));

/** Dependencies by name, of those kinds that are deployed. */
interface Dependent<T> {
  dependencies?: Record<string, T>;
  optionalDependencies?: Record<string, T>;
}

interface Lockfile {
  importers: Record<string, Dependent<{ version: string }>>;
  packages: Record<string, { peerDependencies?: Record<string, string> }>;
  snapshots: Record<string, Dependent<string>>;
}

/** Names and versions of all third-party packages that the service is deployed with, as `name@version`. */
export function productionPackages(): Set<string> {
  const { importers, packages, snapshots } = repositoryFile("pnpm-lock.yaml") as Lockfile;
  const found = new Set<string>();
  const seen = new Set<string>();
  const addFolder = (folder: string): void => {
    if (seen.has(folder)) {
      return;
    }
    seen.add(folder);
    const { dependencies, optionalDependencies } = importers[folder] ?? {};
    for (const [name, { version }] of Object.entries({ ...dependencies, ...optionalDependencies })) {
      const link = /^link:(.*)/.exec(version)?.[1];
      if (link === undefined) {
        addPackage(`${name}@${version}`);
      } else {
        addFolder(new URL(link, `file:///${folder}/`).pathname.replaceAll(/^\/|\/$/g, ""));
      }
    }
  };
  const addPackage = (key: string): void => {
    if (seen.has(key)) {
      return;
    }
    seen.add(key);
    const plain = key.replace(/\(.*/, "");
    found.add(plain);
    const { dependencies, optionalDependencies } = snapshots[key] ?? {};
    for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies })) {
      // A peer dependency is installed by the package's dependents, or not at all.
      if (packages[plain]?.peerDependencies?.[name] === undefined) {
        addPackage(`${name}@${version}`);
      }
    }
  };
  addFolder("apps/api");
  return found;
}
