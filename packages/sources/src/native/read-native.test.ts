import { readFileSync } from "node:fs";
import { publishedOfferSchema } from "@gpu-offers/domain";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseGpuAliases } from "../gpu-alias.js";
import { openCatalog } from "../open-catalog.js";
import { SourceError } from "../source-error.js";
import type { SourceItem } from "../source-item.js";
import { bytesOf, collect, offersOf } from "../source.fixture.js";
import { header, image, offer, provider, read, readDocument, type Json } from "./native.fixture.js";
import { readNative } from "./read-native.js";

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
    const line = fc.oneof(invalid, value, fc.string({ unit: "binary" }), fc.constant(JSON.stringify({ provider })));
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
