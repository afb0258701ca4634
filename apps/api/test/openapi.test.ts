import {
  ERROR_CODES,
  MAX_PARAMETER_INTEGER,
  offerListSchema,
  offerSchema,
  osImageListSchema,
  providerListSchema,
  publishedOfferSchema,
  publishedOsImageSchema,
  publishedProviderSchema,
} from "@gpu-offers/domain";
import { brotliDecompressSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { exampleOffer, exampleOfferList, exampleOsImageList, exampleProviderList } from "../src/openapi/examples.ts";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { publishedDocument, type PublishedDocument } from "@gpu-offers/testkit/published-document";
import { startService, type Service } from "@gpu-offers/testkit/service";

let service: Service;
let document: PublishedDocument;

beforeAll(async () => {
  service = await startService({ settings: { LOG_LEVEL: "debug" } });
  document = await publishedDocument(service);
});

/** The path of an operation with the examples of its required parameters filled in. */
function exampleTarget(path: string): string {
  const { parameters = [] } = document.operations.get(path) ?? {};
  const required = parameters.filter((parameter) => parameter.required);
  const exampleOf = (name: string): string =>
    encodeURIComponent(z.string().parse(required.find((parameter) => parameter.name === name)?.example));
  const query = required
    .filter((parameter) => parameter.in === "query")
    .map(({ name }) => `${name}=${exampleOf(name)}`);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleOf(name));
  return query.length === 0 ? filled : `${filled}?${query.join("&")}`;
}

