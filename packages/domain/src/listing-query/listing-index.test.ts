import { conditionsOf, matchesListing } from "./listing-filter.js";
import type { FilteredListing, ListingParameter } from "./listing-parameter.js";
import { LISTING_PARAMETER_NAMES } from "./listing-parameter-names.js";
import { LISTING_PARAMETERS, type ListingParameterName } from "./listing-parameters.js";
import { listingArgumentShape, type ListingQuery, listingQuerySchema } from "./listing-query-schema.js";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pricedOffer } from "../offer/priced-offer.js";
import { ListingIndex, type ListingSelection } from "./listing-index.js";
import { BESIDE, examplesOf } from "./listing-examples.fixture.js";
import { LISTING_PARAMETER_DOCS, type ListingParameterDocs } from "./listing-parameter-docs.js";
import { resolveListingQuery, type ListingNames } from "./listing-resolve.js";
import { UNKNOWN_LISTING_FACTS } from "../offer/listing.js";
import type { ListingFacts } from "../offer/listing-schema.js";
import { listingColumns } from "../columns/listing-columns-builder.js";
import { ListingCursor } from "../columns/listing-cursor.js";
import { arbitraryListing, exampleImage, exampleOffer, instanceTypes } from "../offer.fixture.js";
import { pickerComparator } from "./listing-order.js";
import { positionsWhere } from "../position-bits.js";
import { present } from "../present.js";

type TestListing = FilteredListing;

const names: ListingNames = {
  providers: ["aws", "vast", "lambda"],
  gpus: [],
  regions: ["us-east-1", "us-east-1/use1-az4", "Texas, US"],
  instanceTypes,
  images: new Map([
    [
      "aws",
      [
        exampleImage({
          id: "ubuntu-22.04",
          slug: "ubuntu-22.04",
          displayName: "Ubuntu 22.04",
          hasCuda: true,
          cudaVersion: "12.4",
        }),
      ],
    ],
    ["vast", [{ ...exampleImage(), instanceTypes: ["g6.xlarge"] }]],
  ]),
};

/** Values of every parameter. The search words have a test of their own. */
const values = Object.fromEntries(
  LISTING_PARAMETER_NAMES.filter((name) => !["q", "page", "size"].includes(name)).map((name) => [
    name,
    examplesOf(name),
  ]),
);

const parse = (texts: Record<string, string>): ListingQuery => listingQuerySchema.parse(texts);

const queries: fc.Arbitrary<Record<string, string>> = fc
  .record(Object.fromEntries(Object.entries(values).map(([name, texts]) => [name, fc.constantFrom(...texts)])), {
    requiredKeys: [],
  })
  .chain((all) =>
    // All of them at once match nothing.
    fc
      .subarray(Object.keys(all), { maxLength: 5 })
      .map((kept) => Object.fromEntries(kept.map((key) => [key, String(all[key])]))),
  );

const factsOf = ({ availability = null }: TestListing): ListingFacts => ({ ...UNKNOWN_LISTING_FACTS, availability });

/** What the index must return: filter, sort, slice. */
function reference(listings: readonly TestListing[], { filter, sort }: ListingSelection): string[] {
  const compare = pickerComparator(sort);
  return listings
    .filter((listing) => matchesListing(listing, filter))
    .map((listing) => Object.assign({}, pricedOffer(listing, filter.spot !== undefined), { listing: factsOf(listing) }))
    .sort(compare)
    .map(({ id }) => id);
}

