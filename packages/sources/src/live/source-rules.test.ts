import { zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { SourceError } from "../source-error.js";
import { ofKind, offersOf } from "../source.fixture.js";
import { roundUp } from "../machine-disk.js";
import { azure } from "./azure.js";
import { converted } from "../currencies.js";
import { digitalocean } from "./digitalocean.js";
import { cloudrift } from "./cloudrift.js";
import { gpuai } from "./gpuai.js";
import { gpuhunt, singleMember } from "./gpuhunt.js";
import { hyperbolic } from "./hyperbolic.js";
import { hyperstack } from "./hyperstack.js";
import { lambda } from "./lambda.js";
import { linode } from "./linode.js";
import { lium } from "./lium.js";
import { runRequests } from "./live-run.js";
import type { LiveItem, LiveRequest, LiveSource } from "./live-source.js";
import { ovhcloud } from "./ovhcloud.js";
import { primeintellect } from "./primeintellect.js";
import {
  readReplies,
  recordedContext,
  sourceItems,
  bytesOf,
  readBodies,
  sampleContext,
  samples,
} from "./recordings.fixture.js";
import { runpod } from "./runpod.js";
import { scaleway } from "./scaleway.js";
import { shadeform } from "./shadeform.js";
import { vast } from "./vast.js";
import { verda } from "./verda.js";
import { voltagepark } from "./voltagepark.js";
import { vultr } from "./vultr.js";

// What is special about each source: its pages, joins and units.

const offersIn = (items: readonly LiveItem[]) => offersOf(sourceItems(items));

/** The requests of a source if `bodyOf` returns each body, and what it reads. */
async function session(
  source: LiveSource,
  bodyOf: (request: LiveRequest) => unknown,
  context = sampleContext(source),
): Promise<{ requests: LiveRequest[]; items: LiveItem[]; failedScopes: ReadonlyMap<string, string> }> {
  const requests: LiveRequest[] = [];
  const { replies, failedScopes } = await runRequests(source, context, async (request) => {
    requests.push(request);
    return { request, status: 200, headers: {}, body: bytesOf(bodyOf(request)) };
  });
  return { requests, items: await readReplies(source, replies, context), failedScopes };
}

/** The sample of a source with one row of a part changed. */
function changed(name: string, part: string, list: string, change: object): Record<string, unknown> {
  const bodies = samples[name] ?? {};
  const body = bodies[part] as Record<string, unknown>;
  const [first, ...rest] = body[list] as object[];
  return { ...bodies, [part]: { ...body, [list]: [{ ...first, ...change }, ...rest] } };
}

describe("units", () => {
  test.each([
    [
      "lambda",
      lambda,
      {
        "instance-types": {
          data: { a: { instance_type: { name: "gpu_1x_a10", price_cents_per_hour: 1.29, specs: {} } } },
        },
      },
    ],
    [
      "shadeform",
      shadeform,
      {
        types: {
          instance_types: [
            {
              cloud: "c",
              shade_instance_type: "t",
              hourly_price: 2.16,
              configuration: { num_gpus: 1, gpu_type: "A6000" },
            },
          ],
        },
      },
    ],
    ["hyperbolic", hyperbolic, { options: [{ costPerHourCents: 11.12, gpuCount: 8, gpuType: "H100" }] }],
  ])("dollars instead of cents fail a run of %s", async (_name, source, bodies) => {
    await expect(readBodies(source, bodies)).rejects.toThrow(SourceError);
  });

  test("azure: a monthly price is rejected", async () => {
    const items = await readBodies(azure, changed("azure", "prices", "Items", { unitOfMeasure: "1/Month" }));
    expect(ofKind(sourceItems(items), "rejection").map(({ code }) => code)).toContain("bad_unit");
    expect(offersIn(items)).toEqual([]);
  });

  test("euros are rejected if conversion is off, and converted only with a rate", async () => {
    for (const settings of [{}, { convert: "ecb" as const }]) {
      const { ecb: _ecb, ...bodies } = samples["scaleway"] ?? {};
      const context = { ...recordedContext, settings: { scopes: ["fr-par-2"], ...settings } };
      const items = await readBodies(scaleway, bodies, context);
      expect(ofKind(sourceItems(items), "rejection").map(({ code }) => code)).toEqual(["unknown_currency"]);
    }
  });

  test("an inverted exchange rate fails the run", async () => {
    const bodies = JSON.stringify(samples["scaleway"]).replace("[1.16,0]", "[0.0086]");
    await expect(readBodies(scaleway, JSON.parse(bodies) as Record<string, unknown>)).rejects.toThrow(SourceError);
  });

  test("conversion drops float noise, then rounds up to four decimals", () => {
    expect(converted(2.75, 1.1534)).toBe(3.1719);
    expect(converted(0.1, 1.2)).toBe(0.12);
    expect(roundUp(0.92 / 720)).toBe(0.001_278);
    expect(roundUp(8.000_300_000_000_001)).toBe(8.0003);
    expect(roundUp(1.656_799_999_999_999_8)).toBe(1.6568);
  });

  test("ovhcloud: without a locale, a dollar sign means USD and any other sign does not", async () => {
    const priced = (formattedPrice: string) => ({
      addons: {
        ...(changed("ovhcloud", "addons", "addons", { pricings: [{ price: 100_000_000, formattedPrice }] })[
          "addons"
        ] as object),
        locale: null,
      },
    });
    expect(offersIn(await readBodies(ovhcloud, priced("$1.00")))[0]?.priceHourly).toBe(1);
    expect(offersIn(await readBodies(ovhcloud, priced("£1.00")))).toHaveLength(0);
  });
});

describe("vast", () => {
  const ask = (id: number, change: object = {}) => {
    const bundles = samples["vast"]?.["bundles"] as { offers: object[] } | undefined;
    return { ...bundles?.offers[0], id, machine_id: id, ...change };
  };

  test("a full response leads to a request for the most expensive offers, and a note about the remaining gap", async () => {
    const rows = (first: number) => Array.from({ length: 64 }, (_, index) => ask(first + index));
    const { requests, items } = await session(vast, ({ body = "" }) => ({
      offers: body.includes('"desc"') ? rows(1040) : rows(1000),
    }));
    expect(requests.map(({ body }) => (JSON.parse(body ?? "") as { order: unknown }).order)).toEqual([
      [["dph_total", "asc"]],
      [["dph_total", "desc"]],
    ]);
    // 24 asks are in both responses.
    expect(offersIn(items)).toHaveLength(104);
    expect(items.filter(({ kind }) => kind === "skipped")).toHaveLength(24);
    expect(items.filter(({ kind }) => kind === "note")).toMatchObject([{ note: expect.stringContaining("64") }]);
  });

  test("a key lifts the limit and is sent only in a header", async () => {
    const context = { ...sampleContext(vast), secrets: { VAST_API_KEY: "canary" } };
    const { requests } = await session(vast, () => ({ offers: [ask(1)] }), context);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.headers).toMatchObject({ authorization: "Bearer canary" });
    expect(requests[0]?.body).toContain('"limit":2000');
  });

  test("an offer keeps its id when its ask, price or location changes", async () => {
    const ids = await Promise.all(
      [{}, { id: 9, dph_base: 2, geolocation: "Canada, CA" }, { num_gpus: 1 }].map(async (change) =>
        offersIn(await readBodies(vast, { bundles: { offers: [ask(5, { machine_id: 5, ...change })] } })).map(
          ({ id }) => id,
        ),
      ),
    );
    expect(ids[0]).toEqual(ids[1]);
    expect(ids[0]).not.toEqual(ids[2]);
  });

  test("of two asks for the same machine, GPU and count, the cheaper one wins in any order", async () => {
    const asks = [ask(1, { machine_id: 4, dph_base: 0.9 }), ask(2, { machine_id: 4, dph_base: 0.8 })];
    for (const offers of [asks, asks.toReversed()]) {
      const items = await readBodies(vast, { bundles: { offers } });
      expect(offersIn(items).map(({ priceHourly }) => priceHourly)).toEqual([0.8]);
      expect(ofKind(sourceItems(items), "rejection")).toMatchObject([{ code: "duplicate", countsAsGpuRow: false }]);
    }
  });
});

