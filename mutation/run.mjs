// Changes the source in one small way after the other and asks whether a test notices:
// pnpm mutation [area ...]. Fails when an area is below the bar.
import { fileURLToPath } from "node:url";
import { Stryker } from "@stryker-mutator/core";
import { areas, BAR } from "./areas.mjs";

const args = process.argv.slice(2);
// What a file says of mutants that no change since could have touched is taken over.
const isIncremental = args.includes("--incremental");
const asked = args.filter((arg) => arg !== "--incremental");
const unknown = asked.find((name) => !(name in areas));
if (unknown !== undefined) {
  console.error(`There is no area ${unknown}; the areas are ${Object.keys(areas).join(", ")}.`);
  process.exit(2);
}

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const rows = [];
for (const name of asked.length === 0 ? Object.keys(areas) : asked) {
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
    ignorePatterns: ["dist", ".turbo", "apps/tui", "apps/api/bench", "apps/api/robustness"],
    tempDirName: ".stryker-tmp",
    incremental: isIncremental,
    incrementalFile: `reports/mutation/${name}.incremental.json`,
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
