import { publishedOfferSchema, UNKNOWN_LISTING_FACTS } from "@gpu-offers/domain";
import * as fc from "fast-check";
import { anyText } from "@gpu-offers/domain/offer.fixture";
import { describe, expect, test } from "vitest";
import { readApiResponse, type ApiResponseOptions } from "./read-api-response.js";
import { SourceError } from "./source-error.js";
import { bytesOf, collect, offersOf, ofKind } from "./source.fixture.js";

const offer = {
  id: "5b0c1f0e-6f0a-5c1e-9a53-0d8a3c5b7e11",
  provider: { name: "hyperstack", slug: "hyperstack" },
  gpu: { name: "H100 PCIe", slug: "h100-pcie", vramGB: 80, architecture: "Hopper" },
  gpuCount: 2,
  region: "NORWAY-1",
  regionInfo: { countryCode: "NO", countryName: "Norway", cityState: "", continent: "Europe" },
  priceHourly: 3.8,
  pricePerGpu: 1.9,
  isAvailable: true,
  specs: { vcpu: 28, ram: 180, disk: 0 },
  storageCostPerGB: 0.00014,
  storageMinGB: 50,
  storageMaxGB: 2000,
  costDataComplete: true,
  deploymentType: "virtual",
  nvlinkEnabled: false,
  interconnect: null,
};
const otherId = "6b0c1f0e-6f0a-5c1e-9a53-0d8a3c5b7e12";

const read = (document: unknown, options?: ApiResponseOptions) =>
  collect(readApiResponse(bytesOf(JSON.stringify(document)), options));

const readOffer = async (changes: Record<string, unknown>) => (await read([{ ...offer, ...changes }])).at(-1);

describe("a response", () => {
  test("of listings has their facts, and offers those of unknown kinds without", async () => {
    const facts = {
      instanceType: "n3-H100x2",
      providerOfferId: null,
      seller: "cloud",
      verified: null,
      reliability: null,
      toolNames: {},
      egressPerGB: 0.01,
      spot: { priceHourly: 1.9, kind: "price" },
      availability: "in_stock",
      stockLevel: "High",
    };
    const listing = { offer, ...facts, pricesAsOf: null, isStale: false, stock: "listed", source: "hyperstack" };
    const strange = {
      ...listing,
      offer: { ...offer, id: otherId },
      seller: "broker",
      spot: { priceHourly: 1, kind: "auction" },
      availability: "plenty",
    };
    const items = ofKind(await read({ listings: [listing, strange], page: 0, hasMore: false }), "offer");
    expect(items.map((item) => item.listing)).toMatchObject([
      facts,
      { ...facts, seller: null, spot: null, availability: null },
    ]);
    expect(items.map((item) => item.offer.id)).toEqual([offer.id, otherId]);
  });

  test("can be a page or a bare list, and yields each provider once before its first offer", async () => {
    const offers = [offer, { ...offer, id: otherId }];
    const expected = [
      { kind: "provider", where: "offers[0]", provider: { name: "hyperstack", type: "vm" } },
      { kind: "offer", where: "offers[0]", offer, listing: UNKNOWN_LISTING_FACTS },
      { kind: "offer", where: "offers[1]", offer: offers[1], listing: UNKNOWN_LISTING_FACTS },
    ];
    expect(await read(offers)).toEqual(expected);
    expect(await read({ offers, page: 0, totalPages: 1, totalElements: 2, hasMore: false, new: 1 })).toEqual(expected);
    expect(await read({ offers: [] })).toEqual([]);
  });

  test("can be assigned to one provider of one type", async () => {
    const items = await read([offer], { provider: "mirror", type: "container" });
    expect(items).toMatchObject([
      { provider: { name: "mirror", type: "container" } },
      { offer: { id: offer.id, provider: { name: "mirror", slug: "mirror" }, deploymentType: "virtual" } },
    ]);
  });

  test.each([
    ["nothing", "", "The file is empty."],
    ["an error", '{"code":"not_found"}', 'The document is neither a list of offers nor a page with a list "offers".'],
    ["a number", "5", 'The document is neither a list of offers nor a page with a list "offers".'],
    ["of another API", '[{"cpu":{}},{"gpu":{},"provider":"x"}]', "None of the 2 items of the document is an offer"],
    ["not JSON", "<html>", "The file cannot be read: it is not JSON: "],
    ["bad UTF-8", Uint8Array.from([0x5b, 0xff, 0x5d]), "line 1: The bytes are not UTF-8."],
    ["deep JSON", "[".repeat(1000), "line 1: The file cannot be read: it is nested deeper than 64 levels."],
  ])("that is %s is rejected as a whole", async (_name, content, message) => {
    const result = collect(readApiResponse(bytesOf(content)));
    await expect(result).rejects.toThrow(SourceError);
    await expect(result).rejects.toThrow(message);
  });

  test("cannot be assigned to a provider whose name is not a path segment", async () => {
    await expect(read([offer], { provider: "My Cloud" })).rejects.toThrow('"My Cloud" is not a valid provider name');
  });
});

