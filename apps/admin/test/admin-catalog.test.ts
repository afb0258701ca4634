import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeAccount } from "@gpu-offers/store/test/accounts";
import { storeCatalog } from "@gpu-offers/store/test/catalogs";
import { contentOf } from "@gpu-offers/store/test/database-content";
import { nativeFile, nativeRow, nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { tempDatabase, tempFolder } from "@gpu-offers/testkit/temp-folder";
import { statusOf, importNative, exportOf } from "./catalog-commands.ts";
import { admin, adminDone } from "./in-process.ts";

describe.concurrent("catalog export", () => {
  test("with --output writes the same to a file, completely or not at all", async () => {
    const databasePath = tempDatabase();
    await storeCatalog(databasePath, nativeRows(5));
    const file = join(tempFolder(), "export.ndjson");
    expect(await adminDone(databasePath, "catalog", "export", "--output", file)).toMatchObject({
      stdout: "",
      stderr: `Wrote 5 offers from 1 provider (revision 1) to ${file}.\n`,
    });
    expect(readFileSync(file, "utf8")).toBe(await exportOf(databasePath));
    await storeCatalog(databasePath, nativeRows(6));
    expect(await admin(databasePath, "catalog", "export", "--output", file)).toMatchObject({ code: 1, stdout: "" });
    await adminDone(databasePath, "catalog", "export", "--output", file, "--force");
    expect(readFileSync(file, "utf8")).toBe(await exportOf(databasePath));
    expect(existsSync(`${file}.unfinished`)).toBe(false);
  });
});

test("catalog disks shows the disks of each provider, listed or not, with what is unknown", async () => {
  const databasePath = tempDatabase();
  await storeCatalog(databasePath, [...nativeRows(2), nativeRow({ provider: "verda" })]);
  const json: unknown = JSON.parse((await adminDone(databasePath, "catalog", "disks", "--json")).stdout);
  expect(json).toMatchObject({
    providers: expect.arrayContaining([
      { name: "fjord", offers: 2, priced: 2, product: null, price: null, as_of: null, unknown: null },
      expect.objectContaining({ name: "verda", offers: 1, unknown: "largest size" }),
      expect.objectContaining({ name: "azure", offers: 0, product: "Premium SSD", price: "by size" }),
      expect.objectContaining({ name: "aws", price: "0.08-0.152 USD", as_of: "2024-07-18" }),
    ]) as unknown,
  });
  const { stdout } = await adminDone(databasePath, "catalog", "disks");
  expect(stdout).toMatch(/^azure +0 +0 +Premium SSD +by size +2026-07-12 +-$/m);
});

describe.concurrent("catalog status", () => {
  test("of an empty database explains how to fill it", async () => {
    const databasePath = tempDatabase();
    await makeAccount(databasePath);
    const { stdout } = await adminDone(databasePath, "catalog", "status");
    expect(stdout).toMatch(/^The catalog is empty\. /);
    expect(await statusOf(databasePath)).toEqual({ current: null, providers: [], revisions: [] });
  });

  test("shows the providers and the last five revisions", async () => {
    const databasePath = tempDatabase();
    const rowsOf = (count: number) => [...nativeRows(count), nativeRow({ provider: "glacier" })];
    for (let count = 1; count < 6; count++) {
      await storeCatalog(databasePath, rowsOf(count));
    }
    await importNative(databasePath, nativeFile(rowsOf(6)));
    const lines = (await adminDone(databasePath, "catalog", "status")).stdout.split("\n");
    expect(lines[0]).toMatch(/^Revision 6 of \d{4}-\d\d-\d\dT[\d:.]+Z: 7 offers from 2 providers$/);
    expect(lines.slice(2, 5)).toEqual([
      "PROVIDER  TYPE  OFFERS  AVAILABLE  PRICED  IMAGES  AS OF",
      "fjord     vm         6          6       6       0  2026-11-01",
      "glacier   vm         1          1       1       0  2026-11-01",
    ]);
    expect(lines.slice(6, 12).map((line) => line.trim().split(/ {2,}/)[0])).toEqual([
      "REVISION",
      "6",
      "5",
      "4",
      "3",
      "2",
    ]);
    const { current, providers, revisions } = await statusOf(databasePath);
    expect(current?.revision).toBe(6);
    expect(providers).toMatchObject([
      { name: "fjord", type: "vm", offers: 6, available: 6, images: 0 },
      { name: "glacier", offers: 1 },
    ]);
    expect(revisions.map(({ revision }) => revision)).toEqual([6, 5, 4, 3, 2]);
    expect(revisions[0]?.cause).toMatch(/^catalog import \S+ --format native$/);
  });
});

test("catalog remove reports what it removed", async () => {
  const databasePath = tempDatabase();
  await storeCatalog(databasePath, [...nativeRows(3), nativeRow({ provider: "glacier" })]);
  const before = contentOf(databasePath);
  const planned = await adminDone(databasePath, "catalog", "remove", "--provider", "fjord", "--dry-run");
  expect(planned.stdout).toBe("Dry run: this would remove fjord with 3 offers. Nothing was changed.\n");
  const plannedJson = await adminDone(databasePath, "catalog", "remove", "--provider", "fjord", "--dry-run", "--json");
  expect(JSON.parse(plannedJson.stdout)).toEqual({ outcome: "dry_run", provider: "fjord", removed: 3, revision: 1 });
  expect(contentOf(databasePath)).toEqual(before);
  const { stdout } = await adminDone(databasePath, "catalog", "remove", "--provider", "fjord");
  expect(stdout).toBe("Removed fjord with 3 offers. The catalog is now revision 2.\n");
  const json = await adminDone(databasePath, "catalog", "remove", "--provider", "glacier", "--json");
  expect(JSON.parse(json.stdout)).toEqual({ outcome: "removed", provider: "glacier", removed: 1, revision: 3 });
  expect(contentOf(databasePath)).toMatchObject({ providers: [], images: [], offers: [] });
});
