import { describe, expect, test } from "vitest";
import { rows } from "../robustness/rows.ts";
import type { Row } from "../robustness/row.ts";
import { SEED } from "./offer-queries.ts";

// A short run of every row of the robustness suite; `pnpm robustness` runs them in full.

/** Some rows only tell what other tools measured. */
const short = rows.filter(({ shortN }) => shortN > 0);

async function expectMet({ run, shortN }: Row): Promise<void> {
  const { faults } = await run({ n: shortN, seed: SEED, progress: () => {} });
  expect(faults.first).toEqual([]);
}

describe.concurrent("the service", { timeout: 120_000 }, () => {
  test.for(short.filter(({ isTimed }) => isTimed !== true))("meets the bar of $name: $bar", async (row) => {
    await expectMet(row);
  });
});

// A machine that is busy with other tests may be late once.
describe("the service in time", { timeout: 120_000, retry: 2 }, () => {
  test.for(short.filter(({ isTimed }) => isTimed === true))("meets the bar of $name: $bar", async (row) => {
    await expectMet(row);
  });
});
