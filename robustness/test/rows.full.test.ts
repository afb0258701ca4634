import { expect, test } from "vitest";
import { Problems } from "../src/row.ts";
import { rows } from "../src/rows.ts";
import { SEED } from "@gpu-offers/testkit/synthetic";

// A short run of the robustness rows; `pnpm robustness` runs them in full.

/** Other tests run at the same time, and the machine may be busy. */
const PATIENCE = 20;

/** Some rows take too long for tests. */
const short = rows.filter(({ shortN }) => shortN > 0);

test.for(short)("$name: $bar", { timeout: 180_000 }, async ({ run, shortN }) => {
  const problems = new Problems();
  await run({ n: shortN, seed: SEED, patience: PATIENCE, progress: () => {}, problems });
  expect(problems.first).toEqual([]);
});
