import { readFileSync } from "node:fs";
import { publishedOfferSchema, UNKNOWN_LISTING_FACTS } from "@gpu-offers/domain";
import * as fc from "fast-check";
import { anyText } from "@gpu-offers/domain/offer.fixture";
import { describe, expect, test } from "vitest";
import { parseGpuAliases } from "../gpu-alias.js";
import { offerId } from "../offer-id.js";
import { openCatalog } from "../open-catalog.js";
import { SourceError } from "../source-error.js";
import type { SourceItem } from "../source-item.js";
import { bytesOf, collect, offersOf } from "../source.fixture.js";
import { readNative } from "./read-native.js";

/** Header of both forms. */
const header = { format: "gpu-offers/1", asOf: "2026-11-01" };
/** A provider without images. */
const provider = { name: "hyperstack", type: "vm" };
/** A default image. */
const image = {
  id: "ubuntu",
  displayName: "Ubuntu",
  slug: "ubuntu",
  hasCuda: false,
  cudaVersion: null,
  hasDocker: true,
  isDefault: true,
};
/** Two SXM cards in Norway, with as few fields as the format allows. */
const offer = {
  provider: "hyperstack",
  instanceType: "n3-H100x2",
  gpu: "h100-sxm",
  gpuCount: 2,
  region: "NORWAY-1",
  priceHourly: 4.8,
  specs: { vcpu: 28, ram: 180, disk: 100 },
};

/** A JSON object. */
type Json = Record<string, unknown>;

/** All items of a source. */
const read = (content: string, size?: number) => collect(readNative(bytesOf(content, size)));
/** All items of a JSON document with these members besides the header. */
const readDocument = (document: Json) => read(JSON.stringify({ ...header, ...document }, null, 2));

/** All items of an NDJSON source with these records after the header. */
const readLines = (...records: unknown[]) =>
  read([header, ...records].map((record) => JSON.stringify(record)).join("\n"));

/** An item without its location. */
function contentOf(item: SourceItem): SourceItem {
  return { ...item, where: "" };
}

describe("the two forms", () => {
  const records = [{ provider: { ...provider, images: [image] } }, { offer }, { offer: { ...offer, region: "US-1" } }];

  test("have the same content", async () => {
    const lines = await readLines(...records);
    const document = await readDocument({
      providers: [{ ...provider, images: [image] }],
      offers: [offer, { ...offer, region: "US-1" }],
    });
    expect(lines.map(contentOf)).toEqual(document.map(contentOf));
    expect(lines.map(({ where }) => where)).toEqual(["line 2", "line 3", "line 4"]);
    expect(document.map(({ where }) => where)).toEqual(["providers[0]", "offers[0]", "offers[1]"]);
  });

  test("are distinguished on one line, with blank lines before, with CRLF and with a byte order mark", async () => {
    expect(await read(JSON.stringify({ ...header, providers: [provider] }))).toHaveLength(1);
    const ndjson = [header, ...records].map((record) => JSON.stringify(record));
    expect(await read(`\n \n${ndjson.join("\n")}`)).toHaveLength(3);
    expect(await read(`\ufeff${ndjson.join("\r\n")}\r\n`)).toHaveLength(3);
    expect(await read(ndjson.join("\n"), 1)).toHaveLength(3);
    expect(await read(`\n\n${JSON.stringify({ ...header, providers: [provider] }, null, 2)}`, 3)).toHaveLength(1);
  });

  test("are distinguished if the document is a single line that is longer than any record", async () => {
    const offers = Array.from({ length: 8000 }, (_, index) => ({ ...offer, region: `US-${index}` }));
    const content = JSON.stringify({ ...header, providers: [provider], offers });
    expect(content.length).toBeGreaterThan(1_100_000);
    expect(offersOf(await read(content))).toHaveLength(8000);
  });

  test("accept GPU aliases, which precede known names", async () => {
    const gpuAliases = parseGpuAliases(["Hopper Turbo=h100-pcie", "A100=a100-pcie-80gb"]);
    const offers = Array.from(["hopper-turbo", "A100", "h100-sxm"], (gpu, index) => ({
      ...offer,
      gpu,
      region: `US-${index}`,
    }));
    const document = { ...header, providers: [provider], offers };
    const lines = [header, { provider }, ...offers.map((one) => ({ offer: one }))];
    for (const content of [JSON.stringify(document), lines.map((line) => JSON.stringify(line)).join("\n")]) {
      const { items } = await openCatalog(bytesOf(content), { gpuAliases });
      expect(offersOf(await collect(items)).map(({ gpu }) => gpu.slug)).toEqual([
        "h100-pcie",
        "a100-pcie-80gb",
        "h100-sxm",
      ]);
    }
  });

  test("may be read as a whole, as text or as bytes", async () => {
    const text = JSON.stringify({ ...header, providers: [provider], offers: [offer] });
    const expected = await readDocument({ providers: [provider], offers: [offer] });
    for (const content of [text, new TextEncoder().encode(text)]) {
      expect(await collect(readNative(content))).toEqual(expected);
      const { format, items } = await openCatalog(content);
      expect([format, await collect(items)]).toEqual(["native", expected]);
    }
  });

  test("may contain only a header", async () => {
    expect(await read(JSON.stringify(header))).toEqual([]);
    expect(await readDocument({ providers: [] })).toEqual([]);
  });

  test("state asOf as a date or as a timestamp in UTC", async () => {
    for (const asOf of ["2026-11-01", "2026-11-01T10:00:00Z", "2026-11-01T10:00:00.123Z"]) {
      expect(await readDocument({ asOf, providers: [] })).toEqual([]);
    }
    for (const asOf of ["yesterday", "2026-13-01", "2026-11-01T10:00:00+01:00", 5]) {
      await expect(readDocument({ asOf, providers: [] })).rejects.toThrow(
        "asOf: must be a date or an ISO 8601 timestamp in UTC",
      );
    }
  });
});

