import { setTimeout as delay } from "node:timers/promises";

/** The quantile of the values at a share from 0 to 1; 0 if there are no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Milliseconds until a condition holds, checked repeatedly; Infinity if it doesn't hold in time. */
export async function msUntil(holds: () => Promise<boolean>, timeoutMs: number, pauseMs = 10): Promise<number> {
  const started = performance.now();
  for (;;) {
    if (await holds()) {
      return performance.now() - started;
    }
    if (performance.now() - started > timeoutMs) {
      return Number.POSITIVE_INFINITY;
    }
    await delay(pauseMs);
  }
}
