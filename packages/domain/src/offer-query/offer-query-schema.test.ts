import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CONTINENTS,
  DEFAULT_PAGE_SIZE,
  listOffersQuerySchema,
  MAX_PAGE_SIZE,
  MAX_PARAMETER_INTEGER,
  offerListSchema,
  SORT_KEYS,
  SORT_ORDERS,
} from "../index.js";
import { arbitraryQuery } from "../offer.fixture.js";

const seed = 20_261_120;

/** The problems of a query as texts "parameter: message". */
function problemsOf(query: unknown): string[] {
  const issues = listOffersQuerySchema.safeParse(query).error?.issues ?? [];
  return issues.map((issue) =>
    issue.code === "unrecognized_keys"
      ? `${issue.keys.join(" ")}: unknown`
      : `${issue.path.join(".")}: ${issue.message}`,
  );
}

const slugRule =
  "gpu: must be a comma-separated list of GPU slugs: letters, digits and single hyphens, at most 64 characters each";
const continentRule =
  "continent: must be a comma-separated list of continents from: Africa, Antarctica, Asia, Europe, North America, Oceania, South America";

describe("the query of an offer list", () => {
  test("has the API's defaults", () => {
    expect(listOffersQuerySchema.parse({})).toEqual({
      sort_by: "pricePerGpu",
      sort_order: "asc",
      page: 0,
      size: 25,
    });
    expect([DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE]).toEqual([25, 100]);
  });

  test("describes every parameter with valid examples", () => {
    for (const [name, schema] of Object.entries(listOffersQuerySchema.shape)) {
      const { description = "", examples = [] } = schema.meta() as { description?: string; examples?: unknown[] };
      expect(description).toMatch(/\w\.$/);
      expect(examples).not.toEqual([]);
      expect(examples.flatMap((example) => problemsOf({ [name]: String(example) }))).toEqual([]);
    }
    expect(offerListSchema.meta()).toMatchObject({ id: "OfferList" });
  });

  test("rejects anything but an object, and reports list problems with our own rules", () => {
    for (const value of [null, undefined, "gpu=h100", 5, []]) {
      expect(listOffersQuerySchema.safeParse(value).error?.issues).toMatchObject([{ code: "invalid_type" }]);
    }
    for (const gpu of ["", "h100,", "h_100"]) {
      expect(listOffersQuerySchema.safeParse({ gpu }).error?.issues).toMatchObject([{ code: "custom", path: ["gpu"] }]);
    }
  });

  test("reads every parameter", () => {
    expect(
      listOffersQuerySchema.parse({
        gpu: "h100-sxm,h200-sxm",
        continent: "Europe,North America",
        min_gpu_count: "1",
        max_gpu_count: "8",
        sort_by: "gpuCount",
        sort_order: "desc",
        page: "3",
        size: "100",
      }),
    ).toEqual({
      gpu: ["h100-sxm", "h200-sxm"],
      continent: ["Europe", "North America"],
      min_gpu_count: 1,
      max_gpu_count: 8,
      sort_by: "gpuCount",
      sort_order: "desc",
      page: 3,
      size: 100,
    });
  });

  test.each(SORT_KEYS.flatMap((sort_by) => SORT_ORDERS.map((sort_order) => [sort_by, sort_order] as const)))(
    "sorts by %s %s",
    (sort_by, sort_order) => {
      expect(listOffersQuerySchema.parse({ sort_by, sort_order })).toMatchObject({ sort_by, sort_order });
    },
  );

  test("parses back to its source after serialization", () => {
    fc.assert(
      fc.property(arbitraryQuery, (texts) => {
        const query = listOffersQuerySchema.parse(texts);
        const written = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
        expect(written).toEqual({ sort_by: "pricePerGpu", sort_order: "asc", page: "0", size: "25", ...texts });
        expect(listOffersQuerySchema.parse(written)).toEqual(query);
      }),
      { seed },
    );
  });

  test("reports the problems of all parameters at once, including contradictory bounds", () => {
    expect(
      problemsOf({
        gpu: "a,,b",
        continent: "Atlantis",
        min_gpu_count: "8",
        max_gpu_count: "4",
        sort_by: "price",
        sort_order: "up",
        page: "-1",
        size: "1000",
        vram: "80",
        gpus: "h100",
      }),
    ).toEqual([
      "gpu: must not have an empty item",
      continentRule,
      "sort_by: must be one of pricePerGpu, priceHourly, gpuCount",
      "sort_order: must be one of asc, desc",
      "page: must be a whole number from 0 to 999999999",
      "size: must be a whole number from 1 to 100",
      "vram gpus: unknown",
      "min_gpu_count: must not be above max_gpu_count: no offer could match",
    ]);
  });

  test.each([
    { page: "x" },
    { page: "01" },
    { size: "101" },
    { gpu: "" },
    { gpu: ["a", "b"] },
    { sort_by: "x" },
    { x: "1" },
  ])("reports contradictory bounds together with %j", (other) => {
    const problems = problemsOf({ min_gpu_count: "8", max_gpu_count: "4", ...other });
    expect(problems).toHaveLength(2);
    expect(problems).toContain("min_gpu_count: must not be above max_gpu_count: no offer could match");
  });

  test("rejects every parameter that is given twice, even with the same value", () => {
    for (const name of Object.keys(listOffersQuerySchema.shape)) {
      expect(problemsOf({ [name]: ["1", "1"] })).toEqual([`${name}: must be given once, not 2 times`]);
    }
    expect(problemsOf({ page: ["1", "2", "3"] })).toEqual(["page: must be given once, not 3 times"]);
  });

  test("rejects values that are not text", () => {
    for (const name of Object.keys(listOffersQuerySchema.shape)) {
      expect(problemsOf({ [name]: 1 })).toEqual([`${name}: must be text`]);
    }
  });

  test.each(["vram", "GPU", "sortBy", "", "constructor", "toString", "hasOwnProperty"])(
    "rejects the unknown parameter %j",
    (name) => {
      expect(problemsOf({ [name]: "1" })).toEqual([`${name}: unknown`]);
    },
  );

  test("rejects a parameter called __proto__, from an object of either kind", () => {
    const bare: Record<string, string> = Object.create(null);
    bare["__proto__"] = "1";
    for (const query of [bare, JSON.parse('{"__proto__":"1"}'), JSON.parse('{"__proto__":{"size":"1"}}')]) {
      expect(problemsOf(query)).toEqual(["__proto__: unknown"]);
    }
  });
});

