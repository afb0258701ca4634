import { readFileSync, createReadStream } from "node:fs";
import { expect, test } from "vitest";
import { agentOf, type ToolResult } from "./agent.ts";
import { fileURLToPath } from "node:url";
import {
  ListingCatalog,
  present,
  type GpuPrices,
  type ListingFacts,
  type Offer,
  type OsImage,
} from "@gpu-offers/domain";
import { priceChange, priceSeries, type MachineDay, type MarketPoint } from "@gpu-offers/domain/history";
import { readNative } from "@gpu-offers/sources";
import type { AgentCatalog } from "../src/index.ts";

// Replays the recorded calls of every task, which an agent chose before it saw a result, and couldn't correct.
//
// Forty tasks in the words of people, with the right result of each, found by trying every offer without any code of the
// tools. The calls are those of an agent that was given nothing but tools/list, of a catalog with history, the server's
// instructions and the tasks: it chose all of them, and what of the result it would report, before it saw a result, and
// they are kept as they were, with their mistakes. In the arguments of a second call, $1 and $2 are the ids of the first two
// offers of the first result.
//
// One is wrong. The number of H200 that one can rent is the total, without an unverified host that leftOut names: tools/list
// didn't say then that total lacks it.
//
// The catalog of the evaluation: the starter catalog, as if it were for sale. It has no spot prices, hosts that aren't verified, or history, so the
// evaluation adds some by fixed rules.

/** An offer of the evaluation, with what its source states beyond it. */
interface EvaluatedListing extends ListingFacts {
  offer: Offer;
}

/** Medians of a GPU per hour, by days ago. */
const PAST_PRICES: Readonly<Record<string, readonly (readonly [daysAgo: number, usd: number])[]>> = {
  h100: [
    [400, 3.5],
    [40, 3],
    [5, 2.8],
  ],
  b200: [
    [400, 5],
    [15, 5.5],
  ],
};

const DAY_MS = 86_400_000;

const STARTER = fileURLToPath(new URL("../../../apps/api/catalog/starter.json", import.meta.url));

/** The listings of the evaluation, and the images of their providers. */
async function readEvaluation(): Promise<{
  listings: readonly EvaluatedListing[];
  images: ReadonlyMap<string, readonly OsImage[]>;
}> {
  const listings: EvaluatedListing[] = [];
  const images = new Map<string, readonly OsImage[]>();
  for await (const item of readNative(createReadStream(STARTER))) {
    if (item.kind === "provider") {
      images.set(item.provider.name, item.provider.images ?? []);
    } else if (item.kind === "offer") {
      listings.push({ ...withMore(item.listing, item.offer, listings.length), offer: item.offer });
    }
  }
  return { listings, images };
}

/** Every third offer has a spot price, 40 % of the price or a bid in turns; every other host of vast isn't verified. */
function withMore(facts: ListingFacts, { priceHourly, provider }: Offer, place: number): ListingFacts {
  const spot =
    place % 3 === 0
      ? { priceHourly: Math.round(priceHourly * 4000) / 10_000, kind: place % 2 === 0 ? "price" : "bid" }
      : null;
  return {
    ...facts,
    sample: false,
    spot,
    ...(provider.name === "vast" ? { verified: place % 2 === 0, seller: "host" } : {}),
  };
}

