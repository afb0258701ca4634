import { listOffersQuerySchema, type ListFilter, type ListOffersQuery } from "@gpu-offers/domain";
import { expect, expectTypeOf, test } from "vitest";
import { ArgumentError } from "./errors.js";
import { checkedSearch, type OffersQuery } from "./queries.js";

test("a query has the API's parameters, and accepts the domain's filters", () => {
  expectTypeOf<keyof OffersQuery>().toEqualTypeOf<keyof ListOffersQuery>();
  expectTypeOf<ListFilter>().toExtend<OffersQuery>();
});

test.for<[OffersQuery, string]>([
  [{}, ""],
  [{ gpu: undefined, size: undefined }, ""],
  [{ page: 0, size: 25 }, "?page=0&size=25"],
  [{ size: 5, page: 2, gpu: ["H200-SXM", "h100"] }, "?gpu=h200-sxm%2Ch100&page=2&size=5"],
  [{ continent: " north america ,EUROPE" }, "?continent=North%20America%2CEurope"],
  [
    { sort_by: "gpuCount", sort_order: "desc", min_gpu_count: 2, max_gpu_count: 2 },
    "?min_gpu_count=2&max_gpu_count=2&sort_by=gpuCount&sort_order=desc",
  ],
])("%j is sent as %s", ([query, search]) => {
  expect(checkedSearch(listOffersQuerySchema, query)).toBe(search);
});

test("all problems are reported at once, each with its location", () => {
  const wrong = { gpu: [], size: 0, sort_order: "up", gpus: "h100", page: null } as unknown as OffersQuery;
  const tell = () => checkedSearch(listOffersQuerySchema, wrong);
  expect(tell).toThrow(ArgumentError);
  expect(tell).toThrow(
    expect.objectContaining({
      details: expect.arrayContaining([
        { in: "query", name: "gpu", reason: "must not have an empty item" },
        { in: "query", name: "size", reason: "must be a whole number from 1 to 100" },
        { in: "query", name: "sort_order", reason: "must be one of asc, desc" },
        { in: "query", name: "page", reason: "must be text" },
        { in: "query", name: "gpus", reason: "is unknown; did you mean gpu?" },
      ]),
    }),
  );
});
