import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import {
  CONTINENTS,
  isDiskFixed,
  osImageListSchema,
  providerListSchema,
  publishedOsImageSchema,
  publishedProviderSchema,
  type Offer,
} from "@gpu-offers/domain";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { nativeImage, nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { allOffers, publishedPageSchema } from "@gpu-offers/testkit/offer-queries";
import { logLines, startService, type Service } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { removeProvider } from "@gpu-offers/store/catalog-removal";
import { storeCatalog } from "@gpu-offers/store/test/catalogs";
import { withDatabase } from "@gpu-offers/store/test/databases";

const FILLED = "loaded the starter catalog into an empty database";

const totalOf = async (service: Service, query = ""): Promise<number> =>
  publishedPageSchema.parse(jsonOf(await fetchFrom(service, `/api/v1/offers?size=1${query}`))).totalElements;

const providersOf = async (service: Service): Promise<string[]> =>
  providerListSchema.parse(jsonOf(await fetchFrom(service, "/api/v1/providers"))).data.map(({ name }) => name);

const remove = (databasePath: string, provider: string) =>
  withDatabase(databasePath, (database) => removeProvider(database, provider, "test"));

// The tests of the starter catalog come first; those after them change the catalog of this service.
let service: Service;
beforeAll(async () => {
  service = await startService();
});

describe("the starter catalog", () => {
  let offers: Offer[];

  beforeAll(async () => {
    offers = await allOffers(service);
  });

  test("has enough for a first impression", async () => {
    const distinct = (values: readonly string[]): number => new Set(values).size;
    expect(offers.length).toBeGreaterThanOrEqual(200);
    expect(distinct(offers.map(({ provider }) => provider.name))).toBeGreaterThanOrEqual(10);
    expect(distinct(offers.map(({ gpu }) => gpu.slug))).toBeGreaterThanOrEqual(20);
    const continents = offers.map(({ regionInfo }) => regionInfo.continent);
    expect(distinct(continents)).toBeGreaterThanOrEqual(4);
    expect(CONTINENTS).toEqual(expect.arrayContaining([...new Set(continents)]));
    expect(distinct(offers.map((offer) => String(isDiskFixed(offer))))).toBe(2);
    expect(distinct(offers.map(({ isAvailable }) => String(isAvailable)))).toBe(2);
    const slugs = new Set(offers.map(({ gpu }) => gpu.slug));
    expect([...slugs]).toEqual(expect.arrayContaining(["rtx-4090", "h100-sxm", "b200", "mi300x"]));
  });

  test("has the providers of its offers; those with images have one default image, and some have CUDA", async () => {
    const { data } = z
      .object({ data: z.array(publishedProviderSchema) })
      .parse(jsonOf(await fetchFrom(service, "/api/v1/providers")));
    const names = data.map(({ name }) => name);
    expect(names).toEqual([...new Set(offers.map(({ provider }) => provider.name))].sort());
    const withImages: string[] = [];
    const withCuda: string[] = [];
    for (const name of names) {
      const list = jsonOf(await fetchFrom(service, `/api/v1/providers/${name}/images`));
      const images = z.object({ data: z.array(publishedOsImageSchema) }).parse(list).data;
      expect([name, images.filter(({ isDefault }) => isDefault).length]).toEqual([name, images.length > 0 ? 1 : 0]);
      withImages.push(...(images.length > 0 ? [name] : []));
      withCuda.push(...(images.some(({ hasCuda }) => hasCuda) ? [name] : []));
    }
    expect(withImages).toEqual(["akamai", "aws", "gcp", "runpod", "scaleway", "tensordock", "verda"]);
    expect(withCuda).toEqual(["gcp", "runpod", "verda"]);
  });

  test("states the date of its prices, and that they are a sample", () => {
    const file: unknown = JSON.parse(readFileSync(new URL("../catalog/starter.json", import.meta.url), "utf8"));
    const { asOf, note } = z.object({ asOf: z.iso.date(), note: z.string() }).parse(file);
    expect(asOf).toMatch(/^20\d\d-/);
    expect(note).toMatch(/sample/);
  });
});

describe("an import into the database of a running service", () => {
  // The robustness suite measures how soon.
  test("is served soon", async () => {
    const provider = `fjord-${Date.now()}`;
    await storeCatalog(service.databasePath, nativeRows(3, { provider, gpu: "gb200" }));
    await expect.poll(() => providersOf(service), { timeout: 20_000, interval: 20 }).toContain(provider);
    const offers = await allOffers(service);
    expect(offers.filter((offer) => offer.provider.name === provider)).toHaveLength(3);
  });

  test("never mixes two catalogs on a page, and fails no request", async () => {
    const [even, odd] = [
      { marker: "even", count: 300, image: "ubuntu-even" },
      { marker: "odd", count: 230, image: "ubuntu-odd" },
    ] as const;
    const catalogs = [even, odd];
    const databasePath = tempDatabase();
    const store = ({ marker, count, image }: (typeof catalogs)[number]) =>
      storeCatalog(databasePath, nativeRows(count, { region: marker }), [nativeImage(image, { isDefault: true })]);
    await store(even);
    const swapped = await startService({ databasePath });
    // A start doesn't change a database with an import.
    expect([await totalOf(swapped), await providersOf(swapped)]).toEqual([even.count, ["fjord"]]);

    const markerOfTag = new Map<string, string>();
    const over = new AbortController();
    let requests = 0;
    const readOn = async (worker: number): Promise<void> => {
      for (let round = worker; !over.signal.aborted; round++) {
        const size = 1 + ((round * 37) % 100);
        const query = `size=${size}&page=${round % 3}&sort_order=${round % 2 === 0 ? "asc" : "desc"}`;
        const response = await fetchFrom(swapped, `/api/v1/offers?${query}`);
        const images = await fetchFrom(swapped, "/api/v1/providers/fjord/images");
        expect([response.status, images.status]).toEqual([200, 200]);
        const { offers, totalElements, totalPages } = publishedPageSchema.parse(jsonOf(response));
        const catalog = catalogs.find(({ count }) => count === totalElements);
        expect(offers.filter(({ region }) => region !== catalog?.marker)).toEqual([]);
        expect(totalPages).toBe(Math.ceil(totalElements / size));
        expect(offers).toHaveLength(Math.max(0, Math.min(size, totalElements - (round % 3) * size)));
        const [listed] = osImageListSchema.parse(jsonOf(images)).data;
        for (const [tag = "", marker = ""] of [
          [response.headers.etag, catalog?.marker],
          [images.headers.etag, catalogs.find(({ image }) => image === listed?.id)?.marker],
        ]) {
          expect(markerOfTag.get(tag) ?? marker).toBe(marker);
          markerOfTag.set(tag, marker);
        }
        requests++;
        // Four swaps take seconds. More requests than this would only take processor time.
        await delay(20);
      }
    };
    const readers = Promise.allSettled([0, 1, 2, 3].map(readOn));
    const SWAPS = 4;
    for (let swap = 1; swap <= SWAPS; swap++) {
      const next = swap % 2 === 1 ? odd : even;
      await store(next);
      await expect.poll(() => totalOf(swapped), { timeout: 10_000, interval: 20 }).toBe(next.count);
      await expect.poll(() => markerOfTag.size, { timeout: 10_000, interval: 20 }).toBe(swap + 1);
    }
    over.abort();
    expect(await readers).toEqual([0, 1, 2, 3].map(() => ({ status: "fulfilled", value: undefined })));
    expect(requests).toBeGreaterThan(100);
    // Each import created a revision with a different tag.
    expect([...markerOfTag.values()].sort()).toEqual(["even", "even", "even", "odd", "odd"]);
  });
});

describe("catalog remove", () => {
  test("removes a provider from a running service with its offers and images", async () => {
    const before = await allOffers(service);
    const kept = before.filter((offer) => offer.provider.name !== "aws");
    expect(kept.length).toBeLessThan(before.length);
    const aws = before.find((offer) => offer.provider.name === "aws");
    await remove(service.databasePath, "aws");
    await expect.poll(() => providersOf(service), { timeout: 10_000, interval: 20 }).not.toContain("aws");
    expect(await allOffers(service)).toEqual(kept);
    expect((await fetchFrom(service, `/api/v1/offers/${aws?.id}`)).status).toBe(404);
    expect((await fetchFrom(service, "/api/v1/providers/aws/images")).status).toBe(404);
  });
});

describe("a start", () => {
  test("fills a new database, and a second start keeps its content", async () => {
    const first = await startService({ databasePath: tempDatabase() });
    const tag = (await fetchFrom(first, "/api/v1/offers")).headers.etag;
    const offers = await allOffers(first);
    const { stdout: firstLog } = await first.stop();
    expect(logLines(firstLog)).toContainEqual(expect.objectContaining({ msg: FILLED, offers: offers.length }));

    const second = await startService({ databasePath: first.databasePath });
    expect((await fetchFrom(second, "/api/v1/offers")).headers.etag).toBe(tag);
    expect(await allOffers(second)).toEqual(offers);
    expect(second.process.stderr()).toContain(`gpu-offers serves ${offers.length} offers`);
    const { stdout: secondLog } = await second.stop();
    expect(logLines(secondLog).map((line) => line["msg"])).not.toContain(FILLED);
  });
});
