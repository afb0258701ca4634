import { ALL_SORT_KEYS, compareOffers, WORTH_KEYS } from "@gpu-offers/domain";
import { exampleOffer } from "@gpu-offers/domain/offer.fixture";
import { expect, test } from "vitest";
import { cellFacts, COLUMNS, HIDDEN_AT_FIRST, HIDEABLE_COLUMNS } from "./columns.js";
import { UNKNOWN } from "./price-text.js";
import { findWorthColumn } from "./worth-column.js";
import { comparedText } from "./compared-fact.js";
import { offerFacts } from "./offer-facts.js";

const facts = cellFacts([], { diskGb: undefined });

test("every sort key has a column, and those of the price by what a GPU has are only there if they decide the order", () => {
  // The column of the GPU says how much memory all have.
  for (const sort of ALL_SORT_KEYS.filter((key) => key !== "totalVram")) {
    const columns = [...COLUMNS, findWorthColumn(sort)].filter((column) => column?.sort === sort);
    expect([sort, columns.length]).toEqual([sort, 1]);
  }
  expect(WORTH_KEYS.filter((key) => findWorthColumn(key) === undefined)).toEqual([]);
});

test("a price by what a GPU has is rounded up, and marked if it is unknown or a minimum", () => {
  const known = exampleOffer();
  const open = exampleOffer({ gpu: { name: "H100", slug: "h100", vramGB: 80, architecture: "Hopper" } });
  expect(findWorthColumn("vramPrice")?.cell(known, facts)).toBe("0.0238");
  expect(findWorthColumn("bf16Price")?.cell(known, facts)).toBe("2.5133");
  expect(findWorthColumn("bf16Price")?.cell({ ...known, costDataComplete: false }, facts)).toBe("≥2.5133");
  expect(findWorthColumn("bf16Price")?.cell(open, facts)).toBe(UNKNOWN);
});

test("details have the known prices by what a GPU has", () => {
  const worthOf = (offer = exampleOffer()) => offerFacts(offer, {}).find(([name]) => name === "worth")?.[1];
  expect(worthOf()).toBe("$0.0238 per GB, $0.95 per TB/s, $2.5133 per BF16 PFLOPS, $1.2558 per FP8 PFLOPS");
  expect(worthOf(exampleOffer({ gpu: { name: "H100", slug: "h100", vramGB: 80, architecture: "Hopper" } }))).toBe(
    "$0.0238 per GB",
  );
});

test("the prices of 30 days and by what a GPU has can be chosen", () => {
  expect(HIDDEN_AT_FIRST).toEqual(["month", "stock", "stock14d", ...WORTH_KEYS]);
  expect(HIDEABLE_COLUMNS).toEqual(expect.arrayContaining([...HIDDEN_AT_FIRST]));
});

test("an unknown country is unknown in a comparison, not the code ZZ", () => {
  const { regionInfo } = exampleOffer();
  const offers = [exampleOffer({ regionInfo: { ...regionInfo, countryCode: "ZZ", countryName: "Unknown" } })];
  const country = compareOffers(offers, {}).find(({ key }) => key === "country");
  expect(country && comparedText(country, offers, 0)).toBe("unknown");
});

test("prices that are a minimum in a list are a minimum in a comparison", () => {
  const offers = [exampleOffer({ costDataComplete: false })];
  const texts = compareOffers(offers, {}).filter(({ unit }) => unit === "usd");
  const paid = texts.filter(({ key }) => key !== "storagePricePerGbMonth").map((fact) => comparedText(fact, offers, 0));
  expect(paid.length).toBeGreaterThan(2);
  expect(paid.filter((text) => !text.startsWith("≥"))).toEqual([]);
});
