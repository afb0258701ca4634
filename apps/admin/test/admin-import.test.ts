import { utimesSync } from "node:fs";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { startAdmin } from "@gpu-offers/testkit/admin";
import { catalogImportJson } from "../src/import-report.ts";
import { listMarketPoints } from "@gpu-offers/store/market-points";
import { storeCatalog } from "@gpu-offers/store/test/catalogs";
import { contentOf } from "@gpu-offers/store/test/database-content";
import { withDatabase } from "@gpu-offers/store/test/databases";
import { nativeDocument, nativeFile, nativeRow, nativeRows, tempFile } from "@gpu-offers/testkit/native-catalogs";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import {
  gatedImportOf,
  importOf,
  importNative,
  exportOf,
  offersOf,
  servedOffers,
  skypilotFile,
  validRow,
} from "./catalog-commands.ts";
import { admin, adminDone } from "./in-process.ts";

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

  test("rejects older prices than those in the catalog, unless they fill the past", async () => {
    const databasePath = tempDatabase();
    const importAsOf = (price: number, date: string, ...options: string[]) =>
      admin(
        databasePath,
        "catalog",
        "import",
        nativeFile([nativeRow({ priceHourly: price })]),
        "--as-of",
        date,
        "--accept-changes",
        ...options,
      );
    expect((await importAsOf(3, "2026-10-03")).code).toBe(0);
    const { code, stderr } = await importAsOf(5, "2026-10-01");
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/are of 2026-10-01, and those in the catalog of 2026-10-03\..*--history-only.*--older/),
    ]);
    // What fails after an import is no failure of it.
    await withDatabase(databasePath, (database) =>
      sql`create trigger no_fold before delete on market_point begin select raise(abort, 'disk full'); end`.execute(
        database,
      ),
    );
    const recorded = await importAsOf(5, "2026-10-01", "--history-only");
    await withDatabase(databasePath, (database) => sql`drop trigger no_fold`.execute(database));
    expect(recorded).toMatchObject({ code: 0, stderr: "" });
    expect(recorded.stdout).toMatch(/past days were not summarized: disk full\..*the catalog is as it was/s);
    const priceOf = () =>
      withDatabase(
        databasePath,
        async (database) => (await database.selectFrom("offer").select("price_hourly").execute())[0]?.price_hourly,
      );
    expect(await priceOf()).toBe(3);
    const points = await withDatabase(databasePath, async (database) => {
      const slugs = (await database.selectFrom("offer").select("gpu_slug").execute()).map((row) => row.gpu_slug);
      return listMarketPoints(database, slugs, { step: "day", sinceMs: 0, untilMs: Date.now() });
    });
    const dated = points.map(({ atMs, sellers }) => {
      const prices = Object.values(sellers).flatMap(({ p }) => Object.values(p).flat());
      return `${new Date(atMs).toISOString().slice(0, 10)} ${prices.join()}`;
    });
    expect(dated).toEqual(["2026-10-01 5", "2026-10-03 3"]);
    expect((await importAsOf(4, "2026-10-02", "--older")).code).toBe(0);
    expect(await priceOf()).toBe(4);
  });

  test("takes what source test prints, with spot terms, seller and prices of the disk", async () => {
    const databasePath = tempDatabase();
    const ask = {
      id: 501,
      machine_id: 77,
      gpu_name: "RTX 4090",
      num_gpus: 2,
      gpu_ram: 24_564,
      disk_space: 812.7,
      storage_cost: 0.15,
      dph_base: 0.7,
      geolocation: "Quebec, CA",
      min_bid: 0.31,
      hosting_type: 1,
      verification: "verified",
      inet_up_cost: 0.005,
    };
    const recording = tempFile("vast.json", JSON.stringify({ offers: [ask, { ...ask, id: 502, machine_id: 78 }] }));
    utimesSync(recording, new Date(), new Date("2026-11-20T10:00:00Z"));
    const { stdout, stderr } = await adminDone(databasePath, "source", "test", "vast", "--from", recording, "--offers");
    expect(stderr).toContain("vast: 2 offers");
    expect(stdout).toMatch(/^\{"format":"gpu-offers\/1","asOf":"2026-11-20T10:00:00.000Z",/);
    const listing = { seller: "partner", spot: { priceHourly: 0.31, kind: "bid" }, egressPerGB: 0.005 };
    expect(offersOf(stdout)).toMatchObject([{ listing }, { listing }]);
    await adminDone(databasePath, "catalog", "import", tempFile("vast.ndjson", stdout));
    expect(offersOf(await exportOf(databasePath))).toEqual(expect.arrayContaining(offersOf(stdout)));
  });

  test("says that the file has an offer as sold out, but not one of unknown stock", async () => {
    const rows = (["unknown", "sold_out"] as const).map((availability, place) =>
      Object.assign(nativeRow({ instanceType: `type-${place}`, listing: { availability } }), { isAvailable: false }),
    );
    const { unavailable } = (await importNative(tempDatabase(), nativeFile(rows))) as { unavailable: unknown };
    expect(unavailable).toEqual([{ reason: "stated", offers: 1 }]);
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
      availability: { in_stock: 0, listed: 5, unknown: 0, sold_out: 0 },
      unavailable: [],
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
      validRow("h").replace("us-east-1", "default").replace(",16,", ",2048,"),
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
        "rows: 2 offers, 5 rejected, 1 without a GPU",
        "providers: aws (using the aws tables)",
        "warning: how many vCPUs machines have at most contradicts 1 of 2 rows of aws whose own fields agree, and is used nevertheless. line 3: vCPUs is 2048, but a machine with this number of GPUs has at most 512.",
        "rejected: 5 unknown_gpu",
        `  line 5: ${reason}`,
        `  line 6: ${reason}`,
        `  line 7: ${reason}`,
        "  and 2 more",
        "availability: 1 listed, 1 unknown",
        "  1 unknown: their region names no place, which doesn't show that they can be rented",
        "regions without a known location:",
        '  1  aws "default"',
        "unknown GPUs; edit these lines and add them to GPU_ALIASES_FILE, or pass them with --gpu-aliases:",
        "  # 5 rows",
        "  NoSuchCard=SLUG",
        "offers: added 2, changed 0, removed 0, unchanged 0",
        "providers: added 1, changed 0, removed 0, unchanged 0",
        "images: added 0, changed 0, removed 0, unchanged 0",
        "The catalog is now revision 1; running services notice it within 2 seconds.",
        "",
      ].join("\n"),
    );
  });

  test("never takes euros for dollars: a rate converts them, and without one they are rejected", async () => {
    const databasePath = tempDatabase();
    const file = skypilotFile(validRow("ECS1GPU7"));
    const price = () => servedOffers(databasePath).map(({ priceHourly }) => priceHourly);
    const shown = await admin(databasePath, "catalog", "import", file, "--provider", "seeweb");
    expect(shown.stdout).toMatch(/^availability: none$/m);
    const without = await admin(databasePath, "catalog", "import", file, "--provider", "seeweb", "--json");
    expect(without).toMatchObject({ code: 1 });
    expect(without.stdout).toContain(
      "The price is in EUR, and there is no exchange rate. Give it with --currency and --rate",
    );
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

  test("reads standard input if the file is -", async () => {
    const databasePath = tempDatabase();
    const stdin = { all: nativeDocument(nativeRows(4)) };
    const ended = await startAdmin(databasePath, ["catalog", "import", "-", "--format", "native", "--json"], { stdin })
      .ended;
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(catalogImportJson.parse(JSON.parse(ended.stdout))).toMatchObject({ outcome: "imported", added: 4 });
  });

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
