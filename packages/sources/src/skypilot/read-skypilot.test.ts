import { publishedOfferSchema, UNKNOWN_LISTING_FACTS } from "@gpu-offers/domain";
import * as fc from "fast-check";
import { anyText } from "@gpu-offers/domain/offer.fixture";
import { describe, expect, test } from "vitest";
import { offerId } from "../offer-id.js";
import { REJECTIONS } from "../rejection.js";
import { SourceError } from "../source-error.js";
import { bytesOf, collect, ofKind, offersOf, skypilotCsv } from "../source.fixture.js";
import { readSkypilot } from "./read-skypilot.js";
import { read, readRow } from "./read-skypilot.fixture.js";

const header = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region\n";

describe("a row", () => {
  test("becomes an offer with every field filled in", async () => {
    expect(await read(skypilotCsv({ AcceleratorName: "H100-SXM", AvailabilityZone: "use1-az4" }))).toEqual([
      {
        kind: "offer",
        where: "line 2",
        instanceType: "p5.48xlarge",
        offer: {
          id: offerId("aws", "p5.48xlarge", "us-east-1/use1-az4"),
          provider: { name: "aws", slug: "aws" },
          gpu: { name: "H100 SXM", slug: "h100-sxm", vramGB: 80, architecture: "Hopper" },
          gpuCount: 8,
          region: "us-east-1/use1-az4",
          regionInfo: {
            countryCode: "US",
            countryName: "United States",
            cityState: "N. Virginia",
            continent: "North America",
          },
          priceHourly: 98.32,
          pricePerGpu: 12.29,
          isAvailable: true,
          specs: { vcpu: 192, ram: 2048, disk: 0 },
          storageCostPerGB: 0.000_11,
          storageMinGB: 8,
          storageMaxGB: 65_536,
          costDataComplete: true,
          deploymentType: "virtual",
          nvlinkEnabled: true,
          interconnect: "EFA 3200 Gbps",
        },
        listing: {
          ...UNKNOWN_LISTING_FACTS,
          availability: "listed",
          instanceType: "p5.48xlarge",
          seller: "cloud",
          storage: expect.objectContaining({ product: "EBS gp3", pricePerGbMonth: 0.08 }),
        },
      },
    ]);
  });

  test("with huge texts is rejected immediately", async () => {
    const started = process.cpuUsage();
    for (const column of ["InstanceType", "AcceleratorName", "GpuInfo", "Price", "Region", "AvailabilityZone"]) {
      for (const text of ["{\\'", "{'", "1", "-1", "x1", "::"]) {
        const row = { [column]: text.repeat(30_000) };
        expect(await readRow(row, { provider: "vast" })).toMatchObject({ code: "bad_row" });
      }
    }
    // Reading them once takes 0.2 s; as often as they are long, minutes.
    expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
  });

  test.each(["default", "earth", "global", "unknown", "world", "Worldwide"])(
    "of the region %s is not available, because that is no place",
    async (Region) => {
      const [offer] = offersOf(await read(skypilotCsv({ Region })));
      expect([offer?.region, offer?.isAvailable]).toEqual([Region, false]);
    },
  );

  test("without an accelerator is skipped, whatever else it contains", async () => {
    expect(await readRow({ AcceleratorName: "", Price: "x", Region: "" })).toEqual({
      kind: "skipped",
      where: "line 2",
    });
    expect(await readRow({ AcceleratorName: "  " })).toMatchObject({ kind: "skipped" });
  });

  test.each([
    [{ AcceleratorCount: "0" }, "bad_count", "AcceleratorCount is 0, which is not a whole number of at least 1."],
    [{ AcceleratorCount: "" }, "bad_count", 'AcceleratorCount is "", which is not a whole number of at least 1.'],
    [{ AcceleratorCount: "NaN" }, "bad_count", "AcceleratorCount is NaN, which is not a whole number of at least 1."],
    [{ AcceleratorCount: "-8" }, "bad_count", "AcceleratorCount is -8, which is not a whole number of at least 1."],
    [{ AcceleratorCount: "1.5" }, "bad_count", "AcceleratorCount is 1.5, which is not a whole number of at least 1."],
    [
      { InstanceType: "t", AcceleratorCount: "1000000000" },
      "invalid_offer",
      expect.stringMatching(/^The offer is not valid: gpuCount: /),
    ],
    [{ InstanceType: "t", AcceleratorName: "Voodoo2" }, "unknown_gpu", "Voodoo2 is not in the table of GPU models."],
    [{ InstanceType: "t", AcceleratorName: "GH200" }, "ambiguous_gpu", "GH200 may be gh200-96gb or gh200-144gb."],
    [{ Price: "" }, "no_price", "Price and SpotPrice are both empty."],
    [{ Price: "0" }, "bad_price", "Price is 0, which is not a positive decimal number."],
    [{ vCPUs: "-1" }, "bad_number", "vCPUs is -1, which is not a non-negative decimal number."],
    [{ MemoryGiB: "1e3" }, "bad_number", "MemoryGiB is 1e3, which is not a non-negative decimal number."],
    [{ StorageGiB: "big" }, "bad_number", "StorageGiB is big, which is not a non-negative decimal number."],
    [{ InstanceType: " " }, "missing_value", "InstanceType is empty."],
    [
      { Region: "a\u202eb" },
      "invalid_offer",
      expect.stringContaining("region: must not contain control or invisible characters"),
    ],
    [{ Region: "x".repeat(1001) }, "bad_row", "Region is too long to mean anything."],
    [{ Region: "x".repeat(201) }, "invalid_offer", expect.stringContaining("region: ")],
    [{ GpuInfo: "{'Gpus': []}" }, "bad_gpu_info", expect.stringContaining("does not describe one kind of GPU")],
  ])("with %j is rejected as %s", async (row, code, reason) => {
    expect(await readRow(row)).toMatchObject({
      kind: "rejection",
      where: "line 2",
      code,
      reason,
      countsAsGpuRow: true,
    });
  });

  test("with a share of a card doesn't count as a GPU row", async () => {
    expect(await readRow({ AcceleratorCount: "0.125" })).toEqual({
      kind: "rejection",
      where: "line 2",
      code: "fractional_gpu",
      reason: "AcceleratorCount is 0.125, which is a share of a card.",
      countsAsGpuRow: false,
    });
  });

  test("with an accelerator that is not a GPU doesn't count as a GPU row", async () => {
    expect(await readRow({ AcceleratorName: "Inferentia", Price: "" })).toEqual({
      kind: "rejection",
      where: "line 2",
      code: "not_a_gpu",
      reason: "Inferentia is not a GPU but Inferentia.",
      countsAsGpuRow: false,
    });
  });

  test("with too many or too few fields is rejected with its line", async () => {
    const items = await read(`${header}a,H100,1,1,1,1\nb,H100,1,1,1,1,us-east-1\nc,H100,1,1,1,1,us-east-1,\n`);
    expect(items).toMatchObject([
      { kind: "rejection", where: "line 2", code: "bad_row", reason: "The row has 6 fields and the header 7." },
      { kind: "offer", where: "line 3" },
      { kind: "rejection", where: "line 4", code: "bad_row", reason: "The row has 8 fields and the header 7." },
    ]);
  });

  test("with only a spot price is rejected, and doesn't count against the limit", async () => {
    expect(await readRow({ Price: "", SpotPrice: "1.5" })).toMatchObject({
      code: "spot_only",
      reason: expect.stringContaining("SpotPrice is 1.5") as string,
      countsAsGpuRow: false,
    });
  });

  test("without a region is an offer in an unknown region", async () => {
    expect(await readRow({ Region: "" })).toMatchObject({
      offer: { region: "unknown", regionInfo: { countryCode: "ZZ" } },
    });
    expect(await readRow({ Region: "", AvailabilityZone: "us-west-2-lax-1a" })).toMatchObject({
      offer: { region: "us-west-2-lax-1a", regionInfo: { cityState: "Los Angeles" } },
    });
  });

  test("with the same identity as a dearer row of a price list contradicts it, in any order", async () => {
    const dearFirst = await read(skypilotCsv({}, { Price: "1" }, { Region: "us-east-2" }, { InstanceType: "p5e" }));
    expect(dearFirst.map(({ kind }) => kind)).toEqual(["offer", "rejection", "offer", "offer"]);
    expect(dearFirst[1]).toMatchObject({
      code: "contradiction",
      countsAsGpuRow: false,
      reason: "p5.48xlarge in us-east-1 costs 98.32 in line 2, and 1 here.",
    });
    const dearLast = await read(skypilotCsv({ Price: "1" }, { Price: "2" }, {}));
    expect(dearLast).toMatchObject([
      { reason: "p5.48xlarge in us-east-1 costs 98.32 in line 4, and 1 here." },
      { reason: "p5.48xlarge in us-east-1 costs 98.32 in line 4, and 2 here." },
      { offer: { priceHourly: 98.32 } },
    ]);
    const same = await read(skypilotCsv({}, {}));
    expect(same).toMatchObject([
      { kind: "offer" },
      { reason: "p5.48xlarge in us-east-1 is a duplicate of line 2, which has the same price." },
    ]);
  });

  test("with the same identity as a cheaper row of a marketplace is a duplicate of it, in any order", async () => {
    const row = { InstanceType: "1x-H100-32-65536", AcceleratorCount: "1", AcceleratorName: "H100", GpuInfo: "" };
    for (const provider of ["vast", "runpod", "shadeform"]) {
      const cheapLast = await read(skypilotCsv(row, { ...row, Price: "1" }), { provider });
      expect(cheapLast).toMatchObject([
        {
          code: "duplicate",
          reason: expect.stringContaining("is a duplicate of line 3, which has the lower price of 1."),
        },
        { offer: { priceHourly: 1 } },
      ]);
    }
    // The tables, not the name, say what a provider is.
    const renamed = await read(skypilotCsv(row, { ...row, Price: "1" }), { provider: "mine", tables: "vast" });
    expect(ofKind(renamed, "rejection").map(({ code }) => code)).toEqual(["duplicate"]);
  });

  test("states what one rents, and the spot price", async () => {
    const listing = async (row: Record<string, string>, provider: string) =>
      ofKind(await read(skypilotCsv(row), { provider }), "offer").map((item) => item.listing)[0];
    expect(await listing({ SpotPrice: "40.5" }, "aws")).toMatchObject({
      availability: "listed",
      instanceType: "p5.48xlarge",
      toolNames: {},
      seller: "cloud",
      spot: { priceHourly: 40.5, kind: "price" },
    });
    // Not below the on-demand price, and none.
    expect((await listing({ SpotPrice: "98.32" }, "aws"))?.spot).toBeNull();
    expect((await listing({ SpotPrice: "0.00" }, "aws"))?.spot).toBeNull();
    const card = { AcceleratorName: "H100", AcceleratorCount: "1", Price: "2", GpuInfo: "" };
    expect(await listing({ ...card, InstanceType: "1x_H100_SECURE", SpotPrice: "1" }, "runpod")).toMatchObject({
      instanceType: null,
      availability: "unknown",
      toolNames: { sky: "1x_H100_SECURE" },
      seller: "partner",
      spot: { priceHourly: 1, kind: "bid" },
    });
    expect(await listing({ ...card, InstanceType: "1x_H100_COMMUNITY" }, "runpod")).toMatchObject({ seller: "host" });
    const verda = { ...card, InstanceType: "1H100.80S.30V", UpstreamCloudId: "1H100.80S.30V" };
    expect(await listing(verda, "verda")).toMatchObject({ instanceType: "1H100.80S.30V", toolNames: {} });
    expect(await listing({ ...card, InstanceType: "h100.1", SpotPrice: "1.5" }, "mithril")).toMatchObject({
      instanceType: null,
      spot: { priceHourly: 1.5, kind: "bid" },
    });
  });

  test("that is rejected doesn't make later rows duplicates", async () => {
    const items = await read(skypilotCsv({ Price: "" }, {}));
    expect(items.map(({ kind }) => kind)).toEqual(["rejection", "offer"]);
  });

  test("that is rejected has its own reason, also after another", async () => {
    const items = await read(skypilotCsv({ Price: "free" }, { Price: "" }, { InstanceType: "" }, { InstanceType: "" }));
    expect(ofKind(items, "rejection").map(({ code }) => code)).toEqual([
      "bad_price",
      "no_price",
      "missing_value",
      "missing_value",
    ]);
  });

  test.each([
    ["fluidstack", "H100_PCIE_80GB::16", "h100-pcie"],
    ["lambda", "gpu_16x_h100_sxm5", "h100-sxm"],
    ["vast", "16x-H100_PCIE-32-65536", "h100-pcie"],
    ["shadeform", "hyperstack_H100-sxm5x16-2", "h100-sxm"],
  ])("of %s has the GPU in its type %s", async (provider, InstanceType, slug) => {
    const row = { InstanceType, AcceleratorCount: "16", AcceleratorName: "H100" };
    const item = await readRow(row, { provider });
    expect(item).toMatchObject({ kind: "offer", offer: { gpu: { slug }, gpuCount: 16 } });
  });

  test("has NVLink if its cards always have it, or if it is stated, and never with one card", async () => {
    const rows = [
      { InstanceType: "t", AcceleratorName: "H100-SXM", AcceleratorCount: "2" },
      { InstanceType: "t", AcceleratorName: "H100-SXM", AcceleratorCount: "1", Region: "us-east-2" },
      { InstanceType: "t", AcceleratorName: "H100", Region: "us-west-1" },
      { InstanceType: "t", AcceleratorName: "H100-80G-PCIe-NVLink", Region: "us-west-2" },
      { InstanceType: "t", AcceleratorName: "H100-80G-PCIe-NVLink", AcceleratorCount: "1", Region: "eu-west-1" },
      { InstanceType: "n3-H100x8-NVLink" },
    ];
    const offers = offersOf(await read(skypilotCsv(...rows)));
    expect(offers.map(({ nvlinkEnabled }) => nvlinkEnabled)).toEqual([true, false, false, true, false, true]);
  });

  test("has the documented count and NVLink of its type, despite what it states", async () => {
    const row = { InstanceType: "Standard_ND96isr_H100_v5", AcceleratorCount: "12" };
    expect(await readRow(row, { provider: "azure" })).toMatchObject({
      offer: { gpuCount: 8, pricePerGpu: 12.29, nvlinkEnabled: true, interconnect: "InfiniBand 3200 Gbps" },
    });
    expect(await readRow(row)).toMatchObject({ offer: { gpuCount: 12, nvlinkEnabled: false, interconnect: null } });
  });

  test("with a documented type that has a share of a card is rejected", async () => {
    const row = { InstanceType: "Standard_NV6ads_A10_v5", AcceleratorName: "A10", AcceleratorCount: "1" };
    expect(await readRow(row, { provider: "azure" })).toMatchObject({
      code: "fractional_gpu",
      reason: expect.stringContaining("Standard_NV6ads_A10_v5 has 1/6 of a card (https://"),
    });
  });

  test("with a different card than its documented type is rejected", async () => {
    expect(await readRow({ AcceleratorName: "L4" })).toMatchObject({
      code: "conflicting_gpu",
      reason: expect.stringMatching(/^p5\.48xlarge has H100 SXM \(https:.*\), but the row names L4\.$/),
    });
  });

  test("has the documented vCPUs and memory if it states none, or an impossible number of vCPUs", async () => {
    expect(await readRow({ vCPUs: "", MemoryGiB: "" })).toMatchObject({ offer: { specs: { vcpu: 192, ram: 2048 } } });
    expect(await readRow({ vCPUs: "2048" })).toMatchObject({ offer: { specs: { vcpu: 192 } } });
    expect(await readRow({ InstanceType: "t", vCPUs: "2048" })).toMatchObject({ offer: { specs: { vcpu: 0 } } });
  });

  test("has the disk that the file states, fixed and included", async () => {
    const [offer] = offersOf(await read(skypilotCsv({ StorageGiB: "300.7" }), { provider: "hyperbolic" }));
    expect(offer).toMatchObject({
      specs: { disk: 300 },
      storageCostPerGB: 0,
      storageMinGB: 300,
      storageMaxGB: 300,
      costDataComplete: true,
    });
  });

  test("of mithril has only a spot price if both prices are the minimum bid", async () => {
    const row = { Price: "8.0", SpotPrice: "8.0" };
    expect(await readRow(row, { provider: "mithril" })).toMatchObject({ code: "spot_only" });
    expect(await readRow({ ...row, Price: "9.0" }, { provider: "mithril" })).toMatchObject({ kind: "offer" });
    expect(await readRow(row)).toMatchObject({ kind: "offer" });
  });

  test("of nebius names RTX PRO 6000 cards after their platform", async () => {
    const row = { InstanceType: "gpu-rtx6000_1gpu-24vcpu-218gb", AcceleratorName: "RTX6000", AcceleratorCount: "1" };
    const offer = { gpu: { slug: "rtx-pro-6000-server" } };
    expect(await readRow(row, { provider: "nebius" })).toMatchObject({ kind: "offer", offer });
  });

  test.each(["1x-RTX_4070_Laptop-32-65536", "1x-RTX_2070_Max-Q-32-65536"])(
    "of vast with the full name of an unknown card in %s is not the card of the truncated name",
    async (InstanceType) => {
      const AcceleratorName = `RTX${/\d{4}/.exec(InstanceType)?.[0]}`;
      const item = await readRow({ InstanceType, AcceleratorName, AcceleratorCount: "1" }, { provider: "vast" });
      expect(item).toMatchObject({ code: "unknown_gpu" });
    },
  );

  test.each(["runpod", "lambda", "lambdalabs"])("of %s doesn't imply availability", async (provider) => {
    expect(offersOf(await read(skypilotCsv({}), { provider }))[0]?.isAvailable).toBe(false);
  });

  test("of runpod or paperspace has unknown memory if it states that of the GPUs", async () => {
    expect(await readRow({ MemoryGiB: "640.0" }, { provider: "runpod" })).toMatchObject({
      offer: { specs: { ram: 0 } },
    });
    expect(await readRow({ MemoryGiB: "641" }, { provider: "runpod" })).toMatchObject({
      offer: { specs: { ram: 641 } },
    });
    expect(await readRow({ MemoryGiB: "640" }, { provider: "paperspace" })).toMatchObject({
      offer: { specs: { ram: 0 } },
    });
    expect(await readRow({ MemoryGiB: "640" })).toMatchObject({ offer: { specs: { ram: 640 } } });
  });

  test.each([
    ["vm", "virtual"],
    ["container", "container"],
    ["bare-metal", "bare-metal"],
  ] as const)("of a provider of type %s is deployed as %s", async (type, deploymentType) => {
    expect(offersOf(await read(skypilotCsv({}), { type }))[0]).toMatchObject({ deploymentType });
  });
});

