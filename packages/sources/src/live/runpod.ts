import * as z from "zod";
import { Rejection } from "../rejection.js";
import { builtInSource } from "./built-in-source.js";
import { bearer, type StatedRequest } from "./define-source.js";
import { inPlaces, type LiveMachine, type LiveOffers, type LivePlace, type LiveRow } from "./live-offers.js";
import { isFailure, type LiveItem, type LiveReply, type LiveResponse } from "./live-source.js";
import { bodyOf, listOf, listUnder, matchingRows, nameSchema, responsesOf, rowsOf, sizeSchema } from "./response.js";

// https://docs.runpod.io: without a key, the GraphQL API lists GPU types with their prices; stock is requested per
// location, which is a data center for the secure cloud and a country for the community cloud. With a key, the REST API
// (version 2) lists types, prices and stock by data center, one response per cloud and number of GPUs.

/** Instance sizes to list, up to the maximum of a type; the price is proportional. */
const COUNTS = [1, 2, 4, 8] as const;

/** Values of stockStatus that mean some are available. */
const IN_STOCK = /^(?:high|medium|low)$/i;

/** The clouds, and the form of a scope: `secure US-KS-2`, `community US`. */
const CLOUDS = ["secure", "community"] as const;
type Cloud = (typeof CLOUDS)[number];

const countSchema = z.int().min(0).nullish();
const typeSchema = z.object({
  id: nameSchema,
  // GB of one GPU.
  memoryInGb: z.number().min(0),
  maxGpuCount: countSchema,
  maxGpuCountSecureCloud: countSchema,
  maxGpuCountCommunityCloud: countSchema,
  secureCloud: z.boolean(),
  communityCloud: z.boolean(),
  // USD per GPU and hour; 0 if it is not offered.
  securePrice: z.number().nullable(),
  communityPrice: z.number().nullable(),
});
type GpuType = z.output<typeof typeSchema>;

