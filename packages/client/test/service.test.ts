import {
  listOffersQuerySchema,
  OFFER_NOT_FOUND,
  PROVIDER_NOT_FOUND,
  type ErrorBody,
  type ErrorDetail,
  type Offer,
} from "@gpu-offers/domain";
import * as fc from "fast-check";
import { keyWithCredit } from "@gpu-offers/testkit/accounts";
import { adminDone } from "@gpu-offers/testkit/admin";
import { startService } from "@gpu-offers/testkit/service";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { ArgumentError, createClient, OPERATIONS, type Client, type OffersQuery } from "../src/index.ts";
import { failure } from "./client.ts";

// The usual cases: every operation of the built service, its errors, and its rules.

const service = inject("service");
let client: Client;
let apiKey: string;

beforeAll(async () => {
  client = createClient({ baseUrl: service.url });
  apiKey = await keyWithCredit(service, "25.50");
});

/** The service's raw response. */
const responseTo = async (target: string): Promise<unknown> => (await fetch(service.url + target)).json();

describe("the client returns the responses of the service:", () => {
  test("a list of offers", async () => {
    expect(await client.listOffers()).toEqual(await responseTo("/api/v1/offers"));
    const page = await client.listOffers({ continent: "europe", max_gpu_count: 4, sort_by: "priceHourly", size: 3 });
    expect(page.offers).toHaveLength(3);
    expect(page).toEqual(
      await responseTo("/api/v1/offers?continent=Europe&max_gpu_count=4&sort_by=priceHourly&size=3"),
    );
  });

  test("an offer", async () => {
    const [offer] = (await client.listOffers({ size: 1 })).offers;
    expect(await client.getOffer(offer?.id ?? "")).toEqual(offer);
  });

  test("the providers, and the images of each", async () => {
    const providers = await client.listProviders();
    expect(providers.data.length).toBeGreaterThan(1);
    expect(providers).toEqual(await responseTo("/api/v1/providers"));
    for (const { name } of providers.data) {
      expect(await client.listOsImages(name)).toEqual(await responseTo(`/api/v1/providers/${name}/images`));
    }
  });

  test("the images for an instance type", async () => {
    const [provider] = (await client.listProviders()).data;
    const images = await client.listOsImages(provider?.name ?? "", { instanceType: "no such/type" });
    expect(images).toEqual(
      await responseTo(`/api/v1/providers/${provider?.name}/images?instance_type=no%20such%2Ftype`),
    );
  });

  test("the account and its balance", async () => {
    const keyed = createClient({ baseUrl: service.url, apiKey });
    expect(await keyed.getAccount()).toMatchObject({ display_name: "Ada Lovelace" });
    expect(await keyed.getBalance()).toEqual({ balance: "25.5000", currency: "USD" });
  });

  test("all offers", async () => {
    const offers: Offer[] = [];
    for await (const event of client.allOffers({ sort_by: "gpuCount", sort_order: "desc" })) {
      offers.push(...(event.kind === "page" ? event.offers : []));
    }
    expect(offers.length).toBeGreaterThan(200);
    expect(new Set(offers.map(({ id }) => id)).size).toBe(offers.length);
    const counts = offers.map(({ gpuCount }) => gpuCount);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
  });
});

