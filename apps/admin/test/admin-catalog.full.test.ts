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
import { storeCatalog } from "@gpu-offers/store/test/catalogs";
import { open } from "@gpu-offers/store/test/databases";
import { nativeImage, nativeRows, tempFile } from "@gpu-offers/testkit/native-catalogs";
import { tempDatabase, tempFolder } from "@gpu-offers/testkit/temp-folder";
import { importNative, exportOf, offersOf } from "./catalog-commands.ts";

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
