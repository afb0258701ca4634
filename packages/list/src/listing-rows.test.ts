import {
  ALL_SORT_KEYS,
  listingColumns,
  ListingIndex,
  present,
  UNKNOWN_LISTING_FACTS,
  type Offer,
} from "@gpu-offers/domain";
import { arbitraryOffers, exampleOffer } from "@gpu-offers/domain/offer.fixture";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ListingKinds } from "./listing-kinds.js";
import { listingRows, type ListingRow } from "./listing-rows.js";

const RUNS = { seed: 20_261_122, numRuns: 300 };

const indexOf = (offers: readonly Offer[]): ListingIndex =>
  new ListingIndex(listingColumns(offers.map((offer) => ({ offer, ...UNKNOWN_LISTING_FACTS }))));

function rowsOf(index: ListingIndex, positions: Uint32Array, isOpen: boolean): ListingRow[] {
  const kinds = new ListingKinds(index.parts);
  return listingRows(positions, { index, kindOf: (at) => kinds.of(at), isSpot: false }, () => isOpen);
}

/** Lists of offers of three providers in regions with zones, some with a name of several spellings. */
const arbitraryList = (maxLength: number): fc.Arbitrary<Offer[]> =>
  fc
    .tuple(
      arbitraryOffers(maxLength),
      fc.array(
        fc.record({
          provider: fc.constantFrom("alpha", "beta", "gamma"),
          region: fc.constantFrom("north-1", "north-1/a", "north-1/b", "SOUTH", "/odd"),
          nvlinkEnabled: fc.boolean(),
        }),
        { minLength: maxLength, maxLength },
      ),
    )
    .map(([offers, changes]) =>
      offers.map((offer, index) => {
        const { provider = "alpha", region = "", nvlinkEnabled = false } = changes[index] ?? {};
        return { ...offer, provider: { name: provider, slug: provider }, region, nvlinkEnabled };
      }),
    );

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
      fc.property(
        listWithCopies,
        fc.constantFrom(...ALL_SORT_KEYS),
        fc.constantFrom("asc", "desc"),
        (offers, sort, order) => {
          const index = indexOf(offers);
          const positions = index.evaluate({ filter: {}, sort: { sort, order } }).positions;
          const rows = rowsOf(index, positions, false);
          expect(rows).toHaveLength(new Set(offers.map(plainKind)).size);
          expect(rows.flatMap(({ at, places }) => places ?? [at])).toHaveLength(offers.length);
        },
      ),
      RUNS,
    );
  });

  test("of an open group follow it, sorted by place, numbers in order", () => {
    const regions = ["us-east-10", "us-east-2", "us-east-2/b", "eu-1"];
    const index = indexOf(regions.map((region) => exampleOffer({ id: region, region })));
    const [group, ...members] = rowsOf(index, Uint32Array.of(0, 1, 2, 3), true);
    expect(group).toEqual({ at: 0, places: [0, 1, 2, 3] });
    expect(members.map(({ at }) => present(regions[at]))).toEqual(["eu-1", "us-east-2", "us-east-2/b", "us-east-10"]);
    expect(members.every(({ isMember }) => isMember)).toBe(true);
  });
});

test("kinds tell facts apart that look alike when joined", () => {
  const offers = [null, "null", "1", "", "1,1"].map((interconnect) => exampleOffer({ interconnect }));
  const kinds = new ListingKinds(indexOf(offers).parts);
  expect(new Set(offers.map((_, at) => kinds.of(at))).size).toBe(5);
});
