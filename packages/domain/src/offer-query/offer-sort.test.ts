import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listComparator, SORT_KEYS, SORT_ORDERS, type Offer } from "../index.js";
import { arbitraryOffers, exampleOffer } from "../offer.fixture.js";

const seed = 20_261_120;

const id = (digit: number) => `5b0c1f0e-6f0a-5c1e-9a53-00000000000${digit}`;
const ids = (offers: readonly Offer[]) => offers.map((offer) => Number(offer.id.at(-1)));

const arbitrarySort = fc.record({
  sort_by: fc.constantFrom(...SORT_KEYS),
  sort_order: fc.constantFrom(...SORT_ORDERS),
});

describe("the order of an offer list", () => {
  const offers = [
    exampleOffer({ id: id(1), gpuCount: 2, priceHourly: 4, pricePerGpu: 2 }),
    exampleOffer({ id: id(2), gpuCount: 1, priceHourly: 2, pricePerGpu: 2 }),
    exampleOffer({ id: id(3), gpuCount: 4, priceHourly: 4, pricePerGpu: 1 }),
    exampleOffer({ id: id(4), gpuCount: 2, priceHourly: 4, pricePerGpu: 2 }),
    exampleOffer({ id: id(5), gpuCount: 1, priceHourly: 3, pricePerGpu: 3 }),
  ];

  test.each([
    ["pricePerGpu", "asc", [3, 2, 1, 4, 5]],
    ["pricePerGpu", "desc", [5, 2, 1, 4, 3]],
    ["priceHourly", "asc", [2, 5, 3, 1, 4]],
    ["priceHourly", "desc", [3, 1, 4, 5, 2]],
    ["gpuCount", "asc", [2, 5, 1, 4, 3]],
    ["gpuCount", "desc", [3, 1, 4, 2, 5]],
  ] as const)("by %s %s keeps equal values in ascending order of price and id", (sort_by, sort_order, expected) => {
    expect(ids(offers.toSorted(listComparator({ sort_by, sort_order })))).toEqual(expected);
    expect(ids(offers.toReversed().sort(listComparator({ sort_by, sort_order })))).toEqual(expected);
  });

  test("is total: two offers with different ids are never equal, and each pair has one order", () => {
    fc.assert(
      fc.property(arbitraryOffers(8), arbitrarySort, (list, sort) => {
        const compare = listComparator(sort);
        for (const a of list) {
          expect(compare(a, a)).toBe(0);
          for (const b of list) {
            expect(Math.sign(compare(a, b)) + Math.sign(compare(b, a))).toBe(0);
            expect(compare(a, b) === 0).toBe(a.id === b.id);
          }
        }
        const sorted = list.toSorted(compare);
        expect(list.toReversed().sort(compare)).toEqual(sorted);
        const keys = sorted.map((offer) => offer[sort.sort_by]);
        const upwards = keys.toSorted((a, b) => a - b);
        expect(keys).toEqual(sort.sort_order === "asc" ? upwards : upwards.toReversed());
      }),
      { seed },
    );
  });
});
