import * as z from "zod";
import { Rejection } from "../rejection.js";
import { LiveOffers, uniqueOffers } from "./live-offers.js";
import {
  isFailure,
  type LiveItem,
  type LiveReply,
  type LiveRequest,
  type LiveResponse,
  type LiveSource,
} from "./live-source.js";
import { bodyOf, matchingRows, nameSchema, responsesOf, rowsOf, sizeSchema } from "./response.js";
import { catalogItems, catalogRequests } from "./runpod-catalog.js";
import {
  CLOUDS,
  COUNTS,
  countsOf,
  IN_STOCK,
  noErrors,
  restTypeSchema,
  rowOf,
  typesBody,
  typeSchema,
  type Cloud,
  type GpuType,
} from "./runpod-type.js";

// https://docs.runpod.io: without a key, the GraphQL API lists GPU types with their prices; stock is requested per
// location, which is a data center for the secure cloud and a country for the community cloud. With a key, the REST API
// (version 2) lists types, prices and stock by data center, one response per cloud and number of GPUs.

const GRAPHQL = "https://api.runpod.io/graphql";

const lowestSchema = z
  .object({
    uninterruptablePrice: z.number().min(0).nullish(),
    minVcpu: sizeSchema,
    minMemory: sizeSchema,
    stockStatus: z.string().nullish(),
  })
  .nullish();

const stockSchema = z.object({
  id: nameSchema,
  n1: lowestSchema,
  n2: lowestSchema,
  n4: lowestSchema,
  n8: lowestSchema,
});
type Stock = z.output<typeof stockSchema>;

const stockBody = z.object({ errors: noErrors, data: z.object({ gpuTypes: z.array(z.unknown()) }) });

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
  recordedAt: "2026-07-18",
  currency: "USD",
  mayBeEmpty: false,
  scopes: { noun: "zone", defaults: [] },
  terms: "GraphQL API, readable without a key; with a key, its REST API, whose reader is unverified.",
  includes:
    "price, stock by data center (secure cloud) and by country (community cloud), vCPUs and memory where in stock",
  omits: "disk: the price of the price page is used; NVLink",

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
    const types = matchingRows(stockRowsOf(response)).map((row) => [row.id, row] as const);
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
      // No place has it, unless none was asked.
      const availability = placed.length === 0 ? "unknown" : undefined;
      yield offers.item(where, { ...rowOf(type, cloud, count), region: null, isAvailable: false, availability });
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
        {
          ...row,
          ...machine,
          region: place,
          isAvailable: IN_STOCK.test(lowest.stockStatus),
          stockLevel: lowest.stockStatus,
        },
        scope,
      );
    }
  }
}
