import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileSearch, NO_CATALOG, readSearch } from "../index.js";
import { arbitraryOffer, exampleOffer } from "../offer.fixture.js";

const seed = 20_261_122;

const norway = exampleOffer();
const eight = exampleOffer({
  id: "00000000-0000-4000-8000-000000000008",
  provider: { name: "aws", slug: "aws" },
  gpu: { name: "A100 SXM 80GB", slug: "a100-sxm-80gb", vramGB: 80, architecture: "Ampere" },
  gpuCount: 8,
  region: "us-east-1",
  regionInfo: { countryCode: "US", countryName: "United States", cityState: "Virginia", continent: "North America" },
  priceHourly: 32,
  pricePerGpu: 4,
  specs: { vcpu: 96, ram: 1152, disk: 0 },
  nvlinkEnabled: true,
  interconnect: "EFA 400 Gbps",
});
const card = exampleOffer({
  id: "00000000-0000-4000-8000-000000000024",
  provider: { name: "vast", slug: "vast" },
  gpu: { name: "RTX 4090", slug: "rtx-4090", vramGB: 24, architecture: "Ada Lovelace" },
  region: "Zürich, CH, EU",
  regionInfo: { countryCode: "CH", countryName: "Switzerland", cityState: "Zürich", continent: "Europe" },
  priceHourly: 0.4,
  pricePerGpu: 0.4,
  specs: { vcpu: 0, ram: 0, disk: 0 },
});
const unplaced = exampleOffer({
  id: "00000000-0000-4000-8000-000000000099",
  provider: { name: "hyperbolic", slug: "hyperbolic" },
  gpu: { name: "A10", slug: "a10", vramGB: 24, architecture: "Ampere" },
  region: "EU-default",
  regionInfo: { countryCode: "ZZ", countryName: "Unknown", cityState: "", continent: "Unknown" },
});
const named = { norway, eight, card, unplaced };
const offers = Object.values(named);