/** The catalog for the tools. */
function evaluationCatalog(
  listings: readonly EvaluatedListing[],
  images: ReadonlyMap<string, readonly OsImage[]>,
): AgentCatalog {
  const catalog = ListingCatalog.of(listings, images);
  const byId = new Map(listings.map((listing) => [listing.offer.id, listing]));
  return {
    listings: async () => catalog,
    find: async ({ size = 100, ...query }) => {
      const { positions } = catalog.select(catalog.prepare(query).selection, { page: 0, size });
      return Array.from(positions, (at) => present(listings[at]));
    },
    findOffer: async (id) => {
      const listing = byId.get(id);
      return listing && { ...listing.offer, listing };
    },
    findImages: async (provider) => images.get(provider),
    pricesAsOf: async () => new Map(listings.map(({ offer }) => [offer.provider.name, "2025-12-01"])),
    findGpuPrices: async (name, { since, step }): Promise<GpuPrices | undefined> => {
      const past = PAST_PRICES[name.toLowerCase()];
      const now = Date.now();
      return (
        past && {
          gpu: name,
          slugs: [name],
          trackedSince: since,
          step,
          change: priceChange(dayOf(past, since), dayOf(past, new Date(now).toISOString())),
          series: priceSeries(
            past.map(([daysAgo, usd]) => pointOf(now - daysAgo * DAY_MS, usd)),
            { sinceMs: Date.parse(since), untilMs: now, step },
          ),
        }
      );
    },
  };
}

/** The last prices until a time, of three machines. */
function dayOf(past: (typeof PAST_PRICES)[string], until: string): MachineDay {
  const usd = past.findLast(([daysAgo]) => Date.now() - daysAgo * DAY_MS <= Date.parse(until))?.[1] ?? 0;
  return { day: until.slice(0, 10), machines: [{ aws: { a: usd, b: usd, c: usd } }] };
}

function pointOf(atMs: number, usd: number): MarketPoint {
  return { atMs, sellers: { aws: { n: 1, p: { 1: [usd] }, r: ["r"] } } };
}

/** What a call returned. */
type Returned = NonNullable<ToolResult["structuredContent"]>;

/** A call with its arguments. */
type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>];

/** A task. */
interface Task {
  task: string;
  calls: readonly Call[];
  /** What the agent says, read from the last call. */
  result: (last: Returned) => unknown;
  /** The right one. */
  truth: (listings: readonly EvaluatedListing[]) => unknown;
}

/** What the cheapest offer of a task must have. */
interface Wish {
  meets: (listing: EvaluatedListing) => boolean;
  diskGb?: number;
  maxUsdPerHour?: number;
  isSpot?: boolean;
}

/** USD per hour with a disk, exact to the micro-dollar; undefined if there is no such disk. */
function plainCost({ offer, spot, storage }: EvaluatedListing, diskGb = 0, isSpot = false): number | undefined {
  const { storageMinGB: min, storageMaxGB: max, storageCostPerGB: perGb } = offer;
  const isUnknown = max === 0 && !offer.costDataComplete;
  const hourly = isSpot ? spot?.priceHourly : offer.priceHourly;
  const addedGb = diskGb - (storage?.includedGb ?? 0);
  if (storage !== null && addedGb > 0) {
    // A volume beside the included disk. Of unknown price, it is a lower bound.
    const { pricePerGbMonth, hoursPerMonth, maxGb } = storage;
    return pricePerGbMonth === null || hourly === undefined || diskGb > (maxGb ?? diskGb)
      ? undefined
      : Math.ceil((hourly + (addedGb * pricePerGbMonth) / hoursPerMonth) * 1e6 - 1e-4) / 1e6;
  }
  const disk = isUnknown ? min : Math.max(min, diskGb);
  if (disk > max && !isUnknown) {
    return undefined;
  }
  return hourly === undefined ? undefined : Math.round((hourly + disk * perGb) * 1e6) / 1e6;
}

/** The lowest cost of all offers that can be rented; lower bounds only if there is nothing else. Null if there is none. */
function lowest(listings: readonly EvaluatedListing[], wish: Wish): number | null {
  const { meets, diskGb = 0, maxUsdPerHour = Number.POSITIVE_INFINITY, isSpot = false } = wish;
  const able = listings.filter(
    (one) => one.offer.isAvailable && one.verified !== false && meets(one) && (!isSpot || one.spot?.kind === "price"),
  );
  for (const isComplete of [true, false]) {
    const costs = able
      .filter(({ offer }) => offer.costDataComplete === isComplete)
      .flatMap((one) => plainCost(one, diskGb, isSpot) ?? [])
      .filter((cost) => cost <= maxUsdPerHour);
    if (costs.length > 0) {
      return Math.min(...costs);
    }
  }
  return null;
}

