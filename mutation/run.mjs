// Makes small changes to the source, one at a time, and checks that a test fails for each:
// pnpm mutation [area ...]. Fails if an area is below the bar.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { areas, BAR } from "./areas.mjs";
import { findEmptyPatterns } from "./check-areas.mjs";

// "parsing" selects every area whose name starts with it.
const asked = process.argv.slice(2);
const isOf = (name, subject) => name === subject || name.startsWith(`${subject}-`);
const names = Object.keys(areas).filter((name) => asked.length === 0 || asked.some((subject) => isOf(name, subject)));
const unknown = asked.find((subject) => !names.some((name) => isOf(name, subject)));
if (unknown !== undefined) {
  console.error(`Unknown area: ${unknown}. Areas: ${Object.keys(areas).join(", ")}.`);
  process.exit(2);
}

const empty = findEmptyPatterns(areas, fileURLToPath(new URL("..", import.meta.url)));
if (empty.length > 0) {
  console.error(empty.join("\n"));
  process.exit(2);
}

installTools();
// Only resolvable after the installation.
const { Stryker } = await import("@stryker-mutator/core");
process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const rows = [];
for (const name of names) {
  process.env.MUTATION_AREA = name;
  const results = await new Stryker({
    mutate: areas[name].mutate,
    testRunner: "vitest",
    vitest: { configFile: "mutation/vitest.config.ts", related: false },
    plugins: ["@stryker-mutator/vitest-runner", fileURLToPath(new URL("wording.mjs", import.meta.url))],
    ignorers: ["wording"],
    coverageAnalysis: "perTest",
    concurrency: Number(process.env.MUTATION_CONCURRENCY ?? 1),
    // On a busy machine a test may take twice as long as in the first run.
    timeoutMS: 8_000,
    timeoutFactor: 2,
    disableTypeChecks: false,
    ignorePatterns: ["dist", ".turbo", "apps/tui", "bench", "robustness"],
    tempDirName: ".stryker-tmp",
    reporters: ["progress-append-only", "clear-text", "html", "json"],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: true },
    htmlReporter: { fileName: `reports/mutation/${name}.html` },
    jsonReporter: { fileName: `reports/mutation/${name}.json` },
    thresholds: { high: BAR, low: BAR, break: null },
  }).runMutationTest();
  const count = (...statuses) => results.filter(({ status }) => statuses.includes(status)).length;
  const killed = count("Killed");
  const timedOut = count("Timeout");
  const survived = count("Survived", "NoCoverage");
  const mutants = killed + timedOut + survived;
  rows.push({
    area: name,
    mutants,
    killed,
    "timed out": timedOut,
    survived,
    score: (100 * (killed + timedOut)) / mutants,
  });
}
console.table(rows.map((row) => ({ ...row, score: `${row.score.toFixed(1)}%` })));
if (rows.some(({ score }) => score < BAR)) {
  console.error(`Below ${BAR}%: see reports/mutation.`);
  process.exit(1);
}

/** Installs the mutation tester into this folder; it uses the repository's vitest. */
function installTools() {
  if (existsSync(new URL("node_modules/@stryker-mutator/vitest-runner", import.meta.url))) {
    return;
  }
  const options = ["--ignore-scripts", "--legacy-peer-deps", "--no-package-lock", "--no-audit", "--no-fund"];
  const { status } = spawnSync("npm", ["install", ...options], {
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    console.error("The mutation tester failed to install.");
    process.exit(1);
  }
}
