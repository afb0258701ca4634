import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  conditionsOf,
  fromMicros,
  hourlyCostMicros,
  matchesListing,
  UNKNOWN_LISTING_FACTS,
  type ListingFilter,
  type ListingParameterName,
  type Offer,
} from "../index.js";
import { arbitraryOffer, exampleOffer } from "../offer.fixture.js";

// The rules of the filters, one by one. That the index applies them alike is tested in listing-index.test.ts.

const seed = 20_261_120;
const offer = exampleOffer();

const matches = (one: Offer, filter: ListingFilter): boolean =>
  matchesListing({ ...UNKNOWN_LISTING_FACTS, offer: one }, filter);

const failed = (one: Offer, filter: ListingFilter): ListingParameterName[] =>
  conditionsOf(filter).flatMap(({ name, holds }) => (holds({ ...UNKNOWN_LISTING_FACTS, offer: one }) ? [] : [name]));

const imageOf = (...providers: string[]): ListingFilter => ({
  image: { wanted: { os: "x" }, providers, instanceTypes: new Map() },
});

describe("a filter", () => {
  test.each([
    ["us-east-1", true],
    ["US-East-1/use1-az4", true],
    ["us-east-1/use1-az", false],
    ["us-east", false],
    ["", false],
  ])("by the region %j matches the zone us-east-1/use1-az4: %j", (region, isMatch) => {
    expect(matches(exampleOffer({ region: "us-east-1/use1-az4" }), { region: [region] })).toBe(isMatch);
  });

  test.each<[ListingFilter, ListingFilter]>([
    [{ gpu: ["l40s", "h100-pcie"] }, { gpu: ["h100", "H100-PCIE"] }],
    [{ gpu: ["h100-pcie"] }, { gpu: [] }],
    [{ continent: ["Asia", "Europe"] }, { continent: ["Asia", "europe"] }],
    [{ min_gpu_count: 1 }, { min_gpu_count: 2 }],
    [{ max_gpu_count: 1 }, { max_gpu_count: 0 }],
    [{ max_price: 1.9 }, { max_price: 1.899_999 }],
    [{ max_hourly: 1.9 }, { max_hourly: 1.899_999 }],
    [{ min_vram: 80 }, { min_vram: 80.1 }],
    [{ min_total_vram: 80 }, { min_total_vram: 81 }],
    [{ min_ram: 180 }, { min_ram: 181 }],
    [{ min_vcpu: 28 }, { min_vcpu: 29 }],
    [{ nvlink: false }, { nvlink: true }],
    [{ region: ["norway-1", "x"] }, { region: ["norway"] }],
    [
      { budget: 19.07, hours: 10 },
      { hours: 10, budget: 19.06 },
    ],
    [imageOf("nebius", "hyperstack"), imageOf("nebius")],
    [{ provider: ["nebius", "hyperstack"] }, { provider: ["nebius", "hyper"] }],
    [{ country: ["US", "NO"] }, { country: ["US", "no"] }],
    [{ disk: 2000 }, { disk: 2001 }],
    [
      { disk: 500, max_total: 1.97 },
      { disk: 500, max_total: 1.969_999_9 },
    ],
    [{ max_total: 1.907 }, { max_total: 1.906_999_6 }],
  ])("%j accepts the offer that %j rejects", (passing, failing) => {
    expect(failed(offer, passing)).toEqual([]);
    expect(failed(offer, failing)).toEqual([Object.keys(failing).at(-1)]);
  });

  test.each<[number, number, number, boolean]>([
    [0.1, 3, 0.3, true],
    [0.1, 3, 0.299_999_999_999_999_9, false],
    [0.7, 0.1, 0.07, true],
    [0.000_001, 1e-7, 1e-13, true],
    [0.000_001, 1e-7, 9.999_999_999_999_999e-14, false],
    [999_999_999, 9_007_199_254_740_991, Number("9007199245733791745259009"), true],
    [999_999_999, 1e9, Number.POSITIVE_INFINITY, true],
    [1, Number.POSITIVE_INFINITY, 1e308, false],
    [1, 0, 0, true],
    [1, 1, 0, false],
    [1, Number.NaN, 5, false],
    [1, 5, Number.NaN, false],
  ])("by a budget accepts %d USD an hour for %d hours of %d USD: %j", (priceHourly, hours, budget, isMatch) => {
    const free = exampleOffer({ priceHourly, storageMinGB: 0, storageCostPerGB: 0 });
    expect(matches(free, { budget, hours })).toBe(isMatch);
  });

  test("by a budget is exact for any decimals", () => {
    const decimal = fc.tuple(fc.integer({ min: 1, max: 999_999_999 }), fc.integer({ min: 0, max: 9 }));
    const valueOf = ([digits, places]: readonly [number, number]) => Number(`${digits}e-${places}`);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000_000 }),
        decimal,
        fc.integer({ min: -1, max: 1 }),
        (micros, hours, more) => {
          const free = exampleOffer({ priceHourly: fromMicros(micros), storageMinGB: 0, storageCostPerGB: 0 });
          // The exact cost has up to 15 decimals; a digit more or less is still a number of its own if it has few digits.
          const cost = BigInt(micros) * BigInt(hours[0]) + BigInt(more);
          fc.pre(cost > 0n && cost < 10n ** 15n);
          const budget = Number(`${cost}e-${hours[1] + 6}`);
          expect(matches(free, { budget, hours: valueOf(hours) })).toBe(more >= 0);
        },
      ),
      { seed, numRuns: 1000 },
    );
  });

  test("for memory or vCPUs rejects an offer without that information", () => {
    const silent = exampleOffer({ specs: { vcpu: 0, ram: 0, disk: 0 } });
    expect(failed(silent, { min_ram: 1, min_vcpu: 1 })).toEqual(["min_ram", "min_vcpu"]);
  });
});

