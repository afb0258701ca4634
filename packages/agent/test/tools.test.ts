import { hourlyCost, ListingCatalog, UNKNOWN_LISTING_FACTS, type Offer } from "@gpu-offers/domain";
import { arbitraryOffer, exampleImage, exampleOffer } from "@gpu-offers/domain/offer.fixture";
import { fromJsonSchema } from "@modelcontextprotocol/server";
import * as fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { beforeAll, describe, expect, test } from "vitest";
import { AgentCatalogError } from "../src/index.ts";
import { agentOf, catalogOf, type Agent, type ToolResult } from "./agent.ts";

const SEED = 20_261_122;
const tokens = (value: unknown): number => encode(typeof value === "string" ? value : JSON.stringify(value)).length;

const h100 = exampleOffer();
const cheap = exampleOffer({
  id: "0f9be1a5-1c7c-5d7e-8c11-3a1f5e3f9d01",
  provider: { name: "fjord", slug: "fjord" },
  gpu: { name: "RTX 4090", slug: "rtx-4090", vramGB: 24, architecture: "Ada Lovelace" },
  priceHourly: 0.4,
  pricePerGpu: 0.4,
});
const gone = exampleOffer({
  id: "7f0f4a52-6b3f-5a0c-9d7d-6e2f1f0a0001",
  isAvailable: false,
  priceHourly: 0.1,
  pricePerGpu: 0.1,
});
const offers = [h100, cheap, gone];
const balance = { balance: "19.7000", currency: "USD" as const };
const agent = agentOf(
  catalogOf(offers, { images: [exampleImage()], balance, pricesAsOf: { hyperstack: "2026-11-20T00:00:00.000Z" } }),
);

const found = ({ structuredContent }: ToolResult) =>
  structuredContent as {
    total: number;
    offers: { id: string; usdPerHour: number; usdPerHourWithDisk?: number; usdTotal?: number }[];
    excludedBy?: Record<string, number>;
  };

describe("the list of tools", () => {
  test("has all tools, prices over time only with a history, and credit only if a key is configured", async () => {
    const names = async (of: Agent) =>
      ((await of.request("tools/list")) as { result: { tools: { name: string }[] } }).result.tools.map(
        ({ name }) => name,
      );
    const all = ["find_gpu_offers", "compare_gpu_offers", "quote_gpu_deployment", "list_gpus"];
    expect(await names(agent)).toEqual([...all, "get_credit"]);
    expect(await names(agentOf(catalogOf(offers)))).toEqual(all);
    expect(await names(agentOf({ ...catalogOf(offers), findGpuPrices: async () => undefined }))).toEqual([
      ...all,
      "get_gpu_prices",
    ]);
  });

  test("states what is assumed of arguments that are omitted", async () => {
    const { result } = await agent.request("tools/list");
    const { tools } = result as {
      tools: { description: string; inputSchema: { properties: Record<string, { default?: unknown }> } }[];
    };
    const properties = Object.entries(tools[0]?.inputSchema.properties ?? {});
    const stated = properties.flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]]));
    expect(Object.fromEntries(stated)).toEqual({ verified: "not-false", limit: 5 });
    expect(tools[0]?.description).toContain("cheapest first including the disk");
  });

  test("costs at most 3,000 tokens", async () => {
    const { result } = await agentOf({
      ...catalogOf(offers, { balance: { balance: "1.0000", currency: "USD" } }),
      findGpuPrices: async () => undefined,
    }).request("tools/list");
    expect(tokens(result)).toBeLessThanOrEqual(3_000);
  });

  test("says that it never changes, and has neither logging nor completion", async () => {
    const clientInfo = { name: "test", version: "1" };
    const { result } = await agent.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo,
    });
    const fixed = { listChanged: false };
    expect(result).toMatchObject({ capabilities: { tools: fixed, resources: fixed, prompts: fixed } });
    expect(Object.keys((result as { capabilities: object }).capabilities)).toHaveLength(3);
    for (const method of ["logging/setLevel", "completion/complete"]) {
      expect(await agent.request(method, { level: "info" })).toMatchObject({ error: { code: -32601 } });
    }
  });

  test("marks every tool as read-only", async () => {
    const { result } = (await agent.request("tools/list")) as { result: { tools: { annotations: unknown }[] } };
    expect(new Set(result.tools.map(({ annotations }) => JSON.stringify(annotations)))).toEqual(
      new Set([JSON.stringify({ readOnlyHint: true, idempotentHint: true, openWorldHint: false })]),
    );
  });
});