describe("the integers of a query", () => {
  const limits = [
    ["min_gpu_count", 1, MAX_PARAMETER_INTEGER],
    ["max_gpu_count", 1, MAX_PARAMETER_INTEGER],
    ["page", 0, MAX_PARAMETER_INTEGER],
    ["size", 1, MAX_PAGE_SIZE],
  ] as const;

  test.each(limits)("%s go from %i to %i", (name, least, most) => {
    const problem = [`${name}: must be a whole number from ${least} to ${most}`];
    expect([least, most].map((value) => listOffersQuerySchema.parse({ [name]: String(value) })[name])).toEqual([
      least,
      most,
    ]);
    expect([least - 1, most + 1].map((value) => problemsOf({ [name]: String(value) }))).toEqual([problem, problem]);
  });

  const misspelled = [
    "",
    " ",
    "01",
    "+1",
    "-1",
    "-0",
    "1.0",
    "1.",
    ".5",
    "1e1",
    "0x1",
    "1_0",
    "1,0",
    " 1",
    "1 ",
    "1\n",
    "١",
  ];

  test.each([...misspelled, "NaN", "Infinity", "null", "1000000000", "99999999999999999999"])("are not %j", (text) => {
    for (const [name, least, most] of limits) {
      expect(problemsOf({ [name]: text })).toEqual([`${name}: must be a whole number from ${least} to ${most}`]);
    }
  });

  test("limit the GPU count only with consistent bounds", () => {
    expect(problemsOf({ min_gpu_count: "4", max_gpu_count: "4" })).toEqual([]);
    expect(problemsOf({ min_gpu_count: "10", max_gpu_count: "9" })).toEqual([
      "min_gpu_count: must not be above max_gpu_count: no offer could match",
    ]);
    expect(problemsOf({ min_gpu_count: "10", max_gpu_count: "x" })).toEqual([
      "max_gpu_count: must be a whole number from 1 to 999999999",
    ]);
  });
});