interface Row {
  id: string;
  usdPerHour: number;
  usdPerHourWithDisk?: number;
  usdTotal?: number;
  gpu: string;
  provider: string;
  region: string;
  instanceType?: string;
  availability?: string;
  spotUsdPerHour?: number;
  atLeast?: true;
}

const rowsOf = (last: Returned): Row[] => last["offers"] as Row[];

/** What is paid an hour, with the disk that it must have. */
const paidOf = (row: Row | undefined): number | null => row?.usdPerHourWithDisk ?? row?.usdPerHour ?? null;

/** A price an hour for some hours, to the micro-dollar. */
const forHours = (usd: number | null, hours: number): number | null =>
  usd === null ? null : Math.round(usd * hours * 1e6) / 1e6;

/** A task that asks for the cheapest offer: the first row of one call. */
function cheapest(task: string, args: Readonly<Record<string, unknown>>, wish: Wish): Task {
  return {
    task,
    calls: [["find_gpu_offers", args]],
    result: (last) => paidOf(rowsOf(last)[0]),
    truth: (listings) => lowest(listings, wish),
  };
}

const named =
  (pattern: RegExp) =>
  ({ offer }: EvaluatedListing): boolean =>
    pattern.test(offer.gpu.name);
const country = ({ offer }: EvaluatedListing): string => offer.regionInfo.countryCode;
const continent = ({ offer }: EvaluatedListing): string => offer.regionInfo.continent;
const memory = ({ offer }: EvaluatedListing): number => offer.gpu.vramGB * offer.gpuCount;
const count = ({ offer }: EvaluatedListing): number => offer.gpuCount;
const provider = ({ offer }: EvaluatedListing): string => offer.provider.name;
const h100 = named(/^H100\b/);
const a100 = named(/^A100\b/);
const h200 = named(/^H200\b/);

