import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { compileFacts } from "./scripts/facts/compile.mjs";

compileFacts();

// Tests read the packages' sources through the "gpu-offers-source" export condition: no build between
// an edit and its test.
const conditions = ["gpu-offers-source"];
export const sourceSettings = {
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
} as const;

const testkit = (file: string): string => fileURLToPath(new URL(`packages/testkit/src/${file}`, import.meta.url));

// Tests of the apps start processes and make folders, which are removed when their file is done.
export const leftovers = testkit("leftovers.setup.ts");

// Mutation runs repeat each property hundreds of times.
export const quickProperties = testkit("quick-properties.setup.ts");

// `pnpm test` runs *.test.ts. `pnpm test:full` runs *.full.test.ts, which take long or need tools of their own, and
// *.database.test.ts once more, on PostgreSQL instead of SQLite.
const suffix = process.env["TEST_SUITE"] === "full" ? "{full,database}.test.ts" : "test.{ts,tsx}";

const project = (name: string, root: string, setup: { globalSetup?: string[]; setupFiles?: string[] } = {}) => ({
  ...sourceSettings,
  test: {
    name,
    root,
    include: ["src", "test"].map((folder) => `${folder}/**/*.${suffix}`),
    exclude: suffix.startsWith("test") ? ["**/*.full.test.ts"] : [],
    ...setup,
    // Files share the modules of their worker: loading them for each file took a quarter of the processor time.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A browser that shares two cores with other tests needs more than the second that is the default.
    expect: { poll: { timeout: 10_000 } },
  },
});

export default defineConfig({
  test: {
    // Many tests wait for processes of their own, so more workers keep two cores busy. Full tests measure times.
    maxWorkers: process.env["TEST_SUITE"] === "full" ? 3 : 4,
    // Tests that are concurrent mostly wait.
    maxConcurrency: 8,
    passWithNoTests: true,
    // What is compiled from them has no commits, so `--changed` would not see it.
    forceRerunTriggers: [...configDefaults.forceRerunTriggers, "**/facts/*.csv"],
    projects: [
      project("domain", "packages/domain"),
      project("list", "packages/list"),
      project("completion", "packages/completion"),
      project("sources", "packages/sources"),
      project("store", "packages/store", { globalSetup: [testkit("postgres.setup.ts")], setupFiles: [leftovers] }),
      project("fetch", "packages/fetch", { setupFiles: [leftovers] }),
      project("sync", "packages/sync", { globalSetup: [testkit("postgres.setup.ts")], setupFiles: [leftovers] }),
      project("client", "packages/client", { setupFiles: [leftovers] }),
      project("agent", "packages/agent"),
      project("scripts", "scripts", { setupFiles: [leftovers] }),
      project("testkit", "packages/testkit", { setupFiles: [leftovers] }),
      project("api", "apps/api", { globalSetup: [testkit("postgres.setup.ts")], setupFiles: [leftovers] }),
      project("admin", "apps/admin", { globalSetup: [testkit("postgres.setup.ts")], setupFiles: [leftovers] }),
      project("tui", "apps/tui", { setupFiles: [leftovers] }),
      project("web", "apps/web", { globalSetup: [testkit("postgres.setup.ts")], setupFiles: [leftovers] }),
      project("robustness", "robustness", { globalSetup: [testkit("postgres.setup.ts")], setupFiles: [leftovers] }),
    ],
  },
});
