import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OfferIndex } from "./offer-index.js";
import { listOffers, listOffersQuerySchema } from "./offer-query.js";
import { arbitraryOffers, arbitraryQuery, exampleOffer } from "./offer.fixture.js";

describe("the offer index", () => {
  test("answers every query as filter, sort and slice of all offers would", () => {
    fc.assert(
      fc.property(
        arbitraryOffers(120),
        fc.array(arbitraryQuery, { minLength: 1, maxLength: 20 }),
        (offers, queries) => {
          const index = OfferIndex.of(offers);
          for (const parameters of queries) {
            const query = listOffersQuerySchema.parse(parameters);
            const { positions, ...counts } = index.page(query);
            expect({ offers: positions.map((position) => offers[position]), ...counts }).toEqual(
              listOffers(offers, query),
            );
          }
        },
      ),
      { numRuns: 300, seed: 20_261_120 },
    );
  });

  test("walks every offer exactly once, whatever the order and page size", () => {
    fc.assert(
      fc.property(
        arbitraryOffers(80),
        fc.constantFrom("pricePerGpu", "priceHourly", "gpuCount"),
        fc.constantFrom("asc", "desc"),
        fc.integer({ min: 1, max: 30 }),
        (offers, sort_by, sort_order, size) => {
          const index = OfferIndex.of(offers);
          const seen: number[] = [];
          for (let page = 0, hasMore = offers.length > 0; hasMore; page++) {
            const answer = index.page(
              listOffersQuerySchema.parse({ sort_by, sort_order, size: String(size), page: String(page) }),
            );
            seen.push(...answer.positions);
            hasMore = answer.hasMore;
          }
          expect(seen.toSorted((a, b) => a - b)).toEqual(offers.map((_, position) => position));
        },
      ),
      { seed: 20_261_120 },
    );
  });

  test("finds each offer by its id and nothing by any other text", () => {
    fc.assert(
      fc.property(arbitraryOffers(50), fc.string(), (offers, text) => {
        const index = OfferIndex.of(offers);
        for (const [position, offer] of offers.entries()) {
          expect(index.find(offer.id)).toBe(position);
          expect(index.find(offer.id.toUpperCase())).toBe(/[a-f]/.test(offer.id) ? undefined : position);
        }
        expect(index.find(text)).toBe(undefined);
      }),
      { seed: 20_261_120 },
    );
    expect(OfferIndex.of([]).find("5b0c1f0e-6f0a-5c1e-9a53-0d8a3c5b7e11")).toBe(undefined);
  });

  test("refuses an id that is no lower-case UUID, and one that occurs twice", () => {
    expect(() => OfferIndex.of([exampleOffer({ id: "42" })])).toThrow('not "42"');
    expect(() => OfferIndex.of([exampleOffer(), exampleOffer()])).toThrow("Two offers have the id 5b0c1f0e");
  });

  test("answers an empty catalog with true totals", () => {
    expect(OfferIndex.of([]).page(listOffersQuerySchema.parse({ gpu: "h100", sort_by: "gpuCount" }))).toEqual({
      positions: [],
      page: 0,
      totalPages: 0,
      totalElements: 0,
      hasMore: false,
    });
  });
});