describe("find_gpu_offers", () => {
  test("accepts common names, and returns how it understood them", async () => {
    const result = await agent.call("find_gpu_offers", { gpu: ["H100"], continent: ["EU"] });
    expect(found(result)).toMatchObject({
      total: 1,
      offers: [
        {
          id: h100.id,
          gpu: "1x H100 PCIe 80GB",
          provider: "hyperstack",
          country: "NO",
          usdPerHour: 1.9,
          usdPerHourWithDisk: 1.907,
        },
      ],
      pricesAsOf: "2026-11-20T00:00:00.000Z",
    });
    expect(result.structuredContent?.["gpus"]).toContain("h100-sxm");
  });

  test("finds GPUs that only the catalog has, and lists them as models", async () => {
    const rubin = exampleOffer({ gpu: { name: "Rubin", slug: "rubin", vramGB: 288, architecture: "Rubin" } });
    const own = agentOf(catalogOf([rubin]));
    expect(found(await own.call("find_gpu_offers", { gpu: ["rubin"] }))).toMatchObject({ total: 1, gpus: ["rubin"] });
    const { result } = (await own.request("resources/read", { uri: "gpu-offers://models" })) as {
      result: { contents: { text: string }[] };
    };
    expect(JSON.parse(result.contents[0]?.text ?? "")).toEqual([
      { slug: "rubin", name: "Rubin", vramGb: 288, architecture: "Rubin", offers: 1 },
    ]);
  });

  test("includes the disk in the price, exactly like the domain", async () => {
    const { offers: rows } = found(await agent.call("find_gpu_offers", { gpu: ["h100"], diskGb: 500 }));
    expect(rows).toMatchObject([
      { usdPerHour: h100.priceHourly, usdPerHourWithDisk: Number(hourlyCost(h100, 500)), diskGb: 500 },
    ]);
  });

  test("lists lower bounds after all known costs, with or without a disk", async () => {
    const unknownDisk = { storageMinGB: 0, storageMaxGB: 0, storageCostPerGB: 0, costDataComplete: false };
    const bare = exampleOffer({ id: gone.id, priceHourly: 0.1, pricePerGpu: 0.1, ...unknownDisk });
    const own = agentOf(catalogOf([bare, h100]));
    for (const args of [{}, { diskGb: 100 }]) {
      const { offers: rows } = found(await own.call("find_gpu_offers", args));
      expect(rows).toMatchObject([{ id: h100.id }, { id: bare.id, atLeast: true, diskUnknown: true }]);
    }
  });

  test("states the age of every price, and the oldest known one", async () => {
    const rows = await agent.call("find_gpu_offers", {});
    expect(rows.structuredContent).toMatchObject({
      offers: [{ id: cheap.id }, { id: h100.id, ageDays: expect.any(Number) }],
      pricesAsOf: "2026-11-20T00:00:00.000Z",
    });
    expect(found(rows).offers[0]).not.toHaveProperty("ageDays");
  });

  test("says what kind of machine it is, what it is called, and what it costs as a spot instance", async () => {
    const spot = { priceHourly: 1, kind: "price" };
    const listing = { offer: h100, instanceType: "n3-H100x1", seller: "cloud", verified: null, spot };
    const own = agentOf({ ...catalogOf([h100]), listings: async () => ListingCatalog.of([listing]) });
    const machine = { id: h100.id, kind: "virtual", instanceType: "n3-H100x1", seller: "cloud" };
    expect(found(await own.call("find_gpu_offers", { diskGb: 500 })).offers).toMatchObject([
      { ...machine, usdPerHour: 1.9, usdPerHourWithDisk: 1.97, spotUsdPerHour: 1 },
    ]);
    for (const wanted of [true, "true"]) {
      const { offers: rows } = found(await own.call("find_gpu_offers", { diskGb: 500, spot: wanted }));
      expect(rows).toMatchObject([{ ...machine, usdPerHour: 1, usdPerHourWithDisk: 1.07, spot: "price" }]);
    }
  });

  test("states machine, disk and the total of hours exactly, and multiplies by nodes", async () => {
    const odd = exampleOffer({ ...h100, priceHourly: 0.16, pricePerGpu: 0.16, storageCostPerGB: 0.000097 });
    const own = agentOf(catalogOf([odd]));
    const rowOf = async (args: Record<string, unknown>) => found(await own.call("find_gpu_offers", args)).offers[0];
    expect(await rowOf({ diskGb: 500, hours: 730 })).toMatchObject({
      usdPerHour: 0.16,
      diskGb: 500,
      usdPerHourWithDisk: 0.2085,
      usdTotal: 152.205,
    });
    expect(await rowOf({ diskGb: 500, hours: 730, nodes: 8 })).toMatchObject({ usdPerHour: 0.16, usdTotal: 1217.64 });
    expect(await rowOf({ diskGb: 500, nodes: 8 })).toMatchObject({ usdTotal: 1.668 });
    const budget = { diskGb: 500, hours: 730, nodes: 8, budgetUsd: 1217.64 };
    expect(await rowOf(budget)).toBeDefined();
    expect(await rowOf({ ...budget, budgetUsd: 1217.63 })).toBeUndefined();
  });

  test("asks for the hours of a budget", async () => {
    const { isError, content } = await agent.call("find_gpu_offers", { budgetUsd: 500 });
    expect([isError, content[0]?.text]).toEqual([
      true,
      "budgetUsd: needs hours, for which it must last: 24, or 730 for a month.",
    ]);
  });

  test("takes hours and a budget from words, too, and multiplies them by nodes", async () => {
    const totalOf = async (args: Record<string, unknown>) =>
      found(await agent.call("find_gpu_offers", args)).offers[0]?.usdTotal;
    expect(await totalOf({ text: "h100 for 3 days" })).toBe(137.304);
    expect(await totalOf({ text: "h100 for 3 days", nodes: 8 })).toBe(1098.432);
    expect(await totalOf({ text: "h100 for 3 days budget $1098", nodes: 8 })).toBeUndefined();
    expect(await totalOf({ text: "h100 for 3 days budget $1099", nodes: 8 })).toBe(1098.432);
    const { content } = await agent.call("find_gpu_offers", { text: "h100 budget $300", nodes: 8 });
    expect(content[0]?.text).toMatch(/^budgetUsd: needs hours/);
  });

  test("has the cheapest of each provider, GPU or country, and leaves out providers", async () => {
    const names = ["aws", "vast", "aws", "lambda", "vast"];
    const many = names.map((name, index) =>
      exampleOffer({
        id: `0d0912e2-f8c8-5c77-a264-91e84965601${index}`,
        provider: { name, slug: name },
        priceHourly: index + 1,
        pricePerGpu: index + 1,
      }),
    );
    const own = agentOf(catalogOf(many));
    const idsOf = async (args: Record<string, unknown>) => {
      const { total, offers: rows } = found(await own.call("find_gpu_offers", args));
      return [total, ...rows.map(({ id }) => Number(id.at(-1)))];
    };
    expect(await idsOf({ cheapestPer: "provider" })).toEqual([3, 0, 1, 3]);
    expect(await idsOf({ cheapestPer: "provider", sortOrder: "desc", limit: 2 })).toEqual([3, 4, 3]);
    expect(await idsOf({ cheapestPer: "provider", limit: 2, page: 1 })).toEqual([3, 3]);
    expect(await idsOf({ cheapestPer: "gpu" })).toEqual([1, 0]);
    expect(await idsOf({ notProvider: ["vast"] })).toEqual([3, 0, 2, 3]);
    expect(await idsOf({ text: "h100 not vast" })).toEqual([3, 0, 2, 3]);
  });

  test("sorts by the memory of all GPUs, and says what a model needs", async () => {
    const big = exampleOffer({ ...h100, id: gone.id, gpuCount: 8, priceHourly: 15.2, nvlinkEnabled: true });
    const own = agentOf(catalogOf([h100, big]));
    const largest = await own.call("find_gpu_offers", { sortBy: "totalVram", sortOrder: "desc", fits: "13b@8" });
    expect(found(largest).offers.map(({ id }) => id)).toEqual([big.id, h100.id]);
    expect(largest.structuredContent?.["fits"]).toEqual({
      memoryGb: 14.1,
      diskGb: 16,
      assumed: expect.arrayContaining(["a context of 8k tokens"]),
    });
  });

  test("sorts by its argument, whatever order the words say", async () => {
    const big = exampleOffer({ ...h100, id: gone.id, gpuCount: 8, priceHourly: 15.2, pricePerGpu: 1.9 });
    const own = agentOf(catalogOf([h100, { ...big, pricePerGpu: h100.pricePerGpu + 1 }]));
    const first = async (args: Record<string, unknown>) => found(await own.call("find_gpu_offers", args)).offers[0]?.id;
    expect(await first({ text: "most vram" })).toBe(big.id);
    expect(await first({ text: "most vram", sortBy: "total" })).toBe(h100.id);
  });

  test("has the same JSON as text and as structured content", async () => {
    const { content, structuredContent } = await agent.call("find_gpu_offers", {});
    expect(JSON.parse(content[0]?.text ?? "")).toEqual(structuredContent);
  });

  test("hides what is sold out unless it is requested, and lists it last", async () => {
    expect(found(await agent.call("find_gpu_offers", {})).offers.map(({ id }) => id)).toEqual([cheap.id, h100.id]);
    const all = found(await agent.call("find_gpu_offers", { onlyAvailable: false }));
    expect(all.offers.at(-1)).toMatchObject({ id: gone.id, availability: "sold_out" });
  });

  test("lists the conditions that exclude offers if there are no hits", async () => {
    const result = found(await agent.call("find_gpu_offers", { gpu: ["h100"], maxUsdPerHour: 1 }));
    expect(result).toMatchObject({ total: 0, offers: [], excludedBy: { gpu: 1, maxUsdPerHour: 1, availability: 1 } });
  });

  test("reports all invalid arguments at once, with suggestions", async () => {
    const { isError, content } = await agent.call("find_gpu_offers", { gpus: ["H100"], limit: 26, minGpus: 0 });
    expect(isError).toBe(true);
    expect(content[0]?.text).toMatch(/did you mean gpu\?/);
    expect(content[0]?.text).toMatch(/limit: /);
    expect(content[0]?.text).toMatch(/minGpus: /);
  });

  test.each([
    [{ gpu: "H100" }, 'gpu: must be a list, not "H100".'],
    [{ limit: 26 }, "limit: must be at most 25, not 26."],
    [{ maxUsdPerHour: 0 }, "maxUsdPerHour: must be more than 0, not 0."],
    [{ minGpus: 1.5 }, "minGpus: must be a whole number, not 1.5."],
    [{ gpu: [] }, "gpu: must have at least 1 value."],
    [{ verified: true, spot: "yes" }, 'spot: must be one of false, true, bid, not "yes".'],
    [
      { limit: 100, continent: ["EMEA"], country: ["Europe"] },
      "- limit: must be at most 25, not 100.\n" +
        '- continent: "EMEA" is unknown; use one of Africa, Antarctica, Asia, Europe, North America, Oceania, South America.\n' +
        '- country: "Europe" is unknown; use continent "Europe".',
    ],
    [{ continent: ["Norway"] }, 'continent: "Norway" is unknown; use country "Norway".'],
  ])("rejects %j in plain words", async (args, message) => {
    const { isError, content } = await agent.call("find_gpu_offers", args);
    expect([isError, content[0]?.text]).toEqual([true, message]);
  });

  test.each([
    [{ gpu: ["H1000"] }, /gpu: "H1000" is unknown; did you mean .*H100/],
    [{ continent: ["Evrope"] }, /continent: "Evrope" is unknown; did you mean .*Europe/],
    [{ provider: ["hyperstck"] }, /provider: "hyperstck" is unknown; did you mean .*hyperstack/],
    [{ provider: ["Hetzner"] }, /provider: "Hetzner" is unknown; known are fjord, hyperstack\./],
    [{ gpu: ["RTX 40 series"] }, /is unknown; list_gpus lists them/],
    [{ country: ["Deutschland"] }, /is unknown; use an English name or an ISO code/],
    [{ minGpus: 8, maxGpus: 2 }, /minGpus: must not be above maxGpus/],
  ])("rejects %j with the closest value", async (args, message) => {
    const { isError, content, structuredContent } = await agent.call("find_gpu_offers", args);
    expect([isError, structuredContent]).toEqual([true, undefined]);
    expect(content[0]?.text).toMatch(message);
  });
});

