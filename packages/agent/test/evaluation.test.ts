import type { Offer } from "@gpu-offers/domain";
import { describe, expect, test } from "vitest";
import { agentOf, catalogOf, type ToolResult } from "./agent.ts";
import { costWith, findRealOffers } from "./real-offers.ts";

// Twenty realistic tasks for an agent, on real catalogs. The agent is a script: it uses the arguments given with each task,
// takes the cheapest hit, compares it with the runners-up and quotes it. The expected choice is defined independently, as a
// plain condition on offers.

interface Task {
  task: string;
  find: Record<string, unknown>;
  /** The condition that an offer must meet, without using the tools. */
  meets: (offer: Offer) => boolean;
  diskGb?: number;
  maxUsdPerHour?: number;
}

const isH100 = ({ gpu }: Offer) => /^H100\b/.test(gpu.name);
const isA100 = ({ gpu }: Offer) => /^A100\b/.test(gpu.name);
const inEurope = ({ regionInfo }: Offer) => regionInfo.continent === "Europe";
const totalVram = ({ gpu, gpuCount }: Offer) => gpu.vramGB * gpuCount;

const tasks: readonly Task[] = [
  {
    task: "The cheapest place for a 70B model in fp16 (140 GB and a fifth more) with 500 GB of disk under $20 an hour in Europe",
    find: { minTotalVramGb: 168, continent: ["Europe"], diskGb: 500, maxUsdPerHour: 20 },
    meets: (offer) => totalVram(offer) >= 168 && inEurope(offer),
    diskGb: 500,
    maxUsdPerHour: 20,
  },
  { task: "Any H100, as cheap as possible", find: { gpu: ["H100"] }, meets: isH100 },
  {
    task: "Eight H100 in one machine",
    find: { gpu: ["h100"], minGpus: 8, maxGpus: 8 },
    meets: (offer) => isH100(offer) && offer.gpuCount === 8,
  },
  {
    task: "Eight H100 in one machine with NVLink",
    find: { gpu: ["H100"], minGpus: 8, nvlink: true },
    meets: (offer) => isH100(offer) && offer.gpuCount >= 8 && offer.nvlinkEnabled,
  },
  {
    task: "An A100 with 80 GB",
    find: { gpu: ["a100 80gb"] },
    meets: (offer) => isA100(offer) && offer.gpu.vramGB === 80,
  },
  {
    task: "A single RTX 4090 for Stable Diffusion",
    find: { gpu: ["4090"], maxGpus: 1 },
    meets: (offer) => offer.gpu.slug === "rtx-4090" && offer.gpuCount === 1,
  },
  {
    task: "24 GB on one card for less than 50 cents an hour",
    find: { minVramGb: 24, maxUsdPerHour: 0.5 },
    meets: (offer) => offer.gpu.vramGB >= 24,
    maxUsdPerHour: 0.5,
  },
  {
    task: "Something with an H200 in the USA",
    find: { gpu: ["H200"], country: ["USA"] },
    meets: (offer) => /^H200\b/.test(offer.gpu.name) && offer.regionInfo.countryCode === "US",
  },
  { task: "A B200", find: { gpu: ["B200"] }, meets: (offer) => /^B200\b/.test(offer.gpu.name) },
  {
    task: "Fine-tune a 13B model: 80 GB in all, in Germany, France, Finland or Norway",
    find: { minTotalVramGb: 80, country: ["Germany", "France", "FI", "Norway"] },
    meets: (offer) => totalVram(offer) >= 80 && ["DE", "FR", "FI", "NO"].includes(offer.regionInfo.countryCode),
  },
  {
    task: "The cheapest A100 on AWS or Azure",
    find: { gpu: ["A100"], provider: ["Amazon", "azure"] },
    meets: (offer) => isA100(offer) && ["aws", "azure"].includes(offer.provider.name),
  },
  {
    task: "A T4 for inference in Asia",
    find: { gpu: ["T4"], continent: ["Asia"] },
    meets: (offer) => offer.gpu.slug === "t4" && offer.regionInfo.continent === "Asia",
  },
  {
    task: "An L4 in Europe",
    find: { gpu: ["L4"], continent: ["EU"] },
    meets: (offer) => offer.gpu.slug === "l4" && inEurope(offer),
  },
  {
    task: "48 GB on one card, at least two cards",
    find: { minVramGb: 48, minGpus: 2 },
    meets: (offer) => offer.gpu.vramGB >= 48 && offer.gpuCount >= 2,
  },
  {
    task: "640 GB of GPU memory in one machine",
    find: { minTotalVramGb: 640 },
    meets: (offer) => totalVram(offer) >= 640,
  },
  {
    task: "A 405B model in fp8 (405 GB and a fifth more), whatever it costs",
    find: { minTotalVramGb: 486 },
    meets: (offer) => totalVram(offer) >= 486,
  },
  {
    task: "Is there anything with eight MI300X?",
    find: { gpu: ["MI300X"], minGpus: 8 },
    meets: (offer) => offer.gpu.slug === "mi300x" && offer.gpuCount >= 8,
  },
  {
    task: "An RTX 5090 or an RTX PRO 6000",
    find: { gpu: ["5090", "RTX PRO 6000"] },
    meets: (offer) => /^RTX 5090\b|^RTX PRO 6000\b/.test(offer.gpu.name),
  },
  {
    task: "Four L40S with 200 GB of disk",
    find: { gpu: ["L40S"], minGpus: 4, maxGpus: 4, diskGb: 200 },
    meets: (offer) => offer.gpu.slug === "l40s" && offer.gpuCount === 4,
    diskGb: 200,
  },
  { task: "The cheapest GPU of all, only to try something", find: {}, meets: () => true },
];

