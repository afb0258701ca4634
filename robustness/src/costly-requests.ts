import { CONTINENTS, gpuModels, LISTING_FILTER_NAMES } from "@gpu-offers/domain";
import type { Sent } from "./service-cost.ts";

// Requests that anyone may send, each as expensive as its kind can be. The number makes each one different, so that
// no response comes from a cache.

/** A kind of request, and the status of its responses. */
export type CostlyRequest = [name: string, status: number, request: (number: number) => Sent];

const many = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** As many slugs as fit into a URL. */
const SLUGS = gpuModels.map(({ slug }) => slug).join(",");

/** Names like known ones, so that the nearest are looked for. */
const nearNames = (number: number): string[] =>
  many(20, (index) => `rtx ${number}${index} adaa geforce tii blackwel edition`.slice(0, 64));

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
  ...Object.fromEntries(
    LISTING_FILTER_NAMES.flatMap((name) => (/^m(?:in|ax)_/.test(name) ? [[name, name < "min" ? "1000" : "1"]] : [])),
  ),
  verified: "not-false",
  max_total: "0.000001",
  budget: "100000",
  hours: "2",
  disk: String(60 + number),
  fits: "8b",
  sort_by: "total",
});

const unknownWords = (number: number): string[] => many(24, (index) => `zq${number}x${index}vk`);
const nearRegions = many(50, (index) => `regin-${index}`);
const nearTypes = (number: number): string[] => many(50, (index) => `tipe-${number}${index}`);

const v1 = (query: string): Sent => ({ path: `/api/v1/offers?${query}`.slice(0, 8_000) });
const listings = (query: Record<string, string | readonly string[]>): Sent => ({
  path: `/listings?${String(new URLSearchParams(Object.entries(query).map(([key, value]): [string, string] => [key, String(value)])))}`,
});

function agentRequest(body: unknown): Sent {
  return {
    path: "/mcp",
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify(body),
  };
}

const rpc = (method: string, params: object): object => ({ jsonrpc: "2.0", id: 1, method, params });
const toolCall = (name: string, args: unknown): object => rpc("tools/call", { name, arguments: args });
const find = (args: unknown): Sent => agentRequest(toolCall("find_gpu_offers", args));

/** Every kind; `offerId` is the id of an offer. */
export const costlyRequests = (offerId: string): CostlyRequest[] => [
  [
    "deep page of every GPU and continent",
    200,
    (number) => {
      const continents = CONTINENTS.map(encodeURIComponent).join(",");
      const page = `size=100&page=${400 + number}&sort_by=gpuCount&sort_order=desc`;
      return { path: `/api/v1/offers?${page}&gpu=${SLUGS}&continent=${continents}` };
    },
  ],
  [
    "listings by words, with a disk",
    200,
    (number) => listings({ q: "nvidia europe", disk: String(777 + number), sort_by: "total", size: "100" }),
  ],
  [
    "listings without matches",
    200,
    (number) => listings({ q: "nvidia europe xyz", disk: String(777 + number), sort_by: "total" }),
  ],
  ["listings by 24 words that are in names", 200, (number) => listings({ q: wordsOfNames(24, number).join(" ") })],
  ["listings by 24 unknown words", 200, (number) => listings({ q: unknownWords(number).join(" ") })],
  ["listings by 12 alternatives", 200, (number) => listings({ q: wordsOfNames(12, number).join("|") })],
  [
    "listings of 50 regions and types, with every other filter",
    200,
    (number) =>
      listings({
        ...everyFilter(number),
        region: many(50, (index) => `region-${index}`),
        instance_type: many(50, (index) => `type-${(number * 50 + index) % 3_000}`),
      }),
  ],
  [
    "listings of 50 regions and types like known ones",
    400,
    (number) => listings({ region: nearRegions, instance_type: nearTypes(number) }),
  ],
  ["unknown parameters", 400, (number) => v1(many(700, (index) => `min_gpu${number}${index}=1`).join("&"))],
  ["invalid slugs", 400, (number) => v1(`gpu=${many(900, (index) => `h_${number}${index}`).join(",")}`)],
  ["sources", 200, () => ({ path: "/sources" })],
  ["OpenAPI document", 200, () => ({ path: "/openapi.json" })],
  ["metrics", 200, () => ({ path: "/metrics" })],
  ["find_gpu_offers without arguments", 200, () => find({ limit: 25 })],
  ["find_gpu_offers with a disk", 200, (number) => find({ limit: 25, diskGb: 60 + number })],
  ["find_gpu_offers with 20 unknown GPUs", 200, (number) => find({ gpu: nearNames(number) })],
  [
    "find_gpu_offers with 20 unknown names of each kind",
    200,
    (number) => {
      const names = nearNames(number);
      return find({ gpu: names, continent: names, country: names, provider: names });
    },
  ],
  [
    "find_gpu_offers without matches",
    200,
    (number) =>
      find({
        gpu: ["nvidia", "amd", "intel"],
        continent: ["Europe", "Asia", "Africa", "North America"],
        country: ["nordics", "benelux", "dach", "DE", "FR"],
        maxUsdPerHour: 0.000001,
        diskGb: 60 + number,
        minTotalVramGb: 1,
      }),
  ],
  [
    "find_gpu_offers by 24 words and 50 regions and types like known ones",
    200,
    (number) => find({ text: unknownWords(number).join(" "), region: nearRegions, instanceType: nearTypes(number) }),
  ],
  [
    "batch of 100 calls with 20 unknown names",
    400,
    (number) =>
      agentRequest(many(100, () => toolCall("find_gpu_offers", { gpu: many(20, (index) => `rtx ${number}${index}`) }))),
  ],
  ["batch of 100 calls", 400, () => agentRequest(many(100, () => toolCall("find_gpu_offers", { limit: 25 })))],
  [
    "3,500 unknown arguments",
    200,
    (number) => find(Object.fromEntries(many(3_500, (index) => [`maxUsd${number}${index}`, 1]))),
  ],
  ["one list of 20,000 numbers", 200, () => find({ gpu: many(20_000, () => 1) })],
  [
    "compare_gpu_offers with 5 unknown ids",
    200,
    (number) => agentRequest(toolCall("compare_gpu_offers", { ids: many(5, (index) => `${number}-${index}`) })),
  ],
  ["quote_gpu_deployment", 200, () => agentRequest(toolCall("quote_gpu_deployment", { id: offerId, diskGb: 100 }))],
  ["tools/list", 200, () => agentRequest(rpc("tools/list", {}))],
  ["list of models", 200, () => agentRequest(rpc("resources/read", { uri: "gpu-offers://models" }))],
  ["list of providers", 200, () => agentRequest(rpc("resources/read", { uri: "gpu-offers://providers" }))],
];
