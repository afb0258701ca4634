import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ALL_SORT_KEYS, diskFor, hourlyCostMicros, pickerComparator, SORT_ORDERS, type Offer } from "../index.js";
import { keyComparator } from "./listing-order.js";
import { arbitraryOffers, exampleOffer } from "../offer.fixture.js";

const seed = 20_261_120;

const id = (digit: number) => `5b0c1f0e-6f0a-5c1e-9a53-00000000000${digit}`;
const ids = (offers: readonly Offer[]) => offers.map((offer) => Number(offer.id.at(-1)));

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
        const disks = sorted.map((offer) => diskFor(offer, neededGb));
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
