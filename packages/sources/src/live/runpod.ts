import * as z from "zod";
import { Rejection } from "../rejection.js";
import { LiveOffers, uniqueOffers, type LiveDisk, type LiveRow } from "./live-offers.js";
import {
  isFailure,
  type LiveItem,
  type LiveReply,
  type LiveRequest,
  type LiveResponse,
  type LiveSource,
} from "./live-source.js";
import { bodyOf, listOf, nameSchema, responsesOf, rowsOf, sizeSchema } from "./response.js";

// https://docs.runpod.io: without a key, the GraphQL API lists GPU types with their prices; stock is requested per
// location, which is a data center for the secure cloud and a country for the community cloud. With a key, the REST API
// (version 2) lists types, prices and stock by data center, one response per cloud and number of GPUs.

const GRAPHQL = "https://api.runpod.io/graphql";
const CATALOG = "https://api.runpod.io/v2/catalog/gpus";

/** Instance sizes to list, up to the maximum of a type; the price is proportional. */
const COUNTS = [1, 2, 4, 8];

/** Values of stockStatus that mean some are available. */
const IN_STOCK = /^(?:high|medium|low)$/i;

/**
 * RunPod's container disk: 0.10 USD per GB and month of 730 hours (https://www.runpod.io/pricing). The API does not have it,
 * nor the limits, which are those of the console.
 */
const CONTAINER_DISK: LiveDisk = { kind: "chosen", costPerGb: 0.1 / 730, minGb: 10, maxGb: 2000 };

/** The form of a scope: `secure US-KS-2`, `community US`. */
const CLOUDS = ["secure", "community"] as const;
type Cloud = (typeof CLOUDS)[number];

const lowestSchema = z
  .object({
    uninterruptablePrice: z.number().min(0).nullish(),
    minVcpu: sizeSchema,
    minMemory: sizeSchema,
    stockStatus: z.string().nullish(),
  })
  .nullish();

const typeSchema = z.object({
  id: nameSchema,
  // GB of one GPU.
  memoryInGb: z.number().min(0),
  maxGpuCount: z.int().min(0).nullish(),
  maxGpuCountSecureCloud: z.int().min(0).nullish(),
  maxGpuCountCommunityCloud: z.int().min(0).nullish(),
  secureCloud: z.boolean(),
  communityCloud: z.boolean(),
  // USD per GPU and hour; 0 if it is not offered.
  securePrice: z.number().nullable(),
  communityPrice: z.number().nullable(),
});
type GpuType = Omit<z.output<typeof typeSchema>, "maxGpuCount"> & { maxGpuCount?: number | null | undefined };

// The REST API (v2) has the same facts under other names, and the data centers of each type.
const priceSchema = z.number().min(0).nullish();
const restTypeSchema = z
  .object({
    id: nameSchema,
    memory: z.number().min(0),
    secure: z.boolean().nullish(),
    community: z.boolean().nullish(),
    price: z.object({ secure: priceSchema, community: priceSchema }),
    maxCount: z.object({ secure: z.int().min(0).nullish(), community: z.int().min(0).nullish() }).nullish(),
    availability: z.string().nullish(),
    dataCenters: listOf(z.object({ id: nameSchema, availability: z.string().nullish() })),
  })
  .transform(({ id, memory, secure, community, price, maxCount, availability, dataCenters }) => ({
    id,
    availability,
    dataCenters,
    memoryInGb: memory,
    maxGpuCountSecureCloud: maxCount?.secure,
    maxGpuCountCommunityCloud: maxCount?.community,
    secureCloud: secure ?? true,
    communityCloud: community ?? true,
    securePrice: price.secure ?? null,
    communityPrice: price.community ?? null,
  }));

type RestType = z.output<typeof restTypeSchema>;

const stockSchema = z.object({
  id: nameSchema,
  n1: lowestSchema,
  n2: lowestSchema,
  n4: lowestSchema,
  n8: lowestSchema,
});
type Stock = z.output<typeof stockSchema>;

const errors = z.array(z.unknown()).max(0, "must be empty").nullish();
const typesBody = z.union([
  z.object({
    errors,
    data: z.object({
      gpuTypes: z.array(z.unknown()),
      dataCenters: z.array(z.object({ id: nameSchema, listed: z.boolean().nullish() })).nullish(),
      countryCodes: z.array(nameSchema).nullish(),
    }),
  }),
  z
    .object({ gpus: z.array(z.unknown()) })
    .transform(({ gpus }) => ({ data: { gpuTypes: gpus, dataCenters: [], countryCodes: [] } })),
  z.array(z.unknown()).transform((gpuTypes) => ({ data: { gpuTypes, dataCenters: [], countryCodes: [] } })),
]);
const stockBody = z.object({ errors, data: z.object({ gpuTypes: z.array(z.unknown()) }) });

