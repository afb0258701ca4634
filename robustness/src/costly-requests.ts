import { CONTINENTS, gpuModels } from "@gpu-offers/domain";
import type { HttpRequest } from "@gpu-offers/testkit/http";

// Requests that anyone may send, each as expensive as its kind can be. The number makes each one different, so that
// no response comes from a cache.

/** A kind of request. */
export interface CostlyRequest {
  name: string;
  /** Status of its responses. */
  status: number;
  request: (number: number) => HttpRequest & { path: string };
}

const many = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** As many slugs as fit into a URL. */
const SLUGS = gpuModels.map(({ slug }) => slug).join(",");

/** Names like known ones, so that the nearest are looked for. */
const nearName = (number: number, index: number): string =>
  `rtx ${number}${index} adaa geforce tii blackwel edition`.slice(0, 64);

/** Short words that are in many names, and match few offers together. */
const wordsOfNames = (count: number, number: number): string[] =>
  many(
    count,
    (index) =>
      `${"abcdefghijklmnopqrstuvwxyz"[(index * 7 + number) % 26]}${"aeioulnrst"[index % 10]}${["p", "e", "d"][index % 3]}`,
  );

/** Every filter of listings that depends on numbers, each matching most offers, and a price that none has. */
const everyFilter = (number: number): Record<string, string> => ({
  q: "nvidia or amd or intel",
  continent: CONTINENTS.join(","),
  min_gpu_count: "1",
  max_gpu_count: "64",
  min_vram: "1",
  min_total_vram: "1",
  min_bandwidth: "1",
  verified: "not-false",
  max_price: "100000",
  max_hourly: "100000",
  max_total: "0.000001",
  budget: "100000",
  hours: "2",
  disk: String(60 + number),
  fits: "8b",
  sort_by: "total",
});

/** Requests other than those of agents. */
export const readRequests: readonly CostlyRequest[] = [
  {
    name: "deep page of every GPU and continent",
    status: 200,
    request: (number) => ({
      path: `/api/v1/offers?size=100&page=${400 + number}&sort_by=gpuCount&sort_order=desc&gpu=${SLUGS}&continent=${CONTINENTS.map(encodeURIComponent).join(",")}`,
    }),
  },
  {
    name: "listings by words, with a disk",
    status: 200,
    request: (number) => ({ path: `/listings?q=nvidia%20europe&disk=${777 + number}&sort_by=total&size=100` }),
  },
  {
    name: "listings without matches",
    status: 200,
    request: (number) => ({ path: `/listings?q=nvidia%20europe%20xyz&disk=${777 + number}&sort_by=total` }),
  },
  {
    name: "listings by 24 words that are in names",
    status: 200,
    request: (number) => ({ path: `/listings?q=${wordsOfNames(24, number).join("%20")}` }),
  },
  {
    name: "listings by 24 unknown words",
    status: 200,
    request: (number) => ({ path: `/listings?q=${many(24, (index) => `zq${number}x${index}vk`).join("%20")}` }),
  },
  {
    name: "listings by 12 alternatives",
    status: 200,
    request: (number) => ({ path: `/listings?q=${wordsOfNames(12, number).join("%7C")}` }),
  },
  {
    name: "listings of 50 regions and types, with every other filter",
    status: 200,
    request: (number) => ({
      path: `/listings?${String(
        new URLSearchParams({
          ...everyFilter(number),
          region: many(50, (index) => `region-${index}`).join(","),
          instance_type: many(50, (index) => `type-${(number * 50 + index) % 3_000}`).join(","),
        }),
      )}`,
    }),
  },
  {
    name: "listings of 50 regions and types like known ones",
    status: 400,
    request: (number) => ({
      path: `/listings?region=${many(50, (index) => `regin-${index}`).join(",")}&instance_type=${many(50, (index) => `tipe-${number}${index}`).join(",")}`,
    }),
  },
  {
    name: "unknown parameters",
    status: 400,
    request: (number) => ({
      path: `/api/v1/offers?${many(700, (index) => `min_gpu${number}${index}=1`).join("&")}`.slice(0, 8_000),
    }),
  },
  {
    name: "invalid slugs",
    status: 400,
    request: (number) => ({
      path: `/api/v1/offers?gpu=${many(900, (index) => `h_${number}${index}`).join(",")}`.slice(0, 8_000),
    }),
  },
  { name: "sources", status: 200, request: () => ({ path: "/sources" }) },
  { name: "OpenAPI document", status: 200, request: () => ({ path: "/openapi.json" }) },
  { name: "metrics", status: 200, request: () => ({ path: "/metrics" }) },
];