describe("the OpenAPI document", () => {
  test("has version 3.1", async () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect((await fetchFrom(service, "/openapi.json")).headers["content-type"]).toMatch(/^application\/json/);
  });

  test("has exactly one operation per route of the service", async () => {
    await service.logLine((line) => line["msg"] === "listening");
    const mapped = service.process.stdout().matchAll(/"Mapped \{([^,]+), GET\}(?: \(version: (\d)[^)]*\))? route"/g);
    // The page's own data are no part of the API.
    const ofApi = [...mapped].filter(([, path]) => path?.startsWith("/web/") === false);
    const routes = ofApi.map(([, path = "", version]) => {
      const template = path.replaceAll(/:(\w+)/g, "{$1}");
      return version === undefined ? template : `/api/v${version}${template}`;
    });
    expect(routes.length).toBeGreaterThan(0);
    expect([...document.operations.keys()].sort()).toEqual(routes.sort());
  });

  test("gives each operation a unique id, a description and its errors", () => {
    const operations = [...document.operations.values()];
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { summary, description, tags, responses } of operations) {
      expect(summary.length * description.length * tags.length).toBeGreaterThan(0);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(["200", "400", "405", "500"]));
    }
  });

  test.for([
    [
      "/api/v1/offers",
      "gpu",
      ["h100-sxm", "H100-SXM, h200 ,l40s", " rtx-4090 "],
      ["", " ", "h100,", "h_100", "-h100", "h--1", "\th100"],
    ],
    ["/api/v1/offers", "continent", ["Europe", "europe, NORTH america"], ["", "Europe,", "Evrope", "NorthAmerica"]],
    ["/api/v2/listings", "interconnect", ["InfiniBand", "rail optimized"], ["", " ", "\u001e"]],
    ["/api/v2/listings", "region", ["us-east-1", "us-east-1, eu-west-1"], ["", ",", "us-east-1,,eu-west-1"]],
    ["/api/v2/listings", "seller", ["cloud", "cloud,host"], ["", "cloud,", "Cloud", "owner"]],
    ["/api/v2/listings", "cuda", ["12"], ["", "twelve", "12."]],
    ["/api/v2/history", "offer", ["5b0c1f0e"], ["", "\u001e", "a\u200bb"]],
  ] as const)("%s accepts just the values of %s that match its schema", async ([path, name, valid, invalid]) => {
    const parameter = document.operations.get(path)?.parameters?.find((one) => one.name === name);
    const schema = parameter?.schema as { pattern?: string; minLength?: number } | undefined;
    const pattern = new RegExp(schema?.pattern ?? "", "u");
    for (const [values, isValid] of [[valid, true] as const, [invalid, false] as const]) {
      for (const value of values) {
        const { status } = await fetchFrom(service, `${path}?${name}=${encodeURIComponent(value)}`);
        const isDescribed = pattern.test(value) && value.length >= (schema?.minLength ?? 0);
        expect([value, isDescribed, status !== 400]).toEqual([value, isValid, isValid]);
      }
    }
  });

  test("allows no empty texts, no amounts of zero, and no times without a form", () => {
    for (const [path, { parameters }] of document.operations) {
      for (const { name, in: where, schema } of parameters) {
        const { type, minLength, enum: values, anyOf } = schema as Record<string, unknown>;
        const isForced = type !== "string" || where !== "query" || values !== undefined || anyOf !== undefined;
        expect([path, name, isForced || path.startsWith("/api/v1/") || minLength]).not.toEqual([path, name, undefined]);
      }
    }
    const schemaOf = (path: string, parameter: string) =>
      document.operations.get(path)?.parameters.find(({ name }) => name === parameter)?.schema;
    expect(schemaOf("/api/v2/listings/{id}/launch", "hours")).toMatchObject({ type: "integer", minimum: 1 });
    expect(schemaOf("/api/v2/listings", "budget")).toMatchObject({ type: "number", minimum: 0.0001 });
    expect(schemaOf("/api/v2/listings", "nvlink")).toMatchObject({ type: "boolean" });
    expect(schemaOf("/api/v2/gpus/{slug}/prices", "since")).toMatchObject({
      anyOf: [{ format: "date" }, { format: "date-time" }],
    });
  });

  test("has every parameter of the list with its default, limits and values", () => {
    const { parameters: all = [] } = document.operations.get("/api/v1/offers") ?? {};
    const parameters = all.filter((parameter) => parameter.in !== "header");
    const whole = { type: "integer", maximum: MAX_PARAMETER_INTEGER };
    expect(Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]))).toEqual({
      gpu: expect.objectContaining({ type: "string", pattern: expect.any(String) }),
      continent: expect.objectContaining({ type: "string", pattern: expect.any(String) }),
      min_gpu_count: expect.objectContaining({ ...whole, minimum: 1 }),
      max_gpu_count: expect.objectContaining({ ...whole, minimum: 1 }),
      sort_by: expect.objectContaining({
        type: "string",
        enum: ["pricePerGpu", "priceHourly", "gpuCount"],
        default: "pricePerGpu",
      }),
      sort_order: expect.objectContaining({ type: "string", enum: ["asc", "desc"], default: "asc" }),
      page: expect.objectContaining({ ...whole, minimum: 0, default: 0 }),
      size: expect.objectContaining({ type: "integer", minimum: 1, maximum: 100, default: 25 }),
    });
    expect(parameters.every((parameter) => parameter.in === "query" && !parameter.required)).toBe(true);
  });

  test("has the parameters of the other operations", () => {
    const parametersOf = (path: string) =>
      document.operations.get(path)?.parameters.map(({ name, in: where, required }) => [where, name, required]);
    const REQUEST_ID = ["header", "X-Request-Id", false];
    const IF_NONE_MATCH = ["header", "If-None-Match", false];
    expect(parametersOf("/api/v1/offers")).toEqual(expect.arrayContaining([IF_NONE_MATCH, REQUEST_ID]));
    expect(parametersOf("/api/v1/offers/{id}")?.sort()).toEqual([IF_NONE_MATCH, REQUEST_ID, ["path", "id", true]]);
    expect(parametersOf("/api/v1/providers")?.sort()).toEqual([IF_NONE_MATCH, REQUEST_ID]);
    expect(parametersOf("/api/v2/history")?.sort()).toEqual([IF_NONE_MATCH, REQUEST_ID, ["query", "offer", true]]);
    expect(parametersOf("/api/v1/providers/{provider}/images")?.sort()).toEqual([
      IF_NONE_MATCH,
      REQUEST_ID,
      ["path", "provider", true],
      ["query", "instance_type", false],
    ]);
    for (const path of ["/api/v1/account", "/api/v1/account/balance", "/health/live", "/health/ready", "/metrics"]) {
      expect([path, parametersOf(path)]).toEqual([path, [REQUEST_ID]]);
    }
  });

  test("defines common parts of operations as shared components", () => {
    const { components, paths } = z
      .object({ components: z.record(z.string(), z.record(z.string(), z.json())), paths: z.json() })
      .parse(document.raw);
    expect(Object.keys(components["responses"] ?? {})).toEqual(
      expect.arrayContaining(["InvalidParameter", "NotModified", "OfferNotFound", "RateLimited", "Unauthorized"]),
    );
    expect(Object.keys(components["schemas"] ?? {})).toEqual(
      expect.arrayContaining(["ApiError", "Gpu", "Offer", "OfferProvider", "RegionInfo", "Specs"]),
    );
    expect(components["schemas"]?.["ApiError"]).toMatchObject({ properties: { code: { enum: ERROR_CODES } } });
    expect(JSON.stringify(components["schemas"]?.["Account"])).toContain('"format":"date-time"');
    // Shared parts are defined once: no error body is inlined in an operation.
    expect(JSON.stringify(paths)).not.toContain("ApiError");
  });

  test("prefills required parameters with existing values, and leaves optional ones empty", async () => {
    for (const [path, { parameters }] of document.operations) {
      for (const parameter of parameters) {
        expect([path, parameter.name, "example" in parameter || "examples" in parameter.schema]).toEqual([
          path,
          parameter.name,
          parameter.required,
        ]);
      }
    }
    for (const path of document.operations.keys()) {
      const { status } = await fetchFrom(service, exampleTarget(path));
      // The sample that ships has no history.
      expect([path, status]).toEqual([path, path.includes("/account") ? 401 : path === "/api/v2/history" ? 404 : 200]);
    }
  });

  test("lists response headers, and each of them is sent", async () => {
    for (const [path, { responses }] of document.operations) {
      const target = exampleTarget(path);
      const invalid = `${target}${target.includes("?") ? "&" : "?"}no_such=1`;
      const received = [
        await fetchFrom(service, target),
        await fetchFrom(service, invalid),
        await fetchFrom(service, target, { method: "POST" }),
      ];
      for (const { status, headers } of received) {
        const required = Object.entries(responses[status]?.headers ?? {}).filter(([, header]) => header.required);
        for (const [name] of required) {
          expect([path, status, Object.keys(headers)]).toEqual([
            path,
            status,
            expect.arrayContaining([name.toLowerCase()]),
          ]);
        }
      }
    }
    const images = document.operations.get("/api/v1/providers/{provider}/images")?.responses["200"]?.headers;
    expect(Object.keys(images ?? {})).toEqual(expect.arrayContaining(["Age", "Cache-Control", "ETag"]));
  });

  test("lists the headers of rate limits where requests are counted, and those of prices where there are prices", () => {
    const headersOf = (path: string) =>
      ["200", "304"].map((status) => Object.keys(document.operations.get(path)?.responses[status]?.headers ?? {}));
    const rates = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];
    for (const headers of headersOf("/api/v1/offers")) {
      expect(headers).toEqual(expect.arrayContaining([...rates, "Catalog-As-Of", "Catalog-Stale-Providers"]));
    }
    for (const headers of [
      ...headersOf("/api/v2/sources"),
      ...headersOf("/api/v2/history"),
      ...headersOf("/api/v2/gpus"),
    ]) {
      expect(headers).toEqual(expect.arrayContaining(rates));
      expect(headers.filter((name) => name.startsWith("Catalog-"))).toEqual([]);
    }
  });

  test("has examples that match its own schemas", () => {
    for (const [path, { responses }] of document.operations) {
      for (const [status, { content }] of Object.entries(responses)) {
        const schema = document.responseSchema(path, Number(status));
        expect(schema === undefined).toBe(content?.["application/json"] === undefined);
        expect(schema?.safeParse(content?.["application/json"]?.example).error).toBe(undefined);
      }
    }
  });

  test("has schemas that reject other responses", () => {
    const schema = document.responseSchema("/api/v1/offers", 200);
    const { page: _, ...withoutPage } = exampleOfferList;
    const wrong = [
      withoutPage,
      { ...exampleOfferList, page: "0" },
      { ...exampleOfferList, offers: [{ ...exampleOffer, gpuCount: 1.5 }] },
      { ...exampleOfferList, offers: [{ ...exampleOffer, id: "42" }] },
      { ...exampleOfferList, offers: [{ ...exampleOffer, gpu: null }] },
    ];
    expect(wrong.map((body) => schema?.safeParse(body).success)).toEqual(wrong.map(() => false));
  });
});

