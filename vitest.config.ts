import { defineConfig } from "vitest/config";

// Tests read the packages' sources through the "gpu-offers-source" export condition: no build between
// an edit and its test.
const conditions = ["gpu-offers-source"];
const base = {
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
} as const;

const project = (name: string, root: string, globalSetup: string[] = []) => ({
  ...base,
  test: {
    name,
    root,
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup,
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
      project("api", "apps/api", ["test/postgres.setup.ts"]),
      project("tui", "apps/tui"),
    ],
  },
});