describe("an offer of a response", () => {
  test("loses fields that the API does not define, at every depth", async () => {
    const item = await readOffer({ new: 1, specs: { ...offer.specs, nvme: true }, gpu: { ...offer.gpu, tdp: 700 } });
    expect(item).toEqual({ kind: "offer", where: "offers[0]", offer, listing: UNKNOWN_LISTING_FACTS });
  });

  test.each([
    [undefined, null],
    [null, null],
    ["", null],
    [" ", null],
    ["InfiniBand 3200 Gbps", "InfiniBand 3200 Gbps"],
    [3200, null],
    [{ type: "InfiniBand" }, null],
    [["InfiniBand"], null],
  ])("with the interconnect %j is read as %j", async (interconnect, expected) => {
    expect(await readOffer({ interconnect })).toMatchObject({ offer: { interconnect: expected } });
  });

  test("has prices without float noise, and a calculated pricePerGpu", async () => {
    expect(await readOffer({ priceHourly: 1.656_799_999_999_999_8, pricePerGpu: 0.83 })).toMatchObject({
      offer: { priceHourly: 1.6568, pricePerGpu: 0.8284 },
    });
    expect(await readOffer({ pricePerGpu: 1.905 })).toMatchObject({ offer: { pricePerGpu: 1.9 } });
    expect(await readOffer({ pricePerGpu: 1.91 })).toMatchObject({
      code: "invalid_offer",
      reason: "The offer is not valid: pricePerGpu is 1.91, but priceHourly / gpuCount is 1.9.",
    });
  });

  test.each([
    [
      { provider: { name: "Hyperstack", slug: "hyperstack" } },
      "bad_provider_name",
      "The provider Hyperstack is not lower-case and URL-safe.",
    ],
    [
      { provider: { name: "../x", slug: "x" } },
      "bad_provider_name",
      'The provider "../x" is not lower-case and URL-safe.',
    ],
    [{ deploymentType: "serverless" }, "invalid_offer", expect.stringContaining("deploymentType: ")],
    [{ priceHourly: 0, pricePerGpu: 0 }, "bad_price", expect.stringContaining("The hourly price is 0")],
    [{ priceHourly: 1e12 }, "invalid_offer", expect.stringContaining("priceHourly: ")],
    [{ priceHourly: -1 }, "invalid_offer", expect.stringContaining("priceHourly: ")],
    [{ gpuCount: 0 }, "invalid_offer", expect.stringContaining("gpuCount: ")],
    [{ gpu: undefined }, "invalid_offer", expect.stringContaining("gpu: ")],
    [{ id: offer.id.toUpperCase() }, "invalid_offer", expect.stringContaining("id: must be lower-case")],
    [
      { regionInfo: { ...offer.regionInfo, continent: "Atlantis" } },
      "invalid_offer",
      expect.stringContaining("continent"),
    ],
    [{ storageMinGB: 3000 }, "invalid_offer", expect.stringContaining("storageMinGB: must not be above storageMaxGB")],
  ])("with %j is rejected as %s", async (changes, code, reason) => {
    expect(await readOffer(changes)).toEqual({
      kind: "rejection",
      where: "offers[0]",
      code,
      reason,
      countsAsGpuRow: true,
    });
  });

  test("whose provider has a different slug keeps the name, because offers are joined by name", async () => {
    expect(await readOffer({ provider: { name: "hyperstack", slug: "hs" } })).toMatchObject({
      offer: { provider: { name: "hyperstack", slug: "hyperstack" } },
    });
  });

  test("that is not an object, or is a duplicate, is rejected with its location", async () => {
    const items = await read([offer, null, [], "x", offer]);
    expect(items.slice(2)).toMatchObject([
      { where: "offers[1]", code: "bad_row", reason: "The offer is null, not an object." },
      { where: "offers[2]", code: "bad_row", reason: "The offer is a list, not an object." },
      { where: "offers[3]", code: "bad_row", reason: "The offer is x, not an object." },
      {
        where: "offers[4]",
        code: "duplicate",
        reason: `The offer ${offer.id} is a duplicate of offers[0], which has the same price.`,
      },
    ]);
  });

  test("doesn't add a provider if it is rejected", async () => {
    expect((await read([{ ...offer, gpuCount: 0 }])).map(({ kind }) => kind)).toEqual(["rejection"]);
  });

  test.each([
    { offers: [offer], page: 0, totalPages: 3, hasMore: true },
    { offers: [offer], page: 2, totalPages: 3, hasMore: false },
  ])(
    "that is one page of several is rejected, because an import would remove the other pages' offers",
    async (page) => {
      await expect(collect(readApiResponse(bytesOf(JSON.stringify(page))))).rejects.toThrow("Fetch all pages");
    },
  );

  test("may contain __proto__ without effect", async () => {
    const text = JSON.stringify([offer]).replace("{", '{"__proto__":{"polluted":true},');
    expect(await collect(readApiResponse(bytesOf(text)))).toMatchObject([
      { kind: "provider" },
      { kind: "offer", offer },
    ]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

test("any server response gives valid offers, rejections or a SourceError", async () => {
  const invalid = fc
    .tuple(fc.constantFrom(...Object.keys(offer)), fc.jsonValue())
    .map(([key, value]) => Object.assign(structuredClone(offer), { [key]: value }));
  const content = fc.oneof(
    fc.array(invalid, { maxLength: 3 }).map((offers) => JSON.stringify({ offers })),
    fc.json(),
    anyText(),
  );
  await fc.assert(
    fc.asyncProperty(content, async (text) => {
      const items = await collect(readApiResponse(bytesOf(text, 5))).catch((error: unknown) => error);
      expect(Array.isArray(items) || items instanceof SourceError).toBe(true);
      for (const valid of Array.isArray(items) ? offersOf(items) : []) {
        expect(publishedOfferSchema.parse(valid)).toEqual(valid);
      }
    }),
    { seed: 20_261_120, numRuns: 1000 },
  );
});
