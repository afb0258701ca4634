import { expect, test } from "vitest";
import { Problems } from "../src/row.ts";
import { rows } from "../src/rows.ts";
import { SEED } from "@gpu-offers/testkit/offer-queries";

// A short run of the rows of the robustness suite; `pnpm robustness` runs them in full.

/** Other tests run beside these ones, and a machine may have more to do than that. */
const PATIENCE = 20;

/** Some rows only tell what other tools measured. */
const short = rows.filter(({ shortN }) => shortN > 0);

test.for(short)("$name: $bar", { timeout: 180_000 }, async ({ run, shortN }) => {
  const problems = new Problems();
  await run({ n: shortN, seed: SEED, patience: PATIENCE, progress: () => {}, problems });
  expect(problems.first).toEqual([]);
});
