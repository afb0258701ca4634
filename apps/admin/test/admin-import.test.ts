import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { publishedOfferSchema } from "@gpu-offers/domain";
import { requestKey } from "@gpu-offers/fetch/source-run";
import { ecbRequest } from "@gpu-offers/sources";
import { admin, adminDone, startAdmin } from "@gpu-offers/testkit/admin";
import { catalogImportJson } from "../src/import-report.ts";
import { listPriceCommits } from "@gpu-offers/store/price-log";
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
import {
  gatedImportOf,
  importOf,
  importNative,
  exportOf,
  offersOf,
  skypilotFile,
  validRow,
} from "./catalog-commands.ts";

/** The stored offers as the API returns them. */
const servedOffers = (databasePath: string) =>
  z
    .array(z.object({ body: z.string().transform((text) => publishedOfferSchema.parse(JSON.parse(text))) }))
    .parse(contentOf(databasePath)["offers"])
    .map(({ body }) => body);

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

const PRICES = `Vendor,Card,Cards,USD per card,Country,SSD
Acme Cloud,NVIDIA H100 SXM5 80GB,8,$1.90,Norway,2TB
Acme Cloud,RTX 4090,1,0.35,Atlantis,500 GB
`;
const PRICE_COLUMNS = `provider: Vendor
gpu: Card
gpuCount: Cards
pricePerGpu: USD per card
country: Country
disk: SSD
available: { value: yes }
`;

