import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ALL_SORT_KEYS,
  listComparator,
  pickerComparator,
  pricedDisk,
  hourlyCostMicros,
  SORT_KEYS,
  SORT_ORDERS,
  type Offer,
} from "../index.js";
import { keyComparator } from "./offer-sort.js";
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

const availableOffers = arbitraryOffers(20).map((offers) => offers.map((offer) => ({ ...offer, isAvailable: true })));

describe("the order by total cost with a disk", () => {
  const terms = { storageCostPerGB: 0.001, storageMinGB: 10, storageMaxGB: 1000 };
  const offers = [
    exampleOffer({ id: id(1), priceHourly: 2, pricePerGpu: 2, ...terms }),
    exampleOffer({
      id: id(2),
      priceHourly: 2.2,
      pricePerGpu: 2.2,
      ...terms,
      storageCostPerGB: 0,
      storageMinGB: 500,
      storageMaxGB: 500,
    }),
    exampleOffer({ id: id(3), priceHourly: 1, pricePerGpu: 1, ...terms, storageMaxGB: 50 }),
    exampleOffer({ id: id(4), priceHourly: 1, pricePerGpu: 0.5, gpuCount: 2, ...terms, storageMaxGB: 50 }),
    exampleOffer({ id: id(5), priceHourly: 2.2, pricePerGpu: 1.1, gpuCount: 2, ...terms, storageCostPerGB: 0 }),
  ];

  test("includes the disk, prefers the lower price among equals, and puts offers without such a disk last", () => {
    expect(ids(offers.toSorted(pickerComparator({ sort: "total", order: "asc", diskGb: 500 })))).toEqual([
      5, 2, 1, 4, 3,
    ]);
    expect(ids(offers.toSorted(pickerComparator({ sort: "total", order: "desc", diskGb: 500 })))).toEqual([
      1, 5, 2, 4, 3,
    ]);
    expect(ids(offers.toSorted(pickerComparator({ sort: "total", order: "asc", diskGb: 0 })))).toEqual([4, 3, 1, 5, 2]);
    expect(ids(offers.toSorted(pickerComparator({ sort: "total", order: "desc", diskGb: 0 })))).toEqual([
      5, 2, 1, 4, 3,
    ]);
  });

  test("is the order of the actual costs", () => {
    fc.assert(
      fc.property(availableOffers, fc.nat(300), fc.constantFrom(...SORT_ORDERS), (list, neededGb, order) => {
        const sorted = list.toSorted(pickerComparator({ sort: "total", order, diskGb: neededGb }));
        const disks = sorted.map((offer) => pricedDisk(offer, neededGb));
        const costs = sorted.flatMap((offer, place) => {
          const diskGb = disks[place];
          return diskGb === undefined ? [] : [hourlyCostMicros(offer, diskGb)];
        });
        expect(disks.slice(0, costs.length)).not.toContain(undefined);
        const upwards = costs.toSorted((a, b) => a - b);
        expect(costs).toEqual(order === "asc" ? upwards : upwards.toReversed());
        expect(list.toReversed().sort(pickerComparator({ sort: "total", order, diskGb: neededGb }))).toEqual(sorted);
      }),
      { seed },
    );
  });
});

describe("the order for people", () => {
  test("puts available offers before all others, and each part into the order of the key", () => {
    const orders = fc.record({
      sort: fc.constantFrom(...ALL_SORT_KEYS),
      order: fc.constantFrom(...SORT_ORDERS),
      diskGb: fc.nat(300),
    });
    fc.assert(
      fc.property(arbitraryOffers(20), orders, (list, order) => {
        const [available, others] = [true, false].map((wanted) =>
          list.filter(({ isAvailable }) => isAvailable === wanted).sort(keyComparator(order)),
        );
        expect(list.toSorted(pickerComparator(order))).toEqual([...(available ?? []), ...(others ?? [])]);
      }),
      { seed },
    );
  });
});
