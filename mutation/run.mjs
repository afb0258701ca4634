// Changes the source in one small way after the other and asks whether a test notices:
// pnpm mutation [area ...]. Fails when an area is below the bar.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { areas, BAR } from "./areas.mjs";

// "parsing" asks for every area of that subject.
const asked = process.argv.slice(2);
const isOf = (name, subject) => name === subject || name.startsWith(`${subject}-`);
const names = Object.keys(areas).filter((name) => asked.length === 0 || asked.some((subject) => isOf(name, subject)));
const unknown = asked.find((subject) => !names.some((name) => isOf(name, subject)));
if (unknown !== undefined) {
  console.error(`There is no area ${unknown}; the areas are ${Object.keys(areas).join(", ")}.`);
  process.exit(2);
}

installTools();
// Found only after the installation.
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
    // Beyond one and a half times what the tests took without a mutant.
    timeoutMS: 15_000,
    disableTypeChecks: false,
    ignorePatterns: ["dist", ".turbo", "apps/tui", "bench", "robustness"],
    tempDirName: ".stryker-tmp",
    reporters: ["clear-text", "html", "json"],
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
console.table(rows.map((row) => ({ ...row, score: `${row.score.toFixed(1)} %` })));
if (rows.some(({ score }) => score < BAR)) {
  console.error(`Below ${BAR} %: see reports/mutation.`);
  process.exit(1);
}

/** Installs the mutation tester into this folder; it takes vitest from the repository. */
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
    console.error("The mutation tester could not be installed.");
    process.exit(1);
  }
}
