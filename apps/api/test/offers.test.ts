import * as fc from "fast-check";
import {
  CONTINENTS,
  listOffers,
  listOffersQuerySchema,
  offerListSchema,
  offerSchema,
  publishedOfferSchema,
  SORT_KEYS,
  SORT_ORDERS,
  type Offer,
} from "@gpu-offers/domain";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { allOffers, publishedPageSchema } from "@gpu-offers/testkit/offer-queries";
import { SEED } from "@gpu-offers/testkit/synthetic";

const service = inject("service");
let offers: Offer[];

beforeAll(async () => {
  offers = await allOffers(service);
});

const page = async (query: string) =>
  publishedPageSchema.parse(jsonOf(await fetchFrom(service, `/api/v1/offers?${query}`)));

/** Valid queries as text, some of them for GPUs without offers. */
function arbitraryQuery(slugs: readonly string[]): fc.Arbitrary<Record<string, string>> {
  const list = (words: readonly string[]) =>
    fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }).map((items) => items.join(","));
  return fc
    .record(
      {
        gpu: list([...slugs, "no-such-gpu"]),
        continent: list(CONTINENTS),
        count: fc.constantFrom(1, 2, 4, 8),
        more: fc.constantFrom(0, 4),
        sort_by: fc.constantFrom(...SORT_KEYS),
        sort_order: fc.constantFrom(...SORT_ORDERS),
        page: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant(999_999_999)).map(String),
        size: fc.integer({ min: 1, max: 100 }).map(String),
      },
      { requiredKeys: [] },
    )
    .map(({ count, more, ...query }) =>
      Object.assign(
        query,
        count === undefined ? {} : { min_gpu_count: String(count) },
        more === undefined ? {} : { max_gpu_count: String((count ?? 1) + more) },
      ),
    );
}

describe("the list of offers", () => {
  test("responds to every query like a filter, sort and slice of all offers", async () => {
    const slugs = [...new Set(offers.map((offer) => offer.gpu.slug))];
    await fc.assert(
      fc.asyncProperty(arbitraryQuery(slugs), async (parameters) => {
        const response = await fetchFrom(service, `/api/v1/offers?${new URLSearchParams(parameters).toString()}`);
        expect(response.status).toBe(200);
        expect(offerListSchema.safeParse(jsonOf(response)).error).toBe(undefined);
        expect(publishedPageSchema.parse(jsonOf(response))).toEqual(
          listOffers(offers, listOffersQuerySchema.parse(parameters)),
        );
      }),
      { numRuns: 200, seed: SEED },
    );
  });

  test("contains every offer once, for any page size", async () => {
    const ids = offers.map((offer) => offer.id).sort();
    expect(new Set(ids).size).toBe(ids.length);
    for (const size of [7, 25, 99]) {
      const walked: string[] = [];
      for (let number = 0, hasMore = true; hasMore; number++) {
        const response = await page(`size=${size}&page=${number}&sort_by=gpuCount&sort_order=desc`);
        walked.push(...response.offers.map((offer) => offer.id));
        expect(response).toMatchObject({
          page: number,
          totalElements: ids.length,
          totalPages: Math.ceil(ids.length / size),
        });
        hasMore = response.hasMore;
      }
      expect(walked.sort()).toEqual(ids);
    }
  });

  test("without parameters is the first 25 by price per GPU", async () => {
    expect(await page("")).toEqual(await page("sort_by=pricePerGpu&sort_order=asc&page=0&size=25"));
    expect((await page("")).offers).toHaveLength(25);
  });

  test("is empty past the end, with correct totals", async () => {
    const totals = { totalElements: offers.length, totalPages: Math.ceil(offers.length / 25), hasMore: false };
    expect(await page(`page=${totals.totalPages}`)).toEqual({ offers: [], page: totals.totalPages, ...totals });
    expect(await page("page=999999999")).toEqual({ offers: [], page: 999_999_999, ...totals });
  });

  test("is empty, not an error, for a GPU without offers", async () => {
    const none = { offers: [], page: 0, totalPages: 0, totalElements: 0, hasMore: false };
    expect(await page("gpu=no-such-gpu")).toEqual(none);
    expect(await page(`gpu=${"a".repeat(64)}`)).toEqual(none);
    expect(await page("continent=Antarctica")).toEqual(none);
  });

  test.for([
    ["gpu=H100-SXM", "gpu=h100-sxm"],
    ["gpu=%20h100-sxm%20,%20H200-SXM", "gpu=h100-sxm,h200-sxm"],
    ["gpu=h100-sxm,h100-sxm,H100-sxm", "gpu=h100-sxm"],
    ["gpu=h100-sxm,no-such-gpu", "gpu=h100-sxm"],
    ["gpu=h200-sxm%2Ch100-sxm", "gpu=h100-sxm,h200-sxm"],
    ["continent=europe", "continent=Europe"],
    ["continent=+NORTH+america+,Europe", "continent=Europe,North%20America"],
    ["continent=Europe,EUROPE,europe", "continent=Europe"],
  ])("takes %s for %s", async ([loose, strict]) => {
    const response = await page(loose ?? "");
    expect(response.totalElements).toBeGreaterThan(0);
    expect(response).toEqual(await page(strict ?? ""));
  });

  test("lists unavailable offers too", async () => {
    expect(new Set(offers.map((offer) => offer.isAvailable))).toEqual(new Set([true, false]));
  });
});

