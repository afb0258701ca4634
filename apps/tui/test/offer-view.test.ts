import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emptyView, moveTo, visibleLines, withOffers } from "../src/picker/offer-view.ts";
import { offerAt } from "./offers.ts";

const RUNS = { seed: 20_261_123, numRuns: 500 };

/** A list of available offers, then of unavailable ones. */
const listOf = (available: number, others: number) =>
  Array.from({ length: available + others }, (_, index) => offerAt(index, { isAvailable: index < available }));

describe("the lines of a list on the screen", () => {
  test("show the row under the cursor after any moves, and never more than fit", () => {
    const lists = fc.tuple(fc.nat(12), fc.nat(12)).filter(([available, others]) => available + others > 0);
    fc.assert(
      fc.property(
        lists,
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.nat(24), { maxLength: 6 }),
        ([available, others], height, moves) => {
          const list = withOffers(emptyView(), listOf(available, others), height);
          const view = moves.reduce((before, index) => moveTo(before, index, height), list);
          const lines = visibleLines(view, height);
          expect(lines).toContain(view.rows[view.cursor]);
          expect(lines.length).toBeLessThanOrEqual(height);
          const marks = lines.map((line) => (line === "divider" ? "-" : line.offer.isAvailable ? "+" : "×"));
          // The divider is between available and unavailable rows, if both are on the screen.
          expect(marks.join("")).toMatch(/^\+*(?:-×*)?$|^×+$/);
        },
      ),
      RUNS,
    );
  });

  test("use the whole height at the end of the list", () => {
    const view = moveTo(withOffers(emptyView(), listOf(5, 5), 6), 9, 6);
    expect(visibleLines(view, 6).map((line) => (line === "divider" ? line : line.offer.region))).toEqual([
      "divider",
      "region-5",
      "region-6",
      "region-7",
      "region-8",
      "region-9",
    ]);
  });
});