describe("a file", () => {
  test("can have columns in any order, additional columns, and lack optional ones", async () => {
    const content =
      "Region,Price,Extra,vCPUs,MemoryGiB,AcceleratorCount,AcceleratorName,InstanceType\nUS,1,x,2,3,1,L4,t\n";
    expect(offersOf(await read(content, { provider: "p" }))).toMatchObject([
      { gpu: { slug: "l4" }, priceHourly: 1, specs: { vcpu: 2, ram: 3 }, region: "US" },
    ]);
  });

  test("reads the same with LF, with CRLF and with a byte order mark", async () => {
    const content = skypilotCsv({}, { AcceleratorName: "" }, { Region: "us-west-2" });
    const items = await read(content);
    expect(await read(content.replaceAll("\n", "\r\n"))).toEqual(items);
    expect(await read(`\ufeff${content}`)).toEqual(items);
    expect(await collect(readSkypilot(bytesOf(content, 1), { provider: "aws" }))).toEqual(items);
  });

  test("with only a header is empty", async () => {
    expect(await read(header)).toEqual([]);
  });

  test.each([
    ["nothing", "", "The file is empty."],
    ["blank lines", "\n\n", "The file is empty."],
    ["no header", "a,H100,1,1,1,1,us-east-1\n", "line 1: The header has no column InstanceType, AcceleratorName"],
    ["no price", "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Region\n", "has no column Price. "],
    ["a column twice", `Price,${header}`, "line 1: The header has the column Price twice. Remove one."],
    ["JSON", '{"offers": []}', "line 1: "],
    ["CR line endings", `${header}a,H100,1,1,1,1,us-east-1\n`.replaceAll("\n", "\r"), "line 1: The lines end with CR."],
    ["a broken quote", `${header}a"b,H100,1,1,1,1,us-east-1\n`, "line 2: Unexpected quote."],
    ["a huge row", `${header}${"x".repeat(1_100_000)}`, "line 2: The row is longer than 1048576 bytes"],
  ])("with %s is rejected as a whole", async (_name, content, message) => {
    await expect(read(content)).rejects.toThrow(SourceError);
    await expect(read(content)).rejects.toThrow(message);
  });

  test("with bytes that are not UTF-8 is rejected with their line", async () => {
    const bytes = Buffer.concat([Buffer.from(skypilotCsv({}, {})), Buffer.from([0xff, 0x0a])]);
    await expect(read(bytes)).rejects.toThrow("line 4: The bytes are not UTF-8.");
  });

  test.each([
    [{ provider: "AWS" }, "AWS is not a valid provider name"],
    [{ provider: "a/b" }, '"a/b" is not a valid provider name'],
    [{ provider: "" }, '"" is not a valid provider name'],
  ])("with the options %j is rejected", async (options, message) => {
    await expect(read(skypilotCsv({}), options)).rejects.toThrow(message);
  });
});