describe("an error of the service", () => {
  test.for([
    ["an offer", OFFER_NOT_FOUND, () => client.getOffer("no such/offer?")],
    ["a provider", PROVIDER_NOT_FOUND, () => client.listOsImages("acme")],
  ] as const)("is a ServiceError for an unknown resource: %s", async ([, message, call]) => {
    const error = await failure("service", call());
    expect(error).toMatchObject({ name: "ServiceError", status: 404, code: "not_found", message, details: [] });
    expect(error.requestId).toMatch(/./);
    expect(error.retryAfterMs).toBe(undefined);
  });

  test.for(["getAccount", "getBalance"] as const)("is a ServiceError without a valid key: %s", async (name) => {
    for (const options of [{}, { apiKey: `${apiKey}x` }]) {
      const error = await failure("service", createClient({ baseUrl: service.url, ...options })[name]());
      expect(error).toMatchObject({ status: 401, code: "unauthorized" });
    }
  });

  test("is a ServiceError with its details", async () => {
    // The client rejects invalid requests, so a valid one is changed on its way.
    const asking = createClient({
      baseUrl: service.url,
      fetch: (input, init) => fetch(`${input}?instance_type=`, init),
    });
    const error = await failure("service", asking.listOsImages("acme"));
    expect(error).toMatchObject({ status: 400, code: "invalid_parameter" });
    expect(error.details).toEqual([
      { in: "query", name: "instance_type", reason: expect.stringMatching(/^must not be empty/) },
    ]);
  });

  test("is a ServiceError if the base URL leads to a part of it that is not the API", async () => {
    const error = await failure("service", createClient({ baseUrl: `${service.url}/docs` }).listOffers());
    expect(error).toMatchObject({ status: 404, code: "not_found" });
  });
});

describe("a query", () => {
  const wild: fc.Arbitrary<unknown> = fc.oneof(
    fc.constantFrom("h100-sxm", "Europe", "north america,asia", "asc", "gpuCount", "", ",", " ", "1", "a,,b", "-"),
    fc.constantFrom(0, 1, 2, 100, 101, -1, 1.5, 1e9, 1e21, Number.NaN, -0, undefined, [], ["h200-sxm", ""]),
    fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }),
    fc.string({ maxLength: 8 }),
  );
  const names = [...Object.keys(listOffersQuerySchema.shape), "gpus", "Size"];

  test("is rejected before sending if and only if the service rejects it, with the same reasons", async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), wild, { maxKeys: 3 }), async (query: OffersQuery) => {
        const rejected = await fetch(`${service.url}/api/v1/offers?${plainSearch(query)}`);
        const { details = [] } = (await rejected.json()) as Partial<ErrorBody>;
        expect(await rejections(client.listOffers(query))).toEqual(details.map(reasonOf).sort());
      }),
      { seed: 20_261_120, numRuns: 400 },
    );
  });

  test("that is invalid sends nothing, and reports every problem", async () => {
    const silent = createClient({ baseUrl: service.url, fetch: () => expect.unreachable() });
    const wrong = { size: 101, page: -1, min_gpu_count: 4, max_gpu_count: 2 };
    const error = await failure("argument", silent.listOffers(wrong));
    expect(error.details.map(({ in: place, name }) => `${place} ${name}`).sort()).toEqual([
      "query min_gpu_count",
      "query page",
      "query size",
    ]);
    expect(error.message).toContain("size must be a whole number from 1 to 100.");
  });

  test.for([null, true, {}])("with a value that has no text form is rejected: %j", async (value) => {
    const silent = createClient({ baseUrl: service.url, fetch: () => expect.unreachable() });
    const wrong = { gpu: value } as unknown as OffersQuery;
    expect((await failure("argument", silent.listOffers(wrong))).message).toBe("gpu must be text.");
  });

  test.for(["", "x".repeat(129)])(
    "for images of the instance type %j is rejected by the service's rule",
    async (instanceType) => {
      const silent = createClient({ baseUrl: service.url, fetch: () => expect.unreachable() });
      const error = await failure("argument", silent.listOsImages("acme", { instanceType }));
      expect(error.details).toMatchObject([{ in: "query", name: "instance_type" }]);
    },
  );

  test.for(["", ".", "..", "\ud800"])("cannot have %j as a part of the path", async (text) => {
    const silent = createClient({ baseUrl: service.url, fetch: () => expect.unreachable() });
    expect((await failure("argument", silent.getOffer(text))).details).toMatchObject([{ in: "path", name: "id" }]);
    expect((await failure("argument", silent.listOsImages(text))).details).toMatchObject([{ name: "provider" }]);
  });

  test("can have any other text as a part of the path", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).filter((text) => !/^\.{1,2}$/.test(text)),
        async (text) => {
          expect(await failure("service", client.getOffer(text))).toMatchObject({ message: OFFER_NOT_FOUND });
        },
      ),
      { seed: 20_261_120, numRuns: 200 },
    );
  });
});

