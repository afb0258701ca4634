import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  compileSearch,
  failedFilters,
  FILTER_KEYS,
  fromMicros,
  hourlyCostMicros,
  listOffersQuerySchema,
  matchesOffer,
  soleFailure,
  toListFilter,
  toOfferFilter,
  type OfferFilter,
} from "../index.js";
import { arbitraryOffer, arbitraryTerms, exampleOffer } from "../offer.fixture.js";

const seed = 20_261_120;
const offer = exampleOffer();

/** Optional filters, with values close to those of {@link arbitraryOffer}. */
const arbitraryFilter: fc.Arbitrary<OfferFilter> = fc.record(
  {
    gpu: fc.subarray(["h100-sxm", "h100-pcie", "h200-sxm", "l40s"]),
    continent: fc.subarray(["Europe", "Asia", "North America", "Unknown"]),
    minGpuCount: fc.integer({ min: 1, max: 8 }),
    maxGpuCount: fc.integer({ min: 1, max: 8 }),
    search: fc.constantFrom("", "h100", "Norway", "norway", "eu 8x", "!h100", "nothing").map(compileSearch),
    maxPricePerGpu: fc.constantFrom(1, 2, 10),
    minVramGb: fc.constantFrom(24, 80, 141),
    minTotalVramGb: fc.constantFrom(80, 320, 640),
    minRamGb: fc.constantFrom(1, 180, 181),
    minVcpu: fc.constantFrom(1, 28, 29),
    nvlink: fc.boolean(),
    region: fc.subarray(["norway-1", "US-KS-2"]),
    budget: fc.record({ usd: fc.constantFrom(1, 20, 500), hours: fc.constantFrom(1, 10) }),
    image: fc.record({ wanted: fc.constant({ os: "ubuntu" }), providers: fc.subarray(["hyperstack", "nebius"]) }),
    provider: fc.subarray(["hyperstack", "nebius"]),
    country: fc.subarray(["NO", "US", "ZZ"]),
    available: fc.boolean(),
    diskGb: fc.integer({ min: 0, max: 40 }),
    maxTotalHourly: fc.constantFrom(1, 3.333_333, 50),
  },
  { requiredKeys: [] },
);

/** Limits of the total cost depend on another filter: the disk. */
const needsDisk = (key: string): boolean => key === "maxTotalHourly" || key === "budget";

const arbitraryCase = fc
  .tuple(arbitraryOffer, arbitraryTerms)
  .map(([case_, terms]) => Object.assign(case_, terms))
  .chain((case_) => fc.tuple(fc.constant(case_), arbitraryFilter));