/** Members of the European Union. */
const UNION = new Set("AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" "));
const inUnion = (one: EvaluatedListing): boolean => UNION.has(country(one));

/** Whether 70 billion parameters of 8 bits and a cache of 16k tokens (Llama 3.1 70B) leave a tenth of the weights to spare. */
function fits70b(one: EvaluatedListing): boolean {
  const cacheGb = (2 * 80 * 8 * 128 * 16_384 * 2) / 1e9;
  const isLinked = one.offer.nvlinkEnabled || /SXM|B200|B300|MI3|GH200|GB200/.test(one.offer.gpu.name);
  return [1, 2, 4, 8].includes(count(one)) && (count(one) < 4 || isLinked) && 0.9 * memory(one) >= 77 + cacheGb;
}

/** The rentable offers that the market counts. */
const rentable = (listings: readonly EvaluatedListing[]): readonly EvaluatedListing[] =>
  listings.filter(({ offer, verified }) => offer.isAvailable && verified !== false);

/** The prices that are valid some days ago. */
const priceOf = (gpu: string, daysAgo: number): number =>
  PAST_PRICES[gpu]?.findLast(([since]) => since >= daysAgo)?.[1] ?? Number.NaN;

/** All tasks. */
const TASKS: readonly Task[] = [
  cheapest(
    "The cheapest machine for a 70B model in fp16 (168 GB) with 500 GB of disk, under $20 an hour, in Europe",
    { minTotalVramGb: 168, diskGb: 500, maxUsdPerHour: 20, continent: ["EU"] },
    { meets: (one) => memory(one) >= 168 && continent(one) === "Europe", diskGb: 500, maxUsdPerHour: 20 },
  ),
  cheapest("Any H100, as cheap as possible", { gpu: ["H100"] }, { meets: h100 }),
  cheapest(
    "Eight H100 in one machine",
    { gpu: ["H100"], minGpus: 8, maxGpus: 8 },
    { meets: (one) => h100(one) && count(one) === 8 },
  ),
  cheapest(
    "Eight H100 connected by NVLink",
    { gpu: ["H100"], minGpus: 8, maxGpus: 8, nvlink: true },
    { meets: (one) => h100(one) && count(one) === 8 && one.offer.nvlinkEnabled },
  ),
  cheapest("An A100 with 80 GB", { gpu: ["A100 80GB"] }, { meets: (one) => a100(one) && one.offer.gpu.vramGB === 80 }),
  cheapest(
    "A single RTX 4090 for Stable Diffusion",
    { gpu: ["RTX 4090"], minGpus: 1, maxGpus: 1 },
    { meets: (one) => one.offer.gpu.slug === "rtx-4090" && count(one) === 1 },
  ),
  cheapest(
    "24 GB on one card for less than 50 cents an hour",
    { minVramGb: 24, maxUsdPerHour: 0.5, minGpus: 1, maxGpus: 1 },
    { meets: (one) => one.offer.gpu.vramGB >= 24, maxUsdPerHour: 0.5 },
  ),
  cheapest(
    "Something with an H200 in the USA",
    { gpu: ["H200"], country: ["US"] },
    { meets: (one) => h200(one) && country(one) === "US" },
  ),
  cheapest(
    "80 GB of GPU memory in all, in Germany, France, Finland or Norway",
    { minTotalVramGb: 80, country: ["Germany", "France", "Finland", "Norway"] },
    { meets: (one) => memory(one) >= 80 && ["DE", "FR", "FI", "NO"].includes(country(one)) },
  ),
  cheapest(
    "The cheapest A100 on AWS or Azure",
    { gpu: ["A100"], provider: ["AWS", "Azure"] },
    { meets: (one) => a100(one) && ["aws", "azure"].includes(provider(one)) },
  ),
  cheapest(
    "An L4 whose data stays in the European Union",
    { gpu: ["L4"], country: ["European Union"] },
    { meets: (one) => one.offer.gpu.slug === "l4" && inUnion(one) },
  ),
  cheapest(
    "An H100 in the EU with 500 GB of disk; our data must not leave the Union",
    { gpu: ["H100"], country: ["European Union"], diskGb: 500 },
    { meets: (one) => h100(one) && inUnion(one), diskGb: 500 },
  ),
  cheapest("640 GB of GPU memory in one machine", { minTotalVramGb: 640 }, { meets: (one) => memory(one) >= 640 }),
  cheapest(
    "Is there anything with eight MI300X, and what does it cost?",
    { gpu: ["MI300X"], minGpus: 8, maxGpus: 8 },
    { meets: (one) => one.offer.gpu.slug === "mi300x" && count(one) >= 8 },
  ),
  cheapest("The cheapest GPU of all, only to try something", { sortBy: "total" }, { meets: () => true }),
  cheapest(
    "Eight H100 with InfiniBand, for training on several machines",
    { gpu: ["H100"], minGpus: 8, maxGpus: 8, interconnect: "InfiniBand" },
    { meets: (one) => h100(one) && count(one) >= 8 && /InfiniBand/.test(JSON.stringify(one.offer.interconnect)) },
  ),
  cheapest(
    "Eight GPUs on bare metal",
    { minGpus: 8, maxGpus: 8, deploymentType: ["bare-metal"] },
    { meets: (one) => count(one) >= 8 && one.offer.deploymentType === "bare-metal" },
  ),
  cheapest(
    "Four GPUs with 80 GB each, at most $2 per GPU and hour",
    { minGpus: 4, maxGpus: 4, minVramGb: 80, maxUsdPerGpuHour: 2 },
    { meets: (one) => count(one) >= 4 && one.offer.gpu.vramGB >= 80 && one.offer.pricePerGpu <= 2 },
  ),
  cheapest(
    "The cheapest 50 TB of disk on a machine with any GPU",
    { diskGb: 50_000, sortBy: "total" },
    { meets: () => true, diskGb: 50_000 },
  ),
  cheapest(
    "An A100 as a spot instance, as cheap as possible",
    { gpu: ["A100"], spot: "true" },
    { meets: a100, isSpot: true },
  ),
  cheapest(
    "Spot: 80 GB per GPU, with 200 GB of disk, in North America",
    { minVramGb: 80, diskGb: 200, continent: ["NA"], spot: "true" },
    {
      meets: (one) => one.offer.gpu.vramGB >= 80 && continent(one) === "North America",
      diskGb: 200,
      isSpot: true,
    },
  ),
  cheapest(
    "A 70B model in 8 bits with 16k tokens of context: the cheapest machine that it fits",
    { fits: "70b@8,16k", sortBy: "total" },
    { meets: fits70b },
  ),
  cheapest(
    "$100 must last two days on a GPU with 80 GB and 100 GB of disk",
    { minVramGb: 80, diskGb: 100, hours: 48, budgetUsd: 100 },
    { meets: (one) => one.offer.gpu.vramGB >= 80, diskGb: 100, maxUsdPerHour: 100 / 48 },
  ),
  cheapest(
    "An RTX 3090 of a host that the marketplace has verified",
    { gpu: ["RTX 3090"], verified: "true", seller: ["host"] },
    { meets: (one) => one.offer.gpu.slug === "rtx-3090" && one.verified === true },
  ),
  {
    task: "A month (730 hours) on the cheapest H100 with 500 GB of disk: how much in all?",
    calls: [["find_gpu_offers", { gpu: ["H100"], diskGb: 500, hours: 730 }]],
    result: (last) => rowsOf(last)[0]?.usdTotal,
    truth: (listings) => forHours(lowest(listings, { meets: h100, diskGb: 500 }), 730),
  },
  {
    task: "64 H100 as eight machines of eight, for a day, with 1 TB of disk each: how much in all?",
    calls: [["find_gpu_offers", { gpu: ["H100"], minGpus: 8, maxGpus: 8, diskGb: 1000, hours: 24, nodes: 8 }]],
    result: (last) => rowsOf(last)[0]?.usdTotal,
    truth: (listings) =>
      forHours(lowest(listings, { meets: (one) => h100(one) && count(one) === 8, diskGb: 1000 }), 8 * 24),
  },
  {
    task: "The machine alone, without any disk, of the cheapest A100 with 500 GB of disk",
    calls: [["find_gpu_offers", { gpu: ["A100"], diskGb: 500, sortBy: "total" }]],
    result: (last) => rowsOf(last)[0]?.usdPerHour,
    truth: (listings) => {
      const wish = { meets: a100, diskGb: 500 };
      return listings.find((one) => a100(one) && plainCost(one, 500) === lowest(listings, wish))?.offer.priceHourly;
    },
  },
  {
    task: "The three providers that have the cheapest single H100",
    calls: [["find_gpu_offers", { gpu: ["H100"], minGpus: 1, maxGpus: 1, cheapestPer: "provider", limit: 3 }]],
    result: (last) => rowsOf(last).map((row) => row.provider),
    truth: (listings) => {
      const single = (one: EvaluatedListing) => h100(one) && count(one) === 1 && one.offer.costDataComplete;
      const names = new Set(rentable(listings).filter(single).map(provider));
      const costOf = (name: string) => lowest(listings, { meets: (one) => single(one) && provider(one) === name });
      return [...names].toSorted((a, b) => Number(costOf(a)) - Number(costOf(b))).slice(0, 3);
    },
  },
  cheapest(
    "An RTX 4090, but not from Vast or RunPod",
    { gpu: ["RTX 4090"], notProvider: ["Vast", "RunPod"] },
    { meets: (one) => one.offer.gpu.slug === "rtx-4090" && !["vast", "runpod"].includes(provider(one)) },
  ),
  {
    task: "How much GPU memory do I get at most in one machine?",
    calls: [["find_gpu_offers", { sortBy: "totalVram", sortOrder: "desc" }]],
    result: (last) => {
      const [, gpus = 0, gb = 0] = /^(\d+)x .*?(\d+)GB$/.exec(rowsOf(last)[0]?.gpu ?? "") ?? [];
      return Number(gpus) * Number(gb);
    },
    truth: (listings) => Math.max(...rentable(listings).map(memory)),
  },
  {
    task: "How large a disk for the weights of a 70B model in 8 bits, with room to spare?",
    calls: [["find_gpu_offers", { fits: "70b@8", limit: 1 }]],
    result: (last) => (last["fits"] as { diskGb: number }).diskGb,
    truth: () => 84,
  },
  {
    task: "Which instance type is AWS's cheapest machine with eight H100?",
    calls: [["find_gpu_offers", { gpu: ["H100"], provider: ["AWS"], minGpus: 8, maxGpus: 8 }]],
    result: (last) => rowsOf(last)[0]?.instanceType,
    truth: (listings) => {
      const eight = listings.filter((one) => provider(one) === "aws" && h100(one) && count(one) >= 8);
      return eight.toSorted((a, b) => a.offer.priceHourly - b.offer.priceHourly)[0]?.instanceType;
    },
  },
  {
    task: "In how many places can I rent a p5.48xlarge?",
    calls: [
      [
        "find_gpu_offers",
        { instanceType: ["p5.48xlarge"], availability: ["in_stock", "listed", "unknown"], limit: 25 },
      ],
    ],
    result: (last) => new Set(rowsOf(last).map(({ region }) => region)).size,
    truth: (listings) => rentable(listings).filter((one) => one.instanceType === "p5.48xlarge").length,
  },
  {
    task: "How many offers with an H200 can I rent now?",
    calls: [["find_gpu_offers", { gpu: ["H200"], onlyAvailable: true }]],
    result: (last) => last["total"],
    truth: (listings) => listings.filter((one) => one.offer.isAvailable && h200(one)).length,
  },
  {
    task: "By how many percent did the median price of the H100 change in 90 days?",
    calls: [["get_gpu_prices", { gpu: "H100", days: 90 }]],
    result: (last) => last["medianChangePercent"],
    truth: () => Math.round((priceOf("h100", 0) / priceOf("h100", 90) - 1) * 1000) / 10,
  },
  {
    task: "What did a B200 cost two weeks ago, per GPU and hour?",
    calls: [["get_gpu_prices", { gpu: "B200", days: 30 }]],
    result: (last) => {
      const prices = last["prices"] as { at: string; median: number }[];
      return prices.findLast(({ at }) => Date.parse(at) <= Date.now() - 14 * DAY_MS)?.median;
    },
    truth: () => priceOf("b200", 15),
  },
  {
    task: "Which GPU with at least 80 GB is the cheapest one to rent, per GPU?",
    calls: [["find_gpu_offers", { minVramGb: 80, sortBy: "pricePerGpu", sortOrder: "asc" }]],
    result: (last) => /x (.*)/.exec((last["offers"] as { gpu: string }[])[0]?.gpu ?? "")?.[1],
    truth: (listings) =>
      rentable(listings)
        .filter(({ offer }) => offer.gpu.vramGB >= 80)
        .toSorted((a, b) => a.offer.pricePerGpu - b.offer.pricePerGpu)[0]?.offer.gpu.name,
  },
  {
    task: "What do I rent for the cheapest H100 in the EU with 500 GB of disk: region, type and price?",
    calls: [
      ["find_gpu_offers", { gpu: ["H100"], country: ["European Union"], diskGb: 500 }],
      ["quote_gpu_deployment", { id: "$1", diskGb: 500 }],
    ],
    result: ({ usdPerHourWithDisk: usdPerHour, listing }) => {
      const { region, instanceType } = listing as { region: string; instanceType: string | null };
      return { usdPerHour, region, instanceType };
    },
    truth: (listings) => {
      const wish = { meets: (one: EvaluatedListing) => h100(one) && inUnion(one), diskGb: 500 };
      const usdPerHour = lowest(listings, wish);
      const one = rentable(listings).find((each) => wish.meets(each) && plainCost(each, 500) === usdPerHour);
      return { usdPerHour, region: one?.offer.region, instanceType: one?.instanceType };
    },
  },
  {
    task: "I need 300 GB of disk on Lambda's A10: how much do I get?",
    calls: [
      ["find_gpu_offers", { gpu: ["A10"], provider: ["Lambda"], diskGb: 300 }],
      ["quote_gpu_deployment", { id: "$1", diskGb: 300 }],
    ],
    result: (last) => last["diskGb"],
    truth: (listings) =>
      rentable(listings)
        .filter((one) => provider(one) === "lambda" && one.offer.gpu.slug === "a10" && one.offer.storageMaxGB >= 300)
        .map((one) => Math.max(300, one.offer.storageMinGB))[0],
  },
  {
    task: "By how many percent is the second cheapest H100 in Europe dearer than the cheapest, with 500 GB of disk?",
    calls: [
      ["find_gpu_offers", { gpu: ["H100"], continent: ["EU"], diskGb: 500 }],
      ["compare_gpu_offers", { ids: ["$1", "$2"], diskGb: 500 }],
    ],
    result: (last) => (last["differs"] as Record<string, { percent: number[] }>)["usdPerHourWithDisk"]?.percent[1] ?? 0,
    truth: (listings) => {
      const costs = rentable(listings)
        .filter((one) => h100(one) && continent(one) === "Europe" && one.offer.costDataComplete)
        .flatMap((one) => plainCost(one, 500) ?? [])
        .toSorted((a, b) => a - b);
      return Math.round(((costs[1] ?? 0) / (costs[0] ?? 1) - 1) * 1000) / 10;
    },
  },
];

const MIN_RIGHT = 39;

const { listings, images } = await readEvaluation();
const agent = agentOf(evaluationCatalog(listings, images));

/** The last result of some calls; an error is its text. */
async function replay(calls: readonly Call[]): Promise<Returned> {
  let result: Returned = {};
  for (const [tool, args] of calls) {
    const ids = ((result["offers"] ?? []) as { id: string }[]).map(({ id }) => id);
    const text = JSON.stringify(args).replaceAll(/\$([12])/g, (_, place: string) => ids[Number(place) - 1] ?? "none");
    const { structuredContent, content } = await agent.call(tool, JSON.parse(text) as Record<string, unknown>);
    if (structuredContent === undefined) {
      return { error: content[0]?.text };
    }
    result = structuredContent;
  }
  return result;
}

const results = await Promise.all(
  TASKS.map(async ({ task, calls, result, truth }) => {
    const last = await replay(calls);
    const returned = "error" in last ? last["error"] : result(last);
    const right = truth(listings);
    return { task, calls, returned, right, isRight: JSON.stringify(returned) === JSON.stringify(right) };
  }),
);

test("there are 40 tasks of at most two calls, and most have a solution", () => {
  expect(TASKS).toHaveLength(40);
  expect(Math.max(...TASKS.map(({ calls }) => calls.length))).toBeLessThanOrEqual(2);
  expect(results.filter(({ right }) => right === null || right === undefined)).toHaveLength(0);
});

test(`at least ${MIN_RIGHT} tasks are solved correctly`, () => {
  const wrong = results
    .filter(({ isRight }) => !isRight)
    .map(({ task, returned, right }) => ({ task, returned, right }));
  expect(wrong.slice(TASKS.length - MIN_RIGHT)).toEqual([]);
});

test("docs/agents.md says how many were right", () => {
  const page = readFileSync(new URL("../../../docs/agents.md", import.meta.url), "utf8");
  expect(page).toContain(`${results.filter(({ isRight }) => isRight).length} of ${TASKS.length} were right`);
});
