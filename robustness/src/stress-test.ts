import { expect, test } from "vitest";
import { SEED } from "@gpu-offers/testkit/synthetic";
import { addRow, shown } from "@gpu-offers/testkit/table-row";

/** `pnpm robustness`: full counts, one row at a time. In `test:full` other tests run at the same time. */
export const isFull = process.env["TEST_SUITE"] === "robustness";

export interface Run {
  /** Count of requests, kills or seconds. */
  n: number;
  /** Whether these are the counts of the table. */
  isFull: boolean;
  /** Seed of all random choices. */
  seed: number;
  /** Factor on time limits: 1, or more on a busy machine. */
  patience: number;
  /** Collects what is wrong, if it is anything. The bar is met if nothing is. */
  report: (problem: string | undefined) => void;
}

/**
 * A row of docs/reliability.md. The environment variables N and SEED replace the count and the seed.
 * @param unit what n counts; n of a full run, and shortN of one that takes a few seconds
 * @param run returns the figures of the row
 */
export function stressTest(
  what: string,
  { bar, unit, n, shortN }: { bar: string; unit: string; n: number; shortN: number },
  run: (run: Run) => Promise<string>,
): void {
  test(`${what}: ${bar}`, { timeout: isFull ? 0 : 180_000 }, async (context) => {
    const problems: string[] = [];
    const count = Number(process.env["N"] ?? (isFull ? n : shortN));
    const result = await run({
      n: count,
      isFull: count >= n,
      seed: Number(process.env["SEED"] ?? SEED),
      patience: isFull ? 1 : 20,
      report: (problem) => problem !== undefined && problems.push(problem.slice(0, 600)),
    });
    addRow(context, { what, cells: [`${shown(count)} ${unit}`, result], bar, isMet: problems.length === 0 });
    expect(problems.slice(0, 10)).toEqual([]);
  });
}