describe("for any file", () => {
  const options = { provider: "vast" };

  test("bytes give items or a SourceError", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.boolean(), async (bytes, withHeader) => {
        const content = withHeader ? Buffer.concat([Buffer.from(header), bytes]) : bytes;
        const items = await collect(readSkypilot(bytesOf(content, 7), options)).catch((error: unknown) => error);
        expect(Array.isArray(items) || items instanceof SourceError).toBe(true);
      }),
      { seed: 20_261_120, numRuns: 500 },
    );
  });

  test("rows give valid offers or documented rejections, one item each", async () => {
    const field = fc.oneof(
      anyText().filter((text) => text.isWellFormed()),
      fc.constantFrom("", "0", "1", "8.0", "-1", "NaN", "1e9", "__proto__", "H100", "A100", "{'Gpus': [{}]}", "US"),
    );
    const columns = ["InstanceType", "AcceleratorName", "AcceleratorCount", "GpuInfo", "Price", "SpotPrice", "Region"];
    const row = fc.record(Object.fromEntries(columns.map((name) => [name, field])), { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 4 }), async (rows) => {
        const items = await collect(readSkypilot(bytesOf(skypilotCsv(...rows)), options));
        expect(items).toHaveLength(rows.length);
        for (const offer of offersOf(items)) {
          expect(publishedOfferSchema.parse(offer)).toEqual(offer);
        }
        for (const { code, reason } of ofKind(items, "rejection")) {
          expect(Object.keys(REJECTIONS)).toContain(code);
          expect(reason).toMatch(/^[^\n]+\.$/);
        }
      }),
      { seed: 20_261_120, numRuns: 500 },
    );
  });
});
