import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import type { Row } from "./row.ts";

/** Areas and bar of the mutation runs; see mutation/areas.mjs. */
const settingsSchema = z.object({ areas: z.record(z.string(), z.unknown()), BAR: z.number() });

/** The parts of Stryker's report that are read: https://github.com/stryker-mutator/mutation-testing-elements. */
const reportSchema = z.object({
  files: z.record(z.string(), z.object({ mutants: z.array(z.object({ status: z.string() })) })),
});

const DETECTED = ["Killed", "Timeout"];
const UNDETECTED = ["Survived", "NoCoverage"];

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Last measured score of an area in percent; undefined if there is none. */
function scoreOf(area: string): number | undefined {
  const path = at(`reports/mutation/${area}.json`);
  if (!existsSync(path)) {
    return undefined;
  }
  const { files } = reportSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const count = (wanted: string[]): number => statuses.filter((status) => wanted.includes(status)).length;
  return (100 * count(DETECTED)) / (count(DETECTED) + count(UNDETECTED));
}

export const mutationScore: Row = {
  name: "mutation-score",
  what: "mutation score, as last measured (`pnpm mutation`)",
  unit: "report per area",
  bar: ">= 90% on money, authentication, parsing, paging, import",
  n: 1,
  shortN: 0,
  run: async ({ problems }) => {
    const { areas, BAR } = settingsSchema.parse(await import(at("mutation/areas.mjs")));
    const scores = Object.keys(areas).map((area) => {
      const score = scoreOf(area);
      if (score === undefined) {
        problems.add(`${area} has no report; run pnpm mutation ${area}`);
      } else if (score < BAR) {
        problems.add(`${area} has ${score.toFixed(1)}%`);
      }
      return `${area} ${score === undefined ? "not measured here" : `${score.toFixed(1)}%`}`;
    });
    return scores.join(", ");
  },
};
