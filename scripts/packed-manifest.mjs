// pnpm's hook for `pnpm pack` (see pack.mjs).

/**
 * Packages whose code and files are in the bundle of gpu-offers-server. With them, npm would install @scarf/scarf, which
 * swagger-ui-dist depends on and whose install script reports to a third party. In this repository an override removes
 * it, but overrides don't apply to those who install a package.
 */
const EMBEDDED = ["@nestjs/swagger", "swagger-ui-dist"];

export const hooks = {
  beforePacking(manifest) {
    if (manifest.name === "gpu-offers-server") {
      for (const name of EMBEDDED) {
        delete manifest.dependencies[name];
      }
    }
    return manifest;
  },
};