describe("a listing query", () => {
  const uniqueListings = fc.uniqueArray(arbitraryListing, { maxLength: 60, selector: ({ offer }) => offer.id });

  test("returns what filtering, sorting and slicing return", () => {
    fc.assert(
      fc.property(
        uniqueListings,
        queries,
        fc.nat(3),
        fc.integer({ min: 1, max: 20 }),
        (listings, texts, page, size) => {
          const { filter, sort, problems } = resolveListingQuery(parse(texts), names);
          fc.pre(problems.length === 0);
          const index = new ListingIndex(listingColumns(listings));
          const expected = reference(listings, { filter, sort });
          const result = index.select({ filter, sort }, { page, size });
          const ids = [...result.positions].map((position) => index.listingAt(position).offer.id);
          expect(ids).toEqual(expected.slice(page * size, (page + 1) * size));
          expect(result.total).toBe(expected.length);
          const all = index.evaluate({ filter, sort }).positions;
          expect([...all].map((position) => index.listingAt(position).offer.id)).toEqual(expected);
        },
      ),
      { seed: 20_261_123, numRuns: 1_000 },
    );
  });

  // Few prices, so that many are equal. Each distinct disk is a group of costs.
  test.each([1, 3_000])("by total with a disk, returns pages of the whole order, of %i groups or more", (disks) => {
    const facts = fc.record({
      priceHourly: fc.constantFrom(1, 1.01, 1.2, 3, 999_999_999),
      storageMaxGB: fc.constantFrom(50, 1_000),
      spot: fc.constantFrom(null, 0.5, 1),
    });
    const many = fc.array(facts, { minLength: 80, maxLength: 120 });
    const page = fc.record({ page: fc.nat(250), size: fc.integer({ min: 1, max: 30 }) });
    const sort = fc.record({
      sort: fc.constant("total" as const),
      order: fc.constantFrom("asc", "desc"),
      diskGb: fc.constantFrom(1, 60, 500),
    });
    const filter = fc.constantFrom({}, { spot: "bid" as const });
    const property = fc.property(many, page, fc.record({ sort, filter }), (all, range, selection) => {
      const listings = Array.from({ length: all.length * 80 }, (_, number): TestListing => {
        const { spot, priceHourly, storageMaxGB } = present(all[number % all.length]);
        const priced = exampleOffer({
          gpuCount: 1,
          priceHourly,
          pricePerGpu: priceHourly,
          isAvailable: number % 8 > 0,
        });
        const disk = { storageCostPerGB: 0.001, storageMinGB: 0, storageMaxGB: storageMaxGB + (number % disks) };
        const offer = { ...priced, ...disk, id: String((number * 7_919) % 10_000).padStart(6, "0") };
        return { ...UNKNOWN_LISTING_FACTS, offer, spot: spot === null ? null : { priceHourly: spot, kind: "price" } };
      });
      const index = new ListingIndex(listingColumns(listings));
      const { positions } = index.select(selection, range);
      const ids = [...positions].map((position) => index.listingAt(position).offer.id);
      const first = range.page * range.size;
      expect(ids).toEqual(reference(listings, selection).slice(first, first + range.size));
    });
    fc.assert(property, { seed: 20_261_128, numRuns: disks === 1 ? 15 : 4, endOnFailure: true });
  });

  // Reading 10,000 numbers takes some milliseconds; what a request does between two yields holds all others.
  test("makes an order in slices, keeps it, and has the usual one ready", () => {
    const listings = Array.from({ length: 30_000 }, (_, number): TestListing => {
      const offer = { ...exampleOffer(), id: String(number).padStart(6, "0"), pricePerGpu: number % 700 };
      return { offer, instanceType: null, seller: null, verified: null, spot: null };
    });
    const parts = listingColumns(listings);
    const prepared = new ListingIndex(parts).prepare();
    // The last two aren't made in slices.
    expect(new Set(prepared.orders.keys())).toEqual(new Set(["pricePerGpu asc false", "ties false", "cost false"]));
    const index = new ListingIndex(parts, prepared);
    const slicesOf = (selection: ListingSelection): number => {
      const work = index.selecting(selection, { page: 0, size: 25 });
      let slices = 1;
      while (work.next().done !== true) {
        slices++;
      }
      return slices;
    };
    const usual: ListingSelection = { filter: {}, sort: { sort: "pricePerGpu", order: "asc" } };
    expect(slicesOf(usual)).toBe(1);
    // One for each group of facts
    expect(slicesOf({ ...usual, filter: { min_vram: 40, min_bandwidth: 1, min_ram: 1, disk: 10 } })).toBe(4);
    const other: ListingSelection = { filter: {}, sort: { sort: "priceHourly", order: "desc" } };
    expect(slicesOf(other)).toBeGreaterThan(2 * 3);
    expect(slicesOf(other)).toBe(1);
    // A disk changes which prices are lower bounds; only costs are sorted by what it costs.
    expect(slicesOf({ filter: {}, sort: { sort: "priceHourly", order: "desc", diskGb: 500 } })).toBe(1);
    const costs: ListingSelection = { filter: {}, sort: { sort: "total", order: "asc", diskGb: 500 } };
    expect(slicesOf(costs)).toBeGreaterThan(2 * 3);
    expect(index.evaluate({ ...costs, filter: { min_vram: 100_000 } }).positions).toHaveLength(0);
  });

  test("says of each listing whether it matches, or which filter or words alone exclude it", () => {
    const few = fc.uniqueArray(arbitraryListing, { maxLength: 40, selector: ({ offer }) => offer.id });
    // Words that most listings have, so that filters matter, too.
    const isFound = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 40, maxLength: 40 });
    const property = fc.property(few, queries, fc.option(isFound), (listings, texts, found) => {
      const { filter, sort, problems } = resolveListingQuery(parse(texts), names);
      fc.pre(problems.length === 0);
      const words = found === null ? undefined : positionsWhere(listings.length, (at) => present(found[at]) > 0);
      const conditions = conditionsOf(filter);
      const keys = [...(found === null ? [] : ["q"]), ...conditions.map(({ name }) => name)];
      const codes = listings.map((listing, at) => {
        const priced = { ...listing, offer: pricedOffer(listing, filter.spot !== undefined) };
        const isMet = conditions.map(({ holds }) => holds(priced));
        const failed = [...(found === null ? [] : [present(found[at]) > 0]), ...isMet].flatMap((is, index) =>
          is ? [] : index + 1,
        );
        return failed.length > 1 ? 255 : (failed[0] ?? 0);
      });
      const index = new ListingIndex(listingColumns(listings));
      const { outcomes, positions } = index.evaluate({ filter, sort, words });
      expect([outcomes.keys, [...outcomes.codes]]).toEqual([keys, codes]);
      const counts = keys.map((key, number) => [key, codes.filter((code) => code === number + 1).length] as const);
      const page = index.select({ filter, sort, words }, { page: 0, size: 5 });
      expect([...page.excludedBy]).toEqual(counts.filter(([, count]) => count > 0));
      const inOrder = index.evaluate({ filter: { spot: filter.spot }, sort }).positions;
      expect([...positions]).toEqual([...inOrder].filter((at) => codes[at] === 0));
      expect([...page.positions]).toEqual([...positions].slice(0, 5));
    });
    fc.assert(property, { seed: 20_261_128, numRuns: 1_000 });
  });

  test("without matches says how many match without each filter alone", () => {
    fc.assert(
      fc.property(uniqueListings, queries, (listings, texts) => {
        const { filter, sort, problems } = resolveListingQuery(parse(texts), names);
        fc.pre(problems.length === 0);
        const { total, excludedBy } = new ListingIndex(listingColumns(listings)).select(
          { filter, sort },
          { page: 0, size: 1 },
        );
        fc.pre(total === 0);
        // Prices stay those of the query, even without the condition that there is a spot price.
        const isSpot = filter.spot !== undefined;
        const priced = listings.map((listing) => ({ ...listing, offer: pricedOffer(listing, isSpot) }));
        const given = Object.entries(filter).flatMap(([key, value]) =>
          value === undefined || key === "hours" ? [] : [key],
        );
        const expected = given.flatMap((key) => {
          const rest = { ...filter, [key]: undefined, spot: undefined };
          const wantedSpot = key === "spot" ? undefined : filter.spot;
          const hasSpot = ({ spot }: TestListing) =>
            wantedSpot === undefined || (spot !== null && (wantedSpot === "bid" || spot.kind === "price"));
          const count = priced.filter((listing) => matchesListing(listing, rest) && hasSpot(listing)).length;
          // Other filters use the disk, so dropping it is more than not meeting it.
          return count === 0 || key === "disk" ? [] : [[key, count] as const];
        });
        const counted = [...excludedBy].filter(([key]) => key !== "disk");
        expect(Object.fromEntries(counted)).toEqual(Object.fromEntries(expected));
      }),
      { seed: 20_261_124, numRuns: 1_000 },
    );
  });

  test("counts what one filter alone excludes, also beside matches", () => {
    fc.assert(
      fc.property(uniqueListings, queries, (listings, texts) => {
        const { filter, sort, problems } = resolveListingQuery(parse({ ...texts, verified: "true" }), names);
        fc.pre(problems.length === 0);
        const index = new ListingIndex(listingColumns(listings));
        const without = reference(listings, { filter: { ...filter, verified: undefined }, sort });
        const excluded = without.length - reference(listings, { filter, sort }).length;
        const { excludedBy } = index.select({ filter, sort }, { page: 0, size: 1 });
        expect(excludedBy.get("verified") ?? 0).toBe(excluded);
      }),
      { seed: 20_261_125, numRuns: 300 },
    );
  });

  // With this number, most have the facts of any group in common with one that differs in others.
  const listings = fc.sample(arbitraryListing, { seed: 5, numRuns: 1_200 });

  test.each(LISTING_PARAMETER_NAMES.filter((name) => name in values && name !== "strict"))(
    "is changed by the parameter %s, whose rule depends on what its row says",
    (name) => {
      const index = new ListingIndex(listingColumns(listings));
      const beside = BESIDE[name];
      const results = [undefined, ...(values[name] ?? [])].map((text) => {
        const { filter, sort, problems } = resolveListingQuery(
          parse({ ...beside, ...(text !== undefined && { [name]: text }) }),
          names,
        );
        expect(problems).toEqual([]);
        const found = [...index.evaluate({ filter, sort }).positions];
        const matching = listings.flatMap((listing, at) => (matchesListing(listing, filter) ? [at] : []));
        expect(found.toSorted((a, b) => a - b)).toEqual(matching);
        return found.join(" ");
      });
      expect(new Set(results).size).toBeGreaterThan(1);
    },
  );

  test("finds the positions of the words among the others", () => {
    const index = new ListingIndex(listingColumns(listings));
    const words = new Uint32Array(Math.ceil(listings.length / 32));
    words[1] = 0b1010;
    const { filter, sort } = resolveListingQuery({ min_gpu_count: 1 }, names);
    expect([...index.evaluate({ filter, sort, words }).positions].toSorted((a, b) => a - b)).toEqual([33, 35]);
    const none = index.select({ filter: { ...filter, min_gpu_count: 100 }, sort, words }, { page: 0, size: 1 });
    expect(none.excludedBy).toEqual(new Map([["min_gpu_count", 2]]));
  });
});

