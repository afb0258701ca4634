import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Tests read the packages' sources through the "gpu-offers-source" export condition: no build between
// an edit and its test.
const conditions = ["gpu-offers-source"];
export const sourceSettings = {
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
} as const;

// Tests of the apps start processes and make folders, which are gone when their file is done.
export const leftovers = fileURLToPath(new URL("apps/api/test/leftovers.setup.ts", import.meta.url));

const project = (name: string, root: string, setup: { globalSetup?: string[]; setupFiles?: string[] } = {}) => ({
  ...sourceSettings,
  test: {
    name,
    root,
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    ...setup,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});

export default defineConfig({
  test: {
    // Many tests wait for processes of their own, so both cores can be kept busy.
    maxWorkers: 2,
    projects: [
      project("domain", "packages/domain"),
      project("sources", "packages/sources"),
      project("client", "packages/client"),
      project("api", "apps/api", { globalSetup: ["test/postgres.setup.ts"], setupFiles: [leftovers] }),
      project("tui", "apps/tui", { setupFiles: [leftovers] }),
    ],
  },
});