describe("a call with many problems", () => {
  const textOf = ({ content }: ToolResult): string => content[0]?.text ?? "";

  test("lists the first ten, and says how many more there are", async () => {
    const args = Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`maxUsd${index}`, 1]));
    const lines = textOf(await agent.call("find_gpu_offers", args)).split("\n");
    expect(lines).toHaveLength(11);
    expect(lines[0]).toMatch(/^- "maxUsd0" is not an argument;/);
    expect(lines.at(-1)).toBe("- 3990 more problems.");
  });

  test("counts unknown names and invalid values together", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `card ${index}`);
    const lines = textOf(await agent.call("find_gpu_offers", { gpu: names, minGpus: 0 })).split("\n");
    expect(lines.slice(0, 2)).toEqual([
      "- minGpus: must be at least 1, not 0.",
      expect.stringContaining('gpu: "card 0" is unknown;'),
    ]);
    expect(lines.at(-1)).toBe("- 11 more problems.");
  });
});

describe("the memory of stock", () => {
  const stock14d = { observedHours: 336, inStockHours: 84, lastInStockAt: "2026-11-20T00:00:00.000Z" };
  const facts = { ...UNKNOWN_LISTING_FACTS, stock14d };
  const listed = { ...h100, listing: facts };
  const own = agentOf({
    ...catalogOf([h100, cheap]),
    listings: async () => ListingCatalog.of([{ offer: h100, ...facts }]),
    findOffer: async (id) => (id === h100.id ? listed : offers.find((offer) => offer.id === id)),
  });

  test("is in rows, in comparisons and in quotes", async () => {
    expect(found(await own.call("find_gpu_offers", {})).offers).toMatchObject([{ id: h100.id, stock14d }]);
    const compared = await own.call("compare_gpu_offers", { ids: [h100.id, cheap.id] });
    expect(compared.structuredContent?.["differs"]).toMatchObject({ inStockPercent14d: { values: [25, null] } });
    const quote = await own.call("quote_gpu_deployment", { id: h100.id, diskGb: 100 });
    expect(quote.structuredContent?.["listing"]).toMatchObject({ availability: "listed", stock14d });
  });
});

