import fc from "fast-check";
import { expect, test } from "vitest";
import { firstDelayMs, isDue, MAX_BACKOFF_MS, nextDelayMs } from "./schedule.js";

test("runs are spread, back off, and are due once after a clock jump", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 60_000, max: 86_400_000 }),
      fc.nat(50),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (intervalMs, failures, random) => {
        const delayMs = nextDelayMs(intervalMs, { failures, random });
        expect(delayMs).toBeGreaterThanOrEqual(Math.floor(intervalMs * 0.9));
        expect(delayMs).toBeLessThanOrEqual(Math.ceil(Math.max(intervalMs, MAX_BACKOFF_MS) * 1.1));
        expect(isDue(0 + delayMs, 0, intervalMs)).toBe(false);
        expect(isDue(0 + delayMs, delayMs, intervalMs)).toBe(true);
      },
    ),
    { seed: 20_261_122 },
  );
  expect(nextDelayMs(600_000, { failures: 0, random: 0.5, retryAfterMs: 3_000_000 })).toBe(3_000_000);
  expect([1, 2, 3, 4].map((failures) => nextDelayMs(600_000, { failures, random: 0.5 }))).toEqual([
    600_000, 600_000, 1_200_000, 2_400_000,
  ]);
  // The clock was a year ahead when the run was scheduled.
  expect(isDue(365 * 86_400_000, 0, 600_000)).toBe(true);
  expect(new Set(["a", "b", "c", "d"].map((name) => firstDelayMs(name, "one"))).size).toBe(4);
});