describe("the lists of a query", () => {
  test("ignore case, spaces around items and duplicates, and keep their order", () => {
    expect(
      listOffersQuerySchema.parse({ gpu: " L40S , h100-sxm,H100-SXM", continent: "north AMERICA,  Europe ,EUROPE" }),
    ).toMatchObject({ gpu: ["l40s", "h100-sxm"], continent: ["North America", "Europe"] });
  });

  test.each(["", " ", ",", "h100,", ",h100", "h100,,l40s", "h100, ,l40s"])("reject the empty item in %j", (gpu) => {
    expect(problemsOf({ gpu })).toEqual(["gpu: must not have an empty item"]);
    expect(problemsOf({ continent: gpu.replaceAll(/h100|l40s/g, "Asia") })).toEqual([
      "continent: must not have an empty item",
    ]);
  });

  test.each([
    ["an underscore", "h100_sxm"],
    ["a double hyphen", "h100--sxm"],
    ["a hyphen at an end", "h100-"],
    ["a space inside", "h100 sxm"],
    ["a semicolon", "h100;l40s"],
    ["a percent sign", "h100%20"],
    ["a Kelvin sign, whose lower case is k", "\u212A80"],
    ["a dotted capital I", "m\u0130250"],
    ["a no-break space before it", "\u00A0h100"],
    ["a trailing tab", "h100\t"],
    ["a trailing line break", "h100\n"],
    ["a NUL", "h100\u0000"],
    ["65 characters", "a".repeat(65)],
  ])("reject a GPU slug with %s", (_, gpu) => {
    expect(problemsOf({ gpu })).toEqual([slugRule]);
    expect(problemsOf({ gpu: `h100,${gpu}` })).toEqual([slugRule]);
  });

  test("accept a slug of 64 characters and one without offers", () => {
    expect(listOffersQuerySchema.parse({ gpu: `${"a".repeat(64)},no-such-gpu` }).gpu).toEqual([
      "a".repeat(64),
      "no-such-gpu",
    ]);
  });

  test.each(CONTINENTS)("take %s", (continent) => {
    expect(listOffersQuerySchema.parse({ continent: continent.toUpperCase() }).continent).toEqual([continent]);
  });

  test.each(["Unknown", "Eurasia", "EU", "North  America", "North-America", "America", "\tEurope"])(
    "reject %j, which is not one of the seven continents",
    (continent) => {
      expect(problemsOf({ continent })).toEqual([continentRule]);
    },
  );
});

test.each([
  ["gpu", "h100-sxm", true],
  ["gpu", " H100-SXM ,a, rtx-4090", true],
  ["gpu", "", false],
  ["gpu", "-a", false],
  ["gpu", "a--b", false],
  ["gpu", "a,,b", false],
  ["gpu", "a_b", false],
  ["continent", "Europe", true],
  ["continent", "eUROPE , north aMERICA,Asia", true],
  ["continent", "Europ", false],
  ["continent", "Europe,", false],
  ["continent", "EuropeAsia", false],
] as const)("the published pattern of %s agrees with the schema about %s", (name, text, isValid) => {
  const pattern = listOffersQuerySchema.shape[name].meta()?.["pattern"];
  expect(new RegExp(String(pattern), "u").test(text)).toBe(isValid);
  expect(listOffersQuerySchema.safeParse({ [name]: text }).success).toBe(isValid);
});