describe("compare_gpu_offers", () => {
  test("separates differences from common facts, with percentages", async () => {
    const { structuredContent } = await agent.call("compare_gpu_offers", { ids: [h100.id, cheap.id], diskGb: 100 });
    const { differs, same } = structuredContent as { differs: Record<string, unknown>; same: Record<string, unknown> };
    expect(differs["gpu"]).toEqual({ values: ["H100 PCIe", "RTX 4090"] });
    expect(differs["usdPerHour"]).toEqual({ values: [1.9, 0.4], percent: [0, -78.9] });
    expect(same["country"]).toBe("NO");
  });

  test("has the names and units of the other tools, and no runway for a free offer", async () => {
    const free = exampleOffer({ id: cheap.id, priceHourly: 0, pricePerGpu: 0, storageCostPerGB: 0 });
    const { structuredContent } = await agentOf(catalogOf([h100, free], { balance })).call("compare_gpu_offers", {
      ids: [h100.id, free.id],
      diskGb: 500,
    });
    expect(structuredContent?.["differs"]).toMatchObject({
      usdPerHourWithDisk: { values: [1.97, 0], percent: [0, -100] },
      runwayHours: { values: [10, null] },
    });
    expect(structuredContent?.["same"]).toMatchObject({ availability: "listed", atLeast: false });
  });

  test("says why an offer has no total, and that a balance cannot be read", async () => {
    const catalog = catalogOf(offers);
    const broken = {
      ...catalog,
      getBalance: async () => {
        throw new AgentCatalogError("The API key is invalid.");
      },
    };
    const ids = [h100.id, cheap.id];
    const { structuredContent } = await agentOf(broken).call("compare_gpu_offers", { ids, diskGb: 999_999 });
    expect(structuredContent?.["notes"]).toEqual([
      ...ids.map((id) => expect.stringContaining(`${id} does not support a 999999 GB disk`) as string),
      "The balance is unknown: The API key is invalid.",
    ]);
  });

  test("lists unknown ids", async () => {
    const { isError, content } = await agent.call("compare_gpu_offers", { ids: [h100.id, "nothing"] });
    expect([isError, content[0]?.text]).toEqual([
      true,
      expect.stringContaining('"nothing" is not the id of a current offer'),
    ]);
  });
});