describe("the service's", () => {
  test("operations match the client's methods by name", async () => {
    const document = (await responseTo("/openapi.json")) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    // Probes and metrics are for monitoring.
    const routes = Object.entries(document.paths)
      .filter(([path]) => !/^\/(?:health\/|metrics)/.test(path))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { operationId }]) => [
          operationId,
          { method: method.toUpperCase(), path },
        ]),
      );
    expect(Object.fromEntries(routes)).toEqual(OPERATIONS);
    for (const name of Object.keys(OPERATIONS)) {
      expect(client).toHaveProperty(name, expect.any(Function));
    }
  });

  test("tag is sent back, and a 304 returns the same response", async () => {
    const statuses: number[] = [];
    const watched = createClient({
      baseUrl: service.url,
      fetch: async (...request) => {
        const response = await fetch(...request);
        statuses.push(response.status);
        return response;
      },
    });
    expect(await watched.listOffers()).toEqual(await watched.listOffers());
    expect(await watched.listProviders()).toEqual(await watched.listProviders());
    expect(statuses).toEqual([200, 304, 200, 304]);
  });

  test("new catalog restarts the reading of all pages", async () => {
    const own = await startService();
    const reader = createClient({ baseUrl: own.url });
    const {
      totalElements: before,
      offers: [offer],
    } = await reader.listOffers({ size: 1 });
    const removed = offer?.provider.name ?? "";
    const events = reader.allOffers({}, { concurrency: 1 });
    expect((await events.next()).value).toMatchObject({ kind: "page", page: 0 });
    await adminDone(own.databasePath, "catalog", "remove", "--provider", removed);
    const count = async () => (await reader.listOffers()).totalElements;
    await expect.poll(count, { timeout: 10_000 }).not.toBe(before);
    expect((await events.next()).value).toEqual({ kind: "restart", restarts: 1 });
    const offers: Offer[] = [];
    for await (const event of events) {
      offers.push(...(event.kind === "page" ? event.offers : []));
    }
    expect(offers).toHaveLength(await count());
    expect(offers.map(({ provider }) => provider.name)).not.toContain(removed);
  });
});

test("the client has the six operations of the published API, and those of listings, GPUs, sources and history", () => {
  expect(Object.entries(OPERATIONS).map(([name, { method, path }]) => `${name}: ${method} ${path}`)).toEqual([
    "listOffers: GET /api/v1/offers",
    "getOffer: GET /api/v1/offers/{id}",
    "listProviders: GET /api/v1/providers",
    "listOsImages: GET /api/v1/providers/{provider}/images",
    "listListings: GET /api/v2/listings",
    "getListing: GET /api/v2/listings/{id}",
    "getLaunchPlan: GET /api/v2/listings/{id}/launch",
    "getPlan: GET /api/v2/plan",
    "getListingStock: GET /api/v2/listings/{id}/stock",
    "listGpus: GET /api/v2/gpus",
    "getGpu: GET /api/v2/gpus/{slug}",
    "getGpuPrices: GET /api/v2/gpus/{slug}/prices",
    "getGpuStock: GET /api/v2/gpus/{slug}/stock",
    "listSources: GET /api/v2/sources",
    "getPriceHistory: GET /api/v2/history",
    "getAccount: GET /api/v1/account",
    "getBalance: GET /api/v1/account/balance",
  ]);
});

/** The problems that reject a call before it is sent; empty if it is served. */
async function rejections(call: Promise<unknown>): Promise<string[]> {
  try {
    await call;
    return [];
  } catch (error) {
    if (error instanceof ArgumentError) {
      return error.details.map(reasonOf).sort();
    }
    throw error;
  }
}

/** A problem without the service's additions: the received value, and a similar name. */
function reasonOf({ name, reason }: ErrorDetail): string {
  return `${name} ${reason.replace(/; .*$/s, "")}`;
}

/** A query as a plain program would write it. */
function plainSearch(query: object): string {
  return String(
    new URLSearchParams(
      Object.entries(query).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as [string, string]],
      ),
    ),
  );
}