describe("runpod", () => {
  test("requests the stock of listed data centers and of countries", async () => {
    const bodies = samples["runpod"] ?? {};
    const { requests, items } = await session(runpod, ({ part }) => bodies[part], recordedContext);
    expect(requests.map(({ scope }) => scope)).toEqual([undefined, "secure US-KS-2", "community SE"]);
    const places = offersIn(items).map(({ region, gpuCount, priceHourly }) => `${gpuCount} ${region} ${priceHourly}`);
    expect(places).toEqual(["1 US-KS-2 0.86", "2 US-KS-2 1.72", "1 SE 0.86", "2 SE 1.72"]);
    expect(items.filter(({ kind }) => kind === "offer").map(({ scope }) => scope)).toEqual([
      "secure US-KS-2",
      "secure US-KS-2",
      "community SE",
      "community SE",
    ]);
  });

  test("reads the types of the REST API too", async () => {
    const gpus = [
      {
        id: "NVIDIA L4",
        memory: 24,
        secure: true,
        community: false,
        price: { secure: 0.43, community: 0.3 },
        maxCount: { secure: 2 },
      },
    ];
    const prices = offersIn(await readBodies(runpod, { gpuTypes: { gpus } })).map(({ priceHourly }) => priceHourly);
    expect(prices).toEqual([0.43, 0.86]);
  });

  test("with a key, requests the stock of each cloud and size from the REST API", async () => {
    const context = { ...recordedContext, secrets: { RUNPOD_API_KEY: "canary" }, recorded: false };
    const gpus = [
      {
        id: "NVIDIA L40S",
        memory: 48,
        secure: true,
        community: true,
        price: { secure: 0.86, community: 0.7 },
        maxCount: { secure: 2, community: 1 },
        availability: "LOW",
        dataCenters: [
          { id: "US-KS-2", name: "US-KS-2", availability: "HIGH" },
          { id: "EU-RO-1", name: "EU-RO-1", availability: "NONE" },
        ],
      },
    ];
    const community = gpus.map((gpu) => ({ ...gpu, dataCenters: [] }));
    const { requests, items } = await session(
      runpod,
      ({ url }) => ({ gpus: url.includes("cloud=SECURE") ? gpus : community }),
      context,
    );
    expect(requests).toHaveLength(8);
    expect(requests[0]?.url).toBe(
      "https://api.runpod.io/v2/catalog/gpus?include=AVAILABILITY&product=POD&count=1&cloud=SECURE",
    );
    expect(requests.every(({ headers }) => headers?.["authorization"] === "Bearer canary")).toBe(true);
    const shown = offersIn(items).map(
      ({ region, gpuCount, priceHourly, isAvailable }) => `${gpuCount} ${region} ${priceHourly} ${isAvailable}`,
    );
    expect(shown).toEqual(["1 US-KS-2 0.86 true", "2 US-KS-2 1.72 true", "1 unknown 0.7 true"]);
    // The same offers as those of the GraphQL API.
    const bodies = samples["runpod"] ?? {};
    const former = await session(runpod, ({ part }) => bodies[part], recordedContext);
    const ids = offersIn(former.items).map(({ id }) => id);
    expect(ids).toContain(offersIn(items)[0]?.id);
  });

  test("a query error fails the run", async () => {
    const bodies = { gpuTypes: { errors: [{ message: "no" }], data: { gpuTypes: [] } } };
    await expect(readBodies(runpod, bodies)).rejects.toThrow(SourceError);
  });
});

