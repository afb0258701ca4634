import { describe, expect, test } from "vitest";
import { nearSearches, readSearch, searchCatalogOf } from "../index.js";
import { exampleOffer } from "../offer.fixture.js";

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
const catalog = searchCatalogOf(offers);

describe("the nearest search of one that finds nothing", () => {
  test.each([
    ["8xh10", "8xh100", 1],
    ["16xh100", "8xh100", 1],
    ["hyperstck 8x", "hyperstack 8x", 1],
    ["finlnd", "finland", 1],
    ["25gb", "vram>=25", 2],
    ["h100 25gb", "h100 vram>=25", 2],
    ["h100 128gb", "h100", 2],
    ["h100 1 TB memory", "h100 ram>=180", 2],
    ["h100 below 1", "h100 price<=1.9", 1],
    ["<0.3", "price<=0.4", 1],
    ["h100 <1", "h100 price<=1.9", 1],
    [">1tb", "ram>=180", 3],
    ["4090 norway", "4090", 1],
  ])("%j becomes %j with %i offers", (text, near, count) => {
    expect(nearSearches(text, catalog)[0]).toEqual({ text: near, count });
  });

  test.each(["h100", "", "geforce 4090", "128gb ram", "h100 under 2", "h100 max $2/hr", "not vast", "helsinki"])(
    "%j has none, because it finds something",
    (text) => {
      expect(nearSearches(text, catalog)).toEqual([]);
      expect(catalog.finds(readSearch(text, catalog).terms, false)).toBe(true);
    },
  );

  test("never reads words of the grammar as names", () => {
    for (const text of ["not runpod cuda 12", "in stock spot", "except vast under $0.1"]) {
      for (const near of nearSearches(text, catalog)) {
        expect(near.text).not.toMatch(/norway|cudo|india/);
      }
    }
  });

  test("has none for a very long text, which takes no time", () => {
    const start = performance.now();
    expect(nearSearches(`h10${" ".repeat(198)}`, catalog)).toEqual([]);
    expect(nearSearches("h10 ".repeat(50_000), catalog)).toEqual([]);
    expect(performance.now() - start).toBeLessThan(1000);
  });
});