describe("each example of the documentation", () => {
  const examples: [string, z.ZodType, unknown][] = [
    ["offer", offerSchema, exampleOffer],
    ["published offer", publishedOfferSchema, exampleOffer],
    ["list of offers", offerListSchema, exampleOfferList],
    ["list of providers", providerListSchema, exampleProviderList],
    ["list of images", osImageListSchema, exampleOsImageList],
    ["published provider", publishedProviderSchema.array(), exampleProviderList.data],
    ["published image", publishedOsImageSchema.array(), exampleOsImageList.data],
  ];
  test.for(examples)("is a valid %s", ([, schema, example]) => {
    expect(schema.parse(example)).toEqual(example);
  });
});

test("the pages are HTML whose assets load", async () => {
  const pages = await fetchFrom(service, "/docs");
  expect(pages.status).toBe(200);
  expect(pages.headers["content-type"]).toMatch(/^text\/html/);
  expect(pages.text).toContain("<title>gpu-offers API</title>");
  const assets = [...pages.text.matchAll(/(?:src|href)="\.(\/[^"]+)"/g)].map(([, path = ""]) => path);
  const types: Record<string, string> = { js: "text/javascript", css: "text/css", png: "image/png" };
  const typeOf = (path: string): string => types[path.split(".")[1] ?? ""] ?? "text/html";
  // Style sheets, an icon, the document itself, nine guides, and scripts; the link to the offers ("./") is no asset.
  expect(assets).toHaveLength(15);
  for (const path of assets) {
    const asset = await fetchFrom(service, path);
    expect([path, asset.status]).toEqual([path, 200]);
    expect(asset.body.length).toBeGreaterThan(100);
    expect(asset.headers["content-type"]).toMatch(typeOf(path));
    const again = await fetchFrom(service, path, { headers: { "If-None-Match": asset.headers.etag ?? "" } });
    expect([path, again.status, again.body.length]).toEqual([path, 304, 0]);
    const small = await fetchFrom(service, path, { headers: { "Accept-Encoding": "br" } });
    expect([path, small.headers["content-encoding"]]).toEqual([path, "br"]);
    expect(brotliDecompressSync(small.body).equals(asset.body)).toBe(true);
  }
  expect((await fetchFrom(service, "/docs/start.js")).text).toContain('url: "./openapi.json"');
});

