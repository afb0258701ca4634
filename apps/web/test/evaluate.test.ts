import { createReadStream } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import {
  compileSearch,
  isPlainQuery,
  ListingCatalog,
  listingColumns,
  UNKNOWN_LISTING_FACTS,
  listingTotal,
  pickerComparator,
  pricedOffer,
  matchesListing,
  type FilteredListing,
  LISTING_PARAMETERS,
  type ListingParameter,
  type ListingQuery,
  type RestrictedImage,
} from "@gpu-offers/domain";
import {
  decodeCompactList,
  encodeCompactList,
  evaluate,
  jobWords,
  valueCounts,
  withoutJobWords,
} from "@gpu-offers/list";
import { openCatalog } from "@gpu-offers/sources";
import { corpus } from "@gpu-offers/testkit/search-corpus";
import { catalogOf, findPosition, identityAt, listingAt, rowsOfResult, type Catalog } from "../src/catalog.ts";

// The page evaluates queries over the compact file. Its lists must be those of the service, which has ids and all columns,
// and those of the picker.

const STARTER = new URL("../../api/catalog/starter.json", import.meta.url);

const ubuntu = { id: "u", displayName: "Ubuntu 22.04", slug: "u", hasCuda: true, cudaVersion: "12.4", hasDocker: true };
const debian = { ...ubuntu, id: "d", displayName: "Debian 12", slug: "d", hasCuda: false, cudaVersion: null };
const IMAGES: ReadonlyMap<string, readonly RestrictedImage[]> = new Map([
  ["lambda", [{ ...ubuntu, isDefault: true, instanceTypes: ["gpu_1x_h100_pcie", "gpu_8x_h100_sxm5"] }]],
  [
    "aws",
    [
      { ...ubuntu, isDefault: true },
      { ...debian, isDefault: false },
    ],
  ],
]);

/** Fails the test: what must be there isn't. */
function missing(): never {
  throw new Error("The page has no such result.");
}

let listings: FilteredListing[];
let service: ListingCatalog;
let page: Catalog;
/** Positions of the file as positions of the service. */
let order: number[];

beforeAll(async () => {
  const { items } = await openCatalog(createReadStream(STARTER), { path: STARTER.pathname });
  listings = [];
  for await (const item of items) {
    if (item.kind === "offer") {
      listings.push({ offer: item.offer, ...UNKNOWN_LISTING_FACTS, ...item.listing });
    }
  }
  // Some hosts that their marketplace hasn't verified, and some spot prices.
  listings = listings.map((listing, index) => ({
    ...listing,
    verified: index % 11 === 0 ? false : index % 7 === 0 ? true : null,
    spot: index % 3 === 0 ? { priceHourly: Math.round(listing.offer.priceHourly * 40) / 100, kind: "price" } : null,
  }));
  service = ListingCatalog.of(listings, IMAGES);
  const of = (at: number) => listings[at]?.offer ?? missing();
  order = listings
    .map((_, at) => at)
    .sort(
      (a, b) =>
        of(a).pricePerGpu - of(b).pricePerGpu ||
        of(a).priceHourly - of(b).priceHourly ||
        (of(a).id < of(b).id ? -1 : 1),
    );
  const text = [
    ...encodeCompactList({
      etag: '"test"',
      notices: [],
      sources: [],
      images: IMAGES,
      gone: [],
      columns: listingColumns(listings),
      order,
      stale: listings.map(() => 0),
      reliabilityAt: () => null,
    }),
  ].join("");
  page = catalogOf(decodeCompactList(JSON.parse(text)));
  page.named = new ListingCatalog(page.index, page.list.images);
});

const idsOfPage = (query: ListingQuery): string[] => {
  const result = evaluate(page, query) ?? missing();
  return Array.from(result.positions, (at) => listings[order[at] ?? -1]?.offer.id ?? "");
};
const idsOfService = (query: ListingQuery): string[] => {
  const { selection } = service.prepare(query);
  const { positions } = service.select(selection, { page: 0, size: service.index.size });
  return Array.from(positions, (at) => listings[at]?.offer.id ?? "");
};

const TEXTS = corpus.map(({ text }) => text);
const QUERIES: readonly ListingQuery[] = [
  {},
  { disk: 500 },
  { disk: 500, sort_by: "total" },
  { disk: 2000, sort_by: "total", sort_order: "desc", hours: 24 },
  { spot: "true" },
  { spot: "true", sort_by: "total", disk: 100 },
  { sort_by: "gpuCount", sort_order: "desc" },
  { sort_by: "bandwidthPrice" },
  { available: true, min_gpu_count: 8, max_price: 3 },
  { country: ["European Union"], gpu: ["h100"] },
  { verified: "any" },
  { verified: "true" },
  { budget: 100, hours: 24, disk: 200 },
  { fits: "70b@8,16k" },
];

test("has the service's list for every search of the corpus", () => {
  expect(TEXTS.length).toBeGreaterThan(300);
  for (const q of TEXTS) {
    const query: ListingQuery = { verified: "not-false", q };
    expect([q, idsOfPage(query)]).toEqual([q, idsOfService(query)]);
  }
});

