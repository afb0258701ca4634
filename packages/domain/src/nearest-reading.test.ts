import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileSearch, nearestReading, nearestReadings } from "./index.js";
import { arbitraryOffers, exampleOffer } from "./offer.fixture.js";

const offers = [
  exampleOffer(),
  exampleOffer({ gpuCount: 8, priceHourly: 16, pricePerGpu: 2 }),
  exampleOffer({
    gpu: { name: "RTX 4090", slug: "rtx-4090", vramGB: 24, architecture: "Ada Lovelace" },
    provider: { name: "vast", slug: "vast" },
    region: "hel-1",
    regionInfo: { countryCode: "FI", countryName: "Finland", cityState: "Helsinki", continent: "Europe" },
    priceHourly: 0.4,
    pricePerGpu: 0.4,
  }),
];

describe("the nearest reading of a search that finds nothing", () => {
  test.each([
    ["h10", "h100", 2],
    ["8xh10", "8xh100", 1],
    ["16xh100", "8xh100", 1],
    ["RTX 4O90", "RTX 4090", 1],
    ["HELSINKI", "helsinki", 1],
    ["hyperstck 8x", "hyperstack 8x", 1],
    ["finlnd", "finland", 1],
    ["96g+", "vram>=80", 2],
    ["25gb", "25g+", 2],
    ["h100 25gb", "h100 25g+", 2],
    ["h100 128gb", "h100", 2],
    ["128gb ram", "ram>=128", 3],
    ["h100 1 TB memory", "h100 ram>=180", 2],
    ["h100 under 2", "h100 <2", 1],
    ["h100 max $2/hr", "h100 <=$2/hr", 2],
    ["h100 below 1", "h100 <=1.9", 1],
    ["h100 $2", "h100 <=2", 2],
    ["h100 2$/hr", "h100 <=2", 2],
    ["h100 2 USD", "h100 <=2", 2],
    ["h100 < 2 dollars", "h100 < 2", 1],
    ["<0.3", "<=0.4", 1],
    ["h100 <1", "h100 <=1.9", 1],
    [">1tb", "ram>=180", 3],
    ["24+", "24g+", 3],
    ["geforce 4090", "4090", 1],
    ["4090 norway", "4090", 1],
  ])("%j becomes %j with %i offers", (text, reading, count) => {
    expect(nearestReading(offers, text)).toEqual({ text: reading, count });
  });

  test("has none for a very long text, which takes no time", () => {
    expect(nearestReading(offers, `h10${" ".repeat(197)}`)).toEqual({ text: "h100", count: 2 });
    const start = performance.now();
    for (const text of [`h10${" ".repeat(198)}`, "h10 zzz ".repeat(5_000), "helsinky".repeat(5_000)]) {
      expect(nearestReadings(offers, text)).toEqual([]);
    }
    expect(performance.now() - start).toBeLessThan(250);
  });

  test.each(["", "h100", "!h100", "nothing-like-it", "zzzz | yyyy"])("%j has none", (text) => {
    expect(nearestReading(offers, text)).toBeUndefined();
  });

  test("finds the stated number of offers, has at most three readings, and only if the search finds nothing", () => {
    const words = fc.array(fc.constantFrom("h100", "h10", "16x", "<0.1", "99g+", "eu", "Norwy", "!h100", "4090", "x"), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(arbitraryOffers(12), words, (list, typed) => {
        const text = typed.join(" ");
        const readings = nearestReadings(list, text);
        expect(readings.length).toBeLessThanOrEqual(list.some(compileSearch(text)) ? 0 : 3);
        for (const reading of readings) {
          expect(list.filter(compileSearch(reading.text))).toHaveLength(reading.count);
          expect(reading.count).toBeGreaterThan(0);
        }
      }),
      { seed: 20_261_122, numRuns: 300 },
    );
  });
});
