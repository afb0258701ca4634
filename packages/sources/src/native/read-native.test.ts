import { readFileSync } from "node:fs";
import { publishedOfferSchema } from "@gpu-offers/domain";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { offerId } from "../offer-id.js";
import { SourceError } from "../source-error.js";
import type { SourceItem } from "../source-item.js";
import { bytesOf, collect, offersOf } from "../source.fixture.js";
import { readNative } from "./read-native.js";

const header = { format: "gpu-offers/1", asOf: "2026-11-01" };
const provider = { name: "hyperstack", type: "vm" };
const image = {
  id: "ubuntu",
  displayName: "Ubuntu",
  slug: "ubuntu",
  hasCuda: false,
  cudaVersion: null,
  hasDocker: true,
  isDefault: true,
};
const offer = {
  provider: "hyperstack",
  instanceType: "n3-H100x2",
  gpu: "h100-sxm",
  gpuCount: 2,
  region: "NORWAY-1",
  priceHourly: 4.8,
  specs: { vcpu: 28, ram: 180, disk: 100 },
};

type Json = Record<string, unknown>;

const read = (content: string, size?: number) => collect(readNative(bytesOf(content, size)));
const readDocument = (document: Json) => read(JSON.stringify({ ...header, ...document }, null, 2));
const readLines = (...records: unknown[]) =>
  read([header, ...records].map((record) => JSON.stringify(record)).join("\n"));

/** What an offer becomes when it is told like the example above but for some members. */
async function readOffer(changes: Json, providerChanges: Json = {}): Promise<SourceItem | undefined> {
  const items = await readDocument({
    providers: [{ ...provider, ...providerChanges }],
    offers: [{ ...offer, ...changes }],
  });
  return items[1];
}

const published = async (changes: Json, providerChanges?: Json) => {
  const item = await readOffer(changes, providerChanges);
  if (item?.kind !== "offer") throw new Error(JSON.stringify(item));
  return item.offer;
};

/** An item without its place. */
function contentOf(item: SourceItem): SourceItem {
  return { ...item, where: "" };
}

