import type { SourceImage, SourceItem } from "@gpu-offers/sources";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { databasesOfSuite } from "@gpu-offers/testkit/databases";
import { open } from "../test/databases.ts";
import { nativeRow, nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { importCatalog, isPristine, type ImportOptions, type ImportReport } from "./catalog-import.js";
import { removeProvider } from "./catalog-removal.js";
import { countByProvider, listProviders, listRevisions } from "./catalog.store.js";
import type { Reading } from "./observations.js";
import type { Database } from "./database.js";
import { itemsOf, offersOf, provider, image, contentOf } from "../test/catalog-items.ts";

const rejection = (code: "no_price" | "spot_only" | "not_a_gpu", line: number): SourceItem => ({
  kind: "rejection",
  where: `line ${line}`,
  code,
  reason: `Reason ${line}.`,
  countsAsGpuRow: code !== "not_a_gpu",
});

const rejections = (count: number): SourceItem[] =>
  Array.from({ length: count }, (_, line) => rejection("no_price", line));

const skipped = (line: number): SourceItem => ({ kind: "skipped", where: `line ${line}` });

describe.each(databasesOfSuite)("an import into $kind", ({ create }) => {
  let database: Database;

  beforeEach(async () => {
    database = await open(await create());
  });

  const importItems = (items: readonly SourceItem[], options: Partial<ImportOptions> = {}): Promise<ImportReport> =>
    importCatalog(database, { items, cause: "test", ...options });

  test("warns of GPU families that are gone, and of one factor for all prices", async () => {
    const rows = (factor: number, gpus: string[]) =>
      itemsOf(
        gpus.flatMap((gpu) =>
          [1, 2, 3, 4].map((index) => nativeRow({ instanceType: `${gpu}-${index}`, gpu, priceHourly: index * factor })),
        ),
      );
    await importItems(await rows(1, ["h100-sxm", "h100-pcie", "a100-pcie-80gb"]));
    const { warnings, revision } = await importItems(await rows(1.25, ["h100-sxm", "h100-pcie"]));
    expect(revision).toBe(2);
    expect(warnings.map(({ message }) => message)).toEqual([
      "Warning: fjord: no A100 (4 before) in this run.",
      "Warning: fjord: nearly all of 8 prices changed by one factor, x1.25: another currency, tax or unit?",
    ]);
    expect((await importItems(await rows(1.25, ["h100-sxm", "h100-pcie"]))).warnings).toEqual([]);
  });

  test("records what it did", async () => {
    const before = new Date().toISOString();
    const rows = await itemsOf(nativeRows(5));
    await importItems([...rows, rejection("no_price", 9)], { cause: "import one.csv" });
    await importItems(await itemsOf([nativeRow({ instanceType: "type-0", priceHourly: 9 })]), { cause: "import two" });
    const [second, first, ...others] = await listRevisions(database, 10);
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      revision: 1,
      cause: "import one.csv",
      added: 5,
      changed: 0,
      removed: 0,
      rejected: 1,
    });
    expect(second).toMatchObject({ revision: 2, cause: "import two", added: 0, changed: 1, removed: 4, rejected: 0 });
    for (const { mark, created_at: createdAt } of [first, second].filter((each) => each !== undefined)) {
      expect(mark).toMatch(/^[0-9a-f]{8}$/);
      expect(new Date(createdAt).toISOString()).toBe(createdAt);
      expect(createdAt >= before && createdAt <= new Date().toISOString()).toBe(true);
    }
    expect(first?.mark).not.toBe(second?.mark);
  });

  test("is rejected above its limit of rejected GPU rows, but not at it", async () => {
    const eight = await itemsOf(nativeRows(8));
    const problem = (rejected: number, allowed: string) =>
      `${rejected} of ${8 + rejected} GPU rows were rejected, more than the ${allowed} allowed.`;
    const attempt = async (rejected: number, limit?: ImportOptions["limit"]) => {
      const report = await importItems([...eight, ...rejections(rejected)], {
        isDryRun: true,
        ...(limit === undefined ? {} : { limit }),
      });
      return report.problem ?? report.outcome;
    };
    expect(await attempt(2)).toBe("dry_run");
    expect(await attempt(3)).toBe(problem(3, "20%"));
    expect(await attempt(8, { percent: 50 })).toBe("dry_run");
    expect(await attempt(9, { percent: 50 })).toBe(problem(9, "50%"));
    expect(await attempt(100, { percent: 100 })).toBe("dry_run");
    expect(await attempt(0, { percent: 0 })).toBe("dry_run");
    expect(await attempt(1, { percent: 0 })).toBe(problem(1, "0%"));
    expect(await attempt(30, { count: 30 })).toBe("dry_run");
    expect(await attempt(31, { count: 30 })).toBe(problem(31, "30"));
    expect(await attempt(1, { count: 0 })).toBe(problem(1, "0"));
    // Rows that are known not to be GPUs don't count.
    const others = Array.from({ length: 50 }, (_, line) => rejection("not_a_gpu", line));
    expect(await importItems([...eight, ...others, skipped(1)], { limit: { count: 0 } })).toMatchObject({
      outcome: "imported",
      rows: { offers: 8, rejected: 50, skipped: 1 },
    });
  });

  test("without offers is rejected, whatever its options", async () => {
    for (const items of [[], [provider("fjord")], [skipped(1)], [rejection("not_a_gpu", 1)]]) {
      expect(await importItems(items, { limit: { percent: 100 } })).toMatchObject({
        outcome: "rejected",
        problem: "The file has no offers.",
        remedy: { kind: "remove_provider", provider: undefined },
      });
    }
    expect(await importItems([...rejections(1)], { limit: { count: 1 } })).toMatchObject({ outcome: "rejected" });
    expect(await isPristine(database)).toBe(true);
  });

  test("with a date more than a day ahead is rejected", async () => {
    const items = await itemsOf(nativeRows(1));
    const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
    const later = inHours(25);
    const rejected = {
      outcome: "rejected",
      problem: `asOf must be the date of the prices, not the future ${later}. Correct it, or the clock of this computer.`,
    };
    expect(await importItems(items, { asOf: () => later })).toMatchObject(rejected);
    expect(await importItems([...items, provider("bare", { asOf: later })])).toMatchObject(rejected);
    expect(await importItems(items, { asOf: () => inHours(23) })).toMatchObject({ outcome: "imported" });
  });

  test("that would empty a provider is rejected, unless it never had offers", async () => {
    const north = await itemsOf(nativeRows(2, { provider: "north" }));
    expect(await importItems([...north, provider("bare")])).toMatchObject({
      outcome: "imported",
      providers: ["bare", "north"],
    });
    const south = await itemsOf(nativeRows(1, { provider: "south" }));
    const before = await contentOf(database);
    expect(await importItems([...south, provider("north"), provider("bare")])).toMatchObject({
      outcome: "rejected",
      problem: "The file has no offers of north, but the catalog has 2.",
      remedy: { kind: "remove_provider", provider: "north" },
    });
    expect(await contentOf(database)).toEqual(before);
    expect(await importItems([...south, provider("bare")])).toMatchObject({ outcome: "imported", added: 1 });
  });

  test("that uses the id of another provider's offer is rejected", async () => {
    const north = await itemsOf(nativeRows(1, { provider: "north" }));
    await importItems(north);
    const taken = north.map((item) =>
      item.kind === "offer"
        ? { ...item, offer: { ...item.offer, provider: { name: "south", slug: "south" } } }
        : provider("south"),
    );
    const id = north.find((item) => item.kind === "offer")?.offer.id;
    const before = await contentOf(database);
    expect(await importItems(taken)).toMatchObject({
      outcome: "rejected",
      problem: `Offer id ${id} of provider south is already used by provider north.`,
    });
    expect(await contentOf(database)).toEqual(before);
  });

  test("of a source without provider details keeps the existing images and type", async () => {
    const [offer] = await offersOf([nativeRow()]);
    const dearer = await offersOf([nativeRow({ priceHourly: 9 })]);
    await importItems([provider("fjord", { type: "container", images: [image("x")] }), offer as SourceItem]);
    await importItems(dearer, { about: { provider: "fjord" }, asOf: () => "2026-11-02" });
    const kept = {
      name: "fjord",
      asOf: "2026-11-02",
      isSample: false,
      images: [{ ...image("x"), instanceTypes: [] }],
    };
    expect(await listProviders(database)).toEqual([{ ...kept, type: "container" }]);
    await importItems(dearer, { about: { provider: "fjord", type: "vm" }, asOf: () => "2026-11-02" });
    expect(await listProviders(database)).toEqual([{ ...kept, type: "vm" }]);
    // A source may name its provider and state nothing else about it.
    const told = [provider("fjord", { type: "container", images: [] }), ...dearer];
    expect(await importItems(told, { about: {}, asOf: () => "2026-11-02" })).toMatchObject({ outcome: "unchanged" });
    expect(await listProviders(database)).toEqual([{ ...kept, type: "vm" }]);
    await importItems([provider("tundra"), ...(await offersOf([nativeRow({ provider: "tundra" })]))], { about: {} });
    expect((await listProviders(database))[1]).toMatchObject({ name: "tundra", type: "vm", asOf: null, images: [] });
  });

  test("of a provider without images leaves those that are stored, and an empty list removes them", async () => {
    const offers = await offersOf([nativeRow()]);
    const imagesAfter = async (item: SourceItem) => {
      await importItems([item, ...offers]);
      return (await listProviders(database)).flatMap(({ images }) => images.map(({ id }) => id));
    };
    expect(await imagesAfter(provider("fjord", { images: [image("x")] }))).toEqual(["x"]);
    expect(await imagesAfter({ kind: "provider", where: "1", provider: { name: "fjord", type: "vm" } })).toEqual(["x"]);
    expect(await imagesAfter(provider("fjord", { images: [] }))).toEqual([]);
  });

  test("of the same images in another order changes nothing, of different ones it does", async () => {
    const offers = await offersOf([nativeRow()]);
    const outcomeOf = async (...images: SourceImage[]) =>
      (await importItems([provider("fjord", { images }), ...offers])).outcome;
    expect(await outcomeOf(image("b"), image("a"), image("c", ["t"]))).toBe("imported");
    expect(await outcomeOf(image("c", ["t"]), image("a"), image("b"))).toBe("unchanged");
    expect(await outcomeOf(image("a"), image("b"), image("c", ["u"]))).toBe("imported");
    expect(await outcomeOf(image("a"), image("b"))).toBe("imported");
    expect(await outcomeOf()).toBe("imported");
    expect(await outcomeOf()).toBe("unchanged");
  });

  test("fails as a whole if an id is repeated, and leaves nothing behind for the next import", async () => {
    const rows = await itemsOf(nativeRows(3));
    await expect(importItems([...rows, ...rows])).rejects.toThrow(/unique/i);
    expect(await isPristine(database)).toBe(true);
    expect(await importItems(rows)).toMatchObject({ outcome: "imported", added: 3 });
  });

  test("leaves other providers unchanged, and so does a removal", async () => {
    await importItems(await itemsOf(nativeRows(3, { provider: "north" })));
    await importItems([
      provider("south", { images: [image("x")] }),
      ...(await offersOf(nativeRows(2, { provider: "south" }))),
    ]);
    const counts = async () =>
      (await countByProvider(database)).map(({ name, offers, images }) => [name, offers, images]);
    expect(await counts()).toEqual([
      ["north", 3, 0],
      ["south", 2, 1],
    ]);
    expect(await removeProvider(database, "east", "remove east")).toBeUndefined();
    expect(await removeProvider(database, "north", "remove north")).toEqual({ revision: 3, removed: 3 });
    expect(await counts()).toEqual([["south", 2, 1]]);
    expect(await removeProvider(database, "south", "remove south")).toEqual({ revision: 4, removed: 2 });
    expect(await counts()).toEqual([]);
    const images = await database.selectFrom("os_image").selectAll().execute();
    expect(images).toEqual([]);
    const [last] = await listRevisions(database, 1);
    expect(last).toMatchObject({ cause: "remove south", added: 0, changed: 0, removed: 2, rejected: 0 });
  });

  test("changes the catalog for any single difference, and not without one", async () => {
    const rowsOf = (changes: Record<string, number>) =>
      offersOf(Object.entries(changes).map(([instanceType, priceHourly]) => nativeRow({ instanceType, priceHourly })));
    const take = async (changes: Record<string, number>, asOf = "2026-11-01", type?: "container") => {
      const about = { provider: "fjord", ...(type === undefined ? {} : { type }) };
      const { outcome, revision } = await importItems(await rowsOf(changes), { about, asOf: () => asOf });
      expect(await listRevisions(database, 100)).toHaveLength(count + (outcome === "imported" ? 1 : 0));
      count += outcome === "imported" ? 1 : 0;
      expect(revision).toBe(outcome === "imported" ? count : undefined);
      return outcome;
    };
    let count = 0;
    expect(await take({ a: 1, b: 1, c: 1 })).toBe("imported");
    expect(await take({ a: 1, b: 1, c: 1 })).toBe("unchanged");
    // The numbers of new and removed or of changed offers are equal.
    expect(await take({ a: 1, b: 1, d: 1 })).toBe("imported");
    expect(await take({ a: 1, b: 2, d: 1, e: 1 })).toBe("imported");
    expect(await take({ a: 1, b: 3, d: 1 })).toBe("imported");
    expect(await take({ a: 1, b: 3, d: 1 }, "2026-11-02")).toBe("imported");
    expect(await take({ a: 1, b: 3, d: 1 }, "2026-11-02", "container")).toBe("imported");
    expect(await take({ a: 1, b: 3, d: 1 }, "2026-11-02")).toBe("unchanged");
  });

  test("uses the given type for a provider that the source only names", async () => {
    const items = [provider("fjord", { type: "vm" }), ...(await offersOf([nativeRow()]))];
    await importItems(items, { about: { type: "container" } });
    expect(await listProviders(database)).toMatchObject([{ name: "fjord", type: "container" }]);
  });

  test("that must be the first is rejected if there is a catalog", async () => {
    const items = await itemsOf([nativeRow()]);
    expect(await importItems(items, { isFirst: true })).toMatchObject({ outcome: "imported" });
    expect(await importItems(await itemsOf([nativeRow({ priceHourly: 9 })]), { isFirst: true })).toMatchObject({
      outcome: "rejected",
      problem: "There is already a catalog.",
    });
    expect(await importItems(items, { isFirst: false })).toMatchObject({ outcome: "unchanged" });
  });

  test("doesn't quarantine machines that no place has, as their provider says, or that a place has again", async () => {
    const gates = () => ({ kind: "list" as const });
    const read = async (isSoldOut: (gpuCount: number) => boolean, left = 8) => {
      const nowhere = { region: "unknown", isAvailable: false, listing: { availability: "sold_out" } };
      const rows = Array.from({ length: left }, (_, index) => {
        const row = nativeRow({ instanceType: `type-${index + 1}`, gpuCount: index + 1, priceHourly: 2 * index + 2 });
        return isSoldOut(index + 1) ? Object.assign(row, nowhere) : row;
      });
      return importItems(await itemsOf(rows), { gates });
    };
    await read(() => false);
    expect(await read((gpuCount) => gpuCount > 4)).toMatchObject({ outcome: "imported", removed: 4, added: 4 });
    expect(await read((gpuCount) => gpuCount < 5)).toMatchObject({ outcome: "imported", removed: 8, added: 8 });
    expect(await read(() => false, 4)).toMatchObject({ outcome: "quarantined", quarantined: [{ removed: 4 }] });
  });

  test("replaces offers of a sample without comparing them, but not those of an import", async () => {
    const gates = () => ({ kind: "list" as const });
    const rows = await itemsOf([...nativeRows(9), ...nativeRows(9, { provider: "north" })]);
    for (const item of rows) {
      if (item.kind === "provider") {
        item.provider.sample = true;
      }
    }
    await importItems(rows);
    const real = await itemsOf([nativeRow({ instanceType: "real" })]);
    expect(await importItems(real, { gates })).toMatchObject({ outcome: "imported", added: 1, removed: 9 });
    const another = await itemsOf([nativeRow({ instanceType: "real", priceHourly: 90 })]);
    expect(await importItems(another, { gates })).toMatchObject({ outcome: "quarantined" });
    // Each provider counts by itself, and an implausible price stays one.
    const free = await itemsOf([nativeRow({ provider: "north", priceHourly: 0.001 })]);
    expect(await importItems(free, { gates })).toMatchObject({
      outcome: "quarantined",
      quarantined: [{ provider: "north", gates: [{ gate: "price_range" }] }],
    });
  });

  test("that fails while replacing the catalog reports it and changes nothing", async () => {
    const asOf = (): string => {
      throw new Error("no date");
    };
    await expect(importItems(await itemsOf(nativeRows(1_000)), { asOf })).rejects.toThrow("no date");
    expect(await isPristine(database)).toBe(true);
    expect(await importItems(await itemsOf(nativeRows(1_000)))).toMatchObject({ outcome: "imported", added: 1_000 });
  });

  test("reads the date of a source after all of its items", async () => {
    let isRead = false;
    const items = (async function* () {
      yield* await itemsOf([nativeRow()]);
      isRead = true;
    })();
    await importCatalog(database, { items, cause: "test", asOf: () => (isRead ? "2026-11-03" : "too early") });
    expect(await listProviders(database)).toMatchObject([{ asOf: "2026-11-03" }]);
  });

  test("passes on an error of its source", async () => {
    const items = (async function* () {
      yield* await itemsOf([nativeRow()]);
      throw new Error("the disk is gone");
    })();
    await expect(importCatalog(database, { items, cause: "test" })).rejects.toThrow("the disk is gone");
    expect(await isPristine(database)).toBe(true);
  });

  test("counts rejections by code, most frequent first, and shows three of each", async () => {
    const items = [
      ...(await itemsOf([nativeRow()])),
      rejection("spot_only", 1),
      ...[2, 3, 4, 5].map((line) => rejection("no_price", line)),
      rejection("spot_only", 6),
    ];
    const { rejections: counted } = await importItems(items, { limit: { count: 10 } });
    expect(counted).toEqual([
      {
        code: "no_price",
        count: 4,
        first: [2, 3, 4].map((line) => ({ where: `line ${line}`, reason: `Reason ${line}.` })),
      },
      {
        code: "spot_only",
        count: 2,
        first: [1, 6].map((line) => ({ where: `line ${line}`, reason: `Reason ${line}.` })),
      },
    ]);
  });

  test("reports its progress every thousand rows and at the end", async () => {
    const told: number[] = [];
    const rows = await offersOf(nativeRows(1_001));
    const items = (async function* () {
      yield provider("fjord");
      yield* rows;
      for (let line = 0; line < 1_000; line++) {
        yield line % 2 === 0 ? skipped(line) : rejection("not_a_gpu", line);
      }
    })();
    const report = await importCatalog(database, { items, cause: "test", onProgress: (count) => told.push(count) });
    expect(told).toEqual([1_000, 2_000, 2_001]);
    expect(report).toMatchObject({
      outcome: "imported",
      added: 1_001,
      rows: { offers: 1_001, rejected: 500, skipped: 500 },
    });
    expect(Object.keys((await contentOf(database)).offers)).toHaveLength(1_001);
  });
});

// SQLite has no such lock.
const lockingDatabases = databasesOfSuite.filter(({ kind }) => kind === "PostgreSQL");

describe.each(lockingDatabases)("a catalog writer on $kind", ({ create }) => {
  test("loses its lock if its process freezes", async () => {
    const database = await open(await create());
    let limit: unknown;
    const record = async (transaction: Database): Promise<void> => {
      const { rows } = await sql`select current_setting('idle_in_transaction_session_timeout') as limit`.execute(
        transaction,
      );
      [limit] = rows;
    };
    const live = {
      readingsOf: (): [Reading] => [
        { scope: null, at: "2026-11-01T00:00:00.000Z", isComplete: true, knowsStock: true },
      ],
      sourceOf: () => "north",
      emptied: [],
      scopesOf: () => [],
      keptScopes: [],
      record,
    };
    await importCatalog(database, { items: await itemsOf(nativeRows(1)), cause: "test", live });
    expect(limit).toEqual({ limit: "1min" });
  });
});