describe("a filter", () => {
  test.each([
    ["us-east-1", true],
    ["US-East-1/use1-az4", true],
    ["us-east-1/use1-az", false],
    ["us-east", false],
    ["", false],
  ])("by the region %j matches the zone us-east-1/use1-az4: %j", (region, isMatch) => {
    expect(matchesOffer(exampleOffer({ region: "us-east-1/use1-az4" }), { region: [region] })).toBe(isMatch);
  });

  test.each<[OfferFilter, OfferFilter]>([
    [{ gpu: ["l40s", "h100-pcie"] }, { gpu: ["h100", "H100-PCIE"] }],
    [{ gpu: ["h100-pcie"] }, { gpu: [] }],
    [{ continent: ["Asia", "Europe"] }, { continent: ["Asia", "europe"] }],
    [{ minGpuCount: 1 }, { minGpuCount: 2 }],
    [{ maxGpuCount: 1 }, { maxGpuCount: 0 }],
    [{ search: compileSearch("norway h100") }, { search: compileSearch("norway h200") }],
    [{ maxPricePerGpu: 1.9 }, { maxPricePerGpu: 1.899_999 }],
    [{ minVramGb: 80 }, { minVramGb: 80.1 }],
    [{ minTotalVramGb: 80 }, { minTotalVramGb: 81 }],
    [{ minRamGb: 180 }, { minRamGb: 181 }],
    [{ minVcpu: 28 }, { minVcpu: 29 }],
    [{ nvlink: false }, { nvlink: true }],
    [{ region: ["norway-1", "x"] }, { region: ["norway"] }],
    [{ budget: { usd: 19.07, hours: 10 } }, { budget: { usd: 19.06, hours: 10 } }],
    [
      { image: { wanted: { os: "x" }, providers: ["nebius", "hyperstack"] } },
      { image: { wanted: { os: "x" }, providers: ["nebius"] } },
    ],
    [{ provider: ["nebius", "hyperstack"] }, { provider: ["nebius", "hyper"] }],
    [{ country: ["US", "NO"] }, { country: ["US", "no"] }],
    [{ available: true }, { available: false }],
    [{ diskGb: 2000 }, { diskGb: 2001 }],
    [
      { diskGb: 500, maxTotalHourly: 1.97 },
      { diskGb: 500, maxTotalHourly: 1.969_999_9 },
    ],
    [{ maxTotalHourly: 1.907 }, { maxTotalHourly: 1.906_999_6 }],
  ])("%j accepts the offer that %j rejects", (passing, failing) => {
    expect(matchesOffer(offer, passing)).toBe(true);
    expect(failedFilters(offer, passing)).toEqual([]);
    expect(matchesOffer(offer, failing)).toBe(false);
    expect(failedFilters(offer, failing)).toEqual([Object.keys(failing).at(-1)]);
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
  ])("by a budget accepts %d USD an hour for %d hours of %d USD: %j", (priceHourly, hours, usd, isMatch) => {
    const free = exampleOffer({ priceHourly, storageMinGB: 0, storageCostPerGB: 0 });
    expect(matchesOffer(free, { budget: { usd, hours } })).toBe(isMatch);
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
          const usd = Number(`${cost}e-${hours[1] + 6}`);
          expect(matchesOffer(free, { budget: { usd, hours: valueOf(hours) } })).toBe(more >= 0);
        },
      ),
      { seed, numRuns: 1000 },
    );
  });

  test("rejects an offer whose count or memory does not match, also if it is not 1 or 80", () => {
    const large = exampleOffer({ gpuCount: 8, priceHourly: 15.92, pricePerGpu: 1.99, isAvailable: false });
    expect(failedFilters(large, { maxGpuCount: 4, maxTotalHourly: 2, maxPricePerGpu: 2, available: true })).toEqual([
      "maxGpuCount",
      "available",
      "maxTotalHourly",
    ]);
  });

  test("that is the only one to fail is found without trying the rest", () => {
    const value = fc.constantFrom(undefined, 1, 2, 8);
    const filters = fc.record({ minGpuCount: value, maxGpuCount: value, maxPricePerGpu: value, maxTotalHourly: value });
    fc.assert(
      fc.property(arbitraryOffer, filters, (any, filter) => {
        const failed = failedFilters(any, filter);
        expect(soleFailure(filter)(any)).toBe(failed.length > 1 ? "several" : (failed[0] ?? "none"));
      }),
      { seed, numRuns: 1000 },
    );
  });

  test("that is omitted accepts every offer", () => {
    fc.assert(
      fc.property(arbitraryOffer, (any) => {
        expect(matchesOffer(any, {})).toBe(true);
        expect(failedFilters(any, Object.fromEntries(FILTER_KEYS.map((key) => [key, undefined])))).toEqual([]);
      }),
      { seed },
    );
  });

  test("is one of these, starting with the service's own", () => {
    const own = ["gpu", "continent", "minGpuCount", "maxGpuCount"];
    const machine = ["maxPricePerGpu", "minVramGb", "minTotalVramGb", "minRamGb", "minVcpu", "nvlink"];
    const others = ["provider", "country", "region", "available", "diskGb", "maxTotalHourly", "budget"];
    const listed = ["maxPriceHourly", "deploymentType", "interconnect", "image"];
    expect(FILTER_KEYS).toEqual([...own, "search", ...machine, ...others, ...listed]);
  });

  test("that the service supports has the API's name there, with the same effect under either name", () => {
    const list = { gpu: ["h100"], continent: ["Europe"], min_gpu_count: 2, max_gpu_count: 8 };
    expect(toListFilter(toOfferFilter(list))).toEqual(list);
    expect(toListFilter({ minVramGb: 80, search: compileSearch("h100"), gpu: undefined })).toEqual({});
  });

  test("of the list and one for loaded offers don't pass for each other, because the counts would be ignored", () => {
    const query = listOffersQuerySchema.parse({ min_gpu_count: "8" });
    // @ts-expect-error The counts have other names.
    expect(matchesOffer(exampleOffer(), query)).toBe(true);
    expect(matchesOffer(exampleOffer(), toOfferFilter(query))).toBe(false);
    // @ts-expect-error The counts have other names.
    expect(toOfferFilter({ minGpuCount: 8 })).toEqual(toOfferFilter({}));
  });

  test("for memory or vCPUs rejects an offer without that information", () => {
    const silent = exampleOffer({ specs: { vcpu: 0, ram: 0, disk: 0 } });
    expect(failedFilters(silent, { minRamGb: 1, minVcpu: 1 })).toEqual(["minRamGb", "minVcpu"]);
  });
});

