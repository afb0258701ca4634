import { existsSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
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
// *.database.test.ts once more, on PostgreSQL instead of SQLite. `pnpm robustness` runs the stress tests of the former with
// full counts, and `pnpm bench` *.bench.test.ts; both fill tables of docs.
const suite = process.env["TEST_SUITE"] ?? "default";
const SUFFIXES: Record<string, string> = {
  full: "{full,database}.test.ts",
  robustness: "full.test.ts",
  bench: "bench.test.ts",
};
const suffix = SUFFIXES[suite] ?? "test.{ts,tsx}";
const pages: Record<string, string> = { robustness: "docs/reliability.md", bench: "docs/performance.md" };
const page = pages[suite];

// Databases are kept in memory where Linux has room for them: removing PostgreSQL's 14,000 files from a disk took 5 to 25 s at
// the end of each run. Those that must be durable stay on the disk, and so do all in suites that measure.
const MEMORY = "/dev/shm";
const MEMORY_BYTES = 4e9;
const hasMemory = (): boolean => {
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, freemem()) > MEMORY_BYTES;
};
if (page === undefined && existsSync(MEMORY) && hasMemory()) {
  process.env["TEST_POSTGRES_FOLDER"] = MEMORY;
  if (suite === "default") {
    process.env["TEST_SQLITE_FOLDER"] = MEMORY;
  }
}

const project = (name: string, folders: readonly string[], globalSetup: string[] = []) => ({
  ...sourceSettings,
  test: {
    name,
    include: folders.map((folder) => `${folder}/{src,test}/**/*.${suffix}`),
    exclude: suffix.startsWith("test") ? ["**/*.{full,bench}.test.ts"] : [],
    globalSetup,
    setupFiles: [leftovers],
    // Files share the modules of their worker: loading them for each file took a quarter of the processor time.
    isolate: false,
    // Suites that measure take as long as they take.
    testTimeout: page === undefined ? 30_000 : 0,
    hookTimeout: 60_000,
    // A browser that shares two cores with other tests needs more than the second that is the default.
    expect: { poll: { timeout: 10_000 } },
  },
});

const postgres = testkit("postgres.setup.ts");
const service = testkit("service.setup.ts");
const servers: Record<string, string[]> = {
  api: [postgres, service],
  client: [service],
  tui: [service],
  ...Object.fromEntries(["store", "sync", "admin", "web", "robustness"].map((name) => [name, [postgres]])),
};
const FOLDERS = [
  ...["domain", "list", "completion", "sources", "store", "fetch", "sync", "client", "agent"].map(
    (name) => `packages/${name}`,
  ),
  "scripts",
  "packages/testkit",
  ...["api", "admin", "tui", "web"].map((name) => `apps/${name}`),
  "robustness",
];

// Each project transforms and loads the modules of its tests again, a tenth of the processor time of all tests. So they
// are one, unless arguments name some. Tests of fetch are apart: they register sources, for all tests that follow.
const isWhole = suite === "default" && process.argv.slice(3).every((argument) => /^-(?!-project)/.test(argument));
const isApart = (folder: string): boolean => !isWhole || folder === "packages/fetch";
const projects = [
  ...FOLDERS.filter(isApart).map((folder) => project(basename(folder), [folder], servers[basename(folder)])),
  ...(isWhole
    ? [
        project(
          "all",
          FOLDERS.filter((folder) => !isApart(folder)),
          servers["api"],
        ),
      ]
    : []),
];

/** The projects of suites that measure. */
const measuring: Record<string, { test: object }[]> = {
  robustness: [project("robustness", ["robustness"], [postgres])],
  // Measured are the built packages, as they are
  bench: [
    {
      test: {
        ...project("bench", ["bench"]).test,
        server: { deps: { external: [/\/dist\//] } },
      },
    },
  ],
};

/** Vitest begins with the first project by name. What installs programs of others takes longest, so it begins before all. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => moduleId.includes("launch-check");
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Many tests wait for processes of their own, so more workers keep two cores busy. Full tests measure times.
    maxWorkers: page === undefined ? (suite === "full" ? 3 : 4) : 1,
    ...(page !== undefined && { reporters: ["verbose", [testkit("table-reporter.ts"), { page }]] }),
    // Tests that are concurrent mostly wait.
    maxConcurrency: 8,
    passWithNoTests: true,
    // The next run reads what this one transformed.
    fsModuleCache: true,
    // What is compiled from them has no commits, so `--changed` would not see it.
    forceRerunTriggers: [...configDefaults.forceRerunTriggers, "**/facts/*.csv"],
    projects: measuring[suite] ?? projects,
  },
});
