import { expect, test } from "vitest";
import { excludedByParameter, ListingCatalog, withoutPiece } from "../index.js";
import { exampleOffer } from "../offer.fixture.js";
import { present } from "../present.js";

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

test("the query without its words is counted in slices, too", () => {
  const { selection } = catalog.prepare({ q: "b300 spot", min_vram: 1, min_ram: 1 });
  const page = { page: 0, size: 1 };
  const [own, all] = [catalog.index.selecting(selection, page), catalog.selecting(selection, page)].map(
    (work) => Array.from(work).length,
  );
  expect(all).toBe(present(own) + 2);
});

test("words that ask for a model, a budget or hours set these filters, unless a parameter does", () => {
  const { selection, query } = catalog.prepare({ q: "h100 for 3 days budget $9000 runs llama 70b" });
  expect(query).toMatchObject({ hours: 72, budget: 9000, fits: "70b" });
  expect(selection.filter).toMatchObject({ hours: 72, budget: 9000, fits: { wanted: { paramsB: 70 } } });
  expect(catalog.prepare({ q: "h100 for 3 days budget $9000", hours: 5, budget: 1 }).query).toMatchObject({
    hours: 5,
    budget: 1,
  });
  expect(counts("h100 budget $0.01")).toEqual([0, { budget: 2, q: 2 }]);
});

const machine = (gpuCount: number, priceHourly: number) => ({
  ...unknown,
  offer: exampleOffer({ gpuCount, priceHourly, pricePerGpu: priceHourly / gpuCount }),
});
const machines = ListingCatalog.of([machine(1, 1.9), machine(1, 30), machine(8, 16), machine(8, 400)]);

test.each([
  ["h100 under $20/hr", []],
  ["8x h100 under $20/hr", ["under $20/hr"]],
  ["h100 under $999", ["under $999"]],
  ["h100 over $999", ["over $999"]],
  ["h100 spot", ["spot"]],
  ["h100 with ubuntu", ["ubuntu"]],
  ["h100 for inference", ["inference"]],
  ["h100 or xyzzy", ["h100 or xyzzy"]],
  ["xyzzy", ["xyzzy"]],
])("with strict, %j is an error for its doubtful words alone", (q, doubtful) => {
  const { problems } = machines.prepare({ q, strict: true });
  expect(problems.map(({ parameter }) => parameter)).toEqual(doubtful.map(() => "q"));
  doubtful.forEach((words, at) => {
    expect(problems[at]?.reason).toContain(`is doubtful: ${words}: `);
  });
  expect(machines.prepare({ q }).problems).toEqual([]);
});

test("the other reading is one that the words in its place have", () => {
  const q = "8x h100 under $20/hr";
  const [price] = machines.prepare({ q }).search?.pieces.slice(-1) ?? [];
  const other = price === undefined ? "" : withoutPiece(q, price, price.instead);
  expect(other).toBe("8x h100 under $20/hr per gpu");
  expect(machines.prepare({ q: other }).search?.pieces.map(({ as, doubt }) => [as, doubt])).toContainEqual([
    "below $20 per GPU-hour",
    undefined,
  ]);
});

test("says that no match of the other words has a spot price, where others have one", () => {
  const spot = { kind: "price", priceHourly: 1 } as const;
  const mixed = ListingCatalog.of([machine(8, 16), { ...machine(1, 2), spot }]);
  const doubtOf = (q: string) => mixed.prepare({ q }).understood.find(({ text }) => text === "spot")?.doubt;
  expect(doubtOf("spot 8x h100")).toBe("no offer here that matches the rest has one");
  expect(doubtOf("spot 1x h100")).toBeUndefined();
  expect(doubtOf("spot 4x h100")).toBeUndefined();
});

test("a disk for weights is that of the model with a fifth more, or the largest that is asked for", () => {
  const wish = (q: string) => machines.prepare({ q }).query.disk;
  expect(wish("llama 70b with its weights on disk")).toBe(168);
  expect(wish("1tb disk, 70b with all its weights on the local disk")).toBe(1000);
  expect(wish("weights on disk, 100gb disk, qwen 405b")).toBe(972);
  expect(wish("h100 with its weights on disk")).toBeUndefined();
});

test("reports only the first 5 of many unknown words, each of which takes a look at all names", () => {
  const q = Array.from({ length: 24 }, (_, index) => `zq${index}vk`).join(" ");
  expect(catalog.prepare({ q }).understood.map(({ text }) => text)).toEqual([0, 1, 2, 3, 4].map((n) => `zq${n}vk`));
});

test.each([
  ["runs llama", "llama", "unknown; write a model with its size, such as llama 70b"],
  ["lammbda", "lammbda", "unknown; did you mean lambda?"],
  ["qlora", "qlora", "unknown"],
  ["rgb", "rgb", "unknown"],
])("of %j, it says of %s: %s", (q, text, as) => {
  const fits = ListingCatalog.of([
    { ...unknown, offer: exampleOffer({ provider: { name: "lambda", slug: "lambda" } }) },
  ]);
  expect(fits.prepare({ q }).understood).toContainEqual({ text, as, nearest: as.includes("lambda") ? ["lambda"] : [] });
});
