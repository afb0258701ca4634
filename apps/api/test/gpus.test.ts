import { market, offerListSchema, UNKNOWN_LISTING_FACTS, type GpuEntry, type Offer } from "@gpu-offers/domain";
import { gpuEntrySchema, gpuListSchema, gpuPricesSchema } from "@gpu-offers/domain/gpus";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { nativeRow } from "@gpu-offers/testkit/native-catalogs";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { storeCatalog } from "@gpu-offers/store/test/catalogs";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, inject, test } from "vitest";

const SAMPLE = {
  ...UNKNOWN_LISTING_FACTS,
  sample: true,
  isStale: false,
  pricesAsOf: null,
  stock: "unknown",
};

const service = inject("service");
let offers: Offer[];
let gpus: GpuEntry[];
beforeAll(async () => {
  offers = await allOffers();
  gpus = gpuListSchema.parse(jsonOf(await fetchFrom(service, "/api/v2/gpus"))).gpus;
});

async function allOffers(): Promise<Offer[]> {
  const found: Offer[] = [];
  for (let page = 0; ; page++) {
    const list = offerListSchema.parse(jsonOf(await fetchFrom(service, `/api/v1/offers?size=100&page=${page}`)));
    found.push(...list.offers);
    if (!list.hasMore) {
      return found;
    }
  }
}

