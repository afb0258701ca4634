import { setTimeout as delay } from "node:timers/promises";

/** The value below which a share of the values lies; 0 of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Milliseconds until something holds, looked at again and again. Infinity when it does not in time. */
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

/** Runs `count` times the same work at once. */
export async function atOnce(count: number, work: (number: number) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, number) => work(number)));
}