describe("several filters", () => {
  test("reject an offer whose count or memory does not match, also if it is not 1 or 80", () => {
    const large = exampleOffer({ gpuCount: 8, priceHourly: 15.92, pricePerGpu: 1.99, isAvailable: false });
    const filter = { max_gpu_count: 4, available: true, max_price: 2, max_total: 2 } as const;
    expect(failed(large, filter)).toEqual(["max_gpu_count", "available", "max_total"]);
  });

  test("accept offers with unknown disks, unless the price with the disk is limited", () => {
    const unknown = exampleOffer({ storageCostPerGB: 0, storageMinGB: 0, storageMaxGB: 0, costDataComplete: false });
    expect(failed(unknown, { disk: 500, max_price: 2 })).toEqual([]);
    expect(failed(unknown, { max_total: unknown.priceHourly })).toEqual([]);
    expect(failed(unknown, { disk: 500, max_total: 1000 })).toEqual(["max_total"]);
    expect(failed(unknown, { disk: 500, budget: 1000, hours: 1 })).toEqual(["budget"]);
    expect(failed({ ...unknown, costDataComplete: true }, { disk: 500 })).toEqual(["disk"]);
  });

  test("report an unsupported disk only as a failure of the disk", () => {
    expect(failed(offer, { disk: 5000, max_total: 2 })).toEqual(["disk"]);
    expect(failed(offer, { disk: 5000, max_total: 1.9 }).sort()).toEqual(["disk", "max_total"]);
  });

  test("accept a total cost equal to the limit, to the micro-dollar", () => {
    fc.assert(
      fc.property(arbitraryOffer, (any) => {
        const cost = hourlyCostMicros(any, any.storageMinGB);
        expect(matches(any, { max_total: fromMicros(cost) })).toBe(true);
        expect(matches(any, { max_total: fromMicros(cost - 1) })).toBe(false);
      }),
      { seed },
    );
  });
});