export const runpod: LiveSource = {
  name: "runpod",
  title: "RunPod",
  homepage: "https://www.runpod.io",
  type: "container",
  kind: "marketplace",
  secrets: [],
  optionalSecrets: ["RUNPOD_API_KEY"],
  hosts: ["api.runpod.io"],
  intervalSeconds: 1800,
  maxBytes: 8 * 1024 * 1024,
  spacingMs: 500,
  stock: "live",
  verified: true,
  currency: "USD",
  mayBeEmpty: false,
  scopes: { noun: "zone", defaults: [] },
  terms:
    "The provider's GraphQL API, whose GPU types, data centers and countries are readable without a key; with a key, its REST API, whose reader follows the documentation only.",
  includes:
    "price, stock by data center (secure cloud) and by country (community cloud), vCPUs and memory where in stock",
  omits: "disk: the price of the price page is used; NVLink",
  unit: "USD per hour of one GPU",

  check(response) {
    stockRowsOf(response);
  },

  *requests(context) {
    const key = context.secrets["RUNPOD_API_KEY"] ?? "";
    if (key !== "") {
      yield* catalogRequests(key);
      return;
    }
    const reply = yield typesRequest();
    if (isFailure(reply)) {
      return;
    }
    for (const scope of context.settings.scopes ?? scopesOf(reply)) {
      const request = stockRequest(scope);
      if (request !== undefined) {
        yield request;
      }
    }
  },

  read(replies, context) {
    const offers = new LiveOffers(runpod, context);
    const isRest = replies.some(({ request }) => request.part === "catalog");
    return uniqueOffers(
      isRest ? catalogItems(offers, replies, context.settings.scopes) : items(offers, replies),
      runpod.kind,
    );
  },
};

function* catalogRequests(key: string): Generator<LiveRequest, void, LiveReply> {
  for (const cloud of CLOUDS) {
    for (const count of COUNTS) {
      // `count` and `cloud` are only allowed together with `product`.
      const query = new URLSearchParams({
        include: "AVAILABILITY",
        product: "POD",
        count: String(count),
        cloud: cloud.toUpperCase(),
      });
      const headers = { authorization: `Bearer ${key}` };
      yield { part: "catalog", main: true, method: "GET", url: `${CATALOG}?${query.toString()}`, headers };
    }
  }
}

/** @param scopes Places to list, such as `secure US-KS-2`; default: all. */
function* catalogItems(
  offers: LiveOffers,
  replies: readonly LiveReply[],
  scopes: readonly string[] | undefined,
): Generator<LiveItem> {
  yield offers.providerItem();
  for (const response of responsesOf(replies, "catalog")) {
    const query = new URL(response.request.url).searchParams;
    const cloud: Cloud = query.get("cloud") === "SECURE" ? "secure" : "community";
    const count = Number(query.get("count"));
    for (const { where, row } of rowsOf(bodyOf(response, typesBody).data.gpuTypes, restTypeSchema, "gpus")) {
      const at = `${cloud} ${count}x ${where}`;
      if (row instanceof Rejection) {
        yield offers.item(at, row);
      } else if (!row[`${cloud}Cloud`] || !countsOf(row, cloud).includes(count)) {
        yield { kind: "skipped", where: at };
      } else {
        const places = placesOf(row).filter(({ region }) => scopes?.includes(`${cloud} ${region}`) ?? true);
        for (const place of places) {
          yield offers.item(at, { ...rowOf(row, cloud, count), ...place });
        }
        if (places.length === 0) {
          yield { kind: "skipped", where: at };
        }
      }
    }
  }
}

/** The data centers that have a type in stock; without any, its stock in all of a cloud. */
function placesOf({ availability, dataCenters }: RestType): Pick<LiveRow, "region" | "isAvailable">[] {
  const inStock = dataCenters.filter((place) => IN_STOCK.test(place.availability ?? ""));
  return inStock.length > 0
    ? inStock.map(({ id: region }) => ({ region, isAvailable: true }))
    : [{ region: null, isAvailable: dataCenters.length === 0 && IN_STOCK.test(availability ?? "") }];
}

function scopesOf(reply: LiveReply): string[] {
  if (isFailure(reply)) {
    return [];
  }
  const { dataCenters, countryCodes } = bodyOf(reply, typesBody).data;
  const secure = (dataCenters ?? []).filter(({ listed }) => listed !== false).map(({ id }) => `secure ${id}`);
  // Nothing can be rented in the region that RunPod calls AR.
  const community = (countryCodes ?? []).filter((code) => code !== "AR").map((code) => `community ${code}`);
  return [...new Set([...secure, ...community])];
}

function graphql(query: string): Pick<LiveRequest, "method" | "url" | "headers" | "body"> {
  return {
    method: "POST",
    url: GRAPHQL,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query }),
  };
}

function typesRequest(): LiveRequest {
  const fields =
    "id memoryInGb maxGpuCount maxGpuCountSecureCloud maxGpuCountCommunityCloud secureCloud communityCloud securePrice communityPrice";
  return {
    part: "gpuTypes",
    main: true,
    alsoAt: ["GET catalog/gpus"],
    ...graphql(`query { gpuTypes { ${fields} } dataCenters { id listed } countryCodes }`),
  };
}