describe("quote_gpu_deployment", () => {
  test("returns exactly the deployment parameters, the price, and how long the credit lasts", async () => {
    const { structuredContent } = await agent.call("quote_gpu_deployment", {
      id: h100.id,
      diskGb: 500,
      expectUsdPerHour: 1.97,
    });
    expect(structuredContent).toMatchObject({
      deployment: { provider: "hyperstack", disk_gb: 500 },
      images: [exampleImage().id],
      usdPerHour: 1.9,
      usdPerHourWithDisk: 1.97,
      runwayHours: 10,
      pricesAsOf: "2026-11-20T00:00:00.000Z",
    });
  });

  test("reports all problems at once", async () => {
    const { isError, content } = await agent.call("quote_gpu_deployment", {
      id: gone.id,
      osImageId: "beos",
      diskGb: 999_999,
    });
    expect(isError).toBe(true);
    expect(content[0]?.text).toMatch(
      /id: .*sold out[^]*osImageId: .*no image "beos"[^]*diskGb: must be a whole number/,
    );
  });

  test("reports a higher price together with other problems, if the price is known", async () => {
    const wanted = { id: h100.id, osImageId: "beos", expectUsdPerHour: 1 };
    const text = async (diskGb: number) =>
      (await agent.call("quote_gpu_deployment", { ...wanted, diskGb })).content[0]?.text;
    expect(await text(500)).toMatch(/osImageId: .*no image "beos"[^]*expectUsdPerHour: the price is now 1.97 USD/);
    expect(await text(999_999)).toMatch(/osImageId: [^]*diskGb: must be a whole number from/);
    expect(await text(999_999)).not.toContain("expectUsdPerHour");
    const fixed = exampleOffer({ storageMinGB: 100, storageMaxGB: 100, storageCostPerGB: 0 });
    const { content } = await agentOf(catalogOf([fixed])).call("quote_gpu_deployment", {
      id: fixed.id,
      diskGb: 101,
      expectUsdPerHour: 1,
    });
    expect(content[0]?.text).toMatch(/diskGb: must be omitted or 100[^]*expectUsdPerHour: the price is now 1.9 USD/);
  });

  test("says what to rent and what to paste, with the nearest disk that is enough", async () => {
    const fixed = exampleOffer({
      provider: { name: "aws", slug: "aws" },
      region: "us-east-1/use1-az2",
      storageMinGB: 1400,
      storageMaxGB: 1400,
      storageCostPerGB: 0,
    });
    const facts = { ...UNKNOWN_LISTING_FACTS, instanceType: "p5.48xlarge" };
    const known = { ...catalogOf([fixed]), findOffer: async () => ({ ...fixed, listing: facts }) };
    const { structuredContent } = await agentOf(known).call("quote_gpu_deployment", { id: fixed.id, diskGb: 500 });
    expect(structuredContent).toMatchObject({
      deployment: { provider: "aws" },
      diskGb: 1400,
      listing: { id: fixed.id, region: "us-east-1/use1-az2", instanceType: "p5.48xlarge", pricesAsOf: null },
      launch: [{ tool: "sky" }, { tool: "dstack" }, { tool: "aws", text: expect.stringContaining("p5.48xlarge") }],
    });
    const unknown = await agentOf(catalogOf([fixed])).call("quote_gpu_deployment", { id: fixed.id });
    expect(unknown.structuredContent).toMatchObject({ listing: { instanceType: null }, launch: [] });
  });

  test("has room for a model, sums equal machines, and takes the first available of several", async () => {
    const machine = { provider: { name: "aws", slug: "aws" }, storageMinGB: 1, storageMaxGB: 16_000 };
    const near = exampleOffer({ ...machine, region: "us-east-1", priceHourly: 2 });
    const far = exampleOffer({ ...machine, id: gone.id, region: "us-west-2", priceHourly: 3 });
    const listing = { ...UNKNOWN_LISTING_FACTS, instanceType: "p5.48xlarge" };
    const known = {
      ...catalogOf([near, far], { balance: { balance: "100.0000", currency: "USD" } }),
      find: async () => [
        { offer: near, ...listing },
        { offer: far, ...listing },
      ],
      findOffer: async () => ({ ...near, listing }),
    };
    const quote = async (more: object) =>
      (await agentOf(known).call("quote_gpu_deployment", { id: near.id, hours: 10, ...more })).structuredContent as {
        diskGb: number;
        usdPerHourWithDisk: number;
        usdTotal: number;
        runwayHours: number;
        launch: { tool: string; text: string }[];
        notes: string[];
      };
    const one = await quote({});
    expect([one.diskGb, one.notes]).toEqual([100, ["The disk has 100 GB, the default."]]);
    const fitted = await quote({ fits: "70b", nodes: 2, top: 2 });
    expect(fitted.diskGb).toBe(168);
    expect(fitted.usdTotal).toBeCloseTo(fitted.usdPerHourWithDisk * 20, 4);
    expect(fitted.runwayHours).toBeCloseTo(100 / (fitted.usdPerHourWithDisk * 2), 1);
    expect(fitted.notes).toEqual([
      "The disk has 168 GB, for 140 GB of weights and a fifth more.",
      "SkyPilot tries, in this order: aws us-east-1, aws us-west-2.",
      "dstack takes one of: aws us-east-1, aws us-west-2.",
    ]);
    const texts = new Map(fitted.launch.map(({ tool, text }) => [tool, text]));
    expect(texts.get("sky")).toMatch(/ordered:[^]*us-east-1[^]*us-west-2[^]*disk_size: 168[^]*num_nodes: 2/);
    expect(texts.get("dstack")).toMatch(/nodes: 2[^]*regions: \[us-east-1, us-west-2\]/);
    expect(texts.get("aws")).toContain("--count 2");
    const { content } = await agent.call("quote_gpu_deployment", { id: h100.id, fits: "llama" });
    expect(content[0]?.text).toMatch(/^fits: is invalid: a model is written as/);
  });

  test("quotes the spot price that was found, and only a known one", async () => {
    const spot = { priceHourly: 1, kind: "price" };
    const known = {
      ...catalogOf([h100]),
      findOffer: async () => ({ ...h100, listing: { ...UNKNOWN_LISTING_FACTS, spot } }),
    };
    const wanted = { id: h100.id, diskGb: 500, expectUsdPerHour: 1.07, spot: true };
    const { structuredContent } = await agentOf(known).call("quote_gpu_deployment", wanted);
    expect(structuredContent).toMatchObject({ usdPerHourWithDisk: 1.07, spot: "price", diskGb: 500 });
    const { content } = await agent.call("quote_gpu_deployment", { ...wanted, expectUsdPerHour: 2 });
    expect(content[0]?.text).toBe("spot: This offer has no known spot price.");
  });

  test("names an unknown offer as the other tools do", async () => {
    const { isError, content } = await agent.call("quote_gpu_deployment", { id: "nothing" });
    expect([isError, content[0]?.text]).toEqual([
      true,
      '"nothing" is not the id of a current offer. Call find_gpu_offers again.',
    ]);
  });

  test("returns the price if the balance cannot be read, and says why", async () => {
    const getBalance = async () => {
      throw new AgentCatalogError("The API key is invalid.");
    };
    const { structuredContent } = await agentOf({ ...catalogOf(offers), getBalance }).call("quote_gpu_deployment", {
      id: h100.id,
      diskGb: 500,
    });
    expect(structuredContent).toMatchObject({ usdPerHourWithDisk: 1.97, balanceProblem: "The API key is invalid." });
    expect(structuredContent).not.toHaveProperty("runwayHours");
  });

  test("marks unknown disks, and states the time of the price as the other tools do", async () => {
    const bare = exampleOffer({ storageMinGB: 0, storageMaxGB: 0, storageCostPerGB: 0, costDataComplete: false });
    const catalog = catalogOf([bare, cheap], { pricesAsOf: { hyperstack: "2026-11-20" } });
    const quote = await agentOf(catalog).call("quote_gpu_deployment", { id: bare.id });
    expect(quote.structuredContent).toMatchObject({
      atLeast: true,
      diskUnknown: true,
      pricesAsOf: "2026-11-20T00:00:00.000Z",
    });
    const known = await agent.call("quote_gpu_deployment", { id: h100.id, diskGb: 500 });
    expect(known.structuredContent).not.toHaveProperty("diskUnknown");
  });

  test("accepts the price of a comparison, which has more decimals", async () => {
    const odd = exampleOffer({
      id: cheap.id,
      priceHourly: 1.234561,
      pricePerGpu: 1.234561,
      gpuCount: 1,
      storageCostPerGB: 0.000013,
    });
    const one = agentOf(catalogOf([odd, h100]));
    const { structuredContent } = await one.call("compare_gpu_offers", { ids: [odd.id, h100.id], diskGb: 101 });
    const { differs } = structuredContent as { differs: Record<string, { values: number[] }> };
    const [expectUsdPerHour = 0] = differs["usdPerHourWithDisk"]?.values ?? [];
    expect(expectUsdPerHour).toBe(1.235874);
    const quote = await one.call("quote_gpu_deployment", { id: odd.id, diskGb: 101, expectUsdPerHour });
    expect(quote.structuredContent).toMatchObject({ usdPerHourWithDisk: expectUsdPerHour });
    const less = { id: odd.id, diskGb: 101, expectUsdPerHour: 1.235873 };
    expect(await one.call("quote_gpu_deployment", less)).toMatchObject({ isError: true });
  });

  test("rejects a price above the one that the user agreed to", async () => {
    const { isError, content } = await agent.call("quote_gpu_deployment", {
      id: h100.id,
      diskGb: 500,
      expectUsdPerHour: 1.9,
    });
    expect([isError, content[0]?.text]).toEqual([
      true,
      expect.stringContaining("the price is now 1.97 USD an hour, not 1.9"),
    ]);
  });
});

