import * as fc from "fast-check";
import { anyText } from "../offer.fixture.js";
import { describe, expect, test } from "vitest";
import { listingFactsSchema, statedFactsSchema } from "./listing-schema.js";
import { findSpot, isAnyFactKnown, listingFacts, UNKNOWN_LISTING_FACTS } from "./listing.js";
import { SELLERS, SPOT_KINDS } from "../provider/seller.js";

const offer = { priceHourly: 98.32 };

describe("spot terms", () => {
  test("are kept if they are below the on-demand price", () => {
    expect(findSpot({ priceHourly: 31.5, kind: "price" }, 98.32)).toEqual({ priceHourly: 31.5, kind: "price" });
    expect(findSpot({ priceHourly: 31.5, kind: "bid" }, 98.32)).toEqual({ priceHourly: 31.5, kind: "bid" });
  });

  test("are rounded up at six decimals, so that an estimate never errs downwards", () => {
    expect(findSpot({ priceHourly: 0.123_456_1, kind: "price" }, 1)?.priceHourly).toBe(0.123_457);
    expect(findSpot({ priceHourly: 0.3 + 0.000_000_000_1, kind: "price" }, 1)?.priceHourly).toBe(0.300_001);
  });

  test.each([[0], [98.32], [98.320_000_1], [98.319_999_9], [120], [-1], [Number.NaN], [Number.POSITIVE_INFINITY]])(
    "with the price %d are none",
    (priceHourly) => {
      expect(findSpot({ priceHourly, kind: "price" }, 98.32)).toBeNull();
    },
  );
});

describe("facts", () => {
  test("that nothing states are unknown", () => {
    expect(listingFacts({}, offer)).toEqual(UNKNOWN_LISTING_FACTS);
    expect(isAnyFactKnown(UNKNOWN_LISTING_FACTS)).toBe(false);
  });

  test.each([[{ verified: false }], [{ reliability: 0 }], [{ egressPerGB: 0 }], [{ toolNames: { sky: "a" } }]])(
    "such as %j are known, although they are false or 0",
    (stated) => {
      expect(listingFacts(stated, offer)).toMatchObject(stated);
      expect(isAnyFactKnown(listingFacts(stated, offer))).toBe(true);
    },
  );

  test.each([
    [{ instanceType: "  " }],
    [{ instanceType: "p5\u001b[31m" }],
    [{ instanceType: "x".repeat(201) }],
    [{ providerOfferId: "" }],
    [{ reliability: 1.01 }],
    [{ reliability: -0.1 }],
    [{ reliability: Number.NaN }],
    [{ egressPerGB: -1 }],
    [{ toolNames: { sky: "" } }],
  ])("such as %j, which cannot be right, are unknown", (stated) => {
    expect(listingFacts(stated, offer)).toEqual(UNKNOWN_LISTING_FACTS);
  });

  test("whatever a source states, obey the schemas of responses and of catalog files, and are the same again", () => {
    const anything = fc.record({
      instanceType: fc.option(anyText()),
      providerOfferId: fc.option(fc.string()),
      seller: fc.option(fc.constantFrom(...SELLERS)),
      verified: fc.option(fc.boolean()),
      reliability: fc.option(fc.double()),
      toolNames: fc.record({ sky: fc.string(), dstack: fc.string() }, { requiredKeys: [] }),
      egressPerGB: fc.option(fc.double()),
      spot: fc.option(fc.record({ priceHourly: fc.double(), kind: fc.constantFrom(...SPOT_KINDS) })),
    });
    fc.assert(
      fc.property(anything, (stated) => {
        const facts = listingFacts(stated, offer);
        expect(listingFactsSchema.parse(facts)).toEqual(facts);
        expect(listingFacts(statedFactsSchema.parse(facts), offer)).toEqual(facts);
      }),
      { seed: 20_261_123, numRuns: 500 },
    );
  });
});
