import * as fc from "fast-check";
import { expect, test } from "vitest";
import { firstDelayMs, isDue, MAX_RETRIES, MAX_WAIT_MS, nextDelayMs } from "./schedule.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

test("runs are spread, never later than their interval, and due once after a clock jump", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: MINUTE_MS, max: 24 * HOUR_MS }),
      fc.nat(200),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (intervalMs, failures, random) => {
        const delayMs = nextDelayMs(intervalMs, { failures, random });
        expect(delayMs).toBeGreaterThanOrEqual(Math.floor(MINUTE_MS * 0.9));
        expect(delayMs).toBeLessThanOrEqual(intervalMs);
        expect(isDue(delayMs, 0, intervalMs)).toBe(false);
        expect(isDue(delayMs, delayMs, intervalMs)).toBe(true);
      },
    ),
    { seed: 20_261_122 },
  );
  // The clock was a year ahead when the run was scheduled.
  expect(isDue(365 * 24 * HOUR_MS, 0, 600_000)).toBe(true);
  expect(new Set(["a", "b", "c", "d"].map((name) => firstDelayMs(name, "one"))).size).toBe(4);
});

test("a failed run is tried again after 1 and 5 minutes, then every 15 for a day, then by its interval", () => {
  const intervalMs = 6 * HOUR_MS;
  const delay = (failures: number, random = 0) => nextDelayMs(intervalMs, { failures, random });
  expect([1, 2, 3, 4, MAX_RETRIES, MAX_RETRIES + 1].map((failures) => delay(failures) / MINUTE_MS)).toEqual([
    1, 5, 15, 15, 15, 360,
  ]);
  const retriedMs = Array.from({ length: MAX_RETRIES }, (_, index) => delay(index + 1)).reduce((a, b) => a + b);
  expect(retriedMs / HOUR_MS).toBeCloseTo(24, 0);
  // Jitter only shortens a wait.
  expect([delay(3, 1), delay(0, 1)]).toEqual([13.5 * MINUTE_MS, 5.4 * HOUR_MS]);
});

test("a short interval is never lengthened, and a server's Retry-After is honored up to 6 hours", () => {
  const delay = (failures: number, retryAfterMs = 0) =>
    nextDelayMs(10 * MINUTE_MS, { failures, random: 0, retryAfterMs }) / MINUTE_MS;
  expect([0, 1, 2, 3, 50, 500].map((failures) => delay(failures))).toEqual([10, 1, 5, 10, 10, 10]);
  expect([delay(1, 50 * MINUTE_MS), delay(1, 2 * MAX_WAIT_MS)]).toEqual([50, 360]);
});
