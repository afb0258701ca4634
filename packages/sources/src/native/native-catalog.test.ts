import { UNKNOWN_LISTING_FACTS } from "@gpu-offers/domain";
import { describe, expect, test } from "vitest";
import { offerId } from "../offer-id.js";
import { SourceError } from "../source-error.js";
import type { SourceItem } from "../source-item.js";
import { bytesOf, collect } from "../source.fixture.js";
import { image, offer, provider, readDocument, type Json } from "./native.fixture.js";
import { readNative } from "./read-native.js";

/** The offer of the example with some fields changed. */
async function readOffer(changes: Json, providerChanges: Json = {}): Promise<SourceItem | undefined> {
  const items = await readDocument({
    providers: [{ ...provider, ...providerChanges }],
    offers: [{ ...offer, ...changes }],
  });
  return items[1];
}

/** The offer itself; fails if it is rejected. */
const published = async (changes: Json, providerChanges?: Json) => {
  const item = await readOffer(changes, providerChanges);
  if (item?.kind !== "offer") {
    throw new Error(JSON.stringify(item));
  }
  return item.offer;
};

describe("an offer", () => {
  test("gets all omitted fields filled in", async () => {
    expect(await readOffer({})).toEqual({
      kind: "offer",
      where: "offers[0]",
      instanceType: "n3-H100x2",
      listing: {
        ...UNKNOWN_LISTING_FACTS,
        storage: expect.objectContaining({ product: "Cloud-SSD volume" }),
        isCostComplete: true,
      },
      offer: {
        id: offerId("hyperstack", "n3-H100x2", "NORWAY-1"),
        provider: { name: "hyperstack", slug: "hyperstack" },
        gpu: { name: "H100 SXM", slug: "h100-sxm", vramGB: 80, architecture: "Hopper" },
        gpuCount: 2,
        region: "NORWAY-1",
        regionInfo: { countryCode: "NO", countryName: "Norway", cityState: "", continent: "Europe" },
        priceHourly: 4.8,
        pricePerGpu: 2.4,
        isAvailable: true,
        specs: { vcpu: 28, ram: 180, disk: 100 },
        storageCostPerGB: 0,
        storageMinGB: 0,
        storageMaxGB: 0,
        costDataComplete: false,
        deploymentType: "virtual",
        nvlinkEnabled: true,
        interconnect: null,
      },
    });
  });

  test("can name its GPU by slug or by a known spelling", async () => {
    expect((await published({ gpu: "NVIDIA H100 SXM5 80GB" })).gpu.slug).toBe("h100-sxm");
    expect((await published({ gpu: "a100-sxm-40gb" })).gpu.vramGB).toBe(40);
  });

  test("can describe a GPU that is not in the table", async () => {
    const gpu = { name: "Rubin", slug: "rubin", vramGB: 288, architecture: "Rubin" };
    expect(await published({ gpu })).toMatchObject({ gpu, nvlinkEnabled: false });
  });

  test.each([
    ["Voodoo2", "unknown_gpu"],
    ["A100", "ambiguous_gpu"],
    ["A100 4GB", "vram_mismatch"],
    ["Inferentia", "not_a_gpu"],
  ])("of a GPU called %s is rejected as %s", async (gpu, code) => {
    expect(await readOffer({ gpu })).toMatchObject({ kind: "rejection", code, countsAsGpuRow: code !== "not_a_gpu" });
  });

  test("keeps its id, or gets one from its provider, type and region", async () => {
    const id = "5b0c1f0e-6f0a-5c1e-9a53-0d8a3c5b7e11";
    expect((await published({ id })).id).toBe(id);
    expect((await published({ id, instanceType: undefined })).id).toBe(id);
    expect(await readOffer({ instanceType: undefined })).toMatchObject({
      code: "invalid_offer",
      reason: "The offer is not valid: instanceType is required if there is no id.",
    });
    expect(await readOffer({ id: "not a uuid" })).toMatchObject({ code: "invalid_offer" });
    expect(await readOffer({ id: id.toUpperCase() })).toMatchObject({ code: "invalid_offer" });
  });

  test("can state its region in three ways", async () => {
    const info = { countryCode: "SE", countryName: "Sweden", cityState: "Luleå", continent: "Europe" };
    expect((await published({ regionInfo: info })).regionInfo).toEqual(info);
    expect((await published({ countryCode: "SE", cityState: "Luleå" })).regionInfo).toEqual(info);
    expect((await published({ countryCode: "SE" })).regionInfo).toEqual({ ...info, cityState: "" });
    expect((await published({ cityState: "Oslo" })).regionInfo).toMatchObject({ countryCode: "NO", cityState: "Oslo" });
    expect((await published({ region: "moon" })).regionInfo).toMatchObject({ countryCode: "ZZ", continent: "Unknown" });
  });

  test.each([
    [
      { countryCode: "XX" },
      "unknown_country",
      "countryCode is XX, which is not an upper-case ISO 3166-1 alpha-2 code.",
    ],
    [
      { countryCode: "no" },
      "unknown_country",
      "countryCode is no, which is not an upper-case ISO 3166-1 alpha-2 code.",
    ],
    [
      {
        countryCode: "NO",
        regionInfo: { countryCode: "NO", countryName: "Norway", cityState: "", continent: "Europe" },
      },
      "invalid_offer",
      "The offer is not valid: regionInfo replaces countryCode and cityState; set only one of them.",
    ],
    [
      { regionInfo: { countryCode: "NO", countryName: "Norway", cityState: "", continent: "europe" } },
      "invalid_offer",
      expect.stringContaining("regionInfo.continent: "),
    ],
  ])("with the region %j is rejected as %s", async (changes, code, reason) => {
    expect(await readOffer(changes)).toMatchObject({ kind: "rejection", where: "offers[0]", code, reason });
  });

  test("uses its own storage terms, else those of its provider, else none", async () => {
    const storage = { costPerGB: 0.000097, minGB: 50, maxGB: 2000 };
    const terms = { storageCostPerGB: 0.000097, storageMinGB: 50, storageMaxGB: 2000, costDataComplete: true };
    expect(await published({ storage })).toMatchObject(terms);
    expect(await published({}, { storage })).toMatchObject(terms);
    expect(await published({ storageCostPerGB: 0.000097, storageMinGB: 50, storageMaxGB: 2000 })).toMatchObject(terms);
    const fixed = { costPerGB: 0, minGB: 100, maxGB: 100 };
    expect(await published({ storage: fixed }, { storage })).toMatchObject({ storageMinGB: 100, storageMaxGB: 100 });
    expect(await published({ storage, costDataComplete: false })).toMatchObject({ costDataComplete: false });
  });

  test.each([
    [{ costDataComplete: true }, "costDataComplete is true, but neither the offer nor its provider has storage terms."],
    [{ storageCostPerGB: 0 }, "set all of storageCostPerGB, storageMinGB and storageMaxGB, or storage instead."],
    [
      { storageCostPerGB: 0, storageMinGB: 0, storageMaxGB: 0, storage: { costPerGB: 0, minGB: 0, maxGB: 0 } },
      "set all of storageCostPerGB, storageMinGB and storageMaxGB, or storage instead.",
    ],
    [{ storage: { costPerGB: 0, minGB: 2, maxGB: 1 } }, "storage: minGB must not be above maxGB."],
    [{ storage: { costPerGB: 0, minGB: 1 } }, "storage.maxGB: "],
    [
      { storageCostPerGB: 0, storageMinGB: 2, storageMaxGB: 1 },
      "storageMinGB: must not be above storageMaxGB (2 > 1).",
    ],
    [{ priceHourley: 1 }, 'Unrecognized key: "priceHourley".'],
    [{ specs: { vcpu: 1, ram: 1, disk: 1, gpu: 1 } }, 'specs: Unrecognized key: "gpu".'],
    [{ priceHourly: -1 }, "priceHourly: must be a price from 0 with at most 6 decimals."],
    [{ priceHourly: 1.656_799_999_9 }, "priceHourly: must be a price from 0 with at most 6 decimals."],
    [{ priceHourly: "4.8" }, "priceHourly: "],
    [{ priceHourly: null }, "priceHourly: "],
    [{ pricePerGpu: 2.5 }, "pricePerGpu is 2.5, but priceHourly / gpuCount is 2.4."],
    [{ gpuCount: 0 }, "gpuCount: "],
    [{ gpuCount: 1.5 }, "gpuCount: "],
    [{ region: "" }, "region: "],
    [{ region: "a\u202eb" }, "region: must not contain control or invisible characters."],
    [{ deploymentType: "serverless" }, "deploymentType: "],
    [{ interconnect: "" }, "interconnect: "],
    [{ interconnect: { type: "IB" } }, "interconnect: "],
    [{ isAvailable: "yes" }, "isAvailable: "],
    [{ gpu: { name: "X", slug: "X", vramGB: 1, architecture: "X" } }, "gpu.slug: "],
    [{ gpu: { name: "X", slug: "x", vramGB: 0, architecture: "X" } }, "gpu"],
  ])("with %j is rejected", async (changes, problem) => {
    const item = await readOffer(changes);
    expect(item).toMatchObject({ kind: "rejection", where: "offers[0]", code: "invalid_offer", countsAsGpuRow: true });
    expect(item).toMatchObject({ reason: expect.stringContaining(`The offer is not valid: ${problem}`) });
  });

  test("keeps what it states instead of a default", async () => {
    const stated = {
      isAvailable: false,
      deploymentType: "bare-metal",
      nvlinkEnabled: false,
      interconnect: "InfiniBand 3200 Gbps",
      pricePerGpu: 2.4,
    };
    expect(await published(stated)).toMatchObject(stated);
  });

  test("has the deployment type of its provider's type", async () => {
    expect((await published({}, { type: "container" })).deploymentType).toBe("container");
    expect((await published({}, { type: "bare-metal" })).deploymentType).toBe("bare-metal");
  });

  test("has NVLink by default if its cards always have it and there are two", async () => {
    expect((await published({ gpuCount: 1, priceHourly: 2 })).nvlinkEnabled).toBe(false);
    expect((await published({ gpu: "h100-pcie" })).nvlinkEnabled).toBe(false);
    const gpu = { name: "H100 SXM", slug: "h100-sxm", vramGB: 80, architecture: "Hopper" };
    expect((await published({ gpu })).nvlinkEnabled).toBe(true);
  });

  test("can state what to rent, and who sells it", async () => {
    const listing = { instanceType: "n3-H100x2", seller: "cloud", spot: { priceHourly: 3.36, kind: "price" } };
    expect(await readOffer({ listing })).toMatchObject({ listing });
    expect(await readOffer({ listing: { ...listing, spot: { priceHourly: 4.8, kind: "price" } } })).toMatchObject({
      listing: { instanceType: "n3-H100x2", spot: null },
    });
  });

  test.each([
    [{ instancetype: "n3-H100x2" }, "listing: Unrecognized key"],
    [{ seller: "reseller" }, "listing.seller: "],
    [{ reliability: 99 }, "listing.reliability: "],
    [{ spot: { priceHourly: 3.36 } }, "listing.spot.kind: "],
    [{ instanceType: "a\u202eb" }, "listing.instanceType: must not contain control or invisible characters."],
  ])("with the facts %j is rejected", async (listing, problem) => {
    const reason = expect.stringContaining(`The offer is not valid: ${problem}`);
    expect(await readOffer({ listing })).toMatchObject({ kind: "rejection", code: "invalid_offer", reason });
  });

  test("of an unknown provider is rejected", async () => {
    expect(await readOffer({ provider: "elsewhere" })).toMatchObject({
      code: "unknown_provider",
      reason: "The provider elsewhere is not named before the offer.",
    });
    expect(await readOffer({ provider: "__proto__" })).toMatchObject({ code: "unknown_provider" });
  });

  test("with the id of a dearer one contradicts it, and in a marketplace the cheaper one is kept", async () => {
    const rows = [{ ...offer, priceHourly: 1 }, offer];
    const list = await readDocument({ providers: [provider], offers: rows });
    expect(list.slice(1)).toMatchObject([
      {
        kind: "rejection",
        where: "offers[0]",
        code: "contradiction",
        reason: `n3-H100x2 in NORWAY-1 costs ${offer.priceHourly} in offers[1], and 1 here.`,
      },
      { kind: "offer", offer: { priceHourly: offer.priceHourly } },
    ]);
    const market = { ...provider, name: "vast" };
    const asks = await readDocument({
      providers: [market],
      offers: [
        { ...offer, provider: "vast", priceHourly: 1 },
        { ...offer, provider: "vast" },
      ],
    });
    expect(asks.slice(1)).toMatchObject([{ offer: { priceHourly: 1 } }, { code: "duplicate" }]);
  });

  test("of NDJSON with the id of an earlier one is marked as such, because the rest of the file isn't known yet", async () => {
    const lines = [{ format: "gpu-offers/1", asOf: "2026-11-01" }, { provider }, { offer }, { offer }];
    const items = await collect(readNative(bytesOf(lines.map((line) => JSON.stringify(line)).join("\n"))));
    expect(items).toMatchObject([{ kind: "provider" }, { kind: "offer" }, { kind: "offer", duplicateOf: "line 3" }]);
  });
});

