import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareOffers, fromMicros, hourlyCostMicros } from "../index.js";
import { arbitraryOffers, exampleOffer } from "../offer.fixture.js";

const first = exampleOffer({ nvlinkEnabled: true, interconnect: "InfiniBand 3200 Gbps" });
const second = exampleOffer({
  id: "00000000-0000-4000-8000-000000000002",
  provider: { name: "aws", slug: "aws" },
  priceHourly: 2.85,
  pricePerGpu: 2.85,
  storageMinGB: 0,
  storageMaxGB: 0,
  storageCostPerGB: 0,
  costDataComplete: false,
  specs: { vcpu: 0, ram: 270, disk: 0 },
});

describe("a comparison of offers", () => {
  test("lists differences first, in percent relative to the first offer", () => {
    const facts = compareOffers([first, second], { balance: { balance: "25.0000", currency: "USD" } });
    const differing = facts.filter(({ differs }) => differs);
    expect(facts.slice(0, differing.length)).toEqual(differing);
    expect(differing.map(({ key, values, percent }) => [key, values, percent])).toEqual([
      ["totalHourly", [1.907, 2.85], [0, 49.4]],
      ["total30Days", [1373.04, 2052], [0, 49.4]],
      ["runwaySeconds", [47_194, 31_578], [0, -33.1]],
      ["pricePerGpu", [1.9, 2.85], [0, 50]],
      ["priceHourly", [1.9, 2.85], [0, 50]],
      ["priceIsMinimum", [false, true], [null, null]],
      ["nvlink", [true, false], [null, null]],
      ["interconnect", ["InfiniBand 3200 Gbps", null], [null, null]],
      ["vcpu", [28, null], [0, null]],
      ["ramGb", [180, 270], [0, 50]],
      ["diskGb", [50, null], [0, null]],
      ["storageMinGb", [50, null], [0, null]],
      ["storageMaxGb", [2000, null], [0, null]],
      ["storagePricePerGbMonth", [0.1022, null], [0, null]],
      ["provider", ["hyperstack", "aws"], [null, null]],
    ]);
    const same = facts.slice(differing.length).map(({ key }) => key);
    expect(same.slice(0, 6)).toEqual(["availability", "gpu", "gpuCount", "vramGb", "totalVramGb", "architecture"]);
    expect(same.slice(6)).toEqual(["deploymentType", "region", "country", "continent"]);
  });

  test("includes the required disk in prices; an offer without such a disk has no price", () => {
    const small = exampleOffer({ storageMinGB: 10, storageMaxGB: 100 });
    const [total] = compareOffers([first, small, second], { diskGb: 1000 });
    expect(total).toEqual({
      key: "totalHourly",
      unit: "usd",
      values: [2.04, null, 2.85],
      percent: [0, null, 39.7],
      differs: true,
    });
  });

  test("shows the age of prices if known", () => {
    const asOf = "2026-11-22T00:00:00Z";
    const facts = compareOffers([first, second], { pricesAsOf: (offer) => (offer === first ? asOf : undefined) });
    expect(facts.find(({ key }) => key === "pricesAsOf")?.values).toEqual([asOf, null]);
  });

  test("has a value for every offer in each line, and no empty line", () => {
    fc.assert(
      fc.property(arbitraryOffers(5), (offers) => {
        const facts = compareOffers(offers);
        for (const { values, percent, differs } of facts) {
          expect(values).toHaveLength(offers.length);
          expect(percent).toHaveLength(offers.length);
          expect(differs).toBe(values.some((value) => value !== values[0]));
          expect(values.some((value) => value !== null)).toBe(true);
        }
        expect(facts.find(({ key }) => key === "totalHourly")?.values ?? []).toEqual(
          offers.map((offer) => fromMicros(hourlyCostMicros(offer, offer.storageMinGB))),
        );
      }),
      { seed: 20_261_122 },
    );
  });
});