describe("the header", () => {
  test.each([
    ["document", JSON.stringify({ ...header, note: "a sample", providers: [], offers: [] }, null, 2)],
    ["NDJSON source", `${JSON.stringify({ ...header, note: "a sample" })}\n`],
  ])("of a %s is passed on before the items", async (_, text) => {
    const headers: object[] = [];
    await collect(readNative(bytesOf(text), { onHeader: (given) => headers.push(given) }));
    expect(headers).toEqual([{ asOf: header.asOf, note: "a sample" }]);
  });
});

describe("an NDJSON source with offerCount", () => {
  const lines = (offerCount: number) =>
    [{ ...header, offerCount }, { provider }, { offer }].map((line) => `${JSON.stringify(line)}\n`).join("");

  test("is accepted if it has all offers", async () => {
    expect(offersOf(await read(lines(1)))).toHaveLength(1);
  });

  test("is rejected as a whole if it is truncated, within a line or between two", async () => {
    await expect(read(lines(2))).rejects.toThrow("declares 2 offers, but the file has 1");
    await expect(read(lines(1).slice(0, -20))).rejects.toThrow("declares 1 offers, but the file has 0");
  });
});

describe("a line of NDJSON", () => {
  test("that is neither provider nor offer is rejected, and reading continues", async () => {
    const reason = 'The line must be {"provider": ...} or {"offer": ...} and nothing else.';
    const wrong = [{}, [], 5, null, { image }, { offer, provider }, { offer, note: "" }];
    const items = await readLines({ provider }, ...wrong, { offer });
    expect(items).toHaveLength(wrong.length + 2);
    for (const [index, item] of items.slice(1, -1).entries()) {
      expect(item).toEqual({
        kind: "rejection",
        where: `line ${index + 3}`,
        code: "bad_row",
        reason,
        countsAsGpuRow: true,
      });
    }
    expect(items.at(-1)?.kind).toBe("offer");
  });

  test("that is not JSON, or too complex, is rejected with its number", async () => {
    const lines = [header, { provider }].map((record) => JSON.stringify(record));
    const items = await read([...lines, "{oops}", "", "[".repeat(100), JSON.stringify({ offer })].join("\n"));
    expect(items).toMatchObject([
      { kind: "provider", where: "line 2" },
      { where: "line 3", code: "bad_row", reason: expect.stringMatching(/^The line cannot be read: it is not JSON: /) },
      { where: "line 5", code: "bad_row", reason: "The line cannot be read: it is nested deeper than 64 levels." },
      { kind: "offer", where: "line 6" },
    ]);
  });

  test("with a provider after its offers doesn't rescue those offers", async () => {
    const items = await readLines({ offer }, { provider }, { offer });
    expect(items.map(({ kind }) => kind)).toEqual(["rejection", "provider", "offer"]);
    expect(items[0]).toMatchObject({ code: "unknown_provider", where: "line 2" });
  });

  test("with an invalid provider fails the whole file with its number", async () => {
    await expect(readLines({ provider }, { provider })).rejects.toMatchObject({ where: "line 3" });
  });
});