describe("the parameters", () => {
  test("have a name on every door, a control or an order, and examples that can be read", () => {
    const withoutFilter = new Set<ListingParameterName>(["strict", "sort_by", "sort_order", "page", "size"]);
    for (const name of LISTING_PARAMETER_NAMES) {
      const parameter: ListingParameter = LISTING_PARAMETERS[name];
      const { help, examples }: ListingParameterDocs = LISTING_PARAMETER_DOCS[name];
      expect({
        name,
        hasFilter: parameter.control !== undefined,
        hasFlag: parameter.flag !== null,
        hasArgument: parameter.argument !== null,
        helpFits: help.length <= 60,
        problems: examples.map((example) => listingQuerySchema.safeParse({ [name]: example }).error),
      }).toEqual({
        name,
        hasFilter: !withoutFilter.has(name),
        hasFlag: name !== "page",
        hasArgument: true,
        helpFits: true,
        problems: examples.map(() => undefined),
      });
    }
    expect(Object.keys(listingArgumentShape())).toHaveLength(LISTING_PARAMETER_NAMES.length);
  });

  test("have different names, labels and chips on each door, and labels that fit", () => {
    const rows = LISTING_PARAMETER_NAMES.map((name): ListingParameter => LISTING_PARAMETERS[name]);
    const labels = rows.flatMap(({ control }) => control?.label ?? []);
    const chips = rows
      .flatMap(({ chip, kind }) => (kind === "boolean" ? [] : (chip?.("12", {}) ?? [])))
      .filter((text) => text !== "12");
    for (const named of [rows.map(({ flag }) => flag), rows.map(({ argument }) => argument), labels, chips]) {
      const given = named.filter((name) => name !== null);
      expect(given.filter((name, place) => given.indexOf(name) !== place)).toEqual([]);
    }
    expect(labels.filter((label) => label.length > 18)).toEqual([]);
  });

  test.each([
    [{ gpu: "h100," }, "must not have an empty item"],
    [{ gpu: "" }, "must not have an empty item"],
    [{ nvlink: "yes" }, "must be true or false"],
    [{ seller: "cloud,reseller" }, "must be one of cloud, partner, host"],
    [{ cuda: "twelve" }, "must be a version such as 12 or 12.4"],
    [{ verified: "maybe" }, "must be one of any, not-false, true"],
    [{ size: "101" }, "must be a whole number from 1 to 100"],
    [{ q: "a\u001b" }, "must be printable text of at most 1000 characters"],
    [{ max_price: "cheap" }, "must be an amount in USD, such as 2.50 or $2, with at most 6 decimals"],
    [{ gpu: ["h100", "h200"] }, "must be given once, not 2 times"],
  ])("of the query %j are rejected", (texts, message) => {
    expect(listingQuerySchema.safeParse(texts).error?.issues).toMatchObject([{ message }]);
  });
});

