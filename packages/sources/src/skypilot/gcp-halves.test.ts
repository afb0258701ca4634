import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SourceItem } from "../source-item.js";
import { bytesOf, collect, ofKind, offersOf, skypilotCsv } from "../source.fixture.js";
import { readSkypilot } from "./read-skypilot.js";

type Row = Partial<Record<string, string>>;

const place = { Region: "us-central1", AvailabilityZone: "us-central1-a" };
const host = (InstanceType: string, Price: string, row: Row = {}): Row => ({
  ...place,
  InstanceType,
  Price,
  AcceleratorName: "",
  AcceleratorCount: "",
  vCPUs: "",
  MemoryGiB: "",
  ...row,
});
const cards = (AcceleratorName: string, AcceleratorCount: string, Price: string, row: Row = {}): Row => ({
  ...place,
  InstanceType: "",
  AcceleratorName,
  AcceleratorCount,
  Price,
  GpuInfo: AcceleratorName,
  vCPUs: "",
  MemoryGiB: "",
  ...row,
});

const readGcp = (...rows: Row[]) => collect(readSkypilot(bytesOf(skypilotCsv(...rows)), { provider: "gcp" }));

/** `line 2: 3.67339 1 a100-sxm-40gb`, or the code of the rejection. */
const summary = (item: SourceItem) => {
  if (item.kind === "offer") {
    return `${item.where}: ${item.offer.priceHourly} ${item.offer.gpuCount} ${item.offer.gpu.slug}`;
  }
  return `${item.where}: ${item.kind === "rejection" ? item.code : item.kind}`;
};