function stockRequest(scope: string): LiveRequest | undefined {
  const [, cloud, place] = /^(secure|community) ([\w-]{1,40})$/.exec(scope) ?? [];
  if (cloud === undefined || place === undefined) {
    return undefined;
  }
  const where =
    cloud === "secure" ? `secureCloud: true, dataCenterId: "${place}"` : `secureCloud: false, countryCode: "${place}"`;
  const price = (count: number) =>
    `n${count}: lowestPrice(input: { gpuCount: ${count}, ${where} }) { uninterruptablePrice minVcpu minMemory stockStatus }`;
  return {
    part: "stock",
    main: false,
    scope,
    ...graphql(`query { gpuTypes { id ${COUNTS.map((count) => price(count)).join(" ")} } }`),
  };
}

function* items(offers: LiveOffers, replies: readonly LiveReply[]): Generator<LiveItem> {
  const rows = responsesOf(replies, "gpuTypes").flatMap((response) => bodyOf(response, typesBody).data.gpuTypes);
  const stocks = stocksOf(replies);
  yield offers.providerItem();
  for (const { where, row } of rowsOf(rows, z.union([typeSchema, restTypeSchema]), "gpuTypes")) {
    if (row instanceof Rejection) {
      yield offers.item(where, row);
    } else if (row.id === "unknown") {
      yield { kind: "skipped", where };
    } else {
      yield* offersOf(offers, where, row, stocks);
    }
  }
}

interface ScopeStock {
  scope: string;
  cloud: Cloud;
  place: string;
  types: ReadonlyMap<string, Stock>;
}

function stockRowsOf(response: LiveResponse) {
  return rowsOf(bodyOf(response, stockBody).data.gpuTypes, stockSchema, "stock");
}

function stocksOf(replies: readonly LiveReply[]): ScopeStock[] {
  return responsesOf(replies, "stock").map((response) => {
    const scope = response.request.scope ?? "";
    const [cloud = "", place = ""] = scope.split(" ");
    const types = stockRowsOf(response).flatMap(({ row }) =>
      row instanceof Rejection ? [] : [[row.id, row] as const],
    );
    return { scope, cloud: cloud === "secure" ? "secure" : "community", place, types: new Map(types) };
  });
}

function* offersOf(
  offers: LiveOffers,
  where: string,
  type: GpuType,
  stocks: readonly ScopeStock[],
): Generator<LiveItem> {
  // There is a price even if the type is not sold.
  const clouds = CLOUDS.filter((cloud) => type[`${cloud}Cloud`] && (type[`${cloud}Price`] ?? 0) > 0);
  if (clouds.length === 0) {
    yield offers.item(where, new Rejection("not_rentable", `${type.id} is sold in no cloud of RunPod.`));
  }
  for (const cloud of clouds) {
    const placed = stocks.filter((stock) => stock.cloud === cloud);
    const found = [...placedOffers(offers, where, { type, cloud }, placed)];
    yield* found;
    if (found.length > 0) {
      continue;
    }
    for (const count of countsOf(type, cloud)) {
      yield offers.item(where, { ...rowOf(type, cloud, count), region: null, isAvailable: false });
    }
  }
}

function* placedOffers(
  offers: LiveOffers,
  where: string,
  { type, cloud }: { type: GpuType; cloud: Cloud },
  stocks: readonly ScopeStock[],
): Generator<LiveItem> {
  for (const { scope, place, types } of stocks) {
    const stock = types.get(type.id);
    for (const count of countsOf(type, cloud)) {
      const lowest = stock?.[`n${count}` as keyof Omit<Stock, "id">];
      // That size is out of stock in that location, or never sold there.
      if (lowest?.stockStatus == null) {
        continue;
      }
      const row = rowOf(type, cloud, count);
      // The lowest price for that many GPUs in that location may be above the type's own.
      const priceHourly = Math.max(row.priceHourly, lowest.uninterruptablePrice ?? 0);
      const machine = { priceHourly, vcpu: lowest.minVcpu, ramGb: lowest.minMemory };
      yield offers.item(
        where,
        { ...row, ...machine, region: place, isAvailable: IN_STOCK.test(lowest.stockStatus) },
        scope,
      );
    }
  }
}

function countsOf(type: GpuType, cloud: Cloud): number[] {
  const maximum = cloud === "secure" ? type.maxGpuCountSecureCloud : type.maxGpuCountCommunityCloud;
  const most = maximum ?? type.maxGpuCount ?? 1;
  return COUNTS.filter((count) => count <= Math.max(1, most));
}

function rowOf(type: GpuType, cloud: Cloud, count: number): Omit<LiveRow, "region" | "isAvailable"> {
  return {
    instanceType: `${count}x ${type.id} (${cloud})`,
    gpu: { name: type.id, count, vramGb: type.memoryInGb || undefined },
    priceHourly: (type[`${cloud}Price`] ?? 0) * count,
    disk: CONTAINER_DISK,
    // The minimum bid is always the on-demand price, so there is no spot market.
    listing: { instanceType: type.id, seller: cloud === "secure" ? "partner" : "host" },
  };
}