test("has the service's list and totals for every kind of query", () => {
  for (const query of QUERIES) {
    expect([query, idsOfPage(query)]).toEqual([query, idsOfService(query)]);
    const { positions, isSpot, diskGb, hours } = evaluate(page, query) ?? missing();
    for (const at of positions) {
      const original = listings[order[at] ?? -1] ?? missing();
      expect(listingTotal(listingAt(page, at, isSpot).offer, { disk: diskGb, hours })).toEqual(
        listingTotal(pricedOffer(original, isSpot), { disk: query.disk, hours: query.hours }),
      );
    }
  }
});

test("has the picker's result for every search of the corpus that wishes nothing beside", () => {
  const offers = listings
    .filter((listing) => matchesListing(listing, { verified: "not-false" }))
    .map(({ offer, instanceType, spot: terms, sample = false }) => {
      const spot = terms && { priceHourly: terms.priceHourly, kind: "price" as const };
      return Object.assign(offer, { listing: { ...UNKNOWN_LISTING_FACTS, instanceType, spot, sample } });
    });
  let compared = 0;
  for (const q of TEXTS) {
    const search = compileSearch(q).among(offers);
    if (Object.keys(search.parsed.wishes).length > 0) {
      continue;
    }
    compared++;
    const sorted = offers.filter(search).sort(pickerComparator({ sort: "pricePerGpu", order: "asc" }));
    expect([q, idsOfPage({ verified: "not-false", q })]).toEqual([q, sorted.map(({ id }) => id)]);
  }
  expect(compared).toBeGreaterThan(200);
});

test("a query without names needs no names: the same before and after they are loaded", () => {
  const bare: Catalog = { ...page, named: undefined };
  const plain = QUERIES.filter(isPlainQuery);
  expect(plain.length).toBeGreaterThan(8);
  for (const query of plain) {
    expect([query, evaluate(bare, query)?.positions]).toEqual([query, evaluate(page, query)?.positions]);
  }
  expect(evaluate(bare, {})).toBeDefined();
  expect(evaluate(bare, { q: "h100" })).toBeUndefined();
});

test("counts of facets are what choosing a value shows", () => {
  const base: ListingQuery = { verified: "not-false", q: "h100", country: ["US", "NO", "FI"] };
  const counts = valueCounts({ index: page.index, images: page.list.images }, evaluate(page, base) ?? missing());
  let compared = 0;
  for (const [name, values] of counts) {
    const { kind }: ListingParameter = LISTING_PARAMETERS[name];
    for (const [value, { count }] of values) {
      compared++;
      const given = kind === "text" ? value : [name === "gpu" ? `=${value}` : value];
      expect([name, value, idsOfPage({ ...base, [name]: given }).length]).toEqual([name, value, count]);
    }
  }
  expect(compared).toBeGreaterThan(60);
});

test("parameters that can't be right are reported and left out", () => {
  const { problems, positions } = evaluate(page, { gpu: ["h1000"], min_gpu_count: 9, max_gpu_count: 2 }) ?? missing();
  expect(problems.map((problem) => problem.split(" ")[0])).toEqual(["gpu", "min_gpu_count"]);
  expect(positions.length).toBe(idsOfService({ max_gpu_count: 2 }).length);
});

test("each row is found again by what it is, and rows hold every match once", () => {
  const result = evaluate(page, {}) ?? missing();
  const rows = rowsOfResult(page, result, new Set());
  expect(rows.flatMap(({ at, places }) => places ?? [at]).sort((a, b) => a - b)).toEqual(
    [...result.positions].sort((a, b) => a - b),
  );
  for (const { at } of rows) {
    const found = findPosition(page, identityAt(page, at)) ?? -1;
    expect(identityAt(page, found)).toEqual(identityAt(page, at));
  }
});

test("words say what the controls of the job show, and a control takes the place of its words", () => {
  for (const [q, said, name, without] of [
    ["8xh100 eu", { min_gpu_count: "8", gpu: "h100", continent: "Europe" }, "gpu", "8x eu"],
    ["4+ h100 in europe", { min_gpu_count: "4", gpu: "h100", continent: "Europe" }, "continent", "4+ h100"],
    [
      "h100 1tb disk for 3 days budget $50",
      { gpu: "h100", disk: "1000", hours: "72", budget: "50" },
      "hours",
      "h100 1tb disk budget $50",
    ],
    ["llama 70b cheapest", { fits: "70b" }, "fits", "cheapest"],
    ["h100 or a100 norway under $3", {}, "gpu", "h100 or a100 norway under $3"],
  ] as const) {
    const job = jobWords(service, evaluate(page, { q })?.search);
    expect([q, Object.fromEntries(Array.from(job, ([filter, { text }]) => [filter, text]))]).toEqual([q, said]);
    expect(withoutJobWords(q, job, [name])).toBe(without);
    expect(job.get("min_gpu_count")?.after).toBe(q.startsWith("8x") ? "GPUs" : undefined);
  }
});
