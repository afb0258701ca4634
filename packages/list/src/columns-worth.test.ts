import { ALL_SORT_KEYS, WORTH_KEYS } from "@gpu-offers/domain";
import { exampleOffer } from "@gpu-offers/domain/offer.fixture";
import { expect, test } from "vitest";
import { cellFacts, COLUMNS, findWorthColumn, UNKNOWN } from "./columns.js";
import { offerFacts } from "./offer-facts.js";
import { isServerSort, SORTS, serverQuery } from "./query.js";

const facts = cellFacts([], { diskGb: undefined });

test("every sort key has a column, and those of the price by what a GPU has are only there if they decide the order", () => {
  expect(SORTS).toEqual(ALL_SORT_KEYS);
  for (const sort of SORTS) {
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

test("the service sorts by its own keys alone", () => {
  expect(SORTS.filter(isServerSort)).toEqual(["pricePerGpu", "priceHourly", "gpuCount"]);
  expect(serverQuery({ filter: {}, sort: "fp8Price", order: "desc" })).toMatchObject({
    sort_by: "pricePerGpu",
    sort_order: "desc",
  });
});