describe("one offer", () => {
  test("is the same offer as in the list, byte for byte", async () => {
    const list = await fetchFrom(service, "/api/v1/offers?size=100");
    const listed = offerListSchema.parse(jsonOf(list)).offers;
    const texts: string[] = [];
    for (const { id } of listed) {
      const response = await fetchFrom(service, `/api/v1/offers/${id}`);
      expect(response.status).toBe(200);
      expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(offerSchema.parse(jsonOf(response)).id).toBe(id);
      expect(publishedOfferSchema.safeParse(jsonOf(response)).error).toBe(undefined);
      texts.push(response.text);
    }
    expect(list.text.startsWith(`{"offers":[${texts.join(",")}],"page":0,`)).toBe(true);
  });

  const wrongIds: [string, (id: string) => string][] = [
    ["an unknown UUID", () => "00000000-0000-4000-8000-000000000000"],
    ["a word", () => "latest"],
    ["a number", () => "1"],
    ["an id in upper case", (id) => id.toUpperCase()],
    ["an id without hyphens", (id) => id.replaceAll("-", "")],
    ["an id in braces", (id) => `%7B${id}%7D`],
    ["an id with an additional letter", (id) => `${id}0`],
    ["an id with a missing letter", (id) => id.slice(0, -1)],
    ["an id with a space", (id) => `${id}%20`],
    ["an id with a NUL", (id) => `${id}%00`],
    ["a NUL", () => "%00"],
    ["5,000 letters", () => "a".repeat(5_000)],
    ["an id repeated 135 times", (id) => id.repeat(135)],
    ["a way up", () => "..%2fproviders"],
    ["a path traversal to a file", () => "..%2f..%2f..%2fetc%2fpasswd"],
    ["other letters", () => "%F0%9F%92%B8%D0%BF%D1%80"],
    ["bidirectional text", () => "%E2%80%AEabc"],
    ["SQL", () => "'%20OR%201=1%20--"],
    ["more SQL", () => "1';DROP%20TABLE%20offer;--"],
    ["__proto__", () => "__proto__"],
    ["constructor", () => "constructor"],
    ["a star", () => "*"],
  ];
  test.for(wrongIds)("is the documented 404 for %s", async ([, make]) => {
    const response = await fetchFrom(service, `/api/v1/offers/${make(offers[0]?.id ?? "")}`);
    expect(response.status).toBe(404);
    expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(jsonOf(response)).toEqual({
      code: "not_found",
      message: "Offer not found.",
      requestId: response.headers["x-request-id"],
      docUrl: "/docs/errors/not_found",
    });
  });

  test("still exists after all of them", async () => {
    expect(await allOffers(service)).toEqual(offers);
  });
});
