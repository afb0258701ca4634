import { isRentable, listingFacts, marketParts, MarketParts, SPOT_KINDS, type Listing } from "@gpu-offers/domain";
import { arbitraryOffer } from "@gpu-offers/domain/offer.fixture";
import { toStoredOffer } from "@gpu-offers/store/offer-row";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { GpuReader, marketRow } from "./market-row.js";

const arbitraryListing: fc.Arbitrary<Listing> = fc
  .record({
    offer: arbitraryOffer,
    region: fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom('a "quoted" one', "back\\slash", '"isAvailable":true', '\\"region":"x"', "\\\\"),
    ),
    costDataComplete: fc.boolean(),
    verified: fc.constantFrom(true, false, null),
    instanceType: fc.constantFrom(null, '"verified":false', '"spot":{'),
    spot: fc.option(fc.record({ priceHourly: fc.constantFrom(0.1, 0.5), kind: fc.constantFrom(...SPOT_KINDS) })),
  })
  .map(({ offer, region, costDataComplete, ...stated }) => {
    const listed = { ...offer, region, costDataComplete };
    const facts = listingFacts(stated, listed);
    return Object.assign(facts, { offer: listed, isStale: false, pricesAsOf: null, stock: "live", source: "test" });
  });

test("the market of stored rows is that of their listings, whatever their texts", () => {
  fc.assert(
    fc.property(fc.uniqueArray(arbitraryListing, { selector: ({ offer }) => offer.id, maxLength: 20 }), (listings) => {
      const parts = new MarketParts();
      const gpus = new GpuReader();
      for (const listing of listings) {
        const stored = toStoredOffer(listing.offer, null, listing);
        const row = marketRow(stored, stored.body);
        expect(row.mayRent).toBe(isRentable(listing));
        parts.add(gpus.read(stored), stored.provider, row);
      }
      expect(parts.build()).toEqual(marketParts(listings));
    }),
    { seed: 20_261_123, numRuns: 300 },
  );
});