describe("a search", () => {
  test.each<[string, (keyof typeof named)[]]>([
    ["", ["norway", "eight", "card", "unplaced"]],
    ['  ! | "" !| ""|  ', ["norway", "eight", "card", "unplaced"]],
    // Names: spaces and hyphens are ignored, numbers only match whole.
    ["h100", ["norway"]],
    ["h100pcie", ["norway"]],
    ["h100-pcie", ["norway"]],
    ["h100 pcie", ["norway"]],
    ["a10", ["unplaced"]],
    ["a100", ["eight"]],
    ["a1", []],
    ["h10", []],
    ["4090", ["card"]],
    ["rtx4090", ["card"]],
    ["rtx-4090", ["card"]],
    ["rtx 4090", ["card"]],
    ["409", []],
    ["090", []],
    ["a100-80gb", ["eight"]],
    ["A100-SXM4-80GB", ["eight"]],
    ["A100_80G_SXM", ["eight"]],
    ["a100-40gb", []],
    ["100", ["norway", "eight"]],
    ["ada", ["card"]],
    ["nvidia", ["norway", "eight", "card", "unplaced"]],
    // Counts.
    ["8x", ["eight"]],
    ["x8", ["eight"]],
    ["8 x", ["eight"]],
    ["8×a100", ["eight"]],
    ["8xa100", ["eight"]],
    ["8x a100", ["eight"]],
    ["8 x a100", ["eight"]],
    ["a100 x8", ["eight"]],
    ["a100x8", ["eight"]],
    ["a100:8", ["eight"]],
    ["a100 8", ["eight"]],
    ["8gpus", ["eight"]],
    ["8 gpus a100", ["eight"]],
    ["4x+", ["eight"]],
    ["<=4x", ["norway", "card", "unplaced"]],
    ["4xa100", []],
    ["1x4090", ["card"]],
    ["4090x1", ["card"]],
    // Sizes and prices.
    ["80", ["norway", "eight"]],
    ["80gb", ["norway", "eight"]],
    ["80 GB", ["norway", "eight"]],
    ["24g+", ["norway", "eight", "card", "unplaced"]],
    ["25g+", ["norway", "eight"]],
    [">64gb", ["norway", "eight"]],
    ["> 1 tb", ["eight"]],
    ["<64gb", ["card", "unplaced"]],
    ["<0.5", ["card"]],
    ["< $.5/h", ["card"]],
    ["<0.5$", ["card"]],
    ["<$0.5/hr", ["card"]],
    ["<0,5$/hour", ["card"]],
    ["<0.4", []],
    ["<=0.4", ["card"]],
    [">=4", ["eight"]],
    ["vram<=24", ["card", "unplaced"]],
    ["totalvram>=640", ["eight"]],
    ["ram >= 1,152", ["eight"]],
    ["vcpu>=29", ["eight"]],
    // A decimal comma.
    ["<0,5", ["card"]],
    ["<0,500", ["card"]],
    ["<1,50", ["card"]],
    ["price<0,45", ["card"]],
    [">64,5gb", ["norway", "eight"]],
    [">1000,5 gb", ["eight"]],
    [">1,000gb", ["eight"]],
    [">1,000 gb", ["eight"]],
    ["<1,2,3", []],
    ["<0,500,000", []],
    ["h100,<0.5", []],
    ["hourly<2", ["norway", "card", "unplaced"]],
    ["price>2", ["eight"]],
    ["nvlink", ["eight"]],
    ["NVLink", ["eight"]],
    ["!nvlink", ["norway", "card", "unplaced"]],
    // Places and providers.
    ["eu", ["norway", "card", "unplaced"]],
    ["EU", ["norway", "card", "unplaced"]],
    ["europe", ["norway", "card", "unplaced"]],
    ["no", ["norway"]],
    ["na", ["eight"]],
    ["usa", ["eight"]],
    ["nordics", ["norway"]],
    ["us-east-1", ["eight"]],
    ["useast1", ["eight"]],
    ["us-east", ["eight"]],
    ["us-east-11", []],
    ["zurich", ["card"]],
    ["Zürich", ["card"]],
    ["virg", ["eight"]],
    ["AWS", ["eight"]],
    ["amazon", ["eight"]],
    ["Amazon", ["eight"]],
    ["vast.ai", ["card"]],
    ["!amazon|vast.ai", ["norway", "unplaced"]],
    ["hyper", ["norway", "unplaced"]],
    ["efa", ["eight"]],
    ["virtual", ["norway", "eight", "card", "unplaced"]],
    // Case, phrases, alternatives, negation.
    ["Norway", ["norway"]],
    ["NorWay", ["norway"]],
    ['"a10"', ["unplaced"]],
    ['"east-1"', ["eight"]],
    ['"east 1"', []],
    ['"us-eas"', []],
    ['"us-eas', ["eight"]],
    ['"United States"', ["eight"]],
    ['"united states"', ["eight"]],
    ['"United states"', []],
    ["h100|4090", ["norway", "card"]],
    ["h100 | 4090 eu", ["norway", "card"]],
    ["h100,4090", ["norway", "card"]],
    ["h100|", ["norway"]],
    ['"a10"|h100', ["norway", "unplaced"]],
    ["!aws", ["norway", "card", "unplaced"]],
    ["!aws|vast", ["norway", "unplaced"]],
    ["aws|!vast", ["norway", "eight", "unplaced"]],
    ["-aws", ["norway", "card", "unplaced"]],
    ["h100|a100 -aws", ["norway"]],
    ["aws|-vast", ["norway", "eight", "unplaced"]],
    ['-"us-east-1"', ["norway", "card", "unplaced"]],
    ["!!aws", ["eight"]],
    ["a100 - aws", ["eight"]],
    ["8x-a100", ["eight"]],
    ["8xa100|4090", ["eight", "card"]],
    ["Oslo, norway", []],
    ["nvlink, aws", ["eight"]],
    // Unknown input matches nothing, never everything.
    ["24+", []],
    ["$2", ["norway", "card", "unplaced"]],
    ["0.4$", ["card"]],
    ["ram512", []],
    ["*", []],
    ["(", []],
  ])("for %j finds %j", (text, found) => {
    const search = compileSearch(text).among(offers);
    expect(Object.entries(named).flatMap(([name, offer]) => (search(offer) ? [name] : []))).toEqual(found);
  });

  test.each(["a", "9", '"', "!", "8x", "8x!", "h100,", "h100|", "8xh100:", "a-", "<", "0,", " ", "é", "x8 "])(
    "never throws for %j, repeated many times",
    (part) => {
      expect(typeof compileSearch(part.repeat(20_000))(norway)).toBe("boolean");
    },
  );

  test.each([" ", "a ", ",", "|", "| ", " |", "1 ", "1", "<", "< ", '"', "-", "a-", "1,", "under ", "gpus ", "."])(
    "is parsed in linear time: %j, repeated",
    (part) => {
      for (const text of [part.repeat(60_000 / part.length), `1${part.repeat(60_000 / part.length)}x`]) {
        const start = process.threadCpuUsage();
        readSearch(text, NO_CATALOG);
        expect(process.threadCpuUsage(start).user).toBeLessThan(2_500_000);
      }
    },
  );

  test("matches no word that is longer than any name", () => {
    const long = "a".repeat(101);
    for (const text of [long, `"${long}"`, `"${long}`, `8x${long}`]) {
      expect(compileSearch(text)(exampleOffer({ region: long, gpuCount: 8 }))).toBe(false);
    }
  });

  test("never throws for any input, and is deterministic", () => {
    const typed = fc.oneof(
      fc.string(),
      fc.string({ unit: "grapheme" }),
      fc
        .array(
          fc.constantFrom("h100", "8x", "|", "!", '"', "<", "0.5", "gb", "+", " ", "x", ":", "-", ",", "eu", "4090"),
        )
        .map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(typed, arbitraryOffer, (text, offer) => {
        const search = compileSearch(text);
        expect(search(offer)).toBe(compileSearch(text)(offer));
        expect(search.text).toBe(text);
      }),
      { seed, numRuns: 500 },
    );
  });
});

test("the end of a card's name is no unit", () => {
  expect(compileSearch("3090 ti").parsed.understood).toMatchObject([{ text: "3090 ti", as: "RTX 3090 Ti" }]);
});