function agentRequest(body: unknown): HttpRequest & { path: string } {
  return {
    path: "/mcp",
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify(body),
  };
}

function toolCall(name: string, args: unknown): unknown {
  return { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
}

/** Requests of agents; `offerId` is the id of an offer. */
export function agentCalls(offerId: string): CostlyRequest[] {
  const find = (args: unknown) => agentRequest(toolCall("find_gpu_offers", args));
  const unknownNames = (number: number) => many(20, (index) => nearName(number, index));
  const read = (uri: string) => agentRequest({ jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri } });
  return [
    { name: "find_gpu_offers without arguments", status: 200, request: () => find({ limit: 25 }) },
    { name: "find_gpu_offers with a disk", status: 200, request: (number) => find({ limit: 25, diskGb: 60 + number }) },
    {
      name: "find_gpu_offers with 20 unknown GPUs",
      status: 200,
      request: (number) => find({ gpu: unknownNames(number) }),
    },
    {
      name: "find_gpu_offers with 20 unknown names of each kind",
      status: 200,
      request: (number) => {
        const names = unknownNames(number);
        return find({ gpu: names, continent: names, country: names, provider: names });
      },
    },
    {
      name: "find_gpu_offers without matches",
      status: 200,
      request: (number) =>
        find({
          gpu: ["nvidia", "amd", "intel"],
          continent: ["Europe", "Asia", "Africa", "North America"],
          country: ["nordics", "benelux", "dach", "DE", "FR"],
          maxUsdPerHour: 0.000001,
          diskGb: 60 + number,
          minTotalVramGb: 1,
        }),
    },
    {
      name: "find_gpu_offers by 24 words and 50 regions and types like known ones",
      status: 200,
      request: (number) =>
        find({
          text: many(24, (index) => `zq${number}x${index}vk`).join(" "),
          region: many(50, (index) => `regin-${index}`),
          instanceType: many(50, (index) => `tipe-${number}${index}`),
        }),
    },
    {
      name: "batch of 100 calls with 20 unknown names",
      status: 400,
      request: (number) =>
        agentRequest(
          many(100, () => toolCall("find_gpu_offers", { gpu: many(20, (index) => `rtx ${number}${index}`) })),
        ),
    },
    {
      name: "batch of 100 calls",
      status: 400,
      request: () => agentRequest(many(100, () => toolCall("find_gpu_offers", { limit: 25 }))),
    },
    {
      name: "3,500 unknown arguments",
      status: 200,
      request: (number) => find(Object.fromEntries(many(3_500, (index) => [`maxUsd${number}${index}`, 1]))),
    },
    {
      name: "one list of 20,000 numbers",
      status: 200,
      request: () => find({ gpu: many(20_000, () => 1) }),
    },
    {
      name: "compare_gpu_offers with 5 unknown ids",
      status: 200,
      request: (number) =>
        agentRequest(toolCall("compare_gpu_offers", { ids: many(5, (index) => `${number}-${index}`) })),
    },
    {
      name: "quote_gpu_deployment",
      status: 200,
      request: () => agentRequest(toolCall("quote_gpu_deployment", { id: offerId, diskGb: 100 })),
    },
    {
      name: "tools/list",
      status: 200,
      request: () => agentRequest({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    },
    { name: "list of models", status: 200, request: () => read("gpu-offers://models") },
    { name: "list of providers", status: 200, request: () => read("gpu-offers://providers") },
  ];
}
