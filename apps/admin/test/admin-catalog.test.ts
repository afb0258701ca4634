import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, lstatSync, readFileSync, symlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { publishedOfferSchema } from "@gpu-offers/domain";
import { describe, expect, test } from "vitest";
import { admin, adminDone, startAdmin } from "@gpu-offers/testkit/admin";
import { findLiveSource, type LiveSource } from "@gpu-offers/sources";
import { saveSource } from "@gpu-offers/store/live.store";
import { makeAccount } from "@gpu-offers/store/test/accounts";
import { storeCatalog } from "@gpu-offers/store/test/catalogs";
import { contentOf } from "@gpu-offers/store/test/database-content";
import { open } from "@gpu-offers/store/test/databases";
import { nativeFile, nativeImage, nativeRow, nativeRows, tempFile } from "@gpu-offers/testkit/native-catalogs";
import { tempDatabase, tempFolder } from "@gpu-offers/testkit/temp-folder";
import { statusOf, importNative, exportOf, offersOf } from "./catalog-commands.ts";

describe.concurrent("catalog export", () => {
  const imagesOf = [
    nativeImage("b", { displayName: "Bravo", isDefault: true }),
    nativeImage("a", { displayName: "Älpha", hasCuda: true, cudaVersion: "12.4", instanceTypes: ["type-1"] }),
  ];

  test("imported again changes nothing, and gives the same catalog in another database", async () => {
    const databasePath = tempDatabase();
    await storeCatalog(
      databasePath,
      [...nativeRows(30), ...nativeRows(20, { provider: "glacier", region: "zürich" })],
      imagesOf,
    );
    const first = await exportOf(databasePath);
    expect(await importNative(databasePath, tempFile("export.ndjson", first))).toMatchObject({
      outcome: "unchanged",
      unchanged: 50,
    });
    expect(await exportOf(databasePath)).toBe(first);

    const other = tempDatabase();
    expect(await importNative(other, tempFile("export.ndjson", first))).toMatchObject({
      outcome: "imported",
      added: 50,
    });
    expect(await exportOf(other)).toBe(first);
  });

  test("of the starter catalog imported again changes nothing", async () => {
    const databasePath = tempDatabase();
    const starter = new URL("../../api/catalog/starter.json", import.meta.url);
    await importNative(databasePath, tempFile("starter.json", readFileSync(starter)));
    const first = await exportOf(databasePath);
    expect(await importNative(databasePath, tempFile("export.ndjson", first))).toMatchObject({ outcome: "unchanged" });
    const rows = offersOf(first) as Record<string, unknown>[];
    const ids = rows.map(({ listing, ...offer }) => {
      expect([undefined, "object"]).toContain(listing === undefined ? undefined : typeof listing);
      return publishedOfferSchema.parse(offer).id;
    });
    expect(ids.length).toBeGreaterThanOrEqual(200);
    expect(ids).toEqual([...ids].sort());
  });

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

  test("with --output keeps links and FIFOs, and writes to what they lead to", async () => {
    const databasePath = tempDatabase();
    await storeCatalog(databasePath, nativeRows(5));
    const folder = tempFolder();
    const [file, link, fifo] = [tempFile("export.ndjson", "old"), join(folder, "link"), join(folder, "fifo")];
    symlinkSync(file, link);
    await adminDone(databasePath, "catalog", "export", "--output", link, "--force");
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    const whole = await exportOf(databasePath);
    expect(readFileSync(file, "utf8")).toBe(whole);

    execFileSync("mkfifo", [fifo]);
    const [content] = await Promise.all([
      readFile(fifo, "utf8"),
      adminDone(databasePath, "catalog", "export", "--output", fifo, "--force"),
    ]);
    expect([content, lstatSync(fifo).isFIFO()]).toEqual([whole, true]);
    expect(await adminDone(databasePath, "catalog", "export", "--output", "-")).toMatchObject({ stdout: whole });
  });

  test("has the age and the availability of stale live prices", async () => {
    const databasePath = tempDatabase();
    await storeCatalog(databasePath, nativeRows(2));
    const checkedAt = "2026-06-01T00:00:00.000Z";
    const database = await open(`sqlite:${databasePath}`);
    const source = findLiveSource("vast") as LiveSource;
    const settings = { intervalSeconds: 600, staleAfterSeconds: 3_600, dropAfterSeconds: 86_400 };
    await saveSource(database, source, settings, true);
    await database.updateTable("live_source").set({ checked_at: checkedAt }).execute();
    await database.updateTable("provider").set({ source: "vast", as_of: null }).execute();
    const exported = await exportOf(databasePath);
    expect(exported).toContain(`"asOf":"${checkedAt}","images"`);
    expect(offersOf(exported)).toMatchObject([{ isAvailable: false }, { isAvailable: false }]);
  });

  test("of an empty catalog is rejected", async () => {
    const file = join(tempFolder(), "export.ndjson");
    const path = tempDatabase();
    await open(`sqlite:${path}`);
    const ended = await admin(path, "catalog", "export", "--output", file);
    expect(ended).toMatchObject({
      code: 1,
      stdout: "",
      stderr: "gpu-offers-admin: the catalog is empty; there is nothing to export.\n",
    });
    expect(existsSync(file)).toBe(false);
  });

  test("succeeds if the reader stops early, like head", async () => {
    const databasePath = tempDatabase();
    await storeCatalog(databasePath, nativeRows(2_000));
    const running = startAdmin(databasePath, ["catalog", "export"]);
    await once(running.child.stdout ?? running.child, "data");
    running.child.stdout?.destroy();
    expect(await running.ended).toMatchObject({ code: 0, signal: null, stderr: "" });
  });
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
      "PROVIDER  TYPE  OFFERS  AVAILABLE  IMAGES  AS OF",
      "fjord     vm         6          6       0  2026-11-01",
      "glacier   vm         1          1       0  2026-11-01",
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