describe("verda", () => {
  test("with client credentials, fetches a token, then regions and stock", async () => {
    const secrets = { VERDA_CLIENT_ID: "client", VERDA_CLIENT_SECRET: "canary" };
    const context = { ...sampleContext(verda), secrets, recorded: false };
    const bodies: Record<string, unknown> = { ...samples["verda"], token: { access_token: "a-token" } };
    const { requests, items } = await session(verda, ({ part }) => bodies[part], context);
    expect(requests.map(({ part, confidential }) => [part, confidential === true])).toEqual([
      ["instance-types", false],
      ["volume-types", false],
      ["token", true],
      ["locations", false],
      ["instance-availability", false],
    ]);
    expect(requests[4]?.headers).toEqual({ authorization: "Bearer a-token" });
    expect(offersIn(items)).toMatchObject([{ region: "FIN-03", isAvailable: true }]);
  });

  test("without client credentials, reads only prices", async () => {
    const context = { ...sampleContext(verda), recorded: false };
    const { requests, items } = await session(verda, ({ part }) => samples["verda"]?.[part], context);
    expect(requests.map(({ part }) => part)).toEqual(["instance-types", "volume-types"]);
    expect(offersIn(items)).toMatchObject([{ region: "unknown", isAvailable: false }]);
  });
});