describe("GET /api/v2/gpus", () => {
  test("has the market of the offers of each GPU", () => {
    const slugs = [...new Set(offers.map(({ gpu }) => gpu.slug))];
    expect(slugs.length).toBeGreaterThan(10);
    for (const slug of slugs) {
      const entry = gpus.find((gpu) => gpu.slug === slug);
      const listings = offers.filter(({ gpu }) => gpu.slug === slug).map((offer) => Object.assign({ offer }, SAMPLE));
      const { pricesAsOf, ...expected } = market(listings);
      expect(pricesAsOf).toBeNull();
      expect([slug, entry?.market]).toMatchObject([slug, expected]);
    }
    expect(gpus.filter((gpu) => gpu.market.offers > 0)).toHaveLength(slugs.length);
  });

  test("has facts with sources, also of GPUs without offers", () => {
    expect(gpus.find(({ slug }) => slug === "h100-sxm")).toMatchObject({
      bf16Tflops: 989.4,
      sources: { bf16Tflops: { maker: { checked: false } } },
    });
    expect(gpus.some(({ market: { offers: count } }) => count === 0)).toBe(true);
  });

  test("has an entity tag that stays the same", async () => {
    const { headers } = await fetchFrom(service, "/api/v2/gpus");
    expect(headers["cache-control"]).toBe("public, no-cache");
    const again = await fetchFrom(service, "/api/v2/gpus", { headers: { "If-None-Match": headers.etag ?? "" } });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  test.each([
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ] as const)("is compressed with %s for those who accept it, under a tag of its own", async (encoding, decompress) => {
    const plain = await fetchFrom(service, "/api/v2/gpus");
    const accepts = { "Accept-Encoding": encoding };
    const { body, headers } = await fetchFrom(service, "/api/v2/gpus", { headers: accepts });
    expect(headers).toMatchObject({ "content-encoding": encoding, vary: "Accept-Encoding" });
    expect(decompress(body).equals(plain.body)).toBe(true);
    expect(body.length).toBeLessThan(plain.body.length / 10);
    expect(headers.etag).not.toBe(plain.headers.etag);
    const known = await fetchFrom(service, "/api/v2/gpus", {
      headers: { ...accepts, "If-None-Match": headers.etag ?? "" },
    });
    expect([known.status, known.body.length]).toEqual([304, 0]);
  });
});

describe("GET /api/v2/gpus/{slug}", () => {
  test("is the same GPU as in the list", async () => {
    for (const gpu of gpus.slice(0, 5)) {
      expect(gpuEntrySchema.parse(jsonOf(await fetchFrom(service, `/api/v2/gpus/${gpu.slug}`)))).toEqual(gpu);
    }
  });

  test.each([
    ["h100-sxn", "h100-sxm"],
    ["a100", "a100-sxm-80gb"],
    ["rtx4909", "rtx-4090"],
    ["h1oo", "h100"],
  ])("of %s is 404 and names %s", async (slug, nearest) => {
    const response = await fetchFrom(service, `/api/v2/gpus/${slug}`);
    expect(response.status).toBe(404);
    expect(jsonOf(response)).toMatchObject({
      code: "not_found",
      message: expect.stringMatching(`^GPU not found. Did you mean .*${nearest}`),
      details: [{ in: "path", name: "slug" }],
    });
  });

  test("of something without a near slug is 404 and says where all slugs are", async () => {
    expect(jsonOf(await fetchFrom(service, "/api/v2/gpus/nonesuch"))).toMatchObject({
      code: "not_found",
      message: "GPU not found. GET /api/v2/gpus lists all slugs.",
    });
  });
});

describe("GET /api/v2/gpus/{slug}/prices", () => {
  let observed: Service;
  beforeAll(async () => {
    const databasePath = tempDatabase();
    // Dated 2026-11-01.
    await storeCatalog(
      databasePath,
      [2, 3, 4].map((priceHourly) => nativeRow({ priceHourly })),
    );
    observed = await startService({ databasePath });
  });
  const pricesOf = async (target: string, asked: { port: number } = observed) =>
    gpuPricesSchema.parse(jsonOf(await fetchFrom(asked, `/api/v2/gpus/${target}`)));
  const range = "since=2026-10-01&until=2026-12-01";

  test("has a point where something was observed, and nowhere else", async () => {
    const listed = gpuListSchema.parse(jsonOf(await fetchFrom(observed, "/api/v2/gpus"))).gpus;
    const found = listed.find(({ market: { rentable } }) => rentable > 0);
    const [gpu = "", now] = [found?.slug, found?.market];
    const { series, slugs, trackedSince, change } = await pricesOf(`=${gpu}/prices?${range}`);
    expect([slugs, trackedSince]).toEqual([[gpu], "2026-11-01T00:00:00.000Z"]);
    expect(series).toEqual([
      {
        at: "2026-11-01T00:00:00.000Z",
        min: now?.pricePerGpu?.min,
        p10: now?.pricePerGpu?.p10,
        median: now?.pricePerGpu?.median,
        p90: now?.pricePerGpu?.p90,
        offers: now?.rentable,
        providers: now?.providers,
        regions: now?.regions,
        observed: 1,
        known: 1,
      },
    ]);
    expect(change).toMatchObject({ medianPercent: null, reason: "observed on one day only" });
    expect((await pricesOf(`=${gpu}/prices?since=2026-10-25&until=2026-11-07&step=hour`)).series).toEqual(series);
    expect((await pricesOf(`=${gpu}/prices?${range}&step=week`)).series).toMatchObject([
      { at: "2026-10-26T00:00:00.000Z", offers: now?.rentable },
    ]);
  });

  test("has none of the sample that ships", async () => {
    const { slugs, series, trackedSince, change } = await pricesOf("h100/prices?step=week", service);
    expect(slugs).toEqual(["h100", "h100-nvl", "h100-pcie", "h100-sxm"]);
    expect([series, trackedSince, change.reason]).toEqual([[], null, "nothing was observed"]);
  });

  test("ends at until", async () => {
    const { series } = await pricesOf("h100/prices?since=2000-01-01&until=2000-02-01");
    expect(series).toEqual([]);
  });

  test.each([
    ["h100/prices?since=soon", "since"],
    ["h100/prices?since=2030-01-01", "since"],
    ["h100/prices?since=2026-01-02&until=2026-01-01", "since"],
    ["h100/prices?since=2000-01-01&step=hour", "step"],
    [`nvidia/prices?since=${new Date(Date.now() - 13 * 86_400_000).toISOString()}&step=hour`, "step"],
    ["h100/prices?step=month", "step"],
    ["h100/prices?form=sxm", "form"],
  ])("%s is 400 and names %s", async (target, name) => {
    expect(jsonOf(await fetchFrom(service, `/api/v2/gpus/${target}`))).toMatchObject({
      code: "invalid_parameter",
      details: [{ in: "query", name }],
    });
  });

  test("of an unknown GPU is 404 and names the nearest", async () => {
    expect(jsonOf(await fetchFrom(service, "/api/v2/gpus/h1000/prices"))).toMatchObject({
      code: "not_found",
      message: expect.stringContaining("h100"),
    });
  });
});