describe("names in a query", () => {
  const problemsOf = (query: ListingQuery) => resolveListingQuery(query, names).problems;
  const understood = (query: ListingQuery) => resolveListingQuery(query, names).understood;

  test("are said if they mean something else than is written", () => {
    expect(understood({ gpu: ["h200", "=h100"] })).toEqual([{ text: "h200", as: "h200, h200-nvl, h200-sxm" }]);
    expect(understood({ gpu: ["h100-sxm"], provider: ["Vast.ai"], country: ["NO"] })).toEqual([
      { text: "Vast.ai", as: "vast" },
    ]);
  });

  test("keep the continent and the Union apart, and say which was taken", () => {
    const union = resolveListingQuery({ country: ["European Union"] }, names);
    expect(union.filter.country).toHaveLength(27);
    expect(union.filter.country).not.toContain("NO");
    expect(union.filter.country).not.toContain("GB");
    expect(union.understood).toEqual([{ text: "European Union", as: "27 countries: AT, BE, BG ..." }]);
    expect(resolveListingQuery({ country: ["eu"] }, names).filter.country).toHaveLength(27);
    const continent = resolveListingQuery({ continent: ["EU"] }, names);
    expect(continent.filter.continent).toEqual(["Europe"]);
    expect(continent.understood[0]?.as).toMatch(/continent.*European Union/);
  });

  test.each([
    [{ gpu: ["h10O"] }, "gpu", /did you mean H100/],
    [{ gpu: ["voodoo"] }, "gpu", /unknown/],
    [{ provider: ["amazn"] }, "provider", /known are aws, vast, lambda/],
    [{ continent: ["Norway"] }, "continent", /use country=Norway/],
    [{ country: ["Asia"] }, "country", /use continent=Asia/],
    [{ region: ["us-east-2"] }, "region", /did you mean us-east-1/],
    [{ instance_type: ["p5.48xlarg"] }, "instance_type", /did you mean p5.48xlarge/],
    [{ image: "ubuntu-24.05" }, "image", /did you mean ubuntu-24.04/],
    [{ fits: "seventy" }, "fits", /70b/],
    [{ min_gpu_count: 8, max_gpu_count: 4 }, "min_gpu_count", /must not be above max_gpu_count/],
  ] satisfies [ListingQuery, ListingParameterName, RegExp][])("such as %j are problems", (query, parameter, reason) => {
    expect(problemsOf(query)).toContainEqual({ parameter, reason: expect.stringMatching(reason) });
  });

  test("of regions and types without offers are accepted if they are like no other", () => {
    expect(problemsOf({ region: ["moon-base-9"], instance_type: ["z99.metal"] })).toEqual([]);
  });
});

