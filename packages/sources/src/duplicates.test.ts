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
        expect(items).toHaveLength(rows.length);
        const codes = (list: typeof items) => ofKind(list, "rejection").map(({ code }) => code);
        expect(codes(other).toSorted()).toEqual(codes(items).toSorted());
      }),
      { seed: 20_261_122, numRuns: 200 },
    );
  });

  test("keep the cheapest, then the one with the cheapest storage, then the first by its JSON", async () => {
    const [offer] = offersOf(await read(skypilotCsv({})));
    if (offer === undefined) {
      throw new Error("no offer");
    }
    const kept = { ...offer, priceHourly: 1, storageCostPerGB: 0, region: "a" };
    const others = [
      { ...kept, region: "b" },
      { ...kept, storageCostPerGB: 1, region: "0" },
      { ...kept, priceHourly: 2, storageCostPerGB: 0, region: "0" },
    ];
    for (const other of others) {
      expect(compareDuplicates(stated(kept), stated(other))).toBeLessThan(0);
      expect(compareDuplicates(stated(other), stated(kept))).toBeGreaterThan(0);
      const items = [other, kept].map((one, at) => ({
        kind: "offer" as const,
        where: `${at}`,
        offer: one,
        listing: UNKNOWN_LISTING_FACTS,
      }));
      expect(offersOf(dedupe(items))).toEqual([kept]);
      expect(ofKind(dedupe(items), "rejection")).toMatchObject([{ where: "0", code: "duplicate" }]);
    }
    const swapped = Object.fromEntries(Object.entries(kept).toReversed()) as typeof kept;
    expect(compareDuplicates(stated(kept), stated(swapped))).toBe(0);
    expect(compareDuplicates(stated(kept, { instanceType: "a" }), stated(kept, { instanceType: "b" }))).toBeLessThan(0);
  });
});