describe.concurrent("catalog import", () => {
  test("reads a CSV of one's own by its columns", async () => {
    const databasePath = tempDatabase();
    const file = tempFile("prices.csv", PRICES);
    const columns = tempFile("map.yaml", PRICE_COLUMNS);
    const options = ["--columns", columns, "--max-rejected", "1"];
    const { stdout } = await adminDone(databasePath, "catalog", "import", file, ...options);
    expect(stdout).toContain("Atlantis");
    const [offer, ...others] = servedOffers(databasePath);
    expect(others).toEqual([]);
    expect(offer).toMatchObject({
      provider: { name: "acme-cloud" },
      priceHourly: 15.2,
      regionInfo: { countryCode: "NO" },
    });
  });

  test("says what is wrong with its columns", async () => {
    const databasePath = tempDatabase();
    const file = tempFile("prices.csv", PRICES);
    const run = (yaml: string) =>
      admin(databasePath, "catalog", "import", file, "--columns", tempFile("map.yaml", yaml));
    expect((await run("gpu: GPU name\n")).stderr).toContain("which the file lacks. It has Vendor, Card");
    expect((await run("- gpu\n")).stderr).toContain("must have a line for each fact");
  });

  test("dates prices with --as-of, so that an older file fills the past", async () => {
    const databasePath = tempDatabase();
    const file = (price: number) => nativeFile([nativeRow({ priceHourly: price })]);
    await adminDone(databasePath, "catalog", "import", file(3), "--as-of", "2026-10-03", "--accept-changes");
    await adminDone(databasePath, "catalog", "import", file(5), "--as-of", "2026-10-01", "--accept-changes");
    const commits = await withDatabase(databasePath, async (database) => {
      const slugs = (await database.selectFrom("offer").select("gpu_slug").execute()).map((row) => row.gpu_slug);
      return listPriceCommits(database, slugs);
    });
    const dated = commits.map(({ datedMs, prices }) => [new Date(datedMs).toISOString().slice(0, 10), prices]);
    expect(new Map(dated as [string, readonly number[]][])).toEqual(
      new Map([
        ["2026-10-01", [5]],
        ["2026-10-03", [3]],
      ]),
    );
  });

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

  test("counts added, changed, removed and unchanged offers", async () => {
    const databasePath = tempDatabase();
    const rows = nativeRows(5);
    const none = { added: 0, changed: 0, removed: 0, unchanged: 0 };
    expect(await importNative(databasePath, nativeFile(rows))).toEqual({
      outcome: "imported",
      revision: 1,
      format: "native",
      tables: null,
      providers: ["fjord"],
      rows: { offers: 5, rejected: 0, skipped: 0 },
      ...none,
      added: 5,
      provider_changes: { ...none, added: 1 },
      image_changes: none,
      available: 5,
      rejections: [],
      unplaced_regions: [],
      unknown_gpus: [],
      cross_products: [],
      warnings: [],
      quarantined: [],
    });
    expect(await importNative(databasePath, nativeFile(rows))).toMatchObject({
      outcome: "unchanged",
      ...none,
      unchanged: 5,
    });
    const next = [
      ...rows.slice(2, 4),
      nativeRow({ instanceType: "type-4", priceHourly: 9 }),
      nativeRow({ instanceType: "new" }),
    ];
    expect(await importNative(databasePath, nativeFile(next))).toMatchObject({
      outcome: "imported",
      revision: 2,
      added: 1,
      changed: 1,
      removed: 2,
      unchanged: 2,
    });
  });

  test("keeps the old catalog if offers vanish, until the operator accepts it", async () => {
    const databasePath = tempDatabase();
    await storeCatalog(databasePath, nativeRows(53));
    const before = contentOf(databasePath);
    const one = nativeFile(nativeRows(1));
    const { code, stdout, stderr } = await admin(databasePath, "catalog", "import", one, "--format", "native");
    expect(code).toBe(1);
    expect(stdout).toContain("fjord: 53 offers now, 1 in the new catalog; added 0, removed 52, repriced 0");
    expect(stderr).toContain("52 of 53 offers would be removed; the limit is 30%.");
    expect(stderr).toContain("run the command again with --accept-changes");
    const report = await gatedImportOf(databasePath, one, "--format", "native", "--dry-run");
    expect(report).toMatchObject({
      outcome: "quarantined",
      removed: 0,
      quarantined: [{ provider: "fjord", removed: 52 }],
    });
    expect(contentOf(databasePath)).toEqual(before);
    expect(await importNative(databasePath, one)).toMatchObject({ outcome: "imported", removed: 52 });
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

  test("with --dry-run reports what it would do, and changes nothing", async () => {
    const databasePath = tempDatabase();
    await storeCatalog(databasePath, nativeRows(3));
    const before = contentOf(databasePath);
    const report = await importNative(databasePath, nativeFile(nativeRows(2, { gpuCount: 2 })), "--dry-run");
    expect(report).toMatchObject({ outcome: "dry_run", added: 0, changed: 2, removed: 1, unchanged: 0 });
    expect(report.revision).toBe(undefined);
    expect(contentOf(databasePath)).toEqual(before);
    const { stdout } = await adminDone(
      databasePath,
      "catalog",
      "import",
      nativeFile(nativeRows(2)),
      "--format",
      "native",
      "--dry-run",
    );
    expect(stdout).toMatch(
      /^offers: added 0, changed 0, removed 1, unchanged 2\n(?:.+\n){2}Dry run: nothing was changed\.\n$/m,
    );
  });

  test("prints a readable summary of changes and rejections", async () => {
    const file = skypilotFile(
      validRow("a"),
      "b,,,4,16,,0.10,,us-east-1",
      ...["c", "d", "e", "f", "g"].map((type) => `${type},NoSuchCard,1,4,16,,1.00,,us-east-1`),
    );
    const options = ["--format", "skypilot", "--provider", "aws", "--max-rejected", "5"];
    const { stdout, stderr } = await adminDone(tempDatabase(), "catalog", "import", file, ...options);
    expect(stderr).toBe("");
    const reason = "NoSuchCard is not in the table of GPU models.";
    expect(stdout).toBe(
      [
        `${file} (skypilot)`,
        "rows: 1 offer, 5 rejected, 1 without a GPU",
        "providers: aws (using the aws tables)",
        "rejected: 5 unknown_gpu",
        `  line 4: ${reason}`,
        `  line 5: ${reason}`,
        `  line 6: ${reason}`,
        "  and 2 more",
        "available: 1 of 1 offer",
        "unknown GPUs; edit these lines and add them to GPU_ALIASES_FILE, or pass them with --gpu-aliases:",
        "  # 5 rows",
        "  NoSuchCard=SLUG",
        "offers: added 1, changed 0, removed 0, unchanged 0",
        "providers: added 1, changed 0, removed 0, unchanged 0",
        "images: added 0, changed 0, removed 0, unchanged 0",
        "The catalog is now revision 1; running services notice it within 2 seconds.",
        "",
      ].join("\n"),
    );
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
      "A SkyPilot CSV does not name its provider. Set the option provider, such as --provider aws.",
    );
  });

  test("never takes euros for dollars: a rate converts them, and without one they are rejected", async () => {
    const databasePath = tempDatabase();
    const file = skypilotFile(validRow("ECS1GPU7"));
    const price = () => servedOffers(databasePath).map(({ priceHourly }) => priceHourly);
    const without = await admin(databasePath, "catalog", "import", file, "--provider", "seeweb", "--json");
    expect(without).toMatchObject({ code: 1 });
    expect(without.stdout).toContain("The price is in EUR, and there is no exchange rate. Give it with --rate");
    expect(price()).toEqual([]);

    expect(await importOf(databasePath, file, "--provider", "seeweb", "--rate", "2")).toMatchObject({ added: 1 });
    const [doubled = 0] = price();
    const dollars = await importOf(databasePath, file, "--provider", "mine", "--currency", "USD");
    expect(dollars).toMatchObject({ added: 1 });
    expect(price().toSorted((a, b) => a - b)).toEqual([doubled / 2, doubled]);
    const euros = await importOf(databasePath, file, "--provider", "mine", "--currency", "EUR", "--rate", "3");
    expect(euros).toMatchObject({ changed: 1 });
    const unused = await admin(databasePath, "catalog", "import", file, "--provider", "mine", "--rate", "3");
    expect(unused).toMatchObject({ code: 2, stderr: expect.stringContaining("--rate needs --currency") });
    const pounds = await admin(databasePath, "catalog", "import", file, "--provider", "mine", "--currency", "GBP");
    expect(pounds.stdout).toContain("stores the rate of EUR, and no other.");
    const unknown = await admin(databasePath, "catalog", "import", file, "--provider", "mine", "--currency", "XYZ");
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("It must be an ISO 4217 code") });
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
    const rows = ["x,NoSuchCard,1,4,16,,1,,us-east-1", "y,H100-SXMM,1,4,16,,1,,us-east-1"];
    const file = skypilotFile(validRow("a"), validRow("b").replace("us-east-1", "moon-1"), ...rows);
    const report = await importOf(tempDatabase(), file, "--provider", "aws", "--max-rejected", "2");
    expect(report).toMatchObject({
      unplaced_regions: [{ provider: "aws", region: "moon-1", offers: 1 }],
      unknown_gpus: [
        { name: "NoSuchCard", rows: 1, nearest: null },
        { name: "H100-SXMM", rows: 1, nearest: "h100-sxm" },
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
      "2",
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
    );
    expect(taught).toMatchObject({ added: 4, unknown_gpus: [] });
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
      available: 0,
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

  test("reads SkyPilot files, native documents, native NDJSON and server responses", async () => {
    const databasePath = tempDatabase();
    const skypilot = skypilotFile(validRow("p5"), validRow("p6"));
    expect(await importOf(databasePath, skypilot, "--format", "skypilot", "--provider", "aws")).toMatchObject({
      added: 2,
    });
    expect(await importNative(databasePath, nativeFile(nativeRows(3)))).toMatchObject({ added: 3 });
    const lines = await exportOf(databasePath);
    const other = tempDatabase();
    expect(await importNative(other, tempFile("catalog.ndjson", lines))).toMatchObject({ added: 5 });

    const offers = offersOf(lines);
    const page = { offers, page: 0, totalPages: 1, totalElements: 5, hasMore: false };
    const third = tempDatabase();
    expect(await importOf(third, tempFile("page.json", JSON.stringify(page)), "--format", "api")).toMatchObject({
      added: 5,
    });
    expect(await importOf(third, tempFile("list.json", JSON.stringify(offers)), "--format", "api")).toMatchObject({
      outcome: "unchanged",
    });
    const foreign = tempFile("one.json", JSON.stringify(offers.slice(0, 1)));
    const types = await importOf(
      tempDatabase(),
      foreign,
      "--format",
      "api",
      "--provider",
      "mine",
      "--type",
      "container",
    );
    expect(types).toMatchObject({ providers: ["mine"], added: 1 });
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

  test("reads standard input if the file is -", async () => {
    const databasePath = tempDatabase();
    const stdin = { all: nativeDocument(nativeRows(4)) };
    const ended = await startAdmin(databasePath, ["catalog", "import", "-", "--format", "native", "--json"], { stdin })
      .ended;
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(catalogImportJson.parse(JSON.parse(ended.stdout))).toMatchObject({ outcome: "imported", added: 4 });
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
          : `gpu-offers-admin: ${rejected} of ${rejected + offers} GPU rows were rejected, more than the ${limit} allowed (--max-rejected). Nothing was changed.\n`,
      ]);
    },
  );

  test("accepts up to a fifth of rejected GPU rows by default, not counting rows without a GPU", async () => {
    const bad = "bad,NoSuchCard,1,4,16,,1,,us-east-1";
    const withoutGpu = Array.from({ length: 20 }, (_, index) => `cpu-${index},,,4,16,,0.1,,us-east-1`);
    const run = async (...rows: string[]) =>
      (
        await admin(
          tempDatabase(),
          "catalog",
          "import",
          skypilotFile(...rows),
          "--format",
          "skypilot",
          "--provider",
          "aws",
        )
      ).code;
    const four = ["a", "b", "c", "d"].map((type) => validRow(type));
    expect(await run(...four, bad)).toBe(0);
    expect(await run(...four.slice(1), bad, ...withoutGpu)).toBe(1);
  });
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
