import { Controller, Get } from "@nestjs/common";
import { listOffersQuerySchema } from "@gpu-offers/domain";
import { listingQuerySchema } from "@gpu-offers/domain/query";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import * as fc from "fast-check";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { ApiError } from "../wire/api-error.js";
import { serveControllers } from "../../test/serve-controllers.ts";
import { Access } from "./access.guard.js";
import { ParametersPipe, ValidQuery } from "./parameters.pipe.js";
import { QueryParameters } from "./query-parameters.js";

// test/parameters.test.ts tests the same over a socket, case by case; this covers the rules and their edge cases.

const SEED = 20_261_121;
const DEFAULTS = { sort_by: "pricePerGpu", sort_order: "asc", page: 0, size: 25 };

/** Takes no parameters. */
const noParametersSchema = z.strictObject({});

/** Takes every parameter with these names, with any text. */
const schemaOf = (...names: string[]) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, z.string().optional()])));

const checked = (text: string, schema: z.ZodObject = listOffersQuerySchema, pipe = new ParametersPipe()): unknown =>
  pipe.transform(new QueryParameters(text), { type: "query", schema });

/** The error for a query. */
function rejectionOf(text: string, schema: z.ZodObject = listOffersQuerySchema): ApiError {
  try {
    checked(text, schema);
  } catch (error) {
    if (error instanceof ApiError) {
      return error;
    }
    throw error;
  }
  throw new Error(`?${text} was not rejected.`);
}

/** The problem of a query that has a single one. */
function problemOf(text: string, schema: z.ZodObject = listOffersQuerySchema): string {
  const error = rejectionOf(text, schema);
  expect(error).toMatchObject({ code: "invalid_parameter", status: 400 });
  expect(error.details).toHaveLength(1);
  const [{ in: where, name, reason } = { in: "", name: "", reason: "" }] = error.details;
  expect(where).toBe("query");
  return `${name}: ${reason}`;
}

