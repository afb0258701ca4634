// The licenses of the packages that a bundle contains, which must come with it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The text of a license file.
 * @param modules paths of the bundled modules, and of files of packages that are copied beside them.
 */
export function thirdPartyLicenses(modules) {
  const manifests = new Map();
  for (const module of modules) {
    const manifest = findManifest(module);
    if (manifest !== undefined && manifest.includes("node_modules")) {
      const { name, version, license } = JSON.parse(readFileSync(manifest, "utf8"));
      manifests.set(`${name} ${version}`, { license, folder: dirname(manifest) });
    }
  }
  const notices = [...manifests]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([title, { license, folder }]) => {
      const files = readdirSync(folder).filter((file) => /^(?:licen[sc]e|copying|notice)(?:[.-]|$)/i.test(file));
      const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim());
      return [`${title} (${license})`, ...texts].join("\n\n");
    });
  return `gpu-offers contains these packages:\n\n${notices.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/** The manifest of the package that a module belongs to: the nearest one with a name and a version. */
function findManifest(module) {
  for (let folder = dirname(module); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version !== undefined) {
      return manifest;
    }
  }
  return undefined;
}