describe("resources and prompt", () => {
  const read = async (uri: string) => {
    const { result, error } = (await agent.request("resources/read", { uri })) as {
      result?: { contents: { text: string }[] };
      error?: { code: number };
    };
    return result === undefined ? error : (JSON.parse(result.contents[0]?.text ?? "") as unknown);
  };

  test("are models, providers and single offers", async () => {
    expect(await read("gpu-offers://models")).toMatchObject([
      { slug: "h100-pcie", offers: 2 },
      { slug: "rtx-4090", offers: 1 },
    ]);
    expect(await read("gpu-offers://providers")).toEqual([
      { name: "fjord", offers: 1, pricesAsOf: null },
      { name: "hyperstack", offers: 2, pricesAsOf: "2026-11-20T00:00:00.000Z" },
    ]);
    expect(await read(`gpu-offers://offers/${h100.id}`)).toEqual(h100);
    expect(await read("gpu-offers://offers/nothing")).toMatchObject({ code: expect.any(Number) as number });
  });

  test("state the time of prices in one form", async () => {
    const dated = agentOf(catalogOf([cheap], { pricesAsOf: { fjord: "2026-11-20" } }));
    const { result } = await dated.request("resources/read", { uri: "gpu-offers://providers" });
    expect(JSON.stringify(result)).toContain("2026-11-20T00:00:00.000Z");
  });

  test.each(["gpu-offers://models", "gpu-offers://providers", `gpu-offers://offers/${h100.id}`])(
    "hide unexpected errors of %s, and show those of the catalog",
    async (uri) => {
      const failure = new Error("password=hunter2");
      const seen: unknown[] = [];
      const failing = (error: Error) => {
        const fail = async () => {
          throw error;
        };
        return agentOf({ ...catalogOf(offers), listings: fail, findOffer: fail }, (one) => seen.push(one));
      };
      const hidden = await failing(failure).request("resources/read", { uri });
      expect(hidden["error"]).toMatchObject({ message: `${uri} failed unexpectedly. Try again later.` });
      expect(seen).toEqual([failure]);
      const shown = await failing(new AgentCatalogError("The service is down.")).request("resources/read", { uri });
      expect(shown["error"]).toMatchObject({ message: "The service is down." });
      expect(seen).toEqual([failure]);
    },
  );

  test("the prompt uses the three tools, and fits for the size of a model", async () => {
    const { result } = await agent.request("prompts/get", { name: "choose_gpu", arguments: { model: "70B in fp16" } });
    const text = JSON.stringify(result);
    for (const tool of [
      "find_gpu_offers",
      "fits: parameters@bits,context",
      "compare_gpu_offers",
      "quote_gpu_deployment",
    ]) {
      expect(text).toContain(tool);
    }
  });
});

