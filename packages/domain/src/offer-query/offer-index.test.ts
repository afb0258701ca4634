import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { idsCalled, SHORT_ID } from "../offer/offer-id.js";
import { OfferIndexBuilder } from "./offer-index-build.js";
import { OfferIndex } from "./offer-index.js";
import { listOffersQuerySchema } from "./offer-query-schema.js";
import { listOffers } from "./offer-list.js";
import type { Offer } from "../offer/offer-schema.js";
import { arbitraryOffer, arbitraryOffers, arbitraryQuery, arbitraryText, exampleOffer } from "../offer.fixture.js";

describe("the offer index", () => {
  test("resolves every query like a filter, sort and slice of all offers", () => {
    fc.assert(
      fc.property(
        arbitraryOffers(120),
        fc.array(arbitraryQuery, { minLength: 1, maxLength: 20 }),
        (offers, queries) => {
          const index = OfferIndex.of(offers);
          for (const parameters of queries) {
            const query = listOffersQuerySchema.parse(parameters);
            const { positions, ...counts } = index.page(query);
            expect({ offers: positions.map((position) => offers[position]), ...counts }).toEqual(
              listOffers(offers, query),
            );
          }
        },
      ),
      { numRuns: 300, seed: 20_261_120 },
    );
  });

  test("returns every offer exactly once, for any order and page size", () => {
    fc.assert(
      fc.property(
        arbitraryOffers(80),
        fc.constantFrom("pricePerGpu", "priceHourly", "gpuCount"),
        fc.constantFrom("asc", "desc"),
        fc.integer({ min: 1, max: 30 }),
        (offers, sort_by, sort_order, size) => {
          const index = OfferIndex.of(offers);
          const seen: number[] = [];
          for (let page = 0, hasMore = offers.length > 0; hasMore; page++) {
            const response = index.page(
              listOffersQuerySchema.parse({ sort_by, sort_order, size: String(size), page: String(page) }),
            );
            seen.push(...response.positions);
            hasMore = response.hasMore;
          }
          expect(seen.toSorted((a, b) => a - b)).toEqual(offers.map((_, position) => position));
        },
      ),
      { seed: 20_261_120 },
    );
  });

  test("equals the list on every page, including deep ones, for queries that merge several groups", () => {
    const offers = fc.sample(arbitraryOffer, { numRuns: 3_000, seed: 20_261_121 });
    const index = OfferIndex.of(offers);
    expect(index.size).toBe(3_000);
    for (const filter of [
      { gpu: "h100-sxm,rtx-4090,no-such-gpu" },
      { continent: "Europe,Asia,Africa" },
      { gpu: "h100-sxm,l40s", continent: "Europe,North America", min_gpu_count: "2", max_gpu_count: "8" },
      { min_gpu_count: "4" },
      { max_gpu_count: "2" },
      { gpu: "no-such-gpu" },
    ]) {
      for (const sort of [{}, { sort_order: "desc" }, { sort_by: "priceHourly" }, { sort_by: "gpuCount" }]) {
        for (let page = 0, hasMore = true; hasMore; page++) {
          const query = listOffersQuerySchema.parse({ ...filter, ...sort, page: String(page), size: "97" });
          const { positions, ...counts } = index.page(query);
          const { offers: expected, ...expectedCounts } = listOffers(offers, query);
          expect(counts).toEqual(expectedCounts);
          expect(positions.map((position) => offers[position]?.id)).toEqual(expected.map(({ id }) => id));
          hasMore = counts.hasMore;
        }
      }
    }
  });

  test("can be built in one thread and transferred to another with all its memory", () => {
    const offers = fc.sample(arbitraryOffer, { numRuns: 1_025, seed: 20_261_122 });
    const builder = new OfferIndexBuilder();
    for (const offer of offers) {
      builder.add(offer);
    }
    const parts = builder.build();
    const index = OfferIndex.fromParts(structuredClone(parts, { transfer: parts.buffers }));
    const { groupStarts, idWords, idPositions, pricePerGpu, priceHourly } = parts;
    const orderings = [pricePerGpu.asc, pricePerGpu.desc, priceHourly.asc, priceHourly.desc];
    const columns = orderings.flatMap(({ positionByRank, groupRanks }) => [positionByRank, groupRanks]);
    expect([groupStarts, idWords, idPositions, ...columns].map((column) => column.byteLength)).toEqual(
      Array.from({ length: 11 }, () => 0),
    );
    const query = listOffersQuerySchema.parse({ gpu: "h100-sxm", page: "1" });
    expect(index.page(query).positions.map((position) => offers[position])).toEqual(listOffers(offers, query).offers);
    expect(index.size).toBe(1_025);
    expect(offers.map(({ id }) => index.find(id))).toEqual([...offers.keys()]);
  });

  test("finds each offer by its id, and nothing for any other text", () => {
    fc.assert(
      fc.property(arbitraryOffers(50), fc.oneof(fc.string(), fc.uuid()), (offers, text) => {
        fc.pre(offers.every(({ id }) => id !== text));
        const index = OfferIndex.of(offers);
        for (const [position, offer] of offers.entries()) {
          expect(index.find(offer.id)).toBe(position);
          expect(index.find(offer.id.toUpperCase())).toBe(/[a-f]/.test(offer.id) ? undefined : position);
        }
        expect(index.find(text)).toBe(undefined);
      }),
      { seed: 20_261_120 },
    );
    expect(OfferIndex.of([]).find("5b0c1f0e-6f0a-5c1e-9a53-0d8a3c5b7e11")).toBe(undefined);
  });

  test("finds offers by the start of their ids", () => {
    fc.assert(
      fc.property(arbitraryOffers(20), fc.integer({ min: 6, max: 37 }), fc.string(), (some, length, text) => {
        const ids = [...new Set(some.flatMap(({ id }) => [id, `${id.slice(0, -2)}00`, `${id.slice(0, -2)}ff`]))];
        const index = OfferIndex.of(ids.map((id) => exampleOffer({ id })));
        for (const start of [...ids.map((id) => id.slice(0, length)), (ids[0] ?? "").toUpperCase(), text]) {
          const found = Array.from(index.findByStart(start), (position) => ids[position]);
          expect(found).toEqual(idsCalled(start, ids).sort());
          expect(found.length > 0).toBe(length >= SHORT_ID ? start !== text && start !== "" : start.length === 36);
        }
      }),
      { seed: 20_261_126 },
    );
  });

  test("rejects an id that is not a lower-case UUID, and a duplicate", () => {
    expect(() => OfferIndex.of([exampleOffer({ id: "42" })])).toThrow('not "42"');
    const [first, second, third] = ["00000000", "11111111", "22222222"].map((start) =>
      exampleOffer({ id: `${start}-0000-0000-0000-000000000000` }),
    ) as [Offer, Offer, Offer];
    expect(OfferIndex.of([third, second, first]).find(first.id)).toBe(2);
    expect(() => OfferIndex.of([third, second, first, second])).toThrow(
      new RangeError("Two offers have the id 11111111-0000-0000-0000-000000000000."),
    );
  });

  test("rejects a filter that it doesn't know, like the list, and accepts one without a value", () => {
    const query = listOffersQuerySchema.parse({});
    const unknown = { ...query, minVramGb: 80 };
    const error = new RangeError("A list of offers has no parameter minVramGb.");
    expect(() => OfferIndex.of([exampleOffer()]).page(unknown)).toThrow(error);
    expect(() => listOffers([exampleOffer()], unknown)).toThrow(error);
    expect(OfferIndex.of([exampleOffer()]).page(Object.assign(query, { minVramGb: undefined })).totalElements).toBe(1);
  });

  test.each(Object.keys(listOffersQuerySchema.shape))("follows %s", (name) => {
    const offers = fc.sample(arbitraryOffer, { numRuns: 200, seed: 20_261_123 });
    const index = OfferIndex.of(offers);
    const positionsFor = (texts: object): number[] => index.page(listOffersQuerySchema.parse(texts)).positions;
    const some = fc.sample(arbitraryText(name), { numRuns: 20, seed: 20_261_123 });
    expect(some.map((text) => positionsFor({ [name]: text }))).not.toEqual(some.map(() => positionsFor({})));
  });

  test("has correct totals for an empty catalog", () => {
    expect(OfferIndex.of([]).page(listOffersQuerySchema.parse({ gpu: "h100", sort_by: "gpuCount" }))).toEqual({
      positions: [],
      page: 0,
      totalPages: 0,
      totalElements: 0,
      hasMore: false,
    });
  });
});
