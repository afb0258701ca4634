import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { admin, adminDone, startAdmin } from "@gpu-offers/testkit/admin";
import { contentOf } from "@gpu-offers/store/test/database-content";
import { nativeFile, nativeRows, tempFile } from "@gpu-offers/testkit/native-catalogs";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { statusOf, importNative } from "./catalog-commands.ts";

describe("concurrent imports", () => {
  test("of different providers are both stored completely", async () => {
    const databasePath = tempDatabase();
    await importNative(databasePath, nativeFile(nativeRows(1, { provider: "glacier" })));
    const files = ["fjord", "harbor", "island"].map((provider) => nativeFile(nativeRows(800, { provider })));
    const reports = await Promise.all(files.map((file) => importNative(databasePath, file)));
    expect(reports.map(({ outcome, added }) => [outcome, added])).toEqual(files.map(() => ["imported", 800]));
    expect(new Set(reports.map(({ revision }) => revision))).toEqual(new Set([2, 3, 4]));
    const { providers } = await statusOf(databasePath);
    expect(providers.map(({ name, offers }) => [name, offers])).toEqual([
      ["fjord", 800],
      ["glacier", 1],
      ["harbor", 800],
      ["island", 800],
    ]);
  });

  test("of the same provider leave one of the two, completely", async () => {
    const databasePath = tempDatabase();
    const regions = ["east", "west"];
    const reports = await Promise.all(
      regions.map((region) => importNative(databasePath, nativeFile(nativeRows(500, { region })))),
    );
    expect(reports.map(({ outcome }) => outcome)).toEqual(["imported", "imported"]);
    const bodies = z.array(z.object({ body: z.string() })).parse(contentOf(databasePath)["offers"]);
    expect(bodies).toHaveLength(500);
    expect(new Set(bodies.map(({ body }) => /"region":"(\w+)"/.exec(body)?.[1])).size).toBe(1);
  });

  test("into a database that does not exist yet are both stored", async () => {
    const databasePath = tempDatabase();
    const files = ["fjord", "harbor"].map((provider) => nativeFile(nativeRows(50, { provider })));
    const reports = await Promise.all(files.map((file) => importNative(databasePath, file)));
    expect(reports.map(({ outcome }) => outcome)).toEqual(["imported", "imported"]);
    expect((await statusOf(databasePath)).providers.map(({ offers }) => offers)).toEqual([50, 50]);
  });
});

describe("a killed import", () => {
  const COUNT = 6_000;
  const digestOf = (databasePath: string): string => {
    const { revisions: _, ...catalog } = contentOf(databasePath);
    return createHash("sha256").update(JSON.stringify(catalog)).digest("hex");
  };

  test("leaves the complete old or new catalog", { timeout: 60_000 }, async () => {
    const files = [2, 3].map((gpuCount) => nativeFile(nativeRows(COUNT, { gpuCount })));
    const [first = "", second = ""] = files;
    const whole: string[] = [];
    let durationMs = 0;
    for (const file of files) {
      const databasePath = tempDatabase();
      const started = performance.now();
      await importNative(databasePath, file);
      durationMs = performance.now() - started;
      whole.push(digestOf(databasePath));
    }
    const databasePath = tempDatabase();
    await importNative(databasePath, first);
    let killed = 0;
    for (const share of [0.15, 0.3, 0.45, 0.6, 0.75, 0.9]) {
      const { child, ended } = startAdmin(databasePath, ["catalog", "import", second, "--format", "native"]);
      // Kills are spread over the duration of an import; no event marks their moments.
      await delay(durationMs * share);
      child.kill("SIGKILL");
      const { signal } = await ended;
      killed += signal === "SIGKILL" ? 1 : 0;
      expect(whole).toContain(digestOf(databasePath));
    }
    expect(killed).toBeGreaterThanOrEqual(2);
    // Nothing that killed imports leave behind blocks the next one.
    await importNative(databasePath, second);
    expect(digestOf(databasePath)).toBe(whole[1]);
  });

  test("leaves the old catalog if killed while reading", async () => {
    const databasePath = tempDatabase();
    await importNative(databasePath, nativeFile(nativeRows(3)));
    const before = contentOf(databasePath);
    const { child, ended } = startAdmin(databasePath, ["catalog", "import", "-", "--format", "native"], {
      stdin: "open",
    });
    const lines = nativeRows(4_000).map((offer) => `${JSON.stringify({ offer })}\n`);
    const header = '{"format":"gpu-offers/1","asOf":"2026-11-01"}\n{"provider":{"name":"fjord","type":"vm"}}\n';
    // A pipe holds far less than this, so most of it has been read once everything is written.
    await new Promise((resolve) => {
      child.stdin?.write(header + lines.join(""), resolve);
    });
    child.kill("SIGKILL");
    expect((await ended).signal).toBe("SIGKILL");
    expect(contentOf(databasePath)).toEqual(before);
  });
});

test("a truncated export is rejected, and nothing changes", async () => {
  const databasePath = tempDatabase();
  await adminDone(databasePath, "catalog", "import", nativeFile(nativeRows(30)), "--format", "native");
  const { stdout } = await adminDone(databasePath, "catalog", "export");
  const cut = tempFile("cut.ndjson", stdout.slice(0, Math.floor(stdout.length * 0.6)));
  const rejected = await admin(databasePath, "catalog", "import", cut, "--format", "native", "--max-rejected", "100%");
  expect(rejected.code).toBe(1);
  expect(rejected.stderr).toContain("It may have been truncated or edited");
  expect((await adminDone(databasePath, "catalog", "export")).stdout).toBe(stdout);
});