describe("several filters", () => {
  test("match if and only if none of them fails on its own", () => {
    fc.assert(
      fc.property(arbitraryCase, ([any, filter]) => {
        const failed = failedFilters(any, filter);
        expect(matchesOffer(any, filter)).toBe(failed.length === 0);
        const alone = FILTER_KEYS.filter((key) => !needsDisk(key) && !matchesOffer(any, { [key]: filter[key] }));
        expect(failed.filter((key) => !needsDisk(key))).toEqual(alone);
      }),
      { seed, numRuns: 500 },
    );
  });

  test("fail independently, so that an offer with a single failed filter matches once that is dropped", () => {
    fc.assert(
      fc.property(arbitraryCase, ([any, filter]) => {
        const failed = failedFilters(any, filter);
        for (const dropped of failed) {
          const rest = failedFilters(any, { ...filter, [dropped]: undefined });
          expect(rest).toEqual(failed.filter((key) => key !== dropped));
        }
      }),
      { seed, numRuns: 500 },
    );
  });

  test("accept offers with unknown disks, unless the price with the disk is limited", () => {
    const unknown = exampleOffer({ storageCostPerGB: 0, storageMinGB: 0, storageMaxGB: 0, costDataComplete: false });
    expect(failedFilters(unknown, { diskGb: 500, maxPricePerGpu: 2 })).toEqual([]);
    expect(failedFilters(unknown, { maxTotalHourly: unknown.priceHourly })).toEqual([]);
    expect(failedFilters(unknown, { diskGb: 500, maxTotalHourly: 1000 })).toEqual(["maxTotalHourly"]);
    expect(failedFilters(unknown, { diskGb: 500, budget: { usd: 1000, hours: 1 } })).toEqual(["budget"]);
    expect(failedFilters({ ...unknown, costDataComplete: true }, { diskGb: 500 })).toEqual(["diskGb"]);
  });

  test("report an unsupported disk only as a failure of the disk", () => {
    expect(failedFilters(offer, { diskGb: 5000, maxTotalHourly: 2 })).toEqual(["diskGb"]);
    expect(failedFilters(offer, { diskGb: 5000, maxTotalHourly: 1.9 })).toEqual(["diskGb", "maxTotalHourly"]);
  });

  test("accept a total cost equal to the limit, to the micro-dollar", () => {
    fc.assert(
      fc.property(arbitraryOffer, (any) => {
        const cost = hourlyCostMicros(any, any.storageMinGB);
        expect(matchesOffer(any, { maxTotalHourly: fromMicros(cost) })).toBe(true);
        expect(matchesOffer(any, { maxTotalHourly: fromMicros(cost - 1) })).toBe(false);
      }),
      { seed },
    );
  });
});