const offers = await findRealOffers();

describe.skipIf(offers === undefined)("tasks on real catalogs (skipped if they are absent)", () => {
  const all = offers ?? [];
  const agent = agentOf(catalogOf(all));

  /** The lowest cost that the plain condition allows, in micro-dollars. One with an unknown disk counts only if there is no other. */
  function bestMicros({ meets, diskGb = 0, maxUsdPerHour }: Task): number | undefined {
    const able = all.filter((offer) => offer.isAvailable && meets(offer));
    const isKnown = (offer: Offer) => diskGb === 0 || offer.storageMaxGB > 0 || offer.costDataComplete;
    const costsOf = (some: readonly Offer[]) =>
      some
        .map((offer) => costWith(offer, diskGb))
        .filter((cost) => cost !== undefined)
        .filter((cost) => cost <= (maxUsdPerHour ?? Number.POSITIVE_INFINITY) * 1_000_000);
    const known = costsOf(able.filter(isKnown));
    const others = maxUsdPerHour === undefined ? costsOf(able.filter((offer) => !isKnown(offer))) : [];
    const costs = known.length > 0 ? known : others;
    return costs.length === 0 ? undefined : Math.min(...costs);
  }

  const found = (result: ToolResult) =>
    result.structuredContent as {
      total: number;
      offers: { id: string; usdPerHour: number; diskGb?: number }[];
      excludedBy?: object;
    };

  test.for(tasks)("$task", async (task) => {
    const { total, offers: rows, excludedBy } = found(await agent.call("find_gpu_offers", task.find));
    const best = bestMicros(task);
    const [first, ...others] = rows;
    // An empty result with a reason is a valid outcome, too.
    expect([total > 0, excludedBy === undefined]).toEqual([best !== undefined, best !== undefined]);
    const usdPerHour = best === undefined ? undefined : Math.ceil(best / 100) / 10_000;
    expect(first?.usdPerHour).toEqual(usdPerHour);
    const quoted = first === undefined ? undefined : await quote(first, others.slice(0, 2));
    expect(quoted).toEqual(usdPerHour);
  });

  /** Compares the choice with its runners-up, then quotes it at the displayed price. */
  async function quote(
    chosen: { id: string; usdPerHour: number; diskGb?: number },
    others: readonly { id: string }[],
  ): Promise<unknown> {
    const ids = [chosen, ...others].map(({ id }) => id);
    const compared = ids.length > 1 ? await agent.call("compare_gpu_offers", { ids }) : undefined;
    if (compared?.isError === true) {
      return compared.content;
    }
    const disk = all.find(({ id }) => id === chosen.id)?.storageCostPerGB === 0 ? {} : { diskGb: chosen.diskGb };
    const result = await agent.call("quote_gpu_deployment", {
      id: chosen.id,
      expectUsdPerHour: chosen.usdPerHour,
      ...disk,
    });
    return result.structuredContent?.["usdPerHour"] ?? result.content;
  }
});