describe("pages", () => {
  test("linode requests every page that the first one announces", async () => {
    const page = (number: number) => ({
      data: [{ region: "us-ord", plan: `p${number}`, available: true }],
      page: number,
      pages: 3,
      results: 3,
    });
    const { requests } = await session(linode, ({ part, url }) =>
      part === "regions/availability" ? page(Number(new URL(url).searchParams.get("page"))) : samples["linode"]?.[part],
    );
    expect(requests.filter(({ part }) => part === "regions/availability")).toHaveLength(3);
  });

  test("pages that do not add up to the total fail the run", async () => {
    const bodies = changed("linode", "linode/types", "data", {});
    const types = bodies["linode/types"] as object;
    await expect(readBodies(linode, { ...bodies, "linode/types": { ...types, results: 9 } })).rejects.toThrow(
      SourceError,
    );
  });

  test("digitalocean follows the next page by its number", async () => {
    const sample = samples["digitalocean"]?.["sizes"] as { sizes: unknown[] };
    const { requests } = await session(digitalocean, ({ url }) => ({
      ...sample,
      links: { pages: url.includes("page=1&") ? { next: "https://169.254.169.254/?page=2" } : {} },
      meta: { total: 4 },
    }));
    const sizes = requests.filter(({ part }) => part === "sizes");
    expect(sizes.map(({ url }) => new URL(url).searchParams.get("page"))).toEqual(["1", "2"]);
  });
});

describe("gpuhunt", () => {
  test("an invalid version fails its cloud before it becomes part of a URL", async () => {
    const bodies = (request: LiveRequest) =>
      request.part === "version" && request.scope === "nebius" ? "../../etc" : samples["gpuhunt"]?.[request.part];
    const context = sampleContext(gpuhunt, { scopes: ["gcp", "nebius"] });
    const { requests, items, failedScopes } = await session(gpuhunt, bodies, context);
    expect(requests.map(({ scope, part }) => `${scope} ${part}`)).toEqual([
      "gcp version",
      "gcp catalog",
      "nebius version",
    ]);
    expect([...failedScopes]).toEqual([["nebius", 'version: "../../etc" is not a version of a catalog.']]);
    expect(offersIn(items).map(({ provider }) => provider.name)).toEqual(["gcp"]);
  });

  test("a machine type with different cards has an offer for each card and count", async () => {
    const rows = ["1,T4,16.0", "1,V100,16.0", "2,V100,16.0"].map((gpu) => {
      const [count, ...card] = gpu.split(",");
      return `n1-standard-8,us-central1-a,2.86,8,30.0,${count},${card.join(",")},False,,nvidia,`;
    });
    const csv = [
      "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,gpu_vendor,flags",
      ...rows,
    ].join("\n");
    const catalog = zipSync({ "gcp.csv": new TextEncoder().encode(csv) });
    const offers = offersIn(await readBodies(gpuhunt, { ...samples["gpuhunt"], catalog }));
    expect(offers.map(({ gpu, gpuCount }) => `${gpuCount} ${gpu.slug}`)).toEqual([
      "1 t4",
      "1 v100-16gb",
      "2 v100-16gb",
    ]);
    expect(new Set(offers.map(({ id }) => id)).size).toBe(3);
  });

  test("an archive cannot exceed the limit, whatever size it states", () => {
    const archive = samples["gpuhunt"]?.["catalog"] as Uint8Array;
    expect(() => singleMember(archive, 100, "archive")).toThrow(SourceError);
    expect(singleMember(archive, 1000, "archive").length).toBeGreaterThan(100);
    expect(() => singleMember(bytesOf("no archive"), 1000, "archive")).toThrow(SourceError);
  });
});

