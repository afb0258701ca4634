import { UNKNOWN_LISTING_FACTS, type ListingFacts, type Offer } from "@gpu-offers/domain";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareDuplicates, dedupe } from "./duplicates.js";
import { ofKind, offersOf, skypilotCsv } from "./source.fixture.js";
import { read } from "./skypilot/read-skypilot.fixture.js";

const anyRow = fc.record({
  InstanceType: fc.constantFrom("p5.48xlarge", "p4d.24xlarge"),
  AcceleratorName: fc.constant("H100"),
  AcceleratorCount: fc.constant("8"),
  Region: fc.constantFrom("us-east-1", "us-west-2"),
  Price: fc.constantFrom("1", "2", "3", ""),
  MemoryGiB: fc.constantFrom("1", "2"),
  StorageGiB: fc.constantFrom("", "10"),
});

const stated = (offer: Offer, facts: Partial<ListingFacts> = {}) => ({
  offer,
  listing: { ...UNKNOWN_LISTING_FACTS, ...facts },
});

describe("duplicates", () => {
  test("give the same offers for any order of rows", async () => {
    const shuffled = fc
      .array(anyRow, { minLength: 1, maxLength: 12 })
      .chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })));
    await fc.assert(
      fc.asyncProperty(shuffled, async ([rows, others]) => {
        const items = await read(skypilotCsv(...rows));
        const other = await read(skypilotCsv(...others));
        const byId = (list: typeof items) => offersOf(list).toSorted((a, b) => (a.id < b.id ? -1 : 1));
        expect(byId(other)).toEqual(byId(items));
        expect(new Set(offersOf(items).map(({ id }) => id)).size).toBe(offersOf(items).length);
        expect(items.filter(({ kind }) => kind !== "note")).toHaveLength(rows.length);
        const codes = (list: typeof items) => ofKind(list, "rejection").map(({ code }) => code);
        expect(codes(other).toSorted()).toEqual(codes(items).toSorted());
      }),
      { seed: 20_261_122, numRuns: 200 },
    );
  });

  test("keep the cheapest of a marketplace and the dearest of others, by price and then by storage, then the first by its JSON", async () => {
    const [offer] = offersOf(await read(skypilotCsv({})));
    if (offer === undefined) {
      throw new Error("no offer");
    }
    const kept = { ...offer, priceHourly: 2, storageCostPerGB: 0, region: "a" };
    const market = { ...kept, provider: { name: "vast", slug: "vast" } };
    const pairs = [
      [kept, { ...kept, region: "b" }],
      [
        { ...kept, storageCostPerGB: 1 },
        { ...kept, region: "0" },
      ],
      [market, { ...market, storageCostPerGB: 1, region: "0" }],
      [kept, { ...kept, priceHourly: 1, region: "0" }],
      [market, { ...market, priceHourly: 3, region: "0" }],
    ] as const;
    for (const [first, other] of pairs) {
      expect(compareDuplicates(stated(first), stated(other))).toBeLessThan(0);
      expect(compareDuplicates(stated(other), stated(first))).toBeGreaterThan(0);
      const items = [other, first].map((one, at) => ({
        kind: "offer" as const,
        where: `${at}`,
        offer: one,
        listing: UNKNOWN_LISTING_FACTS,
      }));
      expect(offersOf(dedupe(items))).toEqual([first]);
      const isCheaper = other.priceHourly < first.priceHourly || other.storageCostPerGB < first.storageCostPerGB;
      const code = isCheaper ? "contradiction" : "duplicate";
      expect(ofKind(dedupe(items), "rejection")).toMatchObject([{ where: "0", code }]);
    }
    const swapped = Object.fromEntries(Object.entries(kept).toReversed()) as typeof kept;
    expect(compareDuplicates(stated(kept), stated(swapped))).toBe(0);
    expect(compareDuplicates(stated(kept, { instanceType: "a" }), stated(kept, { instanceType: "b" }))).toBeLessThan(0);
  });

  test("are rejected in their own scope, with the item that is kept", async () => {
    const [offer] = offersOf(await read(skypilotCsv({})));
    if (offer === undefined) {
      throw new Error("no offer");
    }
    const item = { kind: "offer" as const, where: "a", offer, listing: UNKNOWN_LISTING_FACTS };
    const [, scoped, plain] = dedupe([item, { ...item, where: "b", scope: "eu" }, { ...item, where: "c" }]);
    expect(scoped).toMatchObject({
      kind: "rejection",
      where: "b",
      scope: "eu",
      reason: `The offer ${offer.id} is a duplicate of a, which has the same price.`,
    });
    expect(plain).not.toHaveProperty("scope");
    const dearer = { ...item, offer: { ...offer, priceHourly: offer.priceHourly + 1 } };
    expect(dedupe([item, dearer], true)[1]).toMatchObject({
      reason: expect.stringMatching(/ which has the lower price of /),
    });
  });
});