describe("a query", () => {
  test("is parsed as browsers write it", () => {
    const plain = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
      .filter((text) => /^[\p{L}\p{N}\p{P} ]+$/u.test(text));
    fc.assert(
      fc.property(fc.array(fc.tuple(plain, fc.oneof(plain, fc.constant(""))), { maxLength: 6 }), (pairs) => {
        const expected: Record<string, string | string[]> = {};
        for (const name of new Set(pairs.map(([each]) => each))) {
          const values = pairs.filter(([each]) => each === name).map(([, value]) => value);
          expected[name] = values.length === 1 ? (values[0] ?? "") : values;
        }
        const encoded = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
        for (const text of [encoded.join("&"), new URLSearchParams(pairs).toString()]) {
          const { values, problems } = new QueryParameters(text).read();
          expect(problems).toEqual([]);
          expect({ ...values }).toEqual(expected);
        }
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  test.each([
    ["", {}],
    ["a", { a: "" }],
    ["a=", { a: "" }],
    ["a=b=c", { a: "b=c" }],
    ["a==", { a: "=" }],
    ["a=1&a=2&a=3", { a: ["1", "2", "3"] }],
    ["a=&a", { a: ["", ""] }],
    ["a+b=c+d", { "a b": "c d" }],
    ["a%2Bb=c%2Bd+e", { "a+b": "c+d e" }],
    ["a=1;b=2", { a: "1;b=2" }],
    ["a?=?", { "a?": "?" }],
    ["a=1&", { a: "1" }],
    ["&a=1&&b=2", { a: "1", b: "2" }],
    ["&", {}],
    ["__proto__=1&constructor=2", { ["__proto__"]: "1", constructor: "2" }],
  ])("?%s has these values", (text, expected) => {
    const { values, problems } = new QueryParameters(text).read();
    expect(Object.getPrototypeOf(values)).toBeNull();
    expect(problems).toEqual([]);
    expect(Object.entries(values)).toEqual(Object.entries(expected));
  });

  test.each([
    ["a=%", "a", "has invalid percent-encoding"],
    ["%zz=1", "%zz", "has invalid percent-encoding"],
    ["a=%c3%28", "a", "has invalid percent-encoding"],
    ["a=%00", "a", "must not contain control or invisible characters"],
    ["%0A=1", "%0A", "must not contain control or invisible characters"],
    ["=1", "", "a parameter has no name"],
    ["=", "", "a parameter has no name"],
    [`${"n".repeat(100)}=%`, "n".repeat(64), "has invalid percent-encoding"],
  ])("?%s cannot be read", (text, name, reason) => {
    const { values, problems } = new QueryParameters(text).read();
    expect(problems[0]).toEqual({ name, reason });
    expect({ ...values }).toEqual({});
  });
});

describe("a checked query", () => {
  test("has the values of its schema and its defaults", () => {
    expect(checked("")).toEqual(DEFAULTS);
    expect(checked("gpu=H100-SXM,%20h200-sxm&size=10&continent=north+america")).toEqual({
      ...DEFAULTS,
      gpu: ["h100-sxm", "h200-sxm"],
      continent: ["North America"],
      size: 10,
    });
  });

  test("is checked again after a rejection", () => {
    const pipe = new ParametersPipe();
    for (let round = 0; round < 2; round++) {
      expect(() => checked("size=0", listOffersQuerySchema, pipe)).toThrow(ApiError);
    }
  });

  test("requires a schema, and leaves other handler arguments unchanged", () => {
    const pipe = new ParametersPipe();
    expect(pipe.transform("an id", { type: "param" })).toBe("an id");
    expect(pipe.transform(undefined, { type: "query", schema: listOffersQuerySchema })).toBeUndefined();
    expect(() => pipe.transform(new QueryParameters(""), { type: "query" })).toThrow(
      new TypeError("A handler with a query parameter must have a zod object schema for it."),
    );
    expect(() => pipe.transform(new QueryParameters(""), { type: "query", schema: z.string() })).toThrow(TypeError);
  });
});

describe("a problem", () => {
  test.each([
    ["size=0", 'size: must be a whole number from 1 to 100; got "0"'],
    [`size=${"9".repeat(65)}`, `size: must be a whole number from 1 to 100; got "${"9".repeat(64)}"`],
    ["size=1&size=2", "size: must be given once, not 2 times"],
    ["size=%22", 'size: must be a whole number from 1 to 100; got "\\""'],
    ["size=1&a=%zz", "a: has invalid percent-encoding"],
  ])("of ?%s is reported with the given value", (text, problem) => {
    expect(problemOf(text)).toBe(problem);
    expect(rejectionOf(text).message).toBe(`${problem.replace(":", "").replace(/; got .*/, "")}.`);
  });

  test("of a parameter that is not in the schema is reported without a name", () => {
    const schema = z.strictObject({ a: z.string().optional() }).check(z.refine(() => false, "is never right"));
    const error = rejectionOf("a=1", schema);
    expect(error.details).toEqual([{ in: "query", name: "", reason: "is never right" }]);
    expect(error.message).toBe("is never right.");
  });

  test.each([
    ["siz", "size"],
    ["sizes", "size"],
    ["SIZE", "size"],
    ["sort", "sort_by"],
    ["sort_o", "sort_order"],
    ["sortBy", "sort_by"],
    ["min", "min_gpu_count"],
    ["max", "max_gpu_count"],
    ["con", "continent"],
    ["contnent", "continent"],
    ["gp", "gpu"],
    ["pag", "page"],
    ["gpus", "gpu"],
    ["pa", "page"],
    ["mingpucont", "min_gpu_count"],
  ])("of the unknown %s suggests %s", (name, meant) => {
    expect(problemOf(`${name}=1`)).toBe(`${name}: is unknown; did you mean ${meant}?`);
    expect(rejectionOf(`${name}=1`).message).toBe(`${name} is unknown; did you mean ${meant}?`);
  });

  test("of an unknown name without a similar one lists the known ones", () => {
    const schema = schemaOf("gpu", "page");
    expect(problemOf("provider=1", schema)).toBe("provider: is unknown; known are gpu, page");
    expect(problemOf("xyz=1", schema)).toBe("xyz: is unknown; known are gpu, page");
    expect(rejectionOf("xyz=1", schema).message).toBe("xyz is unknown; known are gpu, page.");
    expect(problemOf("pu=1", schemaOf("gpu", "sort_by"))).toBe("pu: is unknown; known are gpu, sort_by");
    expect(rejectionOf("x.y=1", schema).message).toBe("x.y is unknown; known are gpu, page.");
    expect(problemOf("size=5", noParametersSchema)).toBe("size: is unknown; this operation takes no parameters");
  });

  test("of a listing's parameter by its name as a flag or an argument suggests the parameter's own", () => {
    for (const name of ["min_gpus", "min-gpus", "minGpus"]) {
      expect(problemOf(`${name}=1`, listingQuerySchema)).toBe(`${name}: is unknown; did you mean min_gpu_count?`);
      expect(problemOf(`${name}=1`, schemaOf("disk"))).toBe(`${name}: is unknown; known are disk`);
    }
  });

  test("of a long name repeats only its beginning", () => {
    expect(problemOf(`${"x".repeat(65)}=1`, schemaOf("gpu"))).toBe(`${"x".repeat(64)}: is unknown; known are gpu`);
  });

  test("is reported together with all others, and the response lists the first 20", () => {
    const names = Array.from({ length: 21 }, (_, number) => `name_${number}`);
    const told = (count: number) => rejectionOf(names.slice(0, count).join("&"), noParametersSchema);
    const sentence = (name: string) => `${name} is unknown; this operation takes no parameters.`;
    expect(told(1).message).toBe(sentence("name_0"));
    expect(told(2).message).toBe(`2 problems: ${sentence("name_0")} ${sentence("name_1")}`);
    expect(told(20).details).toHaveLength(20);
    expect(told(20).message).toBe(`20 problems: ${names.slice(0, 20).map(sentence).join(" ")}`);
    expect(told(21).details.map(({ name }) => name)).toEqual(names.slice(0, 20));
    expect(told(21).message).toBe(`21 problems, the first 20 of them: ${names.slice(0, 20).map(sentence).join(" ")}`);
  });

  test("that cannot be read counts among the first 20", () => {
    const unreadable = Array.from({ length: 25 }, (_, number) => `name_${number}=%zz`);
    const { details, message } = rejectionOf(`size=0&other=1&${unreadable.join("&")}`);
    expect(details).toHaveLength(20);
    expect(message).toMatch(/^27 problems, the first 20 of them: /);
    const some = rejectionOf(`size=0&a=1&b=1&${unreadable.slice(0, 18).join("&")}`);
    expect(some.details.map(({ name }) => name).slice(17)).toEqual(["name_17", "size", "a"]);
  });

  test("that cannot be read comes before those of the schema", () => {
    expect(rejectionOf("size=0&b=%zz&c").details.map(({ name }) => name)).toEqual(["b", "size", "c"]);
  });

  test("of a required parameter that cannot be read doesn't call it missing as well", () => {
    const schema = z.strictObject({
      offer: z.string({ error: "is required" }),
      other: z.string({ error: "is required" }),
    });
    expect(rejectionOf("offer=%1E", schema).details.map(({ name, reason }) => [name, reason])).toEqual([
      ["offer", "must not contain control or invisible characters"],
      ["other", "is required"],
    ]);
  });

  test("of a text that ends with a period gets no second one", () => {
    const schema = z.strictObject({ a: z.string().max(1, "is too long.").optional() });
    expect(rejectionOf("a=12", schema).message).toBe("a is too long.");
  });
});

@Access("public")
@Controller("echo")
class EchoController {
  @Get("none")
  none(): unknown {
    return { query: "none" };
  }

  @Get("size")
  size(@ValidQuery(schemaOf("size")) query: object): unknown {
    return { query };
  }
}

describe("an operation", () => {
  test("has the parameters of its schema, and without one none", async () => {
    const service = await serveControllers([EchoController], { DATABASE_URL: `sqlite:${tempDatabase()}` });
    onTestFinished(service.close);
    const get = async (path: string): Promise<unknown> => {
      const response = await fetchFrom(service, `/echo/${path}`);
      return [response.status, jsonOf(response)];
    };
    expect(await get("none")).toEqual([200, { query: "none" }]);
    expect(await get("none?")).toEqual([200, { query: "none" }]);
    expect(await get("size?size=9")).toEqual([200, { query: { size: "9" } }]);
    const message = "page is unknown; this operation takes no parameters.";
    expect(await get("none?page=1")).toEqual([400, expect.objectContaining({ code: "invalid_parameter", message })]);
    expect(await get("size?page=1")).toMatchObject([400, { message: "page is unknown; known are size." }]);
  });
});
