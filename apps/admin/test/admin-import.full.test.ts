import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { requestKey } from "@gpu-offers/fetch/source-run";
import { ecbRequest } from "@gpu-offers/sources";
import { admin, adminDone } from "@gpu-offers/testkit/admin";
import { countByProvider } from "@gpu-offers/store/catalog.store";
import { saveKeptResponses } from "@gpu-offers/store/response.store";
import { storeCatalog } from "@gpu-offers/store/test/catalogs";
import { contentOf } from "@gpu-offers/store/test/database-content";
import { withDatabase } from "@gpu-offers/store/test/databases";
import {
  nativeDocument,
  nativeFile,
  nativeImage,
  nativeRow,
  nativeRows,
  tempFile,
} from "@gpu-offers/testkit/native-catalogs";
import { tempDatabase, tempFolder } from "@gpu-offers/testkit/temp-folder";
import { gatedImportOf, importOf, importNative, servedOffers, skypilotFile, validRow } from "./catalog-commands.ts";

/** A row with 24 GB of a card of 48 GB. */
const SLICE = `v,RTX 5880,1,4,16,"{'Gpus': [{'Name': 'RTX 5880', 'Count': 1, 'MemoryInfo': {'SizeInMiB': 24576}}]}",1,,us-east-1`;

/** A response of the European Central Bank: 1.25 USD. */
const ECB_BODY = Buffer.from(
  JSON.stringify({
    dataSets: [{ series: { "0:0:0:0:0": { observations: { "0": [1.25] } } } }],
    structure: {
      dimensions: {
        series: [
          { id: "FREQ", values: [{ id: "D" }] },
          { id: "CURRENCY", values: [{ id: "USD" }] },
        ],
        observation: [{ id: "TIME_PERIOD", values: [{ id: "2026-11-20" }] }],
      },
    },
  }),
);

