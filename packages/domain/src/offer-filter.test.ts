import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  failedFilters,
  FILTER_KEYS,
  fromMicros,
  hourlyCostMicros,
  matchesOffer,
  matchesText,
  offerText,
  type OfferFilter,
} from "./index.js";
import { arbitraryOffer, arbitraryTerms, exampleOffer } from "./offer.fixture.js";

const seed = 20_261_120;
const offer = exampleOffer();

/** Filters of which each is given or left out, with values near those of {@link arbitraryOffer}. */
const arbitraryFilter: fc.Arbitrary<OfferFilter> = fc.record(
  {
    gpu: fc.subarray(["h100-sxm", "h100-pcie", "h200-sxm", "l40s"]),
    continent: fc.subarray(["Europe", "Asia", "North America", "Unknown"]),
    min_gpu_count: fc.integer({ min: 1, max: 8 }),
    max_gpu_count: fc.integer({ min: 1, max: 8 }),
    text: fc.constantFrom("", "h100", "Norway", "norway", "EU-NO 8x", "nothing"),
    maxPricePerGpu: fc.constantFrom(1, 2, 10),
    minVramGb: fc.constantFrom(24, 80, 141),
    provider: fc.subarray(["hyperstack", "nebius"]),
    country: fc.subarray(["NO", "US", "ZZ"]),
    available: fc.boolean(),
    diskGb: fc.integer({ min: 0, max: 40 }),
    maxTotalHourly: fc.constantFrom(1, 3.333_333, 50),
  },
  { requiredKeys: [] },
);

const arbitraryCase = fc
  .tuple(arbitraryOffer, arbitraryTerms)
  .map(([case_, terms]) => Object.assign(case_, terms))
  .chain((case_) => fc.tuple(fc.constant(case_), arbitraryFilter));

describe("a filter", () => {
  test.each<[OfferFilter, OfferFilter]>([
    [{ gpu: ["l40s", "h100-pcie"] }, { gpu: ["h100", "H100-PCIE"] }],
    [{ gpu: ["h100-pcie"] }, { gpu: [] }],
    [{ continent: ["Asia", "Europe"] }, { continent: ["Asia", "europe"] }],
    [{ min_gpu_count: 1 }, { min_gpu_count: 2 }],
    [{ max_gpu_count: 1 }, { max_gpu_count: 0 }],
    [{ text: "norway h100" }, { text: "norway h200" }],
    [{ maxPricePerGpu: 1.9 }, { maxPricePerGpu: 1.899_999 }],
    [{ minVramGb: 80 }, { minVramGb: 80.1 }],
    [{ provider: ["nebius", "hyperstack"] }, { provider: ["nebius", "hyper"] }],
    [{ country: ["US", "NO"] }, { country: ["US", "no"] }],
    [{ available: true }, { available: false }],
    [{ diskGb: 2000 }, { diskGb: 2001 }],
    [
      { diskGb: 500, maxTotalHourly: 1.97 },
      { diskGb: 500, maxTotalHourly: 1.969_999_9 },
    ],
    [{ maxTotalHourly: 1.907 }, { maxTotalHourly: 1.906_999_6 }],
  ])("%j lets the offer pass that %j refuses", (passing, failing) => {
    expect(matchesOffer(offer, passing)).toBe(true);
    expect(failedFilters(offer, passing)).toEqual([]);
    expect(matchesOffer(offer, failing)).toBe(false);
    expect(failedFilters(offer, failing)).toEqual([Object.keys(failing).at(-1)]);
  });

  test("refuses an offer whose count or memory misses it, also when that is not 1 or 80", () => {
    const large = exampleOffer({ gpuCount: 8, priceHourly: 15.92, pricePerGpu: 1.99, isAvailable: false });
    expect(failedFilters(large, { max_gpu_count: 4, maxTotalHourly: 2, maxPricePerGpu: 2, available: true })).toEqual([
      "max_gpu_count",
      "available",
      "maxTotalHourly",
    ]);
  });

  test("that is left out lets every offer pass", () => {
    fc.assert(
      fc.property(arbitraryOffer, (any) => {
        expect(matchesOffer(any, {})).toBe(true);
        expect(failedFilters(any, Object.fromEntries(FILTER_KEYS.map((key) => [key, undefined])))).toEqual([]);
      }),
      { seed },
    );
  });

  test("is one of these, the interface's own first", () => {
    const own = ["gpu", "continent", "min_gpu_count", "max_gpu_count"];
    const others = ["minVramGb", "provider", "country", "available", "diskGb", "maxTotalHourly"];
    expect(FILTER_KEYS).toEqual([...own, "text", "maxPricePerGpu", ...others]);
  });
});

describe("several filters", () => {
  test("are met exactly when none of them fails, each judged as if it were alone", () => {
    fc.assert(
      fc.property(arbitraryCase, ([any, filter]) => {
        const failed = failedFilters(any, filter);
        expect(matchesOffer(any, filter)).toBe(failed.length === 0);
        // The limit of the whole cost is the one filter that looks at another: the disk it is for.
        const alone = FILTER_KEYS.filter(
          (key) => key !== "maxTotalHourly" && !matchesOffer(any, { [key]: filter[key] }),
        );
        expect(failed.filter((key) => key !== "maxTotalHourly")).toEqual(alone);
      }),
      { seed, numRuns: 500 },
    );
  });

  test("leave the other failures when one that fails is dropped, so that a sole one lets the offer in", () => {
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

  test("blame a disk that the offer cannot have on the disk alone", () => {
    expect(failedFilters(offer, { diskGb: 5000, maxTotalHourly: 2 })).toEqual(["diskGb"]);
    expect(failedFilters(offer, { diskGb: 5000, maxTotalHourly: 1.9 })).toEqual(["diskGb", "maxTotalHourly"]);
  });

  test("let the whole cost reach its limit to the micro-dollar", () => {
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

describe("the text filter", () => {
  test("searches what a person would type", () => {
    const text = offerText(
      exampleOffer({
        gpuCount: 8,
        region: "us-west-1",
        regionInfo: {
          countryCode: "US",
          countryName: "United States",
          cityState: "Oregon",
          continent: "North America",
        },
        deploymentType: "bare-metal",
      }),
    );
    expect(text).toBe(
      "H100 PCIe h100-pcie Hopper 8x hyperstack us-west-1 NA-US United States Oregon North America bare-metal",
    );
  });

  test.each([
    ["", true],
    ["  \t ", true],
    ["norway", true],
    ["  h100   norway ", true],
    ["norway h200", false],
    ["eu-no", true],
    ["Norway", true],
    ["NORWAY", true],
    ["NorwaY", false],
    ["hopper", true],
    ["HOPPER", false],
    ["H100 pcie", true],
    ["1x", true],
    ["*", false],
    ["orwa", true],
  ])("for %j gives %s", (words, found) => {
    expect(matchesText(offerText(offer), words)).toBe(found);
    expect(matchesOffer(offer, { text: words })).toBe(found);
  });

  test("finds every word of a text in any lower case, and in its own case", () => {
    fc.assert(
      fc.property(arbitraryOffer, fc.nat(), (any, pick) => {
        const words = offerText(any).split(" ");
        const word = words[pick % words.length] ?? "";
        expect(matchesText(offerText(any), word)).toBe(true);
        expect(matchesText(offerText(any), word.toLowerCase())).toBe(true);
        expect(matchesText(offerText(any), `${word}\u0001`)).toBe(false);
      }),
      { seed },
    );
  });
});
