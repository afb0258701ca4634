import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listOffers, listOffersQuerySchema, offerListSchema, pageCounts } from "../index.js";
import { arbitraryOffers, arbitraryQuery, exampleOffer } from "../offer.fixture.js";

const seed = 20_261_120;

describe("an offer list", () => {
  test("parses in the API's form, and only with consistent counts", () => {
    const list = { offers: [exampleOffer()], page: 0, totalPages: 1, totalElements: 1, hasMore: false };
    expect(offerListSchema.parse({ ...list, nextCursor: "x" })).toEqual(list);
    const empty = { offers: [], page: 0, totalPages: 0, totalElements: 0, hasMore: false };
    expect(offerListSchema.parse(empty)).toEqual(empty);
    for (const change of [
      { offers: [{}] },
      { offers: null },
      { page: -1 },
      { page: "0" },
      { totalPages: 0.5 },
      { totalPages: -1 },
      { totalElements: -1 },
      { hasMore: null },
    ]) {
      expect(offerListSchema.safeParse({ ...list, ...change }).success).toBe(false);
    }
  });

  test.each([
    [0, 0, 25, { page: 0, totalPages: 0, totalElements: 0, hasMore: false }],
    [1, 0, 25, { page: 0, totalPages: 1, totalElements: 1, hasMore: false }],
    [25, 0, 25, { page: 0, totalPages: 1, totalElements: 25, hasMore: false }],
    [26, 0, 25, { page: 0, totalPages: 2, totalElements: 26, hasMore: true }],
    [26, 1, 25, { page: 1, totalPages: 2, totalElements: 26, hasMore: false }],
    [26, 999_999_999, 25, { page: 999_999_999, totalPages: 2, totalElements: 26, hasMore: false }],
  ])("of %i offers, page %i of size %i, has the counts %j", (totalElements, page, size, counts) => {
    expect(pageCounts(totalElements, { page, size })).toEqual(counts);
  });

  test("past its end is empty, with correct totals", () => {
    const query = listOffersQuerySchema.parse({ page: "7", size: "10" });
    expect(listOffers([exampleOffer()], query)).toEqual({
      offers: [],
      page: 7,
      totalPages: 1,
      totalElements: 1,
      hasMore: false,
    });
  });

  test("does not depend on the input order, and does not change it", () => {
    fc.assert(
      fc.property(arbitraryOffers(30), arbitraryQuery, (offers, texts) => {
        const query = listOffersQuerySchema.parse(texts);
        const before = [...offers];
        expect(listOffers(offers, query)).toEqual(listOffers(offers.toReversed(), query));
        expect(offers).toEqual(before);
      }),
      { seed },
    );
  });

  test("has every matching offer on exactly one page, and correctly states if more follow", () => {
    fc.assert(
      fc.property(arbitraryOffers(40), arbitraryQuery, (offers, texts) => {
        const query = listOffersQuerySchema.parse(texts);
        const whole = listOffers(offers, { ...query, page: 0, size: 1000 });
        const pages = Array.from({ length: whole.totalElements + 1 }, (_, page) =>
          listOffers(offers, { ...query, page }),
        );
        expect(pages.flatMap((page) => page.offers)).toEqual(whole.offers);
        for (const [number, { hasMore, totalPages, totalElements }] of pages.entries()) {
          expect(totalElements).toBe(whole.offers.length);
          expect(hasMore).toBe(pages.slice(number + 1).some((later) => later.offers.length > 0));
          expect(totalPages).toBe(pages.filter((page) => page.offers.length > 0).length);
        }
      }),
      { seed, numRuns: 50 },
    );
  });
});
