import { test } from "vitest";
import { UNKNOWN_LISTING_FACTS, type ListingFacts } from "@gpu-offers/domain";
import { processorMs } from "@gpu-offers/testkit/process-usage";
import type { Service } from "@gpu-offers/testkit/service";
import { randomNumbers, SEED } from "@gpu-offers/testkit/synthetic";
import { makeCatalog } from "./catalogs.ts";
import { addMeasured } from "./measured-row.ts";
import { compareWithRaw, startQuiet } from "./servers.ts";

const QUERIES = 400;

/** Queries before the measured ones, after which V8 has optimized the code they use. */
const WARM_UP_QUERIES = 200;

test("listings with words: each query for the first time, and repeated ones", async (context) => {
  const service = await startQuiet(await makeCatalog(50_000, statedOf), { LIVE_SYNC: "off" });
  const paths = wordQueries(WARM_UP_QUERIES + QUERIES);
  const repeated = paths.slice(0, WARM_UP_QUERIES);
  await requestAll(service, repeated);
  const { pid } = service.process.child;
  const before = processorMs(pid);
  const matching = await requestAll(service, paths.slice(WARM_UP_QUERIES));
  const ms = (processorMs(pid) - before) / QUERIES;
  addMeasured(context, {
    what: "GET /api/v2/listings with words, no two alike",
    reference: `${QUERIES} queries, ${matching} with matches`,
    measured: `${ms.toFixed(2)} ms`,
    bar: "<= 5 ms",
    value: ms,
  });
  const { ours, ...compared } = await compareWithRaw(service, { paths: repeated });
  addMeasured(context, {
    what: "GET /api/v2/listings with words, repeated",
    ...compared,
    measured: ours,
    bar: ">= 0.75",
  });
  await service.stop();
});

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

const GPUS = ["h100", "8xh100", "a100 80gb", "rtx 4090", "l40s", "mi300x", "h200 sxm", "2x a6000", "24g+", "80gb+", ""];
const PLACES = ["eu", "us", "asia", "in germany", "region-12", "synthetic", "region-4", ""];
const ORDERS = [
  "",
  "&sort_by=priceHourly",
  "&sort_by=bandwidthPrice",
  "&sort_by=total&disk=500",
  "&verified=not-false",
];

/** Paths of different queries: words for a GPU, a number of them, a place, a price, memory or an instance type. */
function wordQueries(count: number): string[] {
  const random = randomNumbers(SEED);
  const pick = (texts: readonly string[]): string => texts[Math.floor(random() * texts.length)] ?? "";
  const paths = new Set<string>();
  while (paths.size < count) {
    const price = `<${(0.5 + random() * 8).toFixed(2)}`;
    const type = `type-${Math.floor(random() * 3_000)}.16xlarge`;
    const words = [pick(GPUS), pick(PLACES), pick(["", price, type, "spot", "1tb disk"])].filter(Boolean).join(" ");
    paths.add(
      `/api/v2/listings?q=${encodeURIComponent(words || "gpu")}${pick(ORDERS)}&page=${pick(["0", "0", "0", "1", "7"])}`,
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
