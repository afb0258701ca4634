import { performance } from "node:perf_hooks";

// Times of work that is repeated: the least is the one that other programs disturbed least.

const ROUNDS = 5;

/**
 * The least milliseconds of five rounds.
 * @param now clock in milliseconds.
 */
export async function leastMs(work: () => unknown, now = () => performance.now()): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const started = now();
    await work();
    least = Math.min(least, now() - started);
  }
  return least;
}

/** The least milliseconds of processor time that this process takes in five rounds; SQLite computes in it. */
export function leastProcessorMs(work: () => unknown): Promise<number> {
  const { user, system } = process.cpuUsage();
  const usedMs = (): number => {
    const used = process.cpuUsage({ user, system });
    return (used.user + used.system) / 1_000;
  };
  return leastMs(work, usedMs);
}

/** The value at a share from 0 to 1 of the sorted values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The value in the middle. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);
