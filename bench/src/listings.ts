import { join } from "node:path";
import { UNKNOWN_LISTING_FACTS, type ListingFacts } from "@gpu-offers/domain";
import { randomNumbers, SEED, syntheticOffers } from "@gpu-offers/testkit/synthetic";
import { comparedWithRaw } from "./http.ts";
import { processorMicroseconds } from "./load.ts";
import { putOffers } from "./catalogs.ts";
import type { Row } from "./row.ts";
import { startService, type Service } from "./service.ts";

// Listings with search words: each query for the first time, and repeated ones.

const OFFERS = 50_000;
const QUERIES = 400;

/** Queries before the measured ones, after which V8 has optimized the code they use. */
const WARM_UP_QUERIES = 200;

const MOST_MICROSECONDS = 5_000;

/** Processor time of lists that were never requested before, and of repeated ones against raw node:http. */
export async function benchListings(folder: string): Promise<Row[]> {
  const databasePath = join(folder, "listings.sqlite");
  await putOffers(databasePath, syntheticOffers(OFFERS), statedOf);
  const service = await startService(databasePath, { LIVE_SYNC: "off" });
  try {
    const paths = wordQueries(WARM_UP_QUERIES + QUERIES);
    await requestAll(service, paths.slice(0, WARM_UP_QUERIES));
    const pid = [service.process.pid ?? 0];
    const before = processorMicroseconds(pid);
    const matching = await requestAll(service, paths.slice(WARM_UP_QUERIES));
    const microseconds = (processorMicroseconds(pid) - before) / QUERIES;
    const first: Row = {
      what: `GET /listings with words, no two alike, ${OFFERS.toLocaleString("en-US")} offers`,
      reference: `${QUERIES} queries, ${matching} with matches`,
      measured: `${(microseconds / 1000).toFixed(2)} ms`,
      ratio: undefined,
      bar: `<= ${MOST_MICROSECONDS / 1000} ms of processor time`,
      isMet: microseconds <= MOST_MICROSECONDS,
    };
    const repeated = await comparedWithRaw(folder, service, paths.slice(0, WARM_UP_QUERIES), {
      what: `the same, repeated, ${WARM_UP_QUERIES} queries`,
      bar: 0.75,
    });
    return [first, repeated];
  } finally {
    await service.stop();
  }
}

/** What a source states: thousands of types, some spot prices, some hosts that aren't verified. */
function statedOf(number: number): ListingFacts {
  return {
    ...UNKNOWN_LISTING_FACTS,
    instanceType: `type-${number % 3_000}.${8 * (1 + (number % 7))}xlarge`,
    seller: number % 3 === 0 ? "host" : "cloud",
    verified: number % 3 === 0 ? number % 2 === 0 : null,
    reliability: number % 3 === 0 ? 0.9 + (number % 100) / 1_000 : null,
    spot: number % 4 === 0 ? { priceHourly: 0.01 + (number % 900) / 1_000, kind: "price" } : null,
  };
}

/** Paths of different queries: words for a GPU, a number of them, a place, a price, memory or an instance type. */
function wordQueries(count: number): string[] {
  const random = randomNumbers(SEED);
  const pick = (texts: readonly string[]): string => texts[Math.floor(random() * texts.length)] ?? "";
  const paths = new Set<string>();
  while (paths.size < count) {
    const words = [
      pick(["h100", "8xh100", "a100 80gb", "rtx 4090", "l40s", "mi300x", "h200 sxm", "2x a6000", "24g+", "80gb+", ""]),
      pick(["eu", "us", "asia", "in germany", "region-12", "synthetic", "region-4", ""]),
      pick([
        "",
        `<${(0.5 + random() * 8).toFixed(2)}`,
        `type-${Math.floor(random() * 3_000)}.16xlarge`,
        "spot",
        "1tb disk",
      ]),
    ];
    const sort = pick([
      "",
      "&sort_by=priceHourly",
      "&sort_by=bandwidthPrice",
      "&sort_by=total&disk=500",
      "&verified=not-false",
    ]);
    const text = words.filter((word) => word !== "").join(" ");
    paths.add(
      `/listings?q=${encodeURIComponent(text === "" ? "gpu" : text)}${sort}&page=${pick(["0", "0", "0", "1", "7"])}`,
    );
  }
  return [...paths];
}

/** Requests each path once. Returns the number of lists that aren't empty. */
async function requestAll({ url }: Service, paths: readonly string[]): Promise<number> {
  let matching = 0;
  for (const path of paths) {
    const response = await fetch(url + path);
    if (!response.ok) {
      throw new Error(`${path} has status ${response.status}: ${await response.text()}`);
    }
    const { totalElements } = (await response.json()) as { totalElements: number };
    matching += totalElements > 0 ? 1 : 0;
  }
  return matching;
}