test("a minimum bid is a lower bound of the cost, and a spot price is one, in columns as in objects", () => {
  const offer = exampleOffer({ costDataComplete: true });
  for (const kind of ["price", "bid"] as const) {
    const listing = { offer, ...UNKNOWN_LISTING_FACTS, spot: { priceHourly: 0.5, kind } };
    const parts = listingColumns([listing]);
    for (const isSpot of [false, true]) {
      const isComplete = !(isSpot && kind === "bid");
      expect(pricedOffer(listing, isSpot).costDataComplete).toBe(isComplete);
      expect(new ListingCursor(parts, isSpot).offer.costDataComplete).toBe(isComplete);
    }
  }
});

test("a page beyond the last one is empty, and isn't sorted for", () => {
  const unknown = { instanceType: null, seller: null, verified: null, spot: null };
  const listings = Array.from({ length: 20_000 }, (_, number) => ({
    ...unknown,
    offer: exampleOffer({ priceHourly: 1 + ((number * 7919) % 100_000) / 100 }),
  }));
  const many = new ListingIndex(listingColumns(listings));
  const select = (page: number, diskGb: number) =>
    many.select({ filter: {}, sort: { sort: "total", order: "asc", diskGb } }, { page, size: 100 });
  const shortestMs = (page: number): number =>
    Math.min(
      ...[100, 200, 300].map((diskGb) => {
        const startedMs = performance.now();
        select(page, diskGb);
        return performance.now() - startedMs;
      }),
    );
  expect(select(200, 100)).toMatchObject({ positions: new Uint32Array(), total: 20_000 });
  expect(shortestMs(200)).toBeLessThan(shortestMs(199) / 4);
});
