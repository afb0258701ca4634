import { LISTING_PARAMETER_NAMES } from "./listing-parameter-names.js";
import { LISTING_PARAMETERS } from "./listing-parameters.js";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { listOffersQuerySchema } from "../offer-query/offer-query-schema.js";
import { meantNames, unknownParameter } from "./unknown-parameter.js";

test.each([
  ["min_gpus", "min_gpu_count"],
  ["min-gpus", "min_gpu_count"],
  ["minGpus", "min_gpu_count"],
  ["maxUsdPerHour", "max_total"],
  ["countri", "country"],
  ["max_price_per_gpu", "max_price"],
  ["maxPricePerGpu", "max_price"],
  ["max_cost", "max_price, max_hourly, max_total"],
  ["gpu_count", "min_gpu_count, max_gpu_count"],
  ["vram_gb", "min_vram, min_total_vram"],
  ["budget_usd", "budget"],
  ["in_ram", "min_ram"],
])("the listing query suggests for %s: %s", (name, meant) => {
  expect(unknownParameter(name, LISTING_PARAMETER_NAMES)).toBe(`is unknown; did you mean ${meant}?`);
});

test.each(["color", "min_price", "min_cost", "max_vram", "gb", "", "_", "é"])(
  "the listing query suggests nothing for %j, which could mislead",
  (name) => {
    expect(unknownParameter(name, LISTING_PARAMETER_NAMES)).toMatch(/^is unknown; known are /);
  },
);

test("a query without the listings' parameters suggests only what is nearly called so", () => {
  expect(unknownParameter("maxUsdPerHour", Object.keys(listOffersQuerySchema.shape))).toMatch(
    /^is unknown; known are /,
  );
});

const ARGUMENTS = ["gpu", "minGpus", "maxUsdPerGpuHour", "maxInstanceUsdPerHour", "maxUsdPerHour", "ids"];

test.each([
  ["min_gpu_count", ["minGpus"]],
  ["max-total", ["maxUsdPerHour"]],
  ["max_price", ["maxUsdPerGpuHour"]],
  ["maxprice", ["maxUsdPerGpuHour"]],
  ["max_cost", ["maxUsdPerGpuHour", "maxInstanceUsdPerHour", "maxUsdPerHour"]],
  ["max_price_per_gpu", ["maxUsdPerGpuHour"]],
  ["gpus", ["gpu"]],
  ["id", ["ids"]],
  ["minUsdPerHour", []],
  ["color", []],
])("arguments suggest for %s: %j", (name, meant) => {
  expect(meantNames(name, ARGUMENTS)).toEqual(meant);
});

test("every name of a parameter on another door suggests that parameter, however its words are joined", () => {
  const names = LISTING_PARAMETER_NAMES.flatMap((parameter) => {
    const { flag, argument } = LISTING_PARAMETERS[parameter];
    return [flag, argument].flatMap((name) => (name === null ? [] : [{ parameter, name }]));
  });
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.constantFrom("_", "-", ""), ({ parameter, name }, joint) => {
      fc.pre(!LISTING_PARAMETER_NAMES.some((one) => one === name));
      const joined = name.replaceAll(/-|(?<=[a-z])(?=[A-Z])/g, joint).toLowerCase();
      const text = unknownParameter(joined, LISTING_PARAMETER_NAMES);
      expect(text).toMatch(new RegExp(`^is unknown; did you mean .*\\b${parameter}\\b`));
    }),
    { seed: 20_261_123 },
  );
});
