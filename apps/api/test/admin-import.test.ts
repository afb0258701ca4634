import { describe, expect, test } from "vitest";
import { admin, adminDone, startAdmin } from "@gpu-offers/testkit/admin";
import { catalogImportJson } from "../src/admin/catalog-import.js";
import { contentOf } from "./database-content.ts";
import {
  nativeDocument,
  nativeFile,
  nativeImage,
  nativeRow,
  nativeRows,
  tempFile,
} from "@gpu-offers/testkit/native-catalogs";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import {
  statusOf,
  gatedImportOf,
  importOf,
  importNative,
  exportOf,
  offersOf,
  skypilotFile,
  soundRow,
} from "./catalog-commands.ts";

describe.concurrent("catalog import", () => {
  test("counts what it adds, changes, removes and leaves", async () => {
    const databasePath = tempDatabase();
    const rows = nativeRows(5);
    const none = { added: 0, changed: 0, removed: 0, unchanged: 0 };
    expect(await importNative(databasePath, nativeFile(rows))).toEqual({
      outcome: "imported",
      revision: 1,
      providers: ["fjord"],
      rows: { offers: 5, refused: 0, skipped: 0 },
      ...none,
      added: 5,
      refusals: [],
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

  test("keeps the old catalog where offers vanish, until the operator accepts that", async () => {
    const databasePath = tempDatabase();
    await importNative(databasePath, nativeFile(nativeRows(53)));
    const before = contentOf(databasePath);
    const one = nativeFile(nativeRows(1));
    const { code, stdout, stderr } = await admin(databasePath, "catalog", "import", one, "--format", "native");
    expect(code).toBe(1);
    expect(stdout).toContain("fjord: 53 offers now, 1 in the new catalog; added 0, removed 52, repriced 0");
    expect(stderr).toContain("52 of 53 offers would be removed; the limit is 30 %.");
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

  test("names the factor when all prices moved by it, and leaves other providers of the file alone, too", async () => {
    const databasePath = tempDatabase();
    const rows = nativeRows(53);
    await importNative(databasePath, nativeFile([...rows, nativeRow({ provider: "glacier" })]));
    const before = contentOf(databasePath);
    const cents = rows.map((row) =>
      nativeRow(Object.assign({}, row, { priceHourly: Math.round(row.priceHourly * 10_000) / 100 })),
    );
    const file = nativeFile([...cents, nativeRow({ provider: "glacier", priceHourly: 2.6 })]);
    const report = await gatedImportOf(databasePath, file, "--format", "native");
    expect(report.problem).toContain("fjord: The unit looks wrong: all prices x100: cents?");
    expect(report.quarantined.map(({ provider, repriced }) => [provider, repriced])).toEqual([["fjord", 53]]);
    expect(contentOf(databasePath)).toEqual(before);
  });

  test("replaces the providers that the file names, and no others", async () => {
    const databasePath = tempDatabase();
    await importNative(databasePath, nativeFile([...nativeRows(3), ...nativeRows(2, { provider: "glacier" })]));
    expect(await importNative(databasePath, nativeFile(nativeRows(1)))).toMatchObject({ removed: 2, unchanged: 1 });
    const { providers } = await statusOf(databasePath);
    expect(providers.map(({ name, offers }) => [name, offers])).toEqual([
      ["fjord", 1],
      ["glacier", 2],
    ]);
  });

  test("takes a change of images alone for a change", async () => {
    const databasePath = tempDatabase();
    const withImage = (id: string) => nativeFile(nativeRows(1), [nativeImage(id, { isDefault: true })]);
    await importNative(databasePath, withImage("ubuntu-24"));
    expect(await importNative(databasePath, withImage("ubuntu-26"))).toMatchObject({
      outcome: "imported",
      revision: 2,
      unchanged: 1,
    });
    expect(contentOf(databasePath)["images"]).toEqual([expect.objectContaining({ id: "ubuntu-26" })]);
  });

  test("with --dry-run says what it would do, and changes nothing", async () => {
    const databasePath = tempDatabase();
    await importNative(databasePath, nativeFile(nativeRows(3)));
    const before = contentOf(databasePath);
    const report = await importNative(databasePath, nativeFile(nativeRows(2, { gpuCount: 2 })), "--dry-run");
    expect(report).toMatchObject({ outcome: "dry-run", added: 0, changed: 2, removed: 1, unchanged: 0 });
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
    expect(stdout).toMatch(/^added 0, changed 0, removed 1, unchanged 2\nDry run: nothing was changed\.\n$/m);
  });

  test("tells people what it did and what it refused", async () => {
    const file = skypilotFile(
      soundRow("a"),
      "b,,,4,16,,0.10,,us-east-1",
      ...["c", "d", "e", "f", "g"].map((type) => `${type},NoSuchCard,1,4,16,,1.00,,us-east-1`),
    );
    const options = ["--format", "skypilot", "--provider", "aws", "--max-rejected", "5"];
    const { stdout, stderr } = await adminDone(tempDatabase(), "catalog", "import", file, ...options);
    expect(stderr).toBe("");
    const refused = "NoSuchCard is not in the table of GPU models.";
    expect(stdout).toBe(
      [
        `${file}: offers 1, rows refused 5, rows without a GPU 1`,
        "providers aws",
        "refused   5 unknown_gpu",
        `            line 4: ${refused}`,
        `            line 5: ${refused}`,
        `            line 6: ${refused}`,
        "            and 2 more",
        "added 1, changed 0, removed 0, unchanged 0",
        "The catalog is now revision 1; running services notice it within 2 seconds.",
        "",
      ].join("\n"),
    );
  });

  test("reads SkyPilot files, native documents, native lines and answers of a server", async () => {
    const databasePath = tempDatabase();
    const skypilot = skypilotFile(soundRow("p5"), soundRow("p6"));
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

  test("keeps the images and the type of a provider whose new source tells nothing of them", async () => {
    const databasePath = tempDatabase();
    const images = [nativeImage("ubuntu", { isDefault: true })];
    await importNative(databasePath, nativeFile(nativeRows(1), images));
    await importOf(databasePath, skypilotFile(soundRow("x")), "--format", "skypilot", "--provider", "fjord");
    expect((await statusOf(databasePath)).providers).toMatchObject([
      { name: "fjord", type: "vm", images: 1, offers: 1 },
    ]);
    const retyped = ["--format", "skypilot", "--provider", "fjord", "--type", "bare-metal"];
    expect(await importOf(databasePath, skypilotFile(soundRow("x")), ...retyped)).toMatchObject({
      outcome: "imported",
    });
    expect((await statusOf(databasePath)).providers).toMatchObject([{ type: "bare-metal", images: 1 }]);
  });

  test("reads standard input where the file is -", async () => {
    const databasePath = tempDatabase();
    const stdin = { all: nativeDocument(nativeRows(4)) };
    const ended = await startAdmin(databasePath, ["catalog", "import", "-", "--format", "native", "--json"], { stdin })
      .ended;
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(catalogImportJson.parse(JSON.parse(ended.stdout))).toMatchObject({ outcome: "imported", added: 4 });
  });

  const refusals: [limit: string, refused: number, offers: number, code: number][] = [
    ["0", 0, 4, 0],
    ["0", 1, 4, 1],
    ["2", 2, 1, 0],
    ["2", 3, 9, 1],
    ["20%", 1, 4, 0],
    ["20%", 2, 4, 1],
    ["0%", 1, 99, 1],
    ["99%", 3, 1, 0],
  ];
  test.for(refusals)(
    "with --max-rejected %s and %i refused rows beside %i offers exits %i",
    async ([limit, refused, offers, code]) => {
      const rows = [
        ...Array.from({ length: offers }, (_, index) => soundRow(`type-${index}`)),
        ...Array.from({ length: refused }, (_, index) => `bad-${index},NoSuchCard,1,4,16,,1,,us-east-1`),
      ];
      const options = ["--format", "skypilot", "--provider", "aws", "--max-rejected", limit];
      const ended = await admin(tempDatabase(), "catalog", "import", skypilotFile(...rows), ...options);
      expect([ended.code, ended.stderr]).toEqual([
        code,
        code === 0
          ? ""
          : `gpu-offers-admin: ${refused} of ${refused + offers} GPU rows were refused, more than the ${limit.replace("%", " %")} allowed (--max-rejected). Nothing was changed.\n`,
      ]);
    },
  );

  test("allows a fifth of the GPU rows to be refused, and rows without a GPU do not count", async () => {
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
    const four = ["a", "b", "c", "d"].map((type) => soundRow(type));
    expect(await run(...four, bad)).toBe(0);
    expect(await run(...four.slice(1), bad, ...withoutGpu)).toBe(1);
  });
});

test("a SkyPilot import keeps the type of a provider that is here, in its offers too", async () => {
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
  expect(again.stdout).toContain("The catalog has all of it already");
  const exported = await adminDone(databasePath, "catalog", "export");
  expect(exported.stdout).toContain('"deploymentType":"container"');
});
