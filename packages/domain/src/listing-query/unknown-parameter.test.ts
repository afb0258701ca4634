import { expect, test } from "vitest";
import { listOffersQuerySchema } from "../offer-query/offer-query-schema.js";
import { LISTING_PARAMETER_NAMES } from "./listing-parameters.js";
import { nearestArgument, unknownParameter } from "./unknown-parameter.js";

test.each([
  ["min_gpus", "min_gpu_count"],
  ["min-gpus", "min_gpu_count"],
  ["minGpus", "min_gpu_count"],
  ["maxUsdPerHour", "max_total"],
  ["countri", "country"],
])("the listing query suggests for %s: %s", (name, meant) => {
  expect(unknownParameter(name, LISTING_PARAMETER_NAMES)).toBe(`is unknown; did you mean ${meant}?`);
});

test("a query without the listings' parameters suggests only what is nearly called so", () => {
  expect(unknownParameter("maxUsdPerHour", Object.keys(listOffersQuerySchema.shape))).toMatch(
    /^is unknown; known are /,
  );
});

test.each([
  ["min_gpu_count", "minGpus"],
  ["max-total", "maxUsdPerHour"],
  ["gpus", "gpu"],
  ["color", undefined],
])("arguments suggest for %s: %s", (name, meant) => {
  expect(nearestArgument(name, ["gpu", "minGpus", "maxUsdPerHour"])).toBe(meant);
});