describe("a provider", () => {
  const other = { ...image, id: "other", slug: "other", isDefault: false };

  test("has its images, and the instance types that restrict one", async () => {
    const images = [image, { ...other, instanceTypes: ["n3-H100x1"] }];
    const [item] = await readDocument({ providers: [{ ...provider, images }] });
    expect(item).toEqual({
      kind: "provider",
      where: "providers[0]",
      provider: { name: "hyperstack", type: "vm", images },
    });
  });

  test("may have no images, or say nothing about them", async () => {
    expect(await readDocument({ providers: [{ ...provider, images: [] }] })).toMatchObject([
      { provider: { images: [] } },
    ]);
    const [item] = await readDocument({ providers: [provider] });
    expect(item?.kind === "provider" && item.provider.images).toBeUndefined();
  });

  test.each([
    [{ images: [{ ...image, isDefault: false }] }, "images: exactly one image must have isDefault true, not 0"],
    [{ images: [image, { ...other, isDefault: true }] }, "images: exactly one image must have isDefault true, not 2"],
    [{ images: [image, { ...other, id: "ubuntu" }] }, "images: two images have the same id"],
    [{ images: [image, { ...other, slug: "ubuntu" }] }, "images: two images have the same slug"],
    [{ images: [{ ...image, hasCuda: true }] }, "images.0.cudaVersion: must be a version when hasCuda is true"],
    [{ images: [{ ...image, size: 5 }] }, 'images.0: Unrecognized key: "size"'],
    [{ name: "Hyper Stack" }, "name: must be lower-case"],
    [{ type: "cloud" }, "type: "],
    [{ url: "x" }, 'Unrecognized key: "url"'],
    [{ storage: { costPerGB: 0, minGB: 2, maxGB: 1 } }, "storage: minGB must not be above maxGB"],
  ])("with %j fails the whole file", async (changes, problem) => {
    const result = readDocument({ providers: [{ ...provider, ...changes }] });
    await expect(result).rejects.toThrow(`providers[0]: The provider is not valid: ${problem}`);
    await expect(result).rejects.toThrow(SourceError);
  });

  test("that is defined twice fails the whole file", async () => {
    await expect(readDocument({ providers: [provider, provider] })).rejects.toThrow(
      "providers[1]: The provider hyperstack is defined twice. Merge the two definitions.",
    );
  });
});
