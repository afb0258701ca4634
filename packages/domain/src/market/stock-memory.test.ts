import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  addStockChange,
  readStockChanges,
  stockCoverage,
  stockSpans,
  stockSum,
  type StockMark,
} from "./stock-memory.js";

const MINUTE_MS = 60_000;
const MARKS: readonly StockMark[] = ["+", "-", "?"];
/** Minutes from 0 to 300, in order. */
const minutes = fc.uniqueArray(fc.nat(300), { maxLength: 30 }).map((all) => all.sort((a, b) => a - b));

test("the observed time and that in stock are those of a count minute by minute", () => {
  const runs = fc.tuple(minutes, fc.array(fc.constantFrom(...MARKS), { minLength: 31, maxLength: 31 }));
  fc.assert(
    fc.property(runs, fc.integer({ min: 1, max: 40 }), fc.nat(300), ([times, marks], interval, since) => {
      const text = times.reduce((all, at, index) => {
        const mark = marks[index] ?? "?";
        return addStockChange(all, { atMs: at * MINUTE_MS, mark }, 0);
      }, "");
      const timesMs = times.map((at) => at * MINUTE_MS);
      const coverage = stockCoverage(timesMs, interval * MINUTE_MS, 300 * MINUTE_MS);
      const changes = readStockChanges(text);
      const spans = stockSpans(changes, coverage, { fromMs: since * MINUTE_MS, untilMs: 300 * MINUTE_MS });
      let [observed, inStock] = [0, 0];
      for (let minute = since; minute < 300; minute++) {
        const last = times.findLastIndex((at) => at <= minute);
        const isHeld = last >= 0 && minute < (times[last] ?? 0) + 2 * interval;
        observed += isHeld && marks[last] !== "?" ? 1 : 0;
        inStock += isHeld && marks[last] === "+" ? 1 : 0;
      }
      const hours = (count: number): number => Math.round(count / 6) / 10;
      const sum = stockSum(changes, spans, coverage);
      expect([sum?.observedHours ?? 0, sum?.inStockHours ?? 0]).toEqual([hours(observed), hours(inStock)]);
      expect(spans.every((span, index) => span.fromMs >= (spans[index - 1]?.untilMs ?? 0))).toBe(true);
      const seen = times.findLastIndex((_, index) => marks[index] === "+");
      expect(sum === null ? null : sum.lastInStockAt).toBe(
        sum === null || seen < 0 ? null : new Date((times[seen] ?? 0) * MINUTE_MS).toISOString(),
      );
    }),
    { numRuns: 300 },
  );
});

test("changes that ended before a time are left out, and the one that holds then stays", () => {
  const at = (minute: number, mark: StockMark) => ({ atMs: minute * MINUTE_MS, mark });
  const text = addStockChange(addStockChange("", at(10, "+"), 0), at(20, "-"), 0);
  expect(readStockChanges(text)).toEqual([at(10, "+"), at(20, "-")]);
  expect(addStockChange(text, at(30, "-"), 0)).toBe(text);
  expect(readStockChanges(addStockChange(text, at(40, "+"), 25 * MINUTE_MS))).toEqual([at(20, "-"), at(40, "+")]);
});
