import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CatalogDifference,
  findGateTrips,
  priceRanges,
  uniformFactor,
  type GatedOffer,
  type GateKind,
} from "./catalog-gates.js";

const SEED = 20_261_122;

const offer = (number: number, changes: Partial<GatedOffer> = {}): GatedOffer => {
  const priceHourly = changes.priceHourly ?? 1 + (number % 7);
  return { id: `offer-${number}`, gpuSlug: `gpu-${number % 5}`, priceHourly, pricePerGpu: priceHourly, ...changes };
};

const offers = (count: number): GatedOffer[] => Array.from({ length: count }, (_, number) => offer(number));

const repriced = (catalog: readonly GatedOffer[], factor: number): GatedOffer[] =>
  catalog.map((item) => ({
    ...item,
    priceHourly: item.priceHourly * factor,
    pricePerGpu: item.pricePerGpu * factor,
  }));

const gatesOf = (...args: Parameters<typeof findGateTrips>) => findGateTrips(...args).map(({ gate }) => gate);

const catalogs = fc
  .uniqueArray(fc.nat(400), { minLength: 1, maxLength: 80 })
  .map((numbers) => numbers.map((number) => offer(number)));
const kinds = fc.constantFrom<GateKind>("list", "marketplace");

describe("the gates", () => {
  test("accept every unchanged catalog, and every plausible first one", () => {
    fc.assert(
      fc.property(catalogs, kinds, (catalog, kind) => {
        expect(findGateTrips(catalog, catalog, kind)).toEqual([]);
        expect(findGateTrips([], catalog, kind)).toEqual([]);
      }),
      { seed: SEED },
    );
  });

  test("do not depend on the order of the offers", () => {
    fc.assert(
      fc.property(catalogs, catalogs, kinds, fc.infiniteStream(fc.nat()), (before, after, kind, stream) => {
        const shuffled = after
          .map((item) => ({ item, key: stream.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ item }) => item);
        const gates = (next: readonly GatedOffer[]) => findGateTrips(before, next, kind).map(({ gate }) => gate);
        expect(gates(shuffled)).toEqual(gates(after));
      }),
      { seed: SEED },
    );
  });

  test("trip if every price changes by a factor of ten or more, whatever else changes", () => {
    fc.assert(
      fc.property(catalogs, kinds, fc.constantFrom(11, 60, 100, 730, 1 / 11, 1 / 100), (catalog, kind, factor) => {
        expect(gatesOf(catalog, repriced(catalog, factor), kind)).toContain("prices");
      }),
      { seed: SEED },
    );
  });

  test("trip for a list if and only if more offers vanish than both the share and the number allow", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.nat(199), (size, cut) => {
        const before = Array.from({ length: size }, (_, number) => offer(number, { gpuSlug: "h100-sxm" }));
        const after = before.slice(Math.min(cut, size - 1));
        const removed = size - after.length;
        expect(gatesOf(before, after, "list").includes("offers")).toBe(removed > size * 0.3 && removed > 3);
      }),
      { seed: SEED },
    );
  });

  test("trip if more offers vanish than a marketplace usually loses", () => {
    const before = offers(100);
    expect(gatesOf(before, before.slice(70), "marketplace")).toEqual([]);
    expect(gatesOf(before, before.slice(71), "marketplace")).toEqual(["offers"]);
    // Up to twenty may always vanish.
    expect(gatesOf(offers(21), offers(21).slice(20), "marketplace")).toEqual(["gpus"]);
  });

  test("report the offers and GPU models missing when one of 53 offers is left", () => {
    const before = offers(53);
    expect(findGateTrips(before, before.slice(0, 1), "list")).toEqual([
      { gate: "offers", message: "52 of 53 offers would be removed; the limit is 30%." },
      { gate: "gpus", message: "4 of 5 GPU models would vanish (gpu-1, gpu-2, gpu-3, gpu-4); the limit is 30%." },
    ]);
  });

  test.each([
    [100, "Nearly all prices changed by x100, so the unit may be wrong (cents?)."],
    [1 / 100, "Nearly all prices changed by /100, so the unit may be wrong (cents?)."],
    [60, "Nearly all prices changed by x60, so the unit may be wrong (a price per minute or hour?)."],
    [730, "Nearly all prices changed by x730, so the unit may be wrong (a price per month?)."],
    [10, "Nearly all prices changed by x10, so the unit may be wrong (a shifted decimal point?)."],
    [17, "Nearly all prices changed by x17, so the unit may be wrong (another unit or currency?)."],
  ])("report the factor %d by which all prices changed", (factor, message) => {
    const before = offers(53);
    expect(findGateTrips(before, repriced(before, factor), "list")).toContainEqual({ gate: "prices", message });
  });

  test("report how many prices changed if they changed by different factors", () => {
    const before = offers(40);
    const after = before.map((item, number) =>
      number < 3 ? { ...item, priceHourly: item.priceHourly * (4 + number), pricePerGpu: item.pricePerGpu * 4 } : item,
    );
    expect(findGateTrips(before, after, "list")).toEqual([
      { gate: "prices", message: "3 of 40 prices would move by more than x3 up or down; the limit is 5%." },
    ]);
    expect(gatesOf(before, after.with(0, before[0] ?? offer(0)), "list")).toEqual([]);
    // One price times eleven is one too many for a list, but common on a marketplace.
    const single = before.with(0, offer(0, { priceHourly: 11 }));
    expect(findGateTrips(before, single, "list")).toEqual([
      { gate: "prices", message: "1 of 40 prices would move by more than x10 up or down; the limit is none." },
    ]);
    expect(gatesOf(before, single, "marketplace")).toEqual([]);
  });

  test("accept a rise of all prices of a list by half", () => {
    expect(gatesOf(offers(50), repriced(offers(50), 1.5), "list")).toEqual([]);
  });

  test("compare prices with other providers if there is no previous catalog", () => {
    const ranges = priceRanges(
      [0.35, 0.4, 0.45, 0.5, 0.5].map((pricePerGpu, at) => offer(at, { gpuSlug: "t4", pricePerGpu })),
    );
    const priced = (pricePerGpu: number) => [offer(2, { gpuSlug: "t4", pricePerGpu })];
    expect(findGateTrips([], priced(35), "list", { ranges })).toEqual([
      {
        gate: "price_range",
        message: "1 of 1 offers have an implausible price (such as $35/h for one t4); the limit is 5%.",
      },
    ]);
    expect(gatesOf([], priced(4), "list", { ranges })).toEqual([]);
    expect(gatesOf([], priced(0.04), "list", { ranges })).toEqual(["price_range"]);
    expect(gatesOf([], priced(50.1), "list")).toEqual(["price_range"]);
    expect(gatesOf([], priced(0.009), "list")).toEqual(["price_range"]);
  });

  test("accept an empty catalog only if the source can be empty", () => {
    expect(findGateTrips(offers(9), [], "list")).toEqual([{ gate: "empty", message: "It has no offers at all." }]);
    expect(gatesOf(offers(9), [], "marketplace", { mayBeEmpty: true })).toEqual([]);
    expect(gatesOf(offers(90), offers(1), "marketplace", { mayBeEmpty: true })).toEqual([]);
  });
});

describe("the common price factor", () => {
  test("is undefined for unchanged prices, and found even if one in ten prices changed differently", () => {
    expect(uniformFactor([])).toBeUndefined();
    expect(uniformFactor([1, 1, 1.01])).toBeUndefined();
    expect(uniformFactor([...Array.from({ length: 9 }, () => 100), 3])).toBeCloseTo(100);
    expect(uniformFactor([100, 100, 100, 3])).toBeUndefined();
  });
});

test("a difference that is added step by step is judged as a whole", () => {
  const difference = new CatalogDifference();
  difference.addRemoved({ gpuSlug: "a" });
  difference.addKept(offer(1), offer(1));
  difference.addAdded(offer(2));
  expect(difference.trips("list")).toEqual([]);
});