describe("a GPU machine of Google Cloud", () => {
  test("costs the sum of its host and its cards, in its zone", async () => {
    const [offer] = offersOf(await readGcp(host("a2-highgpu-8g", "5.91582"), cards("A100", "8", "23.47128")));
    expect(offer).toMatchObject({
      gpu: { slug: "a100-sxm-40gb" },
      gpuCount: 8,
      region: "us-central1-a",
      regionInfo: { countryCode: "US" },
      priceHourly: 29.3871,
      pricePerGpu: 3.673388,
      specs: { vcpu: 96, ram: 680 },
      nvlinkEnabled: true,
    });
  });

  // Prices of us-central1 in files from 2024 and 2026.
  test.each([
    ["a2-highgpu-1g", "0.73948", "A100", "1", "2.93391", "3.67339 1 a100-sxm-40gb"],
    ["a2-megagpu-16g", "8.79698", "A100", "16", "46.94252", "55.7395 16 a100-sxm-40gb"],
    ["a2-ultragpu-2g", "2.19924", "A100-80GB", "2.0", "7.8", "9.99924 2 a100-sxm-80gb"],
    ["a3-highgpu-8g", "9.46006", "H100", "8", "78.4", "87.86006 8 h100-sxm"],
    ["a3-edgegpu-8g-nolssd", "9.46006", "H100-80GB", "8", "78.4", "87.86006 8 h100-sxm"],
    ["a3-megagpu-8g", "9.46006", "H100-MEGA-80GB", "8", "80", "89.46006 8 h100-sxm"],
    ["a3-megagpu-8g", "9.46006", "H100-MEGA", "8", "80", "89.46006 8 h100-sxm"],
    ["a3-ultragpu-8g", "12", "H200", "8", "70", "82 8 h200-sxm"],
    ["a4-highgpu-8g", "14", "B200", "8", "100", "114 8 b200"],
    ["g2-standard-4", "0.14683", "L4", "1", "0.56", "0.70683 1 l4"],
    ["g2-standard-24", "0.9", "L4", "2", "1.12", "2.02 2 l4"],
    ["g4-standard-48", "1", "RTX-PRO-6000", "1", "2", "3 1 rtx-pro-6000-server"],
  ])("of type %s at %s with %s x %s at %s is offered at %s", async (type, hostPrice, name, count, price, offer) => {
    const items = await readGcp(host(type, hostPrice), cards(name, count, price));
    expect(items.map(summary)).toEqual([`line 2: ${offer}`, "line 3: skipped"]);
  });

  test("shares the price of its cards with machines of other sizes", async () => {
    const items = await readGcp(
      cards("L4", "1", "0.56"),
      host("g2-standard-4", "0.14"),
      host("g2-standard-32", "1.1"),
      host("g2-standard-48", "1.7"),
    );
    expect(items.map(summary)).toEqual([
      "line 2: skipped",
      "line 3: 0.7 1 l4",
      "line 4: 1.66 1 l4",
      "line 5: half_machine",
    ]);
  });

  test("is never joined with cards of another zone, count, size or price list", async () => {
    const items = await readGcp(
      host("a2-ultragpu-8g", "9"),
      cards("A100", "8", "20"),
      cards("A100-80GB", "4", "16"),
      cards("A100-80GB", "8", "32", { AvailabilityZone: "us-central1-c" }),
      host("a3-megagpu-8g", "9"),
      cards("H100", "8", "80"),
    );
    expect(new Set(items.map((item) => summary(item).split(": ")[1]))).toEqual(new Set(["half_machine"]));
    expect(
      ofKind(items, "rejection")
        .map(({ reason }) => reason)
        .slice(0, 2),
    ).toEqual([
      "The file has no price for the 8 A100 SXM 80GB of a2-ultragpu-8g in us-central1-a.",
      "The file has no machine in us-central1-a for 8 A100.",
    ]);
  });

  test("is not counted as a machine without GPUs, even if its size or family is undocumented", async () => {
    const items = await readGcp(host("a2-highgpu-3g", "1"), host("a9-highgpu-8g", "9"), host("n2-standard-4", "0.2"));
    expect(items.map(summary)).toEqual(["line 4: skipped", "line 2: half_machine", "line 3: half_machine"]);
  });

  test("with a share of a card is rejected as such", async () => {
    const items = await readGcp(host("g4-standard-12", "0.5"), cards("RTX-PRO-6000", "1", "2"));
    expect(items.map(summary)).toEqual(["line 2: fractional_gpu", "line 3: half_machine"]);
  });

  test("without a price, or with cards without a price, is rejected", async () => {
    const items = await readGcp(
      host("g2-standard-4", ""),
      cards("L4", "1", "0.5"),
      host("a4-highgpu-8g", "9"),
      cards("B200", "8", "0"),
    );
    expect(items.map(summary)).toEqual([
      "line 2: no_price",
      "line 3: skipped",
      "line 4: half_machine",
      "line 5: bad_price",
    ]);
  });

  test("uses the dearer of contradicting prices for its cards and for itself, in any order", async () => {
    const dear = [cards("L4", "1", "0.6"), host("g2-standard-4", "0.2")];
    const cheap = [cards("L4", "1", "0.5"), host("g2-standard-4", "0.1")];
    for (const rows of [
      [...dear, ...cheap],
      [...cheap, ...dear],
    ]) {
      const items = await readGcp(...rows);
      expect(offersOf(items).map(({ priceHourly }) => priceHourly)).toEqual([0.8]);
      expect(ofKind(items, "rejection").map(({ code }) => code)).toEqual(["contradiction", "contradiction"]);
    }
    const same = await readGcp(cards("L4", "1", "0.6"), host("g2-standard-4", "0.1"), cards("L4", "1", "0.6"));
    expect(same.map(summary)).toEqual(["line 2: skipped", "line 3: 0.7 1 l4", "line 4: duplicate"]);
  });

  test("has the sum of its parts' spot prices, if both have one", async () => {
    const spot = async (machine: string, card: string) =>
      ofKind(
        await readGcp(
          { ...cards("L4", "1", "0.6"), SpotPrice: card },
          { ...host("g2-standard-4", "0.1"), SpotPrice: machine },
        ),
        "offer",
      ).map(({ listing }) => listing.spot);
    expect(await spot("0.04", "0.22")).toEqual([{ priceHourly: 0.26, kind: "price" }]);
    expect(await spot("", "0.22")).toEqual([null]);
    expect(await spot("0.04", "0.00")).toEqual([null]);
  });

  test("whose row is already complete is read unchanged", async () => {
    const row = { ...cards("A100", "1", "3.67339"), InstanceType: "a2-highgpu-1g" };
    expect((await readGcp(row)).map(summary)).toEqual(["line 2: 3.67339 1 a100-sxm-40gb"]);
  });

  test("is not joined in files of other providers", async () => {
    const csv = skypilotCsv(host("g2-standard-4", "1"), cards("L4", "1", "1"));
    const items = await collect(readSkypilot(bytesOf(csv), { provider: "somebody" }));
    expect(items.map(summary)).toEqual(["line 2: skipped", "line 3: missing_value"]);
  });
});

