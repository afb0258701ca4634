import * as fc from "fast-check";
import type { ListingQuery, Offer } from "@gpu-offers/domain";
import { describe, expect, test } from "vitest";
import { listingCatalogOf } from "../src/catalog/listing-catalog.ts";
import { findOffers } from "../src/picker/found.ts";
import { emptyView, moveTo, visibleLines, withMatches, type OfferView } from "../src/picker/offer-view.ts";
import { offerAt } from "./offers.ts";

const RUNS = { seed: 20_261_123, numRuns: 500 };

const BY_TOTAL: ListingQuery = { sort_by: "total" };

function viewOf(offers: Offer[], query: ListingQuery, height: number): OfferView {
  const catalog = listingCatalogOf(offers, new Map());
  return withMatches(emptyView(), { offers, catalog }, findOffers(catalog, query, {}), height);
}

/** A list of available offers, those with lower bounds last, then of unavailable ones. */
const listOf = (exact: number, bounds: number, others: number) =>
  Array.from({ length: exact + bounds + others }, (_, index) =>
    offerAt(index, {
      priceHourly: 1 + index,
      isAvailable: index < exact + bounds,
      costDataComplete: index < exact || index >= exact + bounds,
    }),
  );

describe("the lines of a list on the screen", () => {
  test("show the row under the cursor after any moves, and never more than fit", () => {
    const lists = fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9)).filter((counts) => counts.some((count) => count > 0));
    fc.assert(
      fc.property(
        lists,
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.nat(24), { maxLength: 6 }),
        (counts, height, moves) => {
          const list = viewOf(listOf(...counts), BY_TOTAL, height);
          const view = moves.reduce((before, index) => moveTo(before, index, height), list);
          const lines = visibleLines(view, height);
          expect(lines).toContain(view.rows[view.cursor]);
          expect(lines.length).toBeLessThanOrEqual(height);
          const marks = lines.map((line) =>
            typeof line === "string" ? line : line.offer.isAvailable ? (line.offer.costDataComplete ? "+" : "≥") : "×",
          );
          // The dividers are between the parts of the list that are on the screen.
          expect(marks.join("")).toMatch(/^(?:\+*|≥*)(?:lowerBounds≥*)?(?:unavailable×*)?$|^×+$/);
        },
      ),
      RUNS,
    );
  });

  test("use the whole height at the end of the list", () => {
    const view = moveTo(viewOf(listOf(3, 2, 5), BY_TOTAL, 6), 9, 6);
    expect(visibleLines(view, 6).map((line) => (typeof line === "string" ? line : line.offer.region))).toEqual([
      "unavailable",
      "region-5",
      "region-6",
      "region-7",
      "region-8",
      "region-9",
    ]);
  });

  test("have no line for lower bounds where the order doesn't part them", () => {
    const lines = (query: ListingQuery) => visibleLines(viewOf(listOf(2, 2, 1), query, 9), 9);
    const dividers = (query: ListingQuery) => lines(query).filter((line) => typeof line === "string");
    expect(dividers(BY_TOTAL)).toEqual(["lowerBounds", "unavailable"]);
    expect(dividers({ sort_by: "pricePerGpu" })).toEqual(["unavailable"]);
  });
});
