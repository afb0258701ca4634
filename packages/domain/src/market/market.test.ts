import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UNKNOWN_LISTING_FACTS } from "../offer/listing.js";
import type { Listing } from "../offer/listing-schema.js";
import { market, marketParts, marketStand, mergeMarket, priceRange } from "./market.js";
import { exampleOffer } from "../offer.fixture.js";
import { pricePerGpu } from "../offer/offer.js";

const seed = 20_261_123;

const providers = ["aws", "lambda", "vast"];

/** Listings of few providers, regions and prices, so that ties occur. Those of a provider have one age. */
const arbitraryListings: fc.Arbitrary<Listing[]> = fc.uniqueArray(
  fc
    .record({
      id: fc.uuid(),
      provider: fc.constantFrom(...providers),
      region: fc.constantFrom("a", "b", "c"),
      slug: fc.constantFrom("h100-sxm", "h100-pcie", "unknown-card"),
      gpuCount: fc.constantFrom(1, 2, 8),
      priceHourly: fc.constantFrom(1, 2, 2.5, 4, 16),
      availability: fc.constantFrom("in_stock", "listed", "sold_out", "unknown"),
      isStale: fc.boolean(),
      verified: fc.constantFrom(true, false, null),
      costDataComplete: fc.boolean(),
      isCostComplete: fc.constantFrom(true, false, null),
      spot: fc.constantFrom(null, { priceHourly: 0.5, kind: "price" }, { priceHourly: 0.1, kind: "bid" }),
    })
    .map(listingOf),
  { selector: ({ offer }) => offer.id, maxLength: 25 },
);

interface Row {
  id: string;
  provider: string;
  region: string;
  slug: string;
  gpuCount: number;
  priceHourly: number;
  availability: string;
  isStale: boolean;
  verified: boolean | null;
  costDataComplete: boolean;
  isCostComplete: boolean | null;
  spot: Listing["spot"];
}

function listingOf({
  id,
  provider,
  slug,
  gpuCount,
  priceHourly,
  isStale,
  verified,
  spot,
  isCostComplete,
  ...rest
}: Row): Listing {
  const { availability, ...others } = rest;
  // All offers of a provider are of the sample, or none is.
  const sample = provider === "aws";
  return {
    ...UNKNOWN_LISTING_FACTS,
    availability: sample ? "unknown" : availability,
    sample,
    stock14d: null,
    offer: exampleOffer({
      id,
      provider: { name: provider, slug: provider },
      gpu: { name: slug, slug, vramGB: 80, architecture: "Hopper" },
      gpuCount,
      priceHourly,
      pricePerGpu: pricePerGpu(priceHourly, gpuCount),
      ...others,
    }),
    verified,
    isCostComplete,
    spot,
    isStale,
    pricesAsOf: provider === "vast" ? null : `2026-11-0${providers.indexOf(provider) + 1}`,
    stock: provider === "vast" ? "live" : "listed",
    source: provider,
  };
}

/** The definition, without parts. */
function bruteForce(listings: readonly Listing[]): unknown {
  const mayRent = listings.filter(
    ({ availability, isStale, verified }) => availability !== "sold_out" && !isStale && verified !== false,
  );
  const sold = mayRent.filter(({ sample }) => !sample);
  const rentable = sold.length > 0 ? sold : mayRent;
  const prices = rentable.map(({ offer }) => offer.pricePerGpu).toSorted((a, b) => a - b);
  // The smallest price that at least this share of them doesn't exceed.
  const rank = (share: number) =>
    prices.find((price) => prices.filter((other) => other <= price).length >= share * prices.length);
  const cheapest = rentable.toSorted(
    ({ offer: a }, { offer: b }) =>
      a.pricePerGpu - b.pricePerGpu || a.priceHourly - b.priceHourly || (a.id < b.id ? -1 : 1),
  )[0];
  const spots = rentable.flatMap(({ offer, spot }) =>
    spot?.kind === "price" ? [pricePerGpu(spot.priceHourly, offer.gpuCount)] : [],
  );
  return {
    offers: listings.length,
    rentable: rentable.length,
    providers: new Set(rentable.map(({ offer }) => offer.provider.name)).size,
    regions: new Set(rentable.map(({ offer }) => `${offer.provider.name} ${offer.region}`)).size,
    pricePerGpu:
      prices.length === 0
        ? null
        : { min: prices[0], p10: rank(0.1), median: rank(0.5), p90: rank(0.9), max: prices.at(-1) },
    isAtLeast: cheapest !== undefined && !(cheapest.isCostComplete ?? cheapest.offer.costDataComplete),
    cheapest: cheapest?.offer.id ?? null,
    spotMin: spots.length === 0 ? null : Math.min(...spots),
    pricesAsOf: rentable.flatMap(({ pricesAsOf }) => pricesAsOf ?? []).toSorted()[0] ?? null,
    basis: {
      live: rentable.filter(({ availability }) => availability === "in_stock").length,
      listed: rentable.filter(({ availability }) => availability === "listed").length,
      unknown: rentable.filter(({ availability }) => availability === "unknown").length,
    },
    sample: rentable.length > 0 && rentable.every(({ sample }) => sample),
  };
}

describe("the market of listings", () => {
  test("equals its definition", () => {
    fc.assert(
      fc.property(arbitraryListings, (listings) => {
        expect(market(listings)).toEqual(bruteForce(listings));
        expect(market(listings.toReversed())).toEqual(market(listings));
      }),
      { seed, numRuns: 500 },
    );
  });

  test("is that of the parts of each slug, put together", () => {
    fc.assert(
      fc.property(arbitraryListings, (listings) => {
        const ages = new Map(listings.map((listing) => [listing.offer.provider.name, listing]));
        const merged = mergeMarket(marketParts(listings), (provider) => ages.get(provider));
        expect(merged).toEqual(bruteForce(listings));
        const parts = marketParts(listings);
        expect(structuredClone(parts)).toEqual(parts);
        expect(parts.reduce((sum, { offers }) => sum + offers, 0)).toBe(listings.length);
      }),
      { seed, numRuns: 200 },
    );
  });

  test("has no prices if nothing is rentable", () => {
    const none = { offers: 0, rentable: 0, pricePerGpu: null, cheapest: null, spotMin: null, pricesAsOf: null };
    expect(market([])).toMatchObject(none);
  });
});

test.each([
  [true, false, null, true],
  [true, false, true, true],
  [true, false, false, false],
  [true, true, null, false],
  [false, false, true, false],
] as const)("available %s, stale %s, verified %s: rentable %s", (isAvailable, isStale, verified, expected) => {
  expect(marketStand({ offer: { isAvailable }, isStale, verified }).mayRent).toBe(expected);
});

test("prices by nearest rank are prices that exist", () => {
  const ten = Array.from({ length: 10 }, (_, index) => index + 1);
  expect(priceRange(ten)).toEqual({ min: 1, p10: 1, median: 5, p90: 9, max: 10 });
  expect(priceRange([...ten, 11])).toEqual({ min: 1, p10: 2, median: 6, p90: 10, max: 11 });
  expect(priceRange([3])).toEqual({ min: 3, p10: 3, median: 3, p90: 3, max: 3 });
  expect(priceRange([])).toBeNull();
});