describe("vultr", () => {
  test.each([
    ["vbm-72c-480gb-gh200-gpu", "1 gh200-96gb"],
    ["vbm-64c-2048gb-8-l40-gpu", "8 l40s"],
    ["vbm-48c-1024gb-4-a100-gpu", "4 a100-80gb"],
    ["vbm-64c-2048gb-l4-gpu", "bad_count"],
    ["vbm-64c-2048gb-8-x99-gpu", "unknown_gpu"],
  ])("a bare metal plan %s has GPUs or is rejected", async (id, expected) => {
    const items = await readBodies(vultr, changed("vultr", "plans-metal", "plans_metal", { id }));
    const found = items.find((item) => "where" in item && item.where === "plans-metal[0]");
    const shown =
      found?.kind === "offer"
        ? `${found.offer.gpuCount} ${found.offer.gpu.slug}`
        : found?.kind === "rejection" && found.code;
    expect(shown).toBe(expected);
  });
});

test("ids of places that mean nothing to people are no regions, and still tell offers apart", async () => {
  const presets = samples["voltagepark"]?.["presets"] as object[];
  const ids = ["1f2f0f4e-7b3c-4d5e-9a6b-0c1d2e3f4a5b", "2f2f0f4e-7b3c-4d5e-9a6b-0c1d2e3f4a5b"];
  const bodies = { presets: [{ ...presets[0], location_ids_with_availability: ids }] };
  const offers = offersIn(await readBodies(voltagepark, bodies));
  expect(offers.map(({ region }) => region)).toEqual(["unknown", "unknown"]);
  expect(new Set(offers.map(({ id }) => id)).size).toBe(2);
});

describe("vultr's plans of whole cards", () => {
  const plan = {
    id: "vdm-a100-12c",
    hourly_cost: 19.2,
    ram: 1_966_080,
    disk: 28_800,
    vcpu_count: 96,
    locations: ["ewr"],
  };
  const readPlans = async (plans: object[]) => {
    const { requests, items } = await session(vultr, ({ part }) =>
      part === "whole-cards" ? { plans } : samples["vultr"]?.[part],
    );
    expect(requests.filter(({ url }) => url.includes("type=vdm"))).toHaveLength(1);
    return offersIn(items).filter(({ region }) => region === "ewr");
  };

  test.each([
    ["vdm-96c-1920gb-8-a100-gpu", 8, "a100-80gb"],
    ["vdm-16c-192gb-1-mi325x-gpu", 1, "mi325x"],
  ])("%s are %d cards that only its id names", async (id, gpuCount, slug) => {
    expect(await readPlans([{ ...plan, id }])).toMatchObject([
      { gpuCount, gpu: { slug }, deploymentType: "virtual", specs: { vcpu: 96 } },
    ]);
  });

  test("lose a location without a name, not their row", async () => {
    const id = "vdm-96c-1920gb-8-b200-gpu";
    expect(await readPlans([{ ...plan, id, locations: ["", "ewr", null] }])).toHaveLength(1);
  });
});

