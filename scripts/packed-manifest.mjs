// pnpm's hook for `pnpm pack` (see pack.mjs).
import { readFileSync } from "node:fs";
import { buildName } from "./build-name.mjs";

/**
 * Packages whose code and files are in the bundle of gpu-offers-server. With them, npm would install @scarf/scarf, which
 * swagger-ui-dist depends on and whose install script reports to a third party. In this repository an override removes
 * it, but overrides don't apply to those who install a package.
 */
const EMBEDDED = new Set(["@nestjs/swagger", "swagger-ui-dist"]);

/** Private packages of this repository whose code is in the bundle of gpu-offers-server. It gets their dependencies. */
const PRIVATE = {
  "@gpu-offers/admin": "apps/admin",
  "@gpu-offers/completion": "packages/completion",
  "@gpu-offers/fetch": "packages/fetch",
  "@gpu-offers/list": "packages/list",
  "@gpu-offers/store": "packages/store",
  "@gpu-offers/sync": "packages/sync",
};

const REPOSITORY = new URL("..", import.meta.url);

const readManifest = (folder) => JSON.parse(readFileSync(new URL(`${folder}/package.json`, REPOSITORY), "utf8"));

/** The third-party dependencies of a private package, with their installed versions, which the workspace pins. */
const dependenciesOf = (folder) =>
  Object.keys(readManifest(folder).dependencies)
    .filter((name) => !name.startsWith("@gpu-offers/"))
    .map((name) => [name, readManifest(`${folder}/node_modules/${name}`).version]);

export const hooks = {
  beforePacking(manifest) {
    if (manifest.name === "gpu-offers-server") {
      manifest.build = buildName();
      const own = Object.entries(manifest.dependencies);
      const embedded = Object.values(PRIVATE).flatMap(dependenciesOf);
      manifest.dependencies = Object.fromEntries(
        [...own, ...embedded]
          .filter(([name]) => !EMBEDDED.has(name) && !Object.hasOwn(PRIVATE, name))
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      );
    }
    return manifest;
  },
};