describe("an accelerator of Google Cloud", () => {
  test.each(["T4", "V100", "P100", "P4", "K80"])(
    "%s is an add-on to N1 machines and does not count against the limit",
    async (name) => {
      const [item] = await readGcp(cards(name, "4", "1.4"));
      expect(item).toMatchObject({ code: "sold_apart", countsAsGpuRow: false });
    },
  );

  test.each(["tpu-v2-8", "tpu-v5litepod-256", "tpu-v5p-11776", "tpu-v6e-1"])("%s is not a GPU", async (name) => {
    expect(await readGcp(cards(name, "1", "700"))).toMatchObject([{ code: "not_a_gpu", countsAsGpuRow: false }]);
  });

  test("with an unknown name is rejected with that name", async () => {
    expect(await readGcp(cards("R9000", "1", "1"))).toMatchObject([{ code: "unknown_gpu", gpuName: "R9000" }]);
  });
});

describe("the rows of Google Cloud", () => {
  const rows = [
    ...["1", "2", "4", "8"].flatMap((count) => [
      host(`a2-highgpu-${count}g`, `0.${count}`),
      cards("A100", count, `${count}.5`),
      cards("A100", count, `${count}.25`, { AvailabilityZone: "us-central1-b" }),
    ]),
    host("a2-megagpu-16g", "9"),
    host("n2-standard-4", "0.2"),
    cards("T4", "1", "0.35"),
    cards("A100", "8", "8.5"),
  ];

  test("can be in any order", async () => {
    const offersOfRows = async (list: Row[]) => {
      const items = await readGcp(...list);
      expect(items).toHaveLength(list.length);
      return offersOf(items).toSorted((a, b) => a.id.localeCompare(b.id));
    };
    const expected = await offersOfRows(rows);
    expect(expected).toHaveLength(4);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(rows, { minLength: rows.length }), async (shuffled) => {
        expect(await offersOfRows(shuffled)).toEqual(expected);
      }),
      { seed: 20_261_120, numRuns: 50 },
    );
  });

  test("can have columns in any order, and lack vCPUs as in 2022", async () => {
    const csv = [
      "AvailabilityZone,Price,SpotPrice,AcceleratorCount,MemoryGiB,GpuInfo,AcceleratorName,Region,InstanceType",
      "us-central1-a,0.739477,0.2,,85.0,,,us-central1,a2-highgpu-1g",
      "us-central1-a,2.934,0.88,1,0.0,A100,A100,us-central1,",
    ].join("\n");
    const items = await collect(readSkypilot(bytesOf(csv), { provider: "gcp" }));
    expect(offersOf(items)).toMatchObject([{ priceHourly: 3.673477, specs: { vcpu: 12, ram: 85 } }]);
  });

  test("fail the whole file if there are more than Google Cloud can have", async () => {
    async function* endless() {
      yield Buffer.from("InstanceType,AcceleratorName,AcceleratorCount,Price,Region\n");
      for (let row = 0; row < 40_000; row += 1_000) {
        const lines = Array.from({ length: 1_000 }, (_, index) => `a2-highgpu-1g,,,1,r${row + index}\n`);
        yield Buffer.from(lines.join(""));
      }
    }
    await expect(collect(readSkypilot(endless(), { provider: "gcp" }))).rejects.toThrow(
      "The file has more rows of GPU machines than Google Cloud.",
    );
  });
});