describe("vultr, hyperstack and hyperbolic", () => {
  test("a Vultr plan that is only preemptible is never free", async () => {
    for (const change of [
      { hourly_cost: 0, hourly_cost_preemptible: 0.5 },
      { hourly_cost: 2, hourly_cost_preemptible: 0.5, deploy_ondemand: false },
    ]) {
      const items = await readBodies(vultr, changed("vultr", "plans", "plans", change));
      const first = items.find((item) => "where" in item && item.where === "plans[0]");
      expect(first).toMatchObject({ kind: "rejection", code: "spot_only" });
    }
    const items = await readBodies(vultr, changed("vultr", "plans", "plans", { hourly_cost: 0 }));
    expect(offersIn(items).every(({ priceHourly }) => priceHourly > 0)).toBe(true);
  });

  test("Hyperstack's prices may be text with an exponent", async () => {
    const bodies = { ...samples["hyperstack"] };
    const [first] = bodies["pricebook"] as object[];
    const read = async (value: string) =>
      offersIn(await readBodies(hyperstack, { ...bodies, pricebook: [{ ...first, value }] })).map((o) => o.priceHourly);
    expect(await read("1.9")).toEqual([7.6]);
    expect(await read("190E-2")).toEqual([7.6]);
    expect(await read("0E-9")).toEqual([]);
  });

  test("a Hyperbolic option of several machines is a cluster", async () => {
    const [option] = (samples["hyperbolic"]?.["options"] ?? []) as { nodes: object[] }[];
    const cluster = { ...option, nodes: [...(option?.nodes ?? []), ...(option?.nodes ?? [])] };
    const items = await readBodies(hyperbolic, { options: [cluster, { ...option, totalAvailable: 0 }] });
    expect(items.flatMap((item) => (item.kind === "rejection" ? [item.code] : []))).toEqual(["other_terms"]);
    expect(offersIn(items)).toMatchObject([{ isAvailable: false }]);
  });
});

describe("offers that are not on demand, or have no price", () => {
  test.each([
    ["on_demand", undefined],
    ["On-Demand", undefined],
    [null, undefined],
    ["SPOT", "spot_only"],
    ["interruptible", "spot_only"],
    ["reserved", "other_terms"],
  ])("a tier %s", async (tier, code) => {
    const gpuaiItems = await readBodies(gpuai, changed("gpuai", "pricing", "data", { tier }));
    const node = {
      id: "n1",
      gpu_model: "NVIDIA H100 80GB HBM3",
      gpu_count: 8,
      available_gpu_count: 8,
      price_per_node_hour: 16,
      tier,
      country_code: "FI",
    };
    const liumItems = await readBodies(lium, { executors: { nodes: [node] } });
    for (const items of [gpuaiItems, liumItems]) {
      const first = items.find(({ kind }) => kind !== "provider");
      expect(first?.kind === "rejection" ? first.code : undefined).toBe(code);
    }
  });

  test("linode: a region without a known price has no offer at the price of other regions", async () => {
    const bodies = changed("linode", "linode/types", "data", { region_prices: [{ id: "br-gru", hourly: null }] });
    const items = await readBodies(linode, bodies);
    expect(items.flatMap((item) => (item.kind === "rejection" ? [item.code] : []))).toContain("no_price");
  });

  test("hyperstack: of several price periods, the open-ended one counts", async () => {
    const bodies = { ...samples["hyperstack"] };
    const [first] = bodies["pricebook"] as { name: string; value: unknown }[];
    const past = { ...first, value: 0.01, end_time: "2025-01-01T00:00:00" };
    const items = await readBodies(hyperstack, {
      ...bodies,
      pricebook: [past, ...(bodies["pricebook"] as object[]), { ...past, value: 0.02 }],
    });
    expect(offersIn(items)).toEqual(offersIn(await readBodies(hyperstack, bodies)));
  });

  test("cloudrift: a site named after a part of the world is not in the country with that code", async () => {
    const type = samples["cloudrift"]?.["instance-types"];
    const text = JSON.stringify(type).replaceAll(/"nodes_per_dc":\{"[^"]+"/g, '"nodes_per_dc":{"na-1"');
    const items = await readBodies(cloudrift, { "instance-types": JSON.parse(text) as unknown });
    expect(offersIn(items).map(({ regionInfo }) => regionInfo.countryCode)).not.toContain("NA");
  });

  test("primeintellect: without a total, a full page is not the last one", async () => {
    const { items } = (samples["primeintellect"] ?? {})["gpus"] as { items: object[] };
    const [item] = items;
    const full = { items: Array.from({ length: 100 }, () => item) };
    const { requests } = await session(primeintellect, ({ url }) =>
      url.includes("page=1&") ? full : { items: [item] },
    );
    expect(requests).toHaveLength(2);
  });
});
