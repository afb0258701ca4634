import {
  launchPlanSchema,
  present,
  queryPlanSchema,
  listedSchema,
  listingDetailsSchema,
  listingListSchema,
  LISTING_PARAMETER_NAMES,
  offerSchema,
  type ListingList,
} from "@gpu-offers/domain";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { startService } from "@gpu-offers/testkit/service";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, inject, test } from "vitest";

const service = inject("service");
let all: ListingList;

beforeAll(async () => {
  all = await list("size=100");
});

const get = async (path: string, headers: Record<string, string> = {}) => fetchFrom(service, path, { headers });
const list = async (query: string) => listingListSchema.parse(jsonOf(await get(`/api/v2/listings?${query}`)));
const errorOf = async (path: string) => jsonOf(await get(path)) as { code: string; details: { name: string }[] };

describe("GET /api/v2/listings", () => {
  test("has the offers of v1 as they are, and says that they are a sample, of unknown availability", async () => {
    expect(all.listings).toHaveLength(100);
    expect(all.listings.every(({ sample, availability }) => sample && availability === "unknown")).toBe(true);
    expect(new Set(all.listings.map(({ offer }) => offer.isAvailable)).size).toBe(2);
    const [first] = all.listings;
    const offer = jsonOf(await get(`/api/v1/offers/${first?.offer.id}`));
    expect(first?.offer).toEqual(offerSchema.parse(offer));
    const sources = jsonOf(await get("/api/v2/sources")) as { sources: { name: string; pricesAsOf: string | null }[] };
    const source = sources.sources.find(({ name }) => name === first?.source);
    expect(first?.pricesAsOf).toBe(source?.pricesAsOf);
  });

  test("reads words, names and units, and says what they were taken for", async () => {
    const found = await list("q=8xh100&continent=EU&disk=1TB&sort_by=total");
    expect(found.totalElements).toBeGreaterThan(0);
    expect(found.understood.map(({ text }) => text)).toContain("EU");
    for (const { offer, total } of found.listings) {
      expect([offer.gpuCount, offer.regionInfo.continent]).toEqual([8, "Europe"]);
      expect(offer.gpu.slug).toMatch(/^h100/);
      expect(total.hourly).toBeGreaterThanOrEqual(offer.priceHourly);
    }
    const union = await list(`country=${encodeURIComponent("European Union")}&size=100`);
    expect(union.listings.some(({ offer }) => ["NO", "GB", "CH"].includes(offer.regionInfo.countryCode))).toBe(false);
  });

  test("says which parameter excludes everything", async () => {
    const none = await list("gpu=h100&max_price=0.000001");
    expect(none).toMatchObject({ listings: [], totalElements: 0, totalPages: 0, hasMore: false });
    expect(none.excludedBy?.["max_price"]).toBeGreaterThan(0);
  });

  test.each([
    ["gpu=voodoo", "gpu"],
    ["min_gpu_count=8&max_gpu_count=4", "min_gpu_count"],
    ["min_vrm=80", "min_vrm"],
    ["min_gpus=8", "min_gpus"],
    ["disk=lots", "disk"],
    ["size=101", "size"],
    ["fits=huge", "fits"],
  ])("rejects %s, and names the parameter", async (query, name) => {
    expect(await errorOf(`/api/v2/listings?${query}`)).toMatchObject({
      code: "invalid_parameter",
      details: [{ name }],
    });
  });

  test("names the parameter that is meant by a name of another door", async () => {
    for (const name of ["min_gpus", "min-gpus", "minGpus"]) {
      const { message } = jsonOf(await get(`/api/v2/listings?${name}=8`)) as { message: string };
      expect(message).toBe(`${name} is unknown; did you mean min_gpu_count?`);
    }
  });

  test("has an entity tag, for GET and HEAD", async () => {
    const { headers } = await get("/api/v2/listings?gpu=h100");
    expect(headers["cache-control"]).toBe("public, no-cache");
    const again = await get("/api/v2/listings?gpu=h100", { "If-None-Match": String(headers["etag"]) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    const head = await fetchFrom(service, "/api/v2/listings?gpu=h100", { method: "HEAD" });
    expect([head.status, head.headers["etag"]]).toEqual([200, headers["etag"]]);
  });

  test("has all matches as lines of one catalog", async () => {
    const response = await get("/api/v2/listings?sort_by=priceHourly", { Accept: "application/x-ndjson" });
    expect(response.headers["content-type"]).toMatch(/^application\/x-ndjson/);
    const lines = response.body.toString().trim().split("\n");
    expect(lines).toHaveLength(all.totalElements);
    const page = await list("sort_by=priceHourly&size=100");
    const ids = lines.map((line) => listedSchema.parse(JSON.parse(line)).offer.id);
    expect(ids.slice(0, 100)).toEqual(page.listings.map(({ offer }) => offer.id));
    const tag = String(response.headers["etag"]);
    const known = await get("/api/v2/listings?sort_by=priceHourly", {
      Accept: "application/x-ndjson",
      "If-None-Match": tag,
    });
    expect(known.status).toBe(304);
    expect(tag).not.toBe((await get("/api/v2/listings?sort_by=priceHourly")).headers["etag"]);
  });

  test("sends all lines compressed, with what was counted for the rate limit", async () => {
    const lines = { Accept: "application/x-ndjson", Via: "1.1 proxy" };
    const limited = await startService({ settings: { RATE_LIMIT: "100" } });
    const plain = await fetchFrom(limited, "/api/v2/listings", { headers: lines });
    const compressed = await fetchFrom(limited, "/api/v2/listings", {
      headers: { ...lines, "Accept-Encoding": "gzip, br" },
    });
    expect(compressed.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept, Accept-Encoding" });
    expect(gunzipSync(compressed.body).equals(plain.body)).toBe(true);
    expect(compressed.headers["etag"]).not.toBe(plain.headers["etag"]);
    const requests = Math.ceil(all.totalElements / 100);
    expect(plain.headers["ratelimit-remaining"]).toBe(String(100 - requests));
    expect(compressed.headers["ratelimit-remaining"]).toBe(String(100 - 2 * requests));
    await limited.stop();
  });

  test("caches repeated requests for JSON, which are the same as the first ones", async () => {
    const path = "/api/v2/listings?q=h100&sort_by=priceHourly&size=3";
    const first = await get(path);
    for (let count = 0; count < 3; count++) {
      const again = await get(path);
      expect([again.body.equals(first.body), again.headers["etag"]]).toEqual([true, first.headers["etag"]]);
      expect([again.headers["vary"], again.headers["catalog-as-of"]]).toEqual([
        "Accept",
        first.headers["catalog-as-of"],
      ]);
    }
    const lines = await get(path, { Accept: "application/x-ndjson" });
    expect(lines.headers["content-type"]).toMatch(/^application\/x-ndjson/);
    const metrics = (await get("/metrics")).body.toString();
    expect(Number(/^gpu_offers_catalog_memory_responses_total (\d+)/m.exec(metrics)?.[1])).toBeGreaterThan(0);
  });

  test("documents every parameter", async () => {
    const document = jsonOf(await get("/openapi.json")) as {
      paths: Record<string, { get: { parameters: { name: string; in: string }[] } }>;
    };
    const documented = document.paths["/api/v2/listings"]?.get.parameters.filter(({ in: where }) => where === "query");
    expect(documented?.map(({ name }) => name)).toEqual(LISTING_PARAMETER_NAMES);
  });
});

describe("GET /api/v2/listings/{id}", () => {
  test("has the listing and its images; an unknown id is the documented error", async () => {
    const [first] = all.listings;
    const details = listingDetailsSchema.parse(jsonOf(await get(`/api/v2/listings/${first?.offer.id}`)));
    expect(details).toMatchObject({ offer: first?.offer, source: first?.source });
    expect(await get("/api/v2/listings/nothing")).toMatchObject({ status: 404 });
    expect(await get("/api/v2/listings/nothing/launch")).toMatchObject({ status: 404 });
  });
});

describe("GET /api/v2/listings/{id}/launch", () => {
  const plan = async (id: string | undefined, query = "") =>
    launchPlanSchema.parse(jsonOf(await get(`/api/v2/listings/${id}/launch?${query}`)));

  test("has what to paste where the type is known, or the problems of the choice", async () => {
    const { listings } = await list("gpu=h100&provider=aws&min_gpu_count=8");
    const [aws] = listings;
    const known = await plan(aws?.offer.id, "disk=500&hours=24");
    expect(known.problems).toEqual([]);
    expect(known.deployment).toEqual({ provider: "aws", disk_gb: 500 });
    expect(known.total?.forHours).toBeCloseTo((known.total?.hourly ?? 0) * 24, 4);
    expect(known.launch.map(({ tool }) => tool)).toEqual(["sky", "dstack", "aws"]);
    expect(known.launch.every(({ text }) => text.includes(aws?.instanceType ?? "none"))).toBe(true);
    expect(known.sample).toBe(true);
    expect(known.launch.every(({ text }) => text.startsWith("# sample prices of 2025-12-01, not for sale\n"))).toBe(
      true,
    );
    const undecided = await plan(aws?.offer.id, "nodes=2&ceiling=0");
    expect(undecided).toMatchObject({
      problems: [],
      diskGb: 100,
      ceiling: aws?.offer.priceHourly,
      notes: ["The disk has 100 GB, the default."],
      missing: [],
    });
    expect(undecided.launch[0]?.text).toContain("num_nodes: 2");
    const several = await plan(aws?.offer.id, "top=3");
    expect(several.launch[0]?.text).toMatch(/ordered:\n(?: {4}- infra: \w+\/[^]*?){3}run:/);
    expect(several.notes.at(-1)).toMatch(/^dstack takes one of: /);
    expect(await plan(aws?.offer.id, "fits=405b@8")).toMatchObject({
      diskGb: 486,
      deployment: { disk_gb: 486 },
      notes: ["The disk has 486 GB, for 405 GB of weights and a fifth more."],
    });
    const llama = await get(`/api/v2/listings/${aws?.offer.id}/launch?fits=llama`);
    expect([llama.status, llama.text]).toEqual([
      400,
      expect.stringContaining("fits is invalid: a model is written as"),
    ]);
    const wrong = await plan(aws?.offer.id, "disk=500&os_image_id=none&spot=true");
    expect(wrong).toMatchObject({ deployment: null, total: null, launch: [] });
    expect(wrong.problems.map(({ field }) => field)).toEqual(["os_image_id", "spot"]);
  });
});

describe("GET /api/v2/plan", () => {
  const plan = async (query: string) => queryPlanSchema.parse(jsonOf(await get(`/api/v2/plan?${query}`)));

  test("is the plan of the cheapest match, with the disk and hours of the query's words", async () => {
    const query = "8xh100 in the us, 1 TB, for 3 days";
    const found = await plan(`q=${encodeURIComponent(query)}&ceiling=0`);
    const [best] = (await list(`q=${encodeURIComponent(query)}&sort_by=total&availability=unknown`)).listings;
    expect(found.listing?.offer).toEqual(best?.offer);
    expect(found.understood.map(({ as }) => as)).toContain("for 72 hours");
    const { hourly } = present(best).total;
    expect(found.total).toEqual({ hourly, isAtLeast: false, forHours: expect.closeTo(hourly * 72, 5) });
    const { launch, ...launched } = launchPlanSchema.parse(
      jsonOf(await get(`/api/v2/listings/${best?.offer.id}/launch?disk=1000&hours=72&ceiling=0`)),
    );
    expect(found).toMatchObject(launched);
    expect(found.launch).toEqual(launch);
  });

  test.for([
    ["most vram under $25 per hour", "totalVram", "desc"],
    ["cheapest a100", "total", "asc"],
    ["cheapest that runs llama 70b for a weekend", "total", "asc"],
  ] as const)("is in the order of the words %s", async ([q, sort, order]) => {
    const [best] = (await list(`q=${encodeURIComponent(q)}&sort_by=${sort}&sort_order=${order}&availability=unknown`))
      .listings;
    expect((await plan(`q=${encodeURIComponent(q)}`)).listing?.offer).toEqual(present(best).offer);
  });

  test.for(["max_total=0.53", "budget=5.3&hours=10"])("keeps the limit of %s with the smallest disk", async (limit) => {
    const query = "provider=verda&max_gpu_count=1";
    const [listing] = (await list(`${query}&${limit}&sort_by=total&availability=unknown`)).listings;
    const { hourly } = present(listing).total;
    expect(await plan(`${query}&${limit}`)).toMatchObject({ listing: { offer: listing?.offer }, total: { hourly } });
    expect((await plan(query)).total?.hourly).toBeGreaterThan(hourly);
  });

  test("with top, takes the first of several matches of the query alone", async () => {
    const { launch, listing, notes } = await plan("q=8xh100&continent=Europe&top=5&fits=70b");
    const infra = [...(launch[0]?.text ?? "").matchAll(/infra: (\S+)/g)].map(([, place]) => place);
    expect([launch[0]?.kind, infra.length > 1]).toEqual(["sky", true]);
    const { listings } = await list(
      `gpu==${listing?.offer.gpu.slug}&min_gpu_count=8&max_gpu_count=8&continent=Europe&size=100`,
    );
    const clouds = new Set(listings.map(({ offer }) => offer.provider.name));
    expect(infra.filter((place = "") => !clouds.has(place.split("/")[0] ?? ""))).toEqual([]);
    expect(notes.join(" ")).toContain("SkyPilot tries, in this order: ");
  });

  test.for(["total", "priceHourly&sort_order=desc"])("with top, takes what all words match, by %s", async (order) => {
    const query = `q=8xh100+aws+or+runpod+or+lambda&sort_by=${order}`;
    const { launch, listing } = await plan(`${query}&top=20`);
    const places = [...(launch[0]?.text ?? "").matchAll(/infra: (\w+)/g)].map(([, cloud]) => cloud);
    const { listings } = await list(`${query}&availability=unknown`);
    const alike = listings.filter(({ offer }) => offer.gpu.slug === listing?.offer.gpu.slug && offer.gpuCount === 8);
    const clouds = new Set(alike.map(({ offer }) => offer.provider.name));
    expect(clouds.size).toBeGreaterThan(1);
    expect([...new Set(places)]).toEqual([...clouds]);
  });

  test("says what excludes everything, and what is invalid", async () => {
    expect(await plan("q=b300&provider=lambda&max_total=1")).toMatchObject({
      listing: null,
      problems: [{ field: "query", reason: "No offers match." }],
      launch: [],
      excludedBy: expect.any(Object),
    });
    const { status, text } = await get("/api/v2/plan?q=h100&top=50&size=3");
    expect([status, text]).toEqual([400, expect.stringMatching(/top must be a whole number from 1 to 20[^]*size/)]);
  });
});