describe("any call", () => {
  type Schemas = Map<string, ReturnType<typeof fromJsonSchema>>;
  let schemas: Schemas;

  beforeAll(async () => {
    const { result } = (await agent.request("tools/list")) as {
      result: { tools: { name: string; outputSchema: Parameters<typeof fromJsonSchema>[0] }[] };
    };
    schemas = new Map(result.tools.map(({ name, outputSchema }) => [name, fromJsonSchema(outputSchema)]));
  });

  const words = fc.oneof(
    fc.constantFrom("H100", "4090", "h100-sxm", "Europe", "eu", "NO", "hyperstack", "__proto__", ""),
    fc.string({ maxLength: 12 }),
  );
  const argument = fc.oneof(
    fc.array(words, { maxLength: 3 }),
    words,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
  );
  const keys = [
    "gpu",
    "minGpus",
    "maxGpus",
    "minVramGb",
    "diskGb",
    "continent",
    "country",
    "provider",
    "maxUsdPerHour",
    "limit",
    "onlyAvailable",
    "nvlink",
    "ids",
    "id",
    "osImageId",
    "expectUsdPerHour",
    "gpuz",
  ];

  /** Returns what is wrong with a result: an error without an argument name, or content that violates the schema. */
  async function problemOf(tool: string, { isError, structuredContent, content }: ToolResult): Promise<unknown> {
    if (isError === true) {
      const text = content[0]?.text ?? "";
      const namesArgument = /^(?:- )?(?:"?[a-zA-Z]+"?(?:\.\d+)?[: ]|"[^]*" is not)/.test(text);
      return namesArgument && structuredContent === undefined ? undefined : text;
    }
    const checked = await schemas.get(tool)?.["~standard"].validate(structuredContent);
    return checked !== undefined && checked.issues === undefined ? undefined : checked;
  }

  test("returns a result that matches its schema, or an error that names an argument", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryOffer, { maxLength: 12 }),
        fc.constantFrom("find_gpu_offers", "compare_gpu_offers", "quote_gpu_deployment"),
        fc.dictionary(fc.constantFrom(...keys), argument, { maxKeys: 4 }),
        fc.boolean(),
        async (list, tool, args, hasIds) => {
          const ids = list.slice(0, 3).map(({ id }) => id);
          const real =
            hasIds && ids.length > 1
              ? tool === "quote_gpu_deployment"
                ? { id: ids[0] }
                : tool === "compare_gpu_offers"
                  ? { ids }
                  : {}
              : {};
          const sent = { ...args, ...real };
          const result = await agentOf(catalogOf(list, { balance })).call(tool, sent);
          expect(await problemOf(tool, result)).toBe(undefined);
        },
      ),
      { seed: SEED, numRuns: 300 },
    );
  });

  test("costs at most 600 tokens for a default find, and 3,000 for the largest", async () => {
    const many: Offer[] = fc.sample(arbitraryOffer, { seed: SEED, numRuns: 200 }).map((offer) =>
      Object.assign(offer, {
        isAvailable: true,
        region: "us-central1-a",
        provider: { name: "massedcompute", slug: "massedcompute" },
      }),
    );
    const of = agentOf(catalogOf(many, { pricesAsOf: { massedcompute: "2026-11-20T00:00:00.000Z" } }));
    expect(tokens((await of.call("find_gpu_offers", {})).content[0]?.text)).toBeLessThanOrEqual(600);
    expect(tokens((await of.call("find_gpu_offers", { limit: 25 })).content[0]?.text)).toBeLessThanOrEqual(3_000);
    // A vendor means a hundred GPUs.
    const vendors = { gpu: ["NVIDIA", "AMD", "Intel"] };
    expect(tokens((await of.call("find_gpu_offers", vendors)).content[0]?.text)).toBeLessThanOrEqual(600);
    const largest = await of.call("find_gpu_offers", { ...vendors, limit: 25 });
    expect(tokens(largest.content[0]?.text)).toBeLessThanOrEqual(3_000);
  });
});
