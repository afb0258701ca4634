import { readFileSync } from "node:fs";
import { readNative, SourceError, type SourceImage } from "@gpu-offers/sources";
import { beforeAll, describe, expect, test } from "vitest";
import { admin } from "@gpu-offers/testkit/admin";
import { databases } from "@gpu-offers/testkit/databases";
import { open } from "../test/databases.ts";
import {
  nativeDocument,
  nativeFile,
  nativeImage,
  nativeRow,
  nativeRows,
  type NativeRow,
} from "@gpu-offers/testkit/native-catalogs";
import { importCatalog, type ImportReport } from "./catalog-import.js";
import { removeProvider } from "./catalog-removal.js";
import { countByProvider, findRevision, listProviders, listRevisions, readCatalog } from "./catalog.store.js";
import type { Database } from "./database.js";
import type { StoredOffer } from "./offer-row.js";

const STARTER = readFileSync(new URL("../../../apps/api/catalog/starter.json", import.meta.url), "utf8");

async function importText(database: Database, text: string, cause = "test"): Promise<ImportReport> {
  return importCatalog(database, { items: readNative(chunksOf(text)), cause, asOf: () => "2026-11-01" });
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += 65_536) {
    yield bytes.subarray(start, start + 65_536);
  }
}

const importRows = (database: Database, rows: readonly NativeRow[], images: readonly SourceImage[] = []) =>
  importText(database, nativeDocument(rows, images));

async function listed(offers: AsyncIterable<StoredOffer>): Promise<StoredOffer[]> {
  const list = [];
  for await (const offer of offers) {
    list.push(offer);
  }
  return list;
}

/** A complete catalog, except the random mark and the times of its revisions. */
async function contentOf(database: Database) {
  const content = await readCatalog(
    database,
    async (head, offers) => ({
      providers: head.providers,
      offerCount: head.offerCount,
      offers: await listed(offers),
    }),
    true,
  );
  const revisions = await listRevisions(database, 1_000);
  return { ...content, revisions: revisions.map(({ mark: _mark, created_at: _createdAt, ...counts }) => counts) };
}

describe("the same imports", () => {
  test("give the same catalog in both databases, in the same order", async () => {
    const changes = nativeRows(700, { provider: "a-b" }).concat(nativeRows(3, { provider: "ab" }));
    const fewer = changes.filter((_, index) => index % 3 !== 0).map((row) => Object.assign({}, row, { gpuCount: 2 }));
    const contents = [];
    const reports = [];
    for (const { create } of databases) {
      const database = await open(await create());
      reports.push([
        await importText(database, STARTER),
        await importText(database, STARTER),
        await importRows(database, changes, [nativeImage("img-b", { isDefault: true }), nativeImage("img_a")]),
        await importRows(database, fewer, [nativeImage("img-b", { isDefault: true })]),
        await removeProvider(database, "aws", "remove"),
      ]);
      contents.push([await contentOf(database), await countByProvider(database)]);
    }
    expect(reports[0]).toEqual(reports[1]);
    expect(contents[0]).toEqual(contents[1]);
    expect(reports[0]).toMatchObject([
      { outcome: "imported", revision: 1, removed: 0, changed: 0 },
      { outcome: "unchanged", added: 0, removed: 0, changed: 0 },
      { outcome: "imported", revision: 2, added: 703 },
      { outcome: "imported", revision: 3 },
      { revision: 4 },
    ]);
  });

  test("are exported equally, and the export imports again without a change", async () => {
    const texts = [];
    for (const { create } of databases) {
      const url = await create();
      await importText(await open(url), STARTER);
      const exported = await admin(url, "catalog", "export");
      expect(exported.code).toBe(0);
      texts.push(exported.stdout);
    }
    expect(texts[0]).toBe(texts[1]);
    for (const { create } of databases) {
      const database = await open(await create());
      await importText(database, STARTER);
      expect(await importText(database, texts[0] ?? "")).toMatchObject({ outcome: "unchanged" });
    }
  });
});

