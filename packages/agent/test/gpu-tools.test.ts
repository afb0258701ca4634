import { ListingCatalog, type GpuPrices, type Offer } from "@gpu-offers/domain";
import { priceSeries, type MarketPoint } from "@gpu-offers/domain/history";
import { exampleOffer } from "@gpu-offers/domain/offer.fixture";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { agentOf, catalogOf } from "./agent.ts";

const tokens = (text = ""): number => encode(text).length;

const offerOf = (id: number, slug: string, pricePerGpu: number, isAvailable = true): Offer =>
  exampleOffer({
    id: `5b0c1f0e-6f0a-5c1e-9a53-00000000000${id}`,
    gpu: { name: slug, slug, vramGB: 80, architecture: "Hopper" },
    priceHourly: pricePerGpu,
    pricePerGpu,
    isAvailable,
  });

const offers = [
  offerOf(1, "h100-sxm", 2),
  offerOf(2, "h100-sxm", 3),
  offerOf(3, "h100-pcie", 1.9),
  offerOf(4, "l40s", 0.8, false),
];

describe("list_gpus", () => {
  const agent = agentOf(catalogOf(offers));

  test("lists what is offered, most rentable first, with figures and prices", async () => {
    const { structuredContent, content } = await agent.call("list_gpus", {});
    expect(structuredContent).toEqual({
      total: 3,
      gpus: [
        {
          slug: "h100-sxm",
          vramGb: 80,
          bandwidthGBs: 3350,
          bf16Tflops: 989.4,
          fp8Tflops: 1978.9,
          rentable: 2,
          minUsdPerGpuHour: 2,
          medianUsdPerGpuHour: 2,
          listed: 2,
        },
        expect.objectContaining({ slug: "h100-pcie", rentable: 1 }),
        { slug: "l40s", vramGb: 48, bandwidthGBs: 864, bf16Tflops: 362, fp8Tflops: 733, rentable: 0 },
      ],
    });
    expect(tokens(content[0]?.text)).toBeLessThan(300);
  });

  test("understands families and names, also of cards that are not offered", async () => {
    const { structuredContent } = await agent.call("list_gpus", { gpu: ["h100", "4090"], limit: 50 });
    expect(structuredContent?.["gpus"]).toMatchObject([
      { slug: "h100-sxm" },
      { slug: "h100-pcie" },
      { slug: "h100" },
      { slug: "h100-nvl" },
      { slug: "rtx-4090" },
      { slug: "rtx-4090-48gb" },
      { slug: "rtx-4090-d" },
    ]);
  });

  test("doesn't price hosts that aren't verified, and knows spot prices, if the listings are known", async () => {
    const listings = ListingCatalog.of([
      { offer: offerOf(1, "h100-sxm", 2), instanceType: null, seller: "host", verified: false, spot: null },
      {
        offer: offerOf(2, "h100-sxm", 3),
        instanceType: null,
        seller: "host",
        verified: true,
        spot: { priceHourly: 1, kind: "price" },
      },
    ]);
    const hosts = agentOf({ ...catalogOf(offers), listings: async () => listings });
    const { structuredContent } = await hosts.call("list_gpus", { gpu: ["h100-sxm"] });
    expect(structuredContent?.["gpus"]).toMatchObject([
      { rentable: 1, minUsdPerGpuHour: 3, medianUsdPerGpuHour: 3, spotUsdPerGpuHour: 1 },
    ]);
  });

  test("costs at most 3,000 tokens for the largest list", async () => {
    const { content } = await agent.call("list_gpus", { gpu: ["nvidia"], limit: 50 });
    expect(tokens(content[0]?.text)).toBeLessThanOrEqual(3_000);
  });

  test("names the nearest GPU for an unknown one", async () => {
    const { isError, content } = await agent.call("list_gpus", { gpu: ["h1000", "h100"] });
    expect([isError, content[0]?.text]).toEqual([true, 'gpu: "h1000" is unknown. Did you mean h100?']);
  });
});

describe("get_gpu_prices", () => {
  const point = (atMs: number, price: number): MarketPoint => ({
    atMs,
    sellers: { aws: { n: 1, p: { 1: [price] }, r: ["r"] } },
  });
  const now = Date.now();
  const dayOf = (daysAgo: number): string => new Date(now - daysAgo * 86_400_000).toISOString();
  const agent = agentOf({
    ...catalogOf(offers),
    findGpuPrices: async (name, { since, step }): Promise<GpuPrices | undefined> =>
      name === "l40s"
        ? undefined
        : {
            gpu: name,
            slugs: [name],
            trackedSince: name === "b200" ? dayOf(3) : since,
            step,
            change: { from: "2026-09-01", until: "2026-11-20", machines: 4, medianPercent: -25, reason: null },
            series: priceSeries([point(now - 80 * 86_400_000, 4), point(now - 3 * 86_400_000, 3)], {
              sinceMs: Date.parse(since),
              untilMs: now,
              step,
            }),
          },
  });

  test("says by how much the same machines changed, and has points only where something was observed", async () => {
    const { structuredContent, content } = await agent.call("get_gpu_prices", { gpu: "h100-sxm" });
    expect(structuredContent).toMatchObject({
      slugs: ["h100-sxm"],
      medianChangePercent: -25,
      compared: "4 machines, 2026-09-01 to 2026-11-20",
      ageDays: Math.floor((now - Date.parse("2026-11-20")) / 86_400_000),
    });
    expect(structuredContent?.["prices"]).toMatchObject([
      { median: 4, sellers: "1 of 1" },
      { median: 3, sellers: "1 of 1" },
    ]);
    expect(tokens(content[0]?.text)).toBeLessThanOrEqual(600);
  });

  test("has a point a day for some days", async () => {
    const { structuredContent } = await agent.call("get_gpu_prices", { gpu: "h100-sxm", days: 7 });
    expect(structuredContent?.["prices"]).toMatchObject([{ at: dayOf(3).slice(0, 10), median: 3 }]);
  });

  test("has a point a day of what was first observed some days ago", async () => {
    const { structuredContent } = await agent.call("get_gpu_prices", { gpu: "b200" });
    expect(structuredContent?.["prices"]).toMatchObject([{ median: 4 }, { at: dayOf(3).slice(0, 10), median: 3 }]);
  });

  test.each([
    ["h1000", 'gpu: "h1000" is unknown. Did you mean h100?'],
    ["l40s", 'gpu: "l40s" has no prices over time.'],
  ])("of %s is an error that says why", async (gpu, message) => {
    const { isError, content } = await agent.call("get_gpu_prices", { gpu });
    expect([isError, content[0]?.text]).toEqual([true, message]);
  });
});
