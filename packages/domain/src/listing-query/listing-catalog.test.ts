import { expect, test } from "vitest";
import { excludedByParameter, ListingCatalog } from "../index.js";
import { exampleOffer } from "../offer.fixture.js";

const unknown = { instanceType: null, seller: null, verified: null, spot: null };
const catalog = ListingCatalog.of([
  { ...unknown, offer: exampleOffer() },
  { ...unknown, offer: exampleOffer({ id: "0b9ae30e-8a52-5d1f-8a3e-3f0e3c1b2a01" }) },
]);

/** How many match a query, and how many without each of its parameters. */
function counts(q: string): [number, Record<string, number>] {
  const { selection } = catalog.prepare({ q });
  const { total, excludedBy } = catalog.select(selection, { page: 0, size: 1 });
  return [total, excludedByParameter(excludedBy, { q })];
}

test("without its words, a query is without the filters that they set", () => {
  expect(counts("h100")).toEqual([2, {}]);
  expect(counts("b300")).toEqual([0, { q: 2 }]);
  expect(counts("h100 spot")).toEqual([0, { q: 2 }]);
  expect(counts("b300 spot")).toEqual([0, { q: 2 }]);
  expect(counts("h100 900tb disk")).toEqual([0, { q: 2 }]);
});

test("reports only the first 5 of many unknown words, each of which takes a look at all names", () => {
  const q = Array.from({ length: 24 }, (_, index) => `zq${index}vk`).join(" ");
  expect(catalog.prepare({ q }).understood.map(({ text }) => text)).toEqual([0, 1, 2, 3, 4].map((n) => `zq${n}vk`));
});

test.each([
  ["llama 3 70b", "70b", "unknown; for a model of that size, set fits to 70b"],
  ["llama-3.1-405b fp8", "llama-3.1-405b", "unknown; for a model of that size, set fits to 405b"],
  ["Qwen2.5-0.5B", "Qwen2.5-0.5B", "unknown; for a model of that size, set fits to 0.5b"],
  ["lammbda", "lammbda", "unknown; did you mean lambda?"],
  ["qlora", "qlora", "unknown"],
  ["rgb", "rgb", "unknown"],
])("of %j, it says of %s: %s", (q, text, as) => {
  const fits = ListingCatalog.of([
    { ...unknown, offer: exampleOffer({ provider: { name: "lambda", slug: "lambda" } }) },
  ]);
  expect(fits.prepare({ q }).understood).toContainEqual({ text, as, nearest: as.includes("lambda") ? ["lambda"] : [] });
});