describe("an offer", () => {
  test("is completed with everything that it may leave out", async () => {
    expect(await readOffer({})).toEqual({
      kind: "offer",
      where: "offers[0]",
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

  test("may name its GPU by slug or by a known spelling", async () => {
    expect((await published({ gpu: "NVIDIA H100 SXM5 80GB" })).gpu.slug).toBe("h100-sxm");
    expect((await published({ gpu: "a100-sxm-40gb" })).gpu.vramGB).toBe(40);
  });

  test("may describe a GPU that the table does not have", async () => {
    const gpu = { name: "Rubin", slug: "rubin", vramGB: 288, architecture: "Rubin" };
    expect(await published({ gpu })).toMatchObject({ gpu, nvlinkEnabled: false });
  });

  test.each([
    ["Voodoo2", "unknown_gpu"],
    ["A100", "ambiguous_gpu"],
    ["A100 4GB", "vram_mismatch"],
    ["Inferentia", "not_a_gpu"],
  ])("of a GPU called %s is refused as %s", async (gpu, code) => {
    expect(await readOffer({ gpu })).toMatchObject({ kind: "refusal", code, countsAsGpuRow: code !== "not_a_gpu" });
  });

  test("takes its id, or gets the one of its provider, type and region", async () => {
    const id = "5b0c1f0e-6f0a-5c1e-9a53-0d8a3c5b7e11";
    expect((await published({ id })).id).toBe(id);
    expect((await published({ id, instanceType: undefined })).id).toBe(id);
    expect(await readOffer({ instanceType: undefined })).toMatchObject({
      code: "invalid_offer",
      reason: "The offer is not valid: instanceType is required where there is no id.",
    });
    expect(await readOffer({ id: "not a uuid" })).toMatchObject({ code: "invalid_offer" });
    expect(await readOffer({ id: id.toUpperCase() })).toMatchObject({ code: "invalid_offer" });
  });

  test("may tell its place in three ways", async () => {
    const info = { countryCode: "SE", countryName: "Sweden", cityState: "Luleå", continent: "Europe" };
    expect((await published({ regionInfo: info })).regionInfo).toEqual(info);
    expect((await published({ countryCode: "SE", cityState: "Luleå" })).regionInfo).toEqual(info);
    expect((await published({ countryCode: "SE" })).regionInfo).toEqual({ ...info, cityState: "" });
    expect((await published({ cityState: "Oslo" })).regionInfo).toMatchObject({ countryCode: "NO", cityState: "Oslo" });
    expect((await published({ region: "moon" })).regionInfo).toMatchObject({ countryCode: "ZZ", continent: "Unknown" });
  });

  test.each([
    [{ countryCode: "XX" }, "unknown_country", "countryCode is XX, which is no ISO 3166-1 alpha-2 code in capitals."],
    [{ countryCode: "no" }, "unknown_country", "countryCode is no, which is no ISO 3166-1 alpha-2 code in capitals."],
    [
      {
        countryCode: "NO",
        regionInfo: { countryCode: "NO", countryName: "Norway", cityState: "", continent: "Europe" },
      },
      "invalid_offer",
      "The offer is not valid: regionInfo stands instead of countryCode and cityState, not beside them.",
    ],
    [
      { regionInfo: { countryCode: "NO", countryName: "Norway", cityState: "", continent: "europe" } },
      "invalid_offer",
      expect.stringContaining("regionInfo.continent: "),
    ],
  ])("with the place %j is refused as %s", async (changes, code, reason) => {
    expect(await readOffer(changes)).toMatchObject({ kind: "refusal", where: "offers[0]", code, reason });
  });

  test("takes its own storage terms, else those of its provider, else none", async () => {
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
    [{ storageCostPerGB: 0 }, "storageCostPerGB, storageMinGB and storageMaxGB stand together and without storage."],
    [
      { storageCostPerGB: 0, storageMinGB: 0, storageMaxGB: 0, storage: { costPerGB: 0, minGB: 0, maxGB: 0 } },
      "storageCostPerGB, storageMinGB and storageMaxGB stand together and without storage.",
    ],
    [{ storage: { costPerGB: 0, minGB: 2, maxGB: 1 } }, "storage: minGB must not be above maxGB."],
    [{ storage: { costPerGB: 0, minGB: 1 } }, "storage.maxGB: "],
    [
      { storageCostPerGB: 0, storageMinGB: 2, storageMaxGB: 1 },
      "storageMinGB: must not be above storageMaxGB (2 > 1).",
    ],
    [{ priceHourley: 1 }, 'Unrecognized key: "priceHourley".'],
    [{ specs: { vcpu: 1, ram: 1, disk: 1, gpu: 1 } }, 'specs: Unrecognized key: "gpu".'],
    [{ priceHourly: 0 }, "priceHourly: must be above 0."],
    [{ priceHourly: -1 }, "priceHourly: must be a price from 0 with at most 6 decimals."],
    [{ priceHourly: 1.656_799_999_9 }, "priceHourly: must be a price from 0 with at most 6 decimals."],
    [{ priceHourly: "4.8" }, "priceHourly: "],
    [{ priceHourly: null }, "priceHourly: "],
    [{ pricePerGpu: 2.5 }, "pricePerGpu: must be priceHourly / gpuCount = 2.4, not 2.5."],
    [{ gpuCount: 0 }, "gpuCount: "],
    [{ gpuCount: 1.5 }, "gpuCount: "],
    [{ region: "" }, "region: "],
    [{ region: "a\u202eb" }, "region: must not hold control characters."],
    [{ deploymentType: "serverless" }, "deploymentType: "],
    [{ interconnect: "" }, "interconnect: "],
    [{ interconnect: { type: "IB" } }, "interconnect: "],
    [{ isAvailable: "yes" }, "isAvailable: "],
    [{ gpu: { name: "X", slug: "X", vramGB: 1, architecture: "X" } }, "gpu.slug: "],
    [{ gpu: { name: "X", slug: "x", vramGB: 0, architecture: "X" } }, "gpu"],
  ])("with %j is refused", async (changes, fault) => {
    const item = await readOffer(changes);
    expect(item).toMatchObject({ kind: "refusal", where: "offers[0]", code: "invalid_offer", countsAsGpuRow: true });
    expect(item).toMatchObject({ reason: expect.stringContaining(`The offer is not valid: ${fault}`) });
  });

  test("has what it states rather than a default", async () => {
    const stated = {
      isAvailable: false,
      deploymentType: "bare-metal",
      nvlinkEnabled: false,
      interconnect: "InfiniBand 3200 Gbps",
      pricePerGpu: 2.4,
    };
    expect(await published(stated)).toMatchObject(stated);
  });

  test("is deployed as the type of its provider says", async () => {
    expect((await published({}, { type: "container" })).deploymentType).toBe("container");
    expect((await published({}, { type: "bare-metal" })).deploymentType).toBe("bare-metal");
  });

  test("has NVLink by default where its cards always have it and there are two", async () => {
    expect((await published({ gpuCount: 1, priceHourly: 2 })).nvlinkEnabled).toBe(false);
    expect((await published({ gpu: "h100-pcie" })).nvlinkEnabled).toBe(false);
    const gpu = { name: "H100 SXM", slug: "h100-sxm", vramGB: 80, architecture: "Hopper" };
    expect((await published({ gpu })).nvlinkEnabled).toBe(true);
  });

  test("of an unknown provider is refused", async () => {
    expect(await readOffer({ provider: "elsewhere" })).toMatchObject({
      code: "unknown_provider",
      reason: "The provider elsewhere is not named before the offer.",
    });
    expect(await readOffer({ provider: "__proto__" })).toMatchObject({ code: "unknown_provider" });
  });

  test("whose id came before is refused, and the first one is named", async () => {
    const items = await readDocument({ providers: [provider], offers: [offer, { ...offer, priceHourly: 1 }] });
    expect(items[2]).toMatchObject({
      kind: "refusal",
      where: "offers[1]",
      code: "duplicate",
      reason: `The offer ${offerId("hyperstack", "n3-H100x2", "NORWAY-1")} came before, at offers[0].`,
    });
  });
});

describe("a provider", () => {
  const other = { ...image, id: "other", slug: "other", isDefault: false };

  test("comes with its images, and with the instance types that restrict one", async () => {
    const images = [image, { ...other, instanceTypes: ["n3-H100x1"] }];
    const [item] = await readDocument({ providers: [{ ...provider, images }] });
    expect(item).toEqual({
      kind: "provider",
      where: "providers[0]",
      provider: { name: "hyperstack", type: "vm", images },
    });
  });

  test("may have no images", async () => {
    expect(await readDocument({ providers: [provider] })).toMatchObject([{ provider: { images: [] } }]);
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
  ])("with %j ends the reading", async (changes, fault) => {
    const result = readDocument({ providers: [{ ...provider, ...changes }] });
    await expect(result).rejects.toThrow(`providers[0]: The provider is not valid: ${fault}`);
    await expect(result).rejects.toThrow(SourceError);
  });

  test("that comes twice ends the reading", async () => {
    await expect(readDocument({ providers: [provider, provider] })).rejects.toThrow(
      "providers[1]: The provider hyperstack came before. Join the two.",
    );
  });
});

describe("the two shapes", () => {
  const records = [{ provider: { ...provider, images: [image] } }, { offer }, { offer: { ...offer, region: "US-1" } }];

  test("carry the same things", async () => {
    const lines = await readLines(...records);
    const document = await readDocument({
      providers: [{ ...provider, images: [image] }],
      offers: [offer, { ...offer, region: "US-1" }],
    });
    expect(lines.map(contentOf)).toEqual(document.map(contentOf));
    expect(lines.map(({ where }) => where)).toEqual(["line 2", "line 3", "line 4"]);
    expect(document.map(({ where }) => where)).toEqual(["providers[0]", "offers[0]", "offers[1]"]);
  });

  test("are told apart on one line, with blank lines before, with CRLF and with a byte order mark", async () => {
    expect(await read(JSON.stringify({ ...header, providers: [provider] }))).toHaveLength(1);
    const ndjson = [header, ...records].map((record) => JSON.stringify(record));
    expect(await read(`\n \n${ndjson.join("\n")}`)).toHaveLength(3);
    expect(await read(`\ufeff${ndjson.join("\r\n")}\r\n`)).toHaveLength(3);
    expect(await read(ndjson.join("\n"), 1)).toHaveLength(3);
    expect(await read(`\n\n${JSON.stringify({ ...header, providers: [provider] }, null, 2)}`, 3)).toHaveLength(1);
  });

  test("are told apart when the document is one line that is longer than any record", async () => {
    const offers = Array.from({ length: 8000 }, (_, index) => ({ ...offer, region: `US-${index}` }));
    const content = JSON.stringify({ ...header, providers: [provider], offers });
    expect(content.length).toBeGreaterThan(1_100_000);
    expect(offersOf(await read(content))).toHaveLength(8000);
  });

  test("may hold nothing but their header", async () => {
    expect(await read(JSON.stringify(header))).toEqual([]);
    expect(await readDocument({ providers: [] })).toEqual([]);
  });

  test("say asOf as a date or as a timestamp in UTC", async () => {
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

describe("a line of NDJSON", () => {
  test("that is neither provider nor offer is refused, and the reading goes on", async () => {
    const reason = 'The line must be {"provider": ...} or {"offer": ...} and nothing else.';
    const wrong = [{}, [], 5, null, { image }, { offer, provider }, { offer, note: "" }];
    const items = await readLines({ provider }, ...wrong, { offer });
    expect(items).toHaveLength(wrong.length + 2);
    for (const [index, item] of items.slice(1, -1).entries()) {
      expect(item).toEqual({
        kind: "refusal",
        where: `line ${index + 3}`,
        code: "bad_row",
        reason,
        countsAsGpuRow: true,
      });
    }
    expect(items.at(-1)?.kind).toBe("offer");
  });

  test("that is not JSON, or too heavy, is refused with its number", async () => {
    const lines = [header, { provider }].map((record) => JSON.stringify(record));
    const items = await read([...lines, "{oops}", "", "[".repeat(100), JSON.stringify({ offer })].join("\n"));
    expect(items).toMatchObject([
      { kind: "provider", where: "line 2" },
      { where: "line 3", code: "bad_row", reason: expect.stringMatching(/^The line cannot be read: it is not JSON: /) },
      { where: "line 5", code: "bad_row", reason: "The line cannot be read: it is nested deeper than 64 levels." },
      { kind: "offer", where: "line 6" },
    ]);
  });

  test("with a provider after its offers leaves those refused", async () => {
    const items = await readLines({ offer }, { provider }, { offer });
    expect(items.map(({ kind }) => kind)).toEqual(["refusal", "provider", "offer"]);
    expect(items[0]).toMatchObject({ code: "unknown_provider", where: "line 2" });
  });

  test("with a faulty provider ends the reading with its number", async () => {
    await expect(readLines({ provider }, { provider })).rejects.toMatchObject({ where: "line 3" });
  });
});

describe("a source", () => {
  test.each([
    ["nothing", "", "The file is empty."],
    ["white space", " \n\n", "The file is empty."],
    ["no JSON", "InstanceType,Price\n", "The file cannot be read as JSON: it is not JSON: "],
    [
      "a cut document",
      '{"format": "gpu-offers/1",\n"providers": [',
      "The file cannot be read as JSON: it is not JSON: ",
    ],
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
      "offers that are no list",
      '{"format":"gpu-offers/1","asOf":"2026-11-01","providers":[],"offers":{}}',
      "The document is not a native catalog: offers: ",
    ],
    [
      "__proto__",
      '{"format":"gpu-offers/1","asOf":"2026-11-01","providers":[],"__proto__":{}}',
      'The document is not a native catalog: Unrecognized key: "__proto__".',
    ],
  ])("with %s is refused as a whole", async (_name, content, message) => {
    await expect(read(content)).rejects.toThrow(SourceError);
    await expect(read(content)).rejects.toThrow(message);
  });

  test("with __proto__ in an offer is refused there, and changes nothing", async () => {
    const line = `{"offer":${JSON.stringify(offer).replace("{", '{"__proto__":{"polluted":true},')}}`;
    const items = await read([JSON.stringify(header), JSON.stringify({ provider }), line].join("\n"));
    expect(items[1]).toMatchObject({ code: "invalid_offer", reason: expect.stringContaining("__proto__") });
    expect(({} as Json)["polluted"]).toBeUndefined();
  });

  test("with a member twice has the last one", async () => {
    const line = `{"offer":${JSON.stringify(offer).replace("{", '{"gpuCount":7,')}}`;
    const items = await read([JSON.stringify(header), JSON.stringify({ provider }), line].join("\n"));
    expect(items[1]).toMatchObject({ kind: "offer", offer: { gpuCount: 2 } });
  });

  test("with bytes that are not UTF-8 is refused with their line", async () => {
    const content = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n"`), Buffer.from([0xff, 0x22])]);
    await expect(collect(readNative(bytesOf(content)))).rejects.toThrow("line 2: The bytes are not UTF-8.");
  });

  test("is closed when the reader stops early", async () => {
    let isClosed = false;
    async function* watched(): AsyncGenerator<Uint8Array> {
      try {
        for (const record of [header, { provider }, { offer }]) yield Buffer.from(`${JSON.stringify(record)}\n`);
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

  test("of any JSON at all ends in valid items or a SourceError", async () => {
    const value = fc.oneof(
      fc.json(),
      fc.constantFrom("1e999", "-0", '"\\ud800"', "{}", "[]", '{"__proto__":1}', "null"),
    );
    const key = fc.constantFrom(...Object.keys(offer), "id", "countryCode", "storage", "pricePerGpu", "__proto__");
    const faulty = fc
      .tuple(key, value)
      .map(([name, text]) => `{"offer":${JSON.stringify(offer).slice(0, -1)},"${name}":${text}}}`);
    const line = fc.oneof(faulty, value, fc.string({ unit: "binary" }), fc.constant(JSON.stringify({ provider })));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 4 }), fc.boolean(), async (lines, withHeader) => {
        const content = [...(withHeader ? [JSON.stringify(header), JSON.stringify({ provider })] : []), ...lines].join(
          "\n",
        );
        const items = await read(content).catch((error: unknown) => error);
        expect(items instanceof SourceError || Array.isArray(items)).toBe(true);
        for (const valid of Array.isArray(items) ? offersOf(items) : [])
          expect(publishedOfferSchema.parse(valid)).toEqual(valid);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("docs/native-format.md", () => {
  const text = readFileSync(new URL("../../../../docs/native-format.md", import.meta.url), "utf8");
  const example = /```json\n(.*?)```/s.exec(text)?.[1] ?? "";

  test("shows a document that is read without a refusal", async () => {
    const items = await read(example);
    expect(items.map(({ kind }) => kind)).toEqual(["provider", "offer"]);
    expect(items[0]).toMatchObject({ provider: { images: [{ instanceTypes: ["n3-H100x1"] }] } });
  });

  test("names every member of an offer and of a provider", () => {
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
    for (const member of members) expect(text).toMatch(new RegExp(`\\|[^|]*\\b${member}\\b[^|]*\\|`));
  });
});
