import { describe, expect, test } from "vitest";
import { positionsIn, readSearch, searchCatalogOf } from "../index.js";
import { exampleOffer } from "../offer.fixture.js";

const offers = [
  exampleOffer(),
  exampleOffer({ gpuCount: 8, priceHourly: 16, pricePerGpu: 2, nvlinkEnabled: true }),
  exampleOffer({
    gpu: { name: "RTX 4090", slug: "rtx-4090", vramGB: 24, architecture: "Ada Lovelace" },
    provider: { name: "gcp", slug: "gcp" },
    region: "europe-west3",
    regionInfo: { countryCode: "DE", countryName: "Germany", cityState: "Frankfurt", continent: "Europe" },
    priceHourly: 0.4,
    pricePerGpu: 0.4,
  }),
];
const catalog = searchCatalogOf(offers);

function countOf(text: string, options: { cursor?: number; takesSlips?: boolean } = {}): number {
  const { terms, wishes } = readSearch(text, catalog, options);
  return positionsIn(catalog.find(terms, wishes.spot === true)).length;
}

describe("a text that is being typed", () => {
  test.each([
    "8xh100 europe under $3",
    "cheapest h100 in norway",
    "rtx 4090 on google cloud",
    "h100 with 80gb vram or more",
    "h100 between $1 and $3",
    "available 4090 in germany",
    "h100 not gcp, nvlink",
    "h100 without nvlink max 2$",
    "4090 in frankfurt or norway",
    "vram>=40 price<3",
  ])("never finds nothing on the way to %j", (text) => {
    const empty = Array.from(text, (_, index) => text.slice(0, index + 1)).filter(
      (typed) => countOf(typed, { cursor: typed.length, takesSlips: true }) === 0,
    );
    expect(empty).toEqual([]);
    expect(countOf(text)).toBeGreaterThan(0);
  });

  test.each(["h1", "h10", "409", "nor", "h100 und", "frankf"])("%j is incomplete only in a field", (text) => {
    expect(countOf(text, { cursor: text.length })).toBeGreaterThan(0);
  });

  test("is incomplete at the cursor alone", () => {
    expect(countOf("h10 norway", { cursor: 3 })).toBe(2);
    expect(countOf("h10 norway", { cursor: 10 })).toBe(0);
  });
});

describe("a slip", () => {
  test.each([
    ["hl00", 2],
    ["h1oo", 2],
    ["hI00 norwy", 2],
    ["rxt 4090", 1],
    ["4o90", 1],
    ["googel cloud", 1],
    ["germny", 1],
    ["avalable h100", 2],
  ])("%j finds %i offers in a field, and none in a script", (text, count) => {
    expect(countOf(text, { takesSlips: true })).toBe(count);
    expect(countOf(text)).toBe(0);
  });

  test.each(["h101", "h300", "b100", "4080", "rtx 4080", "h10", "t400"])(
    "%j is no slip: another digit is another card",
    (text) => {
      expect(countOf(text, { takesSlips: true })).toBe(0);
    },
  );

  test("is one of at most 3: a text with more unknown words is none", () => {
    expect(countOf("norwy hl00 nvlnk", { takesSlips: true })).toBe(1);
    expect(countOf("norwy hl00 nvlnk avalable", { takesSlips: true })).toBe(0);
  });

  test("is said, and in a script the nearest names are", () => {
    expect(readSearch("norwy hl00", catalog, { takesSlips: true }).understood).toMatchObject([
      { text: "norwy", as: "Norway" },
      { text: "hl00", as: "H100 PCIe" },
    ]);
    expect(readSearch("germny h100", catalog).unknown).toEqual([{ text: "germny", nearest: ["Germany"] }]);
  });
});
