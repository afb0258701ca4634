import type { Offer } from "@gpu-offers/domain";
import { exampleOffer } from "@gpu-offers/domain/offer.fixture";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryList } from "./arbitrary-list.fixture.js";
import { holds, OfferKinds, rowsOf } from "./offer-rows.js";
import { comparatorOf, EMPTY_QUERY, SORTS } from "./query.js";

const RUNS = { seed: 20_261_122, numRuns: 300 };

/** Lists with copies of some offers in other regions. */
const listWithCopies = fc.tuple(arbitraryList(15), fc.array(fc.nat(14), { maxLength: 20 })).map(([offers, copied]) =>
  offers.concat(
    copied.flatMap((place, index) => {
      const offer = offers[place];
      return offer === undefined ? [] : [{ ...offer, id: `copy-${index}`, region: `elsewhere-${index}` }];
    }),
  ),
);

const plainKind = (offer: Offer): string =>
  JSON.stringify({ ...offer, id: undefined, region: undefined, regionInfo: undefined });

describe("rows", () => {
  test("group offers that differ only in the region, in every order", () => {
    fc.assert(
      fc.property(listWithCopies, fc.constantFrom(...SORTS), fc.constantFrom("asc", "desc"), (offers, sort, order) => {
        const all = [...offers].sort(comparatorOf({ ...EMPTY_QUERY, sort, order }));
        const rows = rowsOf(all, new Set(), new OfferKinds());
        expect(rows).toHaveLength(new Set(all.map(plainKind)).size);
        expect(rows.flatMap(({ offer, places }) => places ?? [offer])).toHaveLength(all.length);
        expect(all.every(({ id }) => rows.some((row) => holds(row, id)))).toBe(true);
      }),
      RUNS,
    );
  });

  test("of an open group are sorted by place, numbers in order", () => {
    const kinds = new OfferKinds();
    const regions = ["us-east-10", "us-east-2", "us-east-2/b", "eu-1"];
    const places = regions.map((region) => exampleOffer({ id: region, region }));
    const open = new Set(places.map((offer) => kinds.of(offer)));
    const [, ...members] = rowsOf(places, open, kinds);
    expect(members.map(({ offer }) => offer.region)).toEqual(["eu-1", "us-east-2", "us-east-2/b", "us-east-10"]);
  });

  test("of an open group follow it, one per offer", () => {
    const kinds = new OfferKinds();
    const places = ["a", "b"].map((region) => exampleOffer({ id: region, region }));
    const open = new Set(places.map((offer) => kinds.of(offer)));
    expect(rowsOf(places, open, kinds).map(({ offer, regionLength }) => [offer.id, regionLength])).toEqual([
      ["a", undefined],
      ["a", 1],
      ["b", 1],
    ]);
  });
});

describe("kinds", () => {
  test("are equal exactly if everything but id and region is", () => {
    fc.assert(
      fc.property(listWithCopies, (offers) => {
        const kinds = new OfferKinds();
        for (const a of offers) {
          for (const b of offers) {
            expect(kinds.of(a) === kinds.of(b)).toBe(plainKind(a) === plainKind(b));
          }
        }
      }),
      { ...RUNS, numRuns: 50 },
    );
  });

  test("tell facts apart that look alike when joined", () => {
    const kinds = new OfferKinds();
    const offers = [null, "null", "1", "", "1,1"].map((interconnect) => exampleOffer({ interconnect }));
    expect(new Set(offers.map((offer) => kinds.of(offer))).size).toBe(5);
  });
});