describe("a source", () => {
  test.each([
    ["nothing", "", "The file is empty."],
    ["white space", " \n\n", "The file is empty."],
    ["not JSON", "InstanceType,Price\n", "The file cannot be read: it is not JSON: "],
    ["a truncated document", '{"format": "gpu-offers/1",\n"providers": [', "The file cannot be read: it is not JSON: "],
    [
      "another version",
      '{"format":"gpu-offers/2","asOf":"2026-11-01"}',
      'line 1: The source must begin with "format": "gpu-offers/1", not "gpu-offers/2".',
    ],
    [
      "another version in a document",
      '{"format":"gpu-offers/2","providers":[]}',
      'The source must begin with "format": "gpu-offers/1", not "gpu-offers/2".',
    ],
    ["no header", '\n{"offer":{}}\n', 'line 2: The source must begin with "format": "gpu-offers/1", not undefined.'],
    ["a list", "[]", 'The source must begin with "format": "gpu-offers/1", not undefined.'],
    ["no asOf", '{"format":"gpu-offers/1"}', "line 1: The header is not valid: asOf: "],
    [
      "an unknown member of the header",
      '{"format":"gpu-offers/1","asOf":"2026-11-01","currency":"EUR"}',
      'line 1: The header is not valid: Unrecognized key: "currency".',
    ],
    [
      "no providers",
      '{"format":"gpu-offers/1","asOf":"2026-11-01","offers":[]}',
      "The document is not a native catalog: providers: ",
    ],
    [
      "offers that are not a list",
      '{"format":"gpu-offers/1","asOf":"2026-11-01","providers":[],"offers":{}}',
      "The document is not a native catalog: offers: ",
    ],
    [
      "__proto__",
      '{"format":"gpu-offers/1","asOf":"2026-11-01","providers":[],"__proto__":{}}',
      'The document is not a native catalog: Unrecognized key: "__proto__".',
    ],
  ])("with %s is rejected as a whole", async (_name, content, message) => {
    await expect(read(content)).rejects.toThrow(SourceError);
    await expect(read(content)).rejects.toThrow(message);
  });

  test("with __proto__ in an offer is rejected there, and changes nothing", async () => {
    const line = `{"offer":${JSON.stringify(offer).replace("{", '{"__proto__":{"polluted":true},')}}`;
    const items = await read([JSON.stringify(header), JSON.stringify({ provider }), line].join("\n"));
    expect(items[1]).toMatchObject({ code: "invalid_offer", reason: expect.stringContaining("__proto__") });
    expect(({} as Json)["polluted"]).toBeUndefined();
  });

  test("with a duplicate key in an offer is rejected there, since the intended value is unknown", async () => {
    const line = `{"offer":${JSON.stringify(offer).replace("{", '{"gpuCount":7,')}}`;
    const items = await read([JSON.stringify(header), JSON.stringify({ provider }), line].join("\n"));
    expect(items[1]).toMatchObject({
      kind: "rejection",
      reason: expect.stringContaining('an object has the key "gpuCount" twice'),
    });
  });

  test("with bytes that are not UTF-8 is rejected with their line", async () => {
    const content = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n"`), Buffer.from([0xff, 0x22])]);
    await expect(collect(readNative(bytesOf(content)))).rejects.toThrow("line 2: The bytes are not UTF-8.");
  });

  test("is closed if the reader stops early", async () => {
    let isClosed = false;
    async function* watched(): AsyncGenerator<Uint8Array> {
      try {
        for (const record of [header, { provider }, { offer }]) {
          yield Buffer.from(`${JSON.stringify(record)}\n`);
        }
      } finally {
        isClosed = true;
      }
    }
    for await (const item of readNative(watched())) {
      expect(item.kind).toBe("provider");
      break;
    }
    expect(isClosed).toBe(true);
  });

  test("of any JSON at all gives valid items or a SourceError", async () => {
    const value = fc.oneof(
      fc.json(),
      fc.constantFrom("1e999", "-0", '"\\ud800"', "{}", "[]", '{"__proto__":1}', "null"),
    );
    const key = fc.constantFrom(...Object.keys(offer), "id", "countryCode", "storage", "pricePerGpu", "__proto__");
    const invalid = fc
      .tuple(key, value)
      .map(([name, text]) => `{"offer":${JSON.stringify(offer).slice(0, -1)},"${name}":${text}}}`);
    const line = fc.oneof(invalid, value, anyText(), fc.constant(JSON.stringify({ provider })));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 4 }), fc.boolean(), async (lines, withHeader) => {
        const content = [...(withHeader ? [JSON.stringify(header), JSON.stringify({ provider })] : []), ...lines].join(
          "\n",
        );
        const items = await read(content).catch((error: unknown) => error);
        expect(items instanceof SourceError || Array.isArray(items)).toBe(true);
        for (const valid of Array.isArray(items) ? offersOf(items) : []) {
          expect(publishedOfferSchema.parse(valid)).toEqual(valid);
        }
      }),
      { seed: 20_261_120, numRuns: 1000 },
    );
  });
});

describe("docs/native-format.md", () => {
  const text = readFileSync(new URL("../../../../docs/native-format.md", import.meta.url), "utf8");
  const example = /```json\n(.*?)```/s.exec(text)?.[1] ?? "";

  test("contains a document that is read without a rejection", async () => {
    const items = await read(example);
    expect(items.map(({ kind }) => kind)).toEqual(["provider", "offer"]);
    expect(items[0]).toMatchObject({ provider: { images: [{ instanceTypes: ["n3-H100x1"] }] } });
  });

  test("lists every member of an offer and of a provider", () => {
    const members = [
      ...Object.keys(offer),
      "id",
      "countryCode",
      "cityState",
      "regionInfo",
      "pricePerGpu",
      "isAvailable",
    ];
    members.push("storage", "costDataComplete", "deploymentType", "nvlinkEnabled", "interconnect", "images", "type");
    for (const member of members) {
      expect(text).toMatch(new RegExp(`\\|[^|]*\\b${member}\\b[^|]*\\|`));
    }
  });
});

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