describe.each(databases)("a catalog in $kind", ({ create }) => {
  let url: string;
  let database: Database;

  beforeAll(async () => {
    url = await create();
    database = await open(url);
  });

  test("is not changed by a first import that was overtaken while reading", async () => {
    const target = await create();
    const [other, faster] = [await open(target), await open(target)];
    async function* chunks(): AsyncGenerator<Uint8Array> {
      await importRows(faster, nativeRows(3, { provider: "fjord" }));
      yield Buffer.from(STARTER);
    }
    const overtaken = importCatalog(other, {
      items: readNative(chunks()),
      cause: "starter",
      isFirst: true,
    });
    expect(await overtaken).toMatchObject({ outcome: "rejected", problem: "There is already a catalog." });
    expect((await countByProvider(other)).map(({ name }) => name)).toEqual(["fjord"]);
  });

  test("does not exist at first", async () => {
    expect(await findRevision(database)).toBeUndefined();
    expect(await readCatalog(database, async () => "read")).toBeUndefined();
    expect(await listProviders(database)).toEqual([]);
    expect(await removeProvider(database, "fjord", "remove")).toBeUndefined();
  });

  test("is unchanged by an import that fails, is rejected, or is a dry run", async () => {
    await importRows(database, nativeRows(5), [nativeImage("ubuntu", { isDefault: true })]);
    const before = await contentOf(database);
    const broken = nativeDocument(nativeRows(2_000)).slice(0, -1_000);
    await expect(importText(database, broken)).rejects.toThrow(SourceError);
    const items = (async function* () {
      yield* readNative(chunksOf(nativeDocument(nativeRows(1_500, { region: "other" }))));
      throw new Error("the disk is gone");
    })();
    await expect(importCatalog(database, { items, cause: "test" })).rejects.toThrow("the disk is gone");
    expect(await importRows(database, nativeRows(3, { gpu: "no-such-gpu" }))).toMatchObject({ outcome: "rejected" });
    const rehearsed = readNative(chunksOf(nativeDocument(nativeRows(9))));
    expect(await importCatalog(database, { items: rehearsed, cause: "test", isDryRun: true })).toMatchObject({
      outcome: "dry_run",
      added: 4,
      changed: 0,
      unchanged: 5,
    });
    expect(await contentOf(database)).toEqual(before);
  });

  test("has the results of two concurrent imports, one after the other", async () => {
    const north = nativeFile(nativeRows(400, { provider: "north" }));
    const south = nativeFile(nativeRows(300, { provider: "south" }));
    const before = (await findRevision(database))?.revision ?? 0;
    const files = [north, south, north, south];
    const ended = await Promise.all(
      files.map((file) => admin(url, "catalog", "import", file, "--format", "native", "--json")),
    );
    expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(files.map(() => ({ code: 0, stderr: "" })));
    const outcomes = ended.map(({ stdout }) => (JSON.parse(stdout) as ImportReport).outcome);
    expect(outcomes.toSorted()).toEqual(["imported", "imported", "unchanged", "unchanged"]);
    expect((await findRevision(database))?.revision).toBe(before + 2);
    const counts = new Map((await countByProvider(database)).map(({ name, offers }) => [name, offers]));
    expect(counts.get("north")).toBe(400);
    expect(counts.get("south")).toBe(300);
  });

  test("is a single revision for a reader, whatever is imported meanwhile", async () => {
    const { outcome } = await importRows(database, [nativeRow({ provider: "late", region: "before" })]);
    expect(outcome).toBe("imported");
    const read = await readCatalog(database, async (head, offers) => {
      const file = nativeFile([nativeRow({ provider: "late", region: "after" })]);
      expect((await admin(url, "catalog", "import", file, "--format", "native")).code).toBe(0);
      return { revision: head.revision.revision, offers: await listed(offers) };
    });
    const late = read?.offers.filter(({ provider }) => provider === "late") ?? [];
    expect(late.map(({ body }) => (JSON.parse(body) as { region: string }).region)).toEqual(["before"]);
    expect((await findRevision(database))?.revision).toBe((read?.revision ?? 0) + 1);
  });

  test("loses only a removed provider with its images and offers", async () => {
    const before = await countByProvider(database);
    expect(await removeProvider(database, "north", "remove")).toMatchObject({ removed: 400 });
    expect(await countByProvider(database)).toEqual(before.filter(({ name }) => name !== "north"));
    expect(await removeProvider(database, "north", "remove")).toBeUndefined();
  });
});
