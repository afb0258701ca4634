import type { Offer } from "@gpu-offers/domain";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CatalogQuality } from "./catalog-quality.js";
import { offersOf, skypilotCsv } from "./source.fixture.js";
import { read } from "./skypilot/read-skypilot.fixture.js";

const SEED = 20_261_122;

const quality = (offers: readonly Offer[], factor = 4) => {
  const review = new CatalogQuality(factor);
  for (const offer of offers) {
    review.add(offer);
  }
  return review.found();
};

const [base] = offersOf(await read(skypilotCsv({ Region: "us-east-1" }), { provider: "aws" }));
if (base === undefined) {
  throw new Error("no offer");
}

const offer = (changes: Partial<Offer> & { by?: string; slug?: string }): Offer => {
  const { by = "acme", slug = "h100-pcie", ...rest } = changes;
  return { ...base, provider: { name: by, slug: by }, gpu: { ...base.gpu, slug }, ...rest };
};

describe("the quality of a catalog", () => {
  test("names regions without a country, the most frequent first", () => {
    const unknown = { countryCode: "ZZ", countryName: "Unknown", continent: "Unknown", cityState: "" };
    const there = (region: string) => offer({ region, regionInfo: unknown });
    expect(quality([offer({}), there("moon"), there("mars"), there("mars")])).toMatchObject({
      offers: 4,
      unlocatedRegions: [
        { provider: "acme", region: "mars", offers: 2 },
        { provider: "acme", region: "moon", offers: 1 },
      ],
    });
  });

  test("tells a machine that is known to have no NVLink from one of which it isn't known", () => {
    const review = new CatalogQuality(4);
    const pair = offer({ by: "hyperstack", gpuCount: 2, nvlinkEnabled: false, slug: "a100-pcie-80gb" });
    review.add(pair, "n3-A100x2");
    expect(review.found().unknownNvlink).toEqual([]);
    review.add(pair, "somethingElse");
    review.add(pair);
    expect(review.found().unknownNvlink).toEqual([{ provider: "hyperstack", gpu: "a100-pcie-80gb", offers: 2 }]);
  });

  test("reports missing NVLink only for several GPUs of a model that can have it", () => {
    const offers = [
      offer({ gpuCount: 2, nvlinkEnabled: false }),
      offer({ gpuCount: 1, nvlinkEnabled: false }),
      offer({ gpuCount: 8, nvlinkEnabled: true, slug: "h100-sxm" }),
      offer({ gpuCount: 4, nvlinkEnabled: false, slug: "l40s" }),
    ];
    expect(quality(offers).unknownNvlink).toEqual([{ provider: "acme", gpu: "h100-pcie", offers: 1 }]);
  });

  test("compares prices with the median of all providers, if there are enough of them", () => {
    const fair = [1, 1, 1, 1].map((pricePerGpu) => offer({ pricePerGpu }));
    const outliers = [
      offer({ by: "dear", pricePerGpu: 4.01 }),
      offer({ by: "dear", pricePerGpu: 9 }),
      offer({ by: "cheap", pricePerGpu: 0.24 }),
    ];
    const limits = [offer({ pricePerGpu: 4 }), offer({ pricePerGpu: 0.25 })];
    expect(quality([...fair, ...outliers, ...limits]).suspiciousPrices).toEqual([
      { provider: "dear", gpu: "h100-pcie", direction: "above", offers: 2, lowest: 4.01, highest: 9, median: 1 },
      { provider: "cheap", gpu: "h100-pcie", direction: "below", offers: 1, lowest: 0.24, highest: 0.24, median: 1 },
    ]);
    expect(quality([...fair.slice(1), offer({ pricePerGpu: 9 })]).suspiciousPrices).toEqual([]);
  });

  test("finds a cross product regardless of whether its offers are marked as unavailable", () => {
    const rows = Array.from({ length: 16 }, (_, index) =>
      offer({ region: `place-${index % 4}`, gpuCount: 1 + Math.floor(index / 4) }),
    );
    const product = { provider: "acme", types: 4, places: 4 };
    expect(quality(rows).crossProducts).toEqual([product]);
    expect(quality(rows.map((row) => offer({ ...row, isAvailable: false }))).crossProducts).toEqual([product]);
    expect(quality(rows.map((row, index) => offer({ ...row, isAvailable: index > 0 }))).crossProducts).toEqual([]);
  });

  test("does not depend on order, and reports no outliers if all prices are similar", () => {
    const priced = fc.record({
      by: fc.constantFrom("a", "b"),
      pricePerGpu: fc.double({ min: 0.1, max: 90, noNaN: true }),
    });
    const byName = (found: ReturnType<typeof quality>) =>
      found.suspiciousPrices.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
    fc.assert(
      fc.property(fc.array(priced, { maxLength: 30 }), (prices) => {
        const offers = prices.map(offer);
        expect(byName(quality(offers.toReversed()))).toEqual(byName(quality(offers)));
        expect(quality(prices.map(() => offer({ pricePerGpu: 2 }))).suspiciousPrices).toEqual([]);
      }),
      { seed: SEED },
    );
  });
});