// The REST API has the same facts under other names, and the data centers of each type.
const priceSchema = z.number().min(0).nullish();
const restTypeSchema = z
  .object({
    id: nameSchema,
    memory: z.number().min(0),
    secure: z.boolean().nullish(),
    community: z.boolean().nullish(),
    price: z.object({ secure: priceSchema, community: priceSchema }),
    maxCount: z.object({ secure: countSchema, community: countSchema }).nullish(),
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

// The errors of a GraphQL response, of which there must be none.
const noErrors = z.array(z.unknown()).max(0, "must be empty").nullish();
/** A list of types in the form of either API. */
const typesBody = z.union([
  z.object({
    errors: noErrors,
    data: z.object({
      gpuTypes: z.array(z.unknown()),
      dataCenters: z.array(z.object({ id: nameSchema, listed: z.boolean().nullish() })).nullish(),
      countryCodes: z.array(nameSchema).nullish(),
    }),
  }),
  listUnder("gpus", "").transform((gpuTypes) => ({ data: { gpuTypes, dataCenters: [], countryCodes: [] } })),
]);

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
const stockBody = z.object({ errors: noErrors, data: z.object({ gpuTypes: z.array(z.unknown()) }) });

export const runpod = builtInSource("runpod", {
  scopes: { noun: "zone", defaults: [] },

  check: (response) => stockRowsOf(response),

  *requests({ secrets, settings }) {
    const key = secrets["RUNPOD_API_KEY"] ?? "";
    if (key !== "") {
      yield* CLOUDS.flatMap((cloud) => COUNTS.map((count) => catalogRequest(key, cloud, count)));
      return;
    }
    const types = yield typesRequest();
    if (!isFailure(types)) {
      yield* (settings.scopes ?? scopesOf(types)).flatMap(stockRequests);
    }
  },

  items: (offers, replies, { settings }) =>
    replies.some(({ request }) => request.part === "catalog")
      ? catalogItems(offers, replies, settings.scopes)
      : typeItems(offers, replies),
});

function catalogRequest(key: string, cloud: Cloud, count: number): StatedRequest {
  // `count` and `cloud` are only allowed together with `product`.
  const filter = { product: "POD", count: String(count), cloud: cloud.toUpperCase() };
  const query = new URLSearchParams({ include: "AVAILABILITY", ...filter }).toString();
  return { part: "catalog", url: `https://api.runpod.io/v2/catalog/gpus?${query}`, headers: bearer(key) };
}

function graphql(part: string, query: string): StatedRequest {
  const headers = { "content-type": "application/json" };
  return { part, method: "POST", url: "https://api.runpod.io/graphql", headers, body: JSON.stringify({ query }) };
}

function typesRequest(): StatedRequest {
  const fields =
    "id memoryInGb maxGpuCount maxGpuCountSecureCloud maxGpuCountCommunityCloud secureCloud communityCloud securePrice communityPrice";
  const query = `query { gpuTypes { ${fields} } dataCenters { id listed } countryCodes }`;
  return { ...graphql("gpuTypes", query), alsoAt: ["GET catalog/gpus"] };
}

function scopesOf(types: LiveResponse): string[] {
  const { dataCenters, countryCodes } = bodyOf(types, typesBody).data;
  const secure = (dataCenters ?? []).filter(({ listed }) => listed !== false).map(({ id }) => `secure ${id}`);
  // Nothing can be rented in the region that RunPod calls AR.
  const community = (countryCodes ?? []).filter((code) => code !== "AR").map((code) => `community ${code}`);
  return [...new Set([...secure, ...community])];
}

/** The request for the stock of a scope; none if it has another form. */
function stockRequests(scope: string): StatedRequest[] {
  const [, cloud, place] = /^(secure|community) ([\w-]{1,40})$/.exec(scope) ?? [];
  const where =
    cloud === "secure" ? `secureCloud: true, dataCenterId: "${place}"` : `secureCloud: false, countryCode: "${place}"`;
  const prices = COUNTS.map(
    (count) =>
      `n${count}: lowestPrice(input: { gpuCount: ${count}, ${where} }) { uninterruptablePrice minVcpu minMemory stockStatus }`,
  );
  const request = graphql("stock", `query { gpuTypes { id ${prices.join(" ")} } }`);
  return place === undefined ? [] : [{ ...request, main: false, scope }];
}

function stockRowsOf(response: LiveResponse) {
  return rowsOf(bodyOf(response, stockBody).data.gpuTypes, stockSchema, "stock");
}

function countsOf(type: GpuType, cloud: Cloud) {
  const maximum = cloud === "secure" ? type.maxGpuCountSecureCloud : type.maxGpuCountCommunityCloud;
  return COUNTS.filter((count) => count <= Math.max(1, maximum ?? type.maxGpuCount ?? 1));
}

/** A machine of a type, wherever it is. */
function machineOf(type: GpuType, cloud: Cloud, count: number): LiveMachine {
  return {
    instanceType: `${count}x ${type.id} (${cloud})`,
    gpu: { name: type.id, count, vramGb: type.memoryInGb || undefined },
    priceHourly: (type[`${cloud}Price`] ?? 0) * count,
    disk: { kind: "unpriced" },
    // The minimum bid is always the on-demand price, so there is no spot market.
    listing: { instanceType: type.id, seller: cloud === "secure" ? "partner" : "host" },
  };
}

/** The offers of the types that the GraphQL API lists. */
function typeItems(offers: LiveOffers, replies: readonly LiveReply[]): Iterable<LiveItem> {
  const rows = responsesOf(replies, "gpuTypes").flatMap((response) => bodyOf(response, typesBody).data.gpuTypes);
  const stocks = responsesOf(replies, "stock").map((response) => {
    const { scope = "" } = response.request;
    const [cloud = "", place = ""] = scope.split(" ");
    const types = new Map(matchingRows(stockRowsOf(response)).map((row) => [row.id, row]));
    return { scope, cloud: cloud === "secure" ? "secure" : "community", place, types };
  });
  return offers.each(rowsOf(rows, z.union([typeSchema, restTypeSchema]), "gpuTypes"), (type: GpuType, where) => {
    if (type.id === "unknown") {
      return [{ kind: "skipped", where }];
    }
    // There is a price even if the type is not sold.
    const clouds = CLOUDS.filter((cloud) => type[`${cloud}Cloud`] && (type[`${cloud}Price`] ?? 0) > 0);
    if (clouds.length === 0) {
      return [offers.item(where, new Rejection("not_rentable", `${type.id} is sold in no cloud of RunPod.`))];
    }
    return clouds.flatMap((cloud) => {
      const asked = stocks.filter((stock) => stock.cloud === cloud);
      const sizes = countsOf(type, cloud).map((count) => ({ count, machine: machineOf(type, cloud, count) }));
      const placed = asked.flatMap(({ scope, place: region, types }) =>
        sizes.flatMap(({ count, machine }) => {
          const lowest = types.get(type.id)?.[`n${count}`];
          // Without a status, that size is out of stock in that location, or never sold there.
          return lowest?.stockStatus == null
            ? []
            : [offers.item(where, { ...atLowest(machine, lowest), region }, scope)];
        }),
      );
      // No place has it, unless none was asked.
      const availability = asked.length === 0 ? "unknown" : undefined;
      const unplaced = sizes.map(({ machine }) =>
        offers.item(where, { ...machine, region: null, isAvailable: false, availability }),
      );
      return placed.length > 0 ? placed : unplaced;
    });
  });
}

/** A machine in a location, whose lowest price for that many GPUs may be above the type's own. */
function atLowest(machine: LiveMachine, lowest: NonNullable<z.output<typeof lowestSchema>>): Omit<LiveRow, "region"> {
  return {
    ...machine,
    priceHourly: Math.max(machine.priceHourly, lowest.uninterruptablePrice ?? 0),
    vcpu: lowest.minVcpu,
    ramGb: lowest.minMemory,
    isAvailable: IN_STOCK.test(lowest.stockStatus ?? ""),
    stockLevel: lowest.stockStatus,
  };
}

/** The offers of the REST API's catalog. @param scopes Places to list, such as `secure US-KS-2`; default: all. */
function* catalogItems(
  offers: LiveOffers,
  replies: readonly LiveReply[],
  scopes: readonly string[] | undefined,
): Generator<LiveItem> {
  for (const response of responsesOf(replies, "catalog")) {
    const query = new URL(response.request.url).searchParams;
    const cloud: Cloud = query.get("cloud") === "SECURE" ? "secure" : "community";
    const count = Number(query.get("count"));
    const rows = rowsOf(bodyOf(response, typesBody).data.gpuTypes, restTypeSchema, "gpus");
    const named = rows.map(({ where, row }) => ({ where: `${cloud} ${count}x ${where}`, row }));
    yield* offers.items(named, (type) => {
      const isSold = type[`${cloud}Cloud`] && countsOf(type, cloud).some((size) => size === count);
      const places = placesOf(type).filter(({ region }) => scopes?.includes(`${cloud} ${region}`) ?? true);
      return isSold && places.length > 0 ? inPlaces(machineOf(type, cloud, count), places) : undefined;
    });
  }
}

/** The data centers that have a type in stock; without any, its stock in all of a cloud. */
function placesOf({ availability: level, dataCenters }: z.output<typeof restTypeSchema>): LivePlace[] {
  const inStock = dataCenters.filter((place) => IN_STOCK.test(place.availability ?? ""));
  if (inStock.length > 0) {
    return inStock.map(({ id: region, availability }) => ({ region, isAvailable: true, stockLevel: availability }));
  }
  const isWhole = dataCenters.length === 0;
  const availability = isWhole && level == null ? "unknown" : undefined;
  return [{ region: null, isAvailable: isWhole && IN_STOCK.test(level ?? ""), availability, stockLevel: level }];
}