describe.concurrent("catalog import", () => {
  test.each(["soon", "2026-02-31", "9999-01-01"])("rejects the date %s", async (date) => {
    const { code, stderr } = await admin(
      tempDatabase(),
      "catalog",
      "import",
      nativeFile(nativeRows(1)),
      "--as-of",
      date,
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining("Enter a past date")]);
  });

  test("reports a common price factor, and leaves the other providers of the file unchanged, too", async () => {
    const databasePath = tempDatabase();
    const rows = nativeRows(53);
    await storeCatalog(databasePath, [...rows, nativeRow({ provider: "glacier" })]);
    const before = contentOf(databasePath);
    const cents = rows.map((row) =>
      nativeRow(Object.assign({}, row, { priceHourly: Math.round(row.priceHourly * 10_000) / 100 })),
    );
    const file = nativeFile([...cents, nativeRow({ provider: "glacier", priceHourly: 2.6 })]);
    const report = await gatedImportOf(databasePath, file, "--format", "native");
    expect(report.problem).toContain("fjord: Nearly all prices changed by x100, so the unit may be wrong (cents?).");
    expect(report.quarantined.map(({ provider, repriced }) => [provider, repriced])).toEqual([["fjord", 53]]);
    expect(contentOf(databasePath)).toEqual(before);
  });

  test("replaces only the providers in the file", async () => {
    const databasePath = tempDatabase();
    await storeCatalog(databasePath, [...nativeRows(3), ...nativeRows(2, { provider: "glacier" })]);
    expect(await importNative(databasePath, nativeFile(nativeRows(1)))).toMatchObject({ removed: 2, unchanged: 1 });
    const providers = await withDatabase(databasePath, countByProvider);
    expect(providers.map(({ name, offers }) => [name, offers])).toEqual([
      ["fjord", 1],
      ["glacier", 2],
    ]);
  });

  test("treats a change of only images as a change", async () => {
    const databasePath = tempDatabase();
    const imageOf = (id: string) => [nativeImage(id, { isDefault: true })];
    await storeCatalog(databasePath, nativeRows(1), imageOf("ubuntu-24"));
    expect(await importNative(databasePath, nativeFile(nativeRows(1), imageOf("ubuntu-26")))).toMatchObject({
      outcome: "imported",
      revision: 2,
      unchanged: 1,
      provider_changes: { added: 0, changed: 0, removed: 0, unchanged: 1 },
      image_changes: { added: 1, changed: 0, removed: 1, unchanged: 0 },
    });
    expect(contentOf(databasePath)["images"]).toEqual([expect.objectContaining({ id: "ubuntu-26" })]);
  });

  test("detects formats, and gets the provider of vms.csv from its folder", async () => {
    const folder = join(tempFolder(), "lambda");
    mkdirSync(folder);
    const csv = join(folder, "vms.csv");
    copyFileSync(skypilotFile(validRow("gpu_1x_h100_sxm5")), csv);
    expect(await importOf(tempDatabase(), csv)).toMatchObject({
      format: "skypilot",
      tables: "lambda",
      providers: ["lambda"],
    });
    expect(await importOf(tempDatabase(), nativeFile(nativeRows(2)))).toMatchObject({ format: "native", added: 2 });
    const ended = await admin(tempDatabase(), "catalog", "import", skypilotFile(validRow("a")));
    expect(ended).toMatchObject({ code: 2 });
    expect(ended.stderr).toContain(
      "A SkyPilot CSV does not name its provider. Add --provider, such as --provider aws.",
    );
  });

  test("converts euros at the rate that a live source has stored", async () => {
    const databasePath = tempDatabase();
    const file = skypilotFile(validRow("ECS1GPU7"));
    await importOf(databasePath, file, "--provider", "mine", "--currency", "USD");
    await withDatabase(databasePath, async (database) =>
      saveKeptResponses(database, "scaleway", [
        { request: requestKey(ecbRequest()), etag: null, lastModified: null, status: 200, headers: {}, body: ECB_BODY },
      ]),
    );
    expect(await importOf(databasePath, file, "--provider", "seeweb")).toMatchObject({ added: 1 });
    const [usd = 0, converted = 0] = servedOffers(databasePath)
      .map(({ priceHourly }) => priceHourly)
      .toSorted((a, b) => a - b);
    expect(converted).toBeCloseTo(usd * 1.25, 4);
    expect(servedOffers(databasePath).map(({ costDataComplete }) => costDataComplete)).toContain(false);
  });

  test("suggests no tables for a known cloud that needs none", async () => {
    const file = skypilotFile(validRow("H100x8"));
    const report = await importOf(tempDatabase(), file, "--provider", "shadeform");
    expect(report).toMatchObject({ tables: null, warnings: [] });
  });

  test("reports whose tables apply, and suggests the closest ones if there are none", async () => {
    const file = skypilotFile(validRow("p5.4xlarge"));
    const unknown = await importOf(tempDatabase(), file, "--provider", "my-aws");
    expect(unknown).toMatchObject({
      tables: null,
      warnings: ["There are no tables for my-aws. If it is aws, add --tables aws."],
      unplaced_regions: [],
    });
    const known = await importOf(tempDatabase(), file, "--provider", "my-aws", "--tables", "aws");
    expect(known).toMatchObject({ tables: "aws", warnings: [], providers: ["my-aws"] });
    const wrong = await admin(tempDatabase(), "catalog", "import", file, "--provider", "a", "--tables", "awss");
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toContain("Did you mean aws?");
  });

  test("lists regions that it could not locate, and unknown GPU names", async () => {
    const rows = [
      "x,NoSuchCard,1,4,16,,1,,us-east-1",
      "y,H100-SXMM,1,4,16,,1,,us-east-1",
      "z,R100,1,4,16,,1,,us-east-1",
      "w,A30X,1,4,16,,1,,us-east-1",
      SLICE,
    ];
    const file = skypilotFile(validRow("a"), validRow("b").replace("us-east-1", "moon-1"), ...rows);
    const report = await importOf(tempDatabase(), file, "--provider", "aws", "--max-rejected", "5");
    expect(report).toMatchObject({
      unplaced_regions: [{ provider: "aws", region: "moon-1", offers: 1 }],
      unknown_gpus: [
        { name: "NoSuchCard", rows: 1, nearest: null },
        { name: "H100-SXMM", rows: 1, nearest: "h100-sxm" },
        // Other model numbers are other cards, and slices have other memory.
        { name: "R100", rows: 1, nearest: null },
        { name: "A30X", rows: 1, nearest: null },
        { name: "RTX 5880", rows: 1, nearest: null },
      ],
    });
    const { stdout } = await adminDone(
      tempDatabase(),
      "catalog",
      "import",
      file,
      "--provider",
      "aws",
      "--max-rejected",
      "5",
    );
    expect(stdout).toContain('regions without a known location:\n  1  aws "moon-1"\n');
    const aliases = tempFile("aliases.txt", "# taught\nnosuchcard=h100-pcie\n");
    const taught = await importOf(
      tempDatabase(),
      file,
      "--provider",
      "aws",
      "--gpu-aliases",
      aliases,
      "--gpu-alias",
      "H100-SXMM=h100-sxm",
      "--max-rejected",
      "3",
    );
    expect(taught).toMatchObject({
      added: 4,
      unknown_gpus: [{ name: "R100" }, { name: "A30X" }, { name: "RTX 5880" }],
    });
    const wrong = await admin(tempDatabase(), "catalog", "import", file, "--gpu-alias", "x=no-such-slug");
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toContain("no-such-slug");
  });

  test("marks offers as unavailable if the file lists every type in every region", async () => {
    const rows = [1, 2, 3, 4, 5].flatMap((region) =>
      ["a", "b", "c", "d"].map((type) => validRow(type).replace("us-east-1", `us-west-${region}`)),
    );
    const databasePath = tempDatabase();
    expect(await importOf(databasePath, skypilotFile(...rows), "--provider", "somebody")).toMatchObject({
      added: 20,
      availability: { in_stock: 0, listed: 0, unknown: 20, sold_out: 0 },
      unavailable: [{ reason: "cross_product", offers: 20 }],
      cross_products: [{ provider: "somebody", types: 4, places: 5 }],
    });
    const offers = servedOffers(databasePath);
    expect(offers).toHaveLength(20);
    expect(offers.filter(({ isAvailable }) => isAvailable)).toEqual([]);
  });

  test("keeps the dearer of two native lines that contradict each other, in any order", async () => {
    const row = (priceHourly: number) => nativeRow({ priceHourly });
    const stored = [];
    for (const rows of [
      [row(3), row(2)],
      [row(2), row(3)],
    ]) {
      const databasePath = tempDatabase();
      const { providers, offers, ...header } = z
        .looseObject({ providers: z.array(z.unknown()), offers: z.array(z.unknown()) })
        .parse(JSON.parse(nativeDocument(rows)));
      const lines = [header, ...providers.map((provider) => ({ provider })), ...offers.map((offer) => ({ offer }))];
      const file = tempFile("catalog.ndjson", lines.map((line) => JSON.stringify(line)).join("\n"));
      expect(await importNative(databasePath, file)).toMatchObject({
        added: 1,
        rejections: [{ code: "contradiction", count: 1 }],
      });
      stored.push(servedOffers(databasePath));
    }
    expect(stored[0]).toMatchObject([{ priceHourly: 3 }]);
    expect(stored[1]).toEqual(stored[0]);
  });

  test("keeps the images and the type of a provider if the new source states neither", async () => {
    const databasePath = tempDatabase();
    const images = [nativeImage("ubuntu", { isDefault: true })];
    await storeCatalog(databasePath, nativeRows(1), images);
    await importOf(databasePath, skypilotFile(validRow("x")), "--format", "skypilot", "--provider", "fjord");
    expect(await withDatabase(databasePath, countByProvider)).toMatchObject([
      { name: "fjord", type: "vm", images: 1, offers: 1 },
    ]);
    const retyped = ["--format", "skypilot", "--provider", "fjord", "--type", "bare-metal"];
    expect(await importOf(databasePath, skypilotFile(validRow("x")), ...retyped)).toMatchObject({
      outcome: "imported",
    });
    expect(await withDatabase(databasePath, countByProvider)).toMatchObject([{ type: "bare-metal", images: 1 }]);
  });

  const rejections: [limit: string, rejected: number, offers: number, code: number][] = [
    ["0", 0, 4, 0],
    ["0", 1, 4, 1],
    ["2", 2, 1, 0],
    ["2", 3, 9, 1],
    ["20%", 1, 4, 0],
    ["20%", 2, 4, 1],
    ["0%", 1, 99, 1],
    ["99%", 3, 1, 0],
  ];
  test.for(rejections)(
    "with --max-rejected %s, %i rejected rows and %i offers exits with %i",
    async ([limit, rejected, offers, code]) => {
      const rows = [
        ...Array.from({ length: offers }, (_, index) => validRow(`type-${index}`)),
        ...Array.from({ length: rejected }, (_, index) => `bad-${index},NoSuchCard,1,4,16,,1,,us-east-1`),
      ];
      const options = ["--format", "skypilot", "--provider", "aws", "--max-rejected", limit];
      const ended = await admin(tempDatabase(), "catalog", "import", skypilotFile(...rows), ...options);
      expect([ended.code, ended.stderr]).toEqual([
        code,
        code === 0
          ? ""
          : `gpu-offers-admin: ${rejected} of ${rejected + offers} GPU rows were rejected, more than the ${limit} allowed. To allow more, use --max-rejected. Nothing was changed.\n`,
      ]);
    },
  );
});

test("a SkyPilot import keeps the type of an existing provider, also in its offers", async () => {
  const databasePath = tempDatabase();
  const csv = tempFile(
    "vms.csv",
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Region,SpotPrice,Price\n1x_L4,L4,1,8,32,L4,US,,0.44\n",
  );
  await adminDone(
    databasePath,
    "catalog",
    "import",
    csv,
    "--format",
    "skypilot",
    "--provider",
    "pods",
    "--type",
    "container",
  );
  const again = await adminDone(databasePath, "catalog", "import", csv, "--format", "skypilot", "--provider", "pods");
  expect(again.stdout).toContain("The catalog is already up to date");
  expect(servedOffers(databasePath)).toMatchObject([{ deploymentType: "container" }]);
});