test("the page can load only from the service, and cannot be framed", async () => {
  const { headers } = await fetchFrom(service, "/docs");
  const policy = (headers["content-security-policy"] as string).split("; ");
  expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]));
  expect(policy.join(";")).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
});

describe("a key", () => {
  const CATALOG = [
    "/api/v1/offers",
    "/api/v1/offers/{id}",
    "/api/v1/providers",
    "/api/v1/providers/{provider}/images",
    "/api/v2/sources",
    "/api/v2/history",
    "/api/v2/listings",
    "/api/v2/listings/{id}",
    "/api/v2/listings/{id}/launch",
    "/api/v2/listings/{id}/stock",
    "/api/v2/plan",
    "/api/v2/gpus",
    "/api/v2/gpus/{slug}",
    "/api/v2/gpus/{slug}/prices",
    "/api/v2/gpus/{slug}/stock",
  ] as const;
  const securityOf = ({ raw, operations }: PublishedDocument): Record<string, unknown> => {
    const { security: base } = z.looseObject({ security: z.json() }).parse(raw);
    return Object.fromEntries(
      [...operations].map(([path, operation]) => [path, "security" in operation ? operation.security : base]),
    );
  };
  const withKeys = (paths: readonly string[]): Record<string, unknown> =>
    Object.fromEntries(
      [...document.operations.keys()].map((path) => [path, paths.includes(path) ? [{ apiKey: [] }] : []]),
    );
  const optional = Object.fromEntries(CATALOG.map((path) => [path, [{}, { apiKey: [] }]]));

  test("is required for the account, and optional for an open catalog", () => {
    expect(securityOf(document)).toEqual({ ...withKeys(["/api/v1/account", "/api/v1/account/balance"]), ...optional });
  });

  test("is also required for the catalog with REQUIRE_API_KEY, and nothing has metrics with METRICS=off", async () => {
    const closed = await startService({ settings: { REQUIRE_API_KEY: "true", METRICS: "off" } });
    const { "/metrics": _, ...withoutMetrics } = withKeys(["/api/v1/account", "/api/v1/account/balance", ...CATALOG]);
    expect(securityOf(await publishedDocument(closed))).toEqual(withoutMetrics);
    expect((await fetchFrom(closed, "/metrics")).status).toBe(404);
  });
});
