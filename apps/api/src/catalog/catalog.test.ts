import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { IMAGE_LIST_LIFETIME_SECONDS, listOffersQuerySchema, type SourceList } from "@gpu-offers/domain";
import { findLiveSource, type LiveSource } from "@gpu-offers/sources";
import type { NestFastifyApplication } from "@nestjs/platform-fastify";
import { pino } from "pino";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createLog } from "../log.js";
import { Foundation } from "../foundation.js";
import { readConfig } from "../config.js";
import { saveSource } from "@gpu-offers/store/live.store";
import type { Database } from "@gpu-offers/store/database";
import { removeProvider } from "@gpu-offers/store/catalog-removal";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { Catalog } from "./catalog.js";
import { indexListings } from "../listings/listing-view.js";
import { loadSnapshotParts } from "./load-snapshot.js";
import { Test } from "@nestjs/testing";
import { VERSIONING, WireAdapter } from "../http/adapter.js";
import { serveOpenApi } from "../openapi/document.js";
import { ServiceModule } from "../service.module.js";

// The real application on a real database; the test controls the clock and the polling.

/** The service in Nest's testing module, with a catalog of the test's own. It doesn't listen yet. */
async function testingApp(foundation: Foundation, catalog: Catalog): Promise<NestFastifyApplication> {
  const module = await Test.createTestingModule({ imports: [ServiceModule.on(foundation)] })
    .overrideProvider(Catalog)
    .useValue(catalog)
    .compile();
  const adapter = new WireAdapter();
  const app = module.createNestApplication<NestFastifyApplication>(adapter, { logger: false });
  app.enableVersioning(VERSIONING);
  serveOpenApi(app, foundation);
  return app;
}

let folder: string;
let database: Database;
let app: NestFastifyApplication;
let catalog: Catalog;
let nowMs: number;
let loads: number;
let isDatabaseGone: boolean;
let isDamaged: boolean;
let log: { msg: string; durationMs?: number }[];

/** Creates what the service stands on, in the folder. The first time, this fills the database. */
function createFoundation(): Promise<Foundation> {
  const config = readConfig({ DATABASE_URL: `sqlite:${join(folder, "catalog.sqlite")}`, LOG_LEVEL: "silent" });
  return Foundation.create(config, "0.0.0", createLog(config, process.stdout), async () => undefined);
}

/** The file of a database with the starter catalog: filling one takes as long as all tests. */
let filled: Buffer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-offers-test-"));
  await (await createFoundation()).onApplicationShutdown();
  filled = readFileSync(join(folder, "catalog.sqlite"));
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-offers-test-"));
  writeFileSync(join(folder, "catalog.sqlite"), filled);
  const foundation = await createFoundation();
  ({ database } = foundation);
  nowMs = Date.UTC(2026, 10, 20);
  loads = 0;
  isDatabaseGone = false;
  isDamaged = false;
  log = [];
  const logger = pino({ level: "info" }, { write: (line: string) => log.push(JSON.parse(line) as { msg: string }) });
  catalog = new Catalog({
    database,
    load: async () => {
      loads++;
      if (isDatabaseGone) {
        throw Object.assign(new Error("the database is gone"), { code: "ECONNREFUSED" });
      }
      if (isDamaged) {
        throw new Error("offer 7 is not JSON");
      }
      return loadSnapshotParts(database);
    },
    formatVersion: "test",
    logger,
    // Clocks have fractions of a millisecond.
    now: () => nowMs + loads / 3,
    wallClock: () => nowMs,
  });
  app = await testingApp(foundation, catalog);
  await app.listen(0, "127.0.0.1");
});

afterEach(async () => {
  vi.useRealTimers();
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const pass = (seconds: number): void => {
  nowMs += seconds * 1_000;
};

const IMAGES = "/api/v1/providers/aws/images";
const fetchJson = async (url: string) => {
  const { port } = app.getHttpServer().address() as AddressInfo;
  const { status, headers, text } = await fetchFrom({ port }, url);
  return { status, headers, body: JSON.parse(text) as unknown };
};
const statuses = async (...urls: string[]) => Promise.all(urls.map(async (url) => (await fetchJson(url)).status));

describe("image lists", () => {
  test("state their age in whole seconds since the reading started", async () => {
    await catalog.refresh();
    expect((await fetchJson(IMAGES)).headers).toMatchObject({ age: "0", "cache-control": "public, max-age=3600" });
    pass(59.9);
    expect((await fetchJson(IMAGES)).headers["age"]).toBe("59");
    pass(3_539.1);
    expect((await fetchJson(IMAGES)).headers["age"]).toBe("3599");
  });

  test("are never from the future, even if the clock is set back", async () => {
    await catalog.refresh();
    pass(-7_200);
    expect((await fetchJson(IMAGES)).headers["age"]).toBe("0");
  });

  test("are read again ten minutes before the hour is over", async () => {
    await catalog.refresh();
    expect(loads).toBe(1);
    pass(IMAGE_LIST_LIFETIME_SECONDS - 601);
    await catalog.refresh();
    expect(loads).toBe(1);
    pass(1);
    await catalog.refresh();
    expect(loads).toBe(2);
    expect(await fetchJson(IMAGES)).toMatchObject({ status: 200, headers: { age: "0" } });
  });

  test("keep their entity tag if they are reloaded unchanged", async () => {
    await catalog.refresh();
    const before = await fetchJson(IMAGES);
    pass(IMAGE_LIST_LIFETIME_SECONDS - 1);
    await catalog.refresh();
    expect((await fetchJson(IMAGES)).headers["etag"]).toBe(before.headers["etag"]);
  });

  test("are rejected after an hour without the database, while offers are still served", async () => {
    await catalog.refresh();
    isDatabaseGone = true;
    pass(IMAGE_LIST_LIFETIME_SECONDS - 1);
    await expect(catalog.refresh()).rejects.toThrow("gone");
    expect(await fetchJson(IMAGES)).toMatchObject({ status: 200, headers: { age: "3599" } });
    pass(1);
    await expect(catalog.refresh()).rejects.toThrow("gone");
    const rejected = await fetchJson(IMAGES);
    expect(rejected.status).toBe(503);
    expect(rejected.headers).toMatchObject({ "retry-after": "5", "cache-control": "no-store" });
    expect(rejected.headers["age"]).toBe(undefined);
    expect(rejected.body).toEqual({
      code: "unavailable",
      message: "The image list is older than an hour and cannot be reloaded at the moment.",
      requestId: rejected.headers["x-request-id"],
      docUrl: "/docs/errors/unavailable",
    });
    pass(86_400);
    expect(await statuses("/api/v1/offers", "/api/v1/providers", "/health/ready", "/health/live")).toEqual([
      200, 200, 200, 200,
    ]);
    expect(await statuses("/api/v1/providers/no-such-provider/images", `${IMAGES}?page=0`)).toEqual([404, 400]);

    isDatabaseGone = false;
    await catalog.refresh();
    expect(await fetchJson(IMAGES)).toMatchObject({ status: 200, headers: { age: "0" } });
  });
});

describe("a catalog", () => {
  test("that was never read gives 503 with Retry-After, and the process is alive", async () => {
    expect(await statuses("/api/v1/offers", "/api/v1/providers", IMAGES, "/health/ready")).toEqual([
      503, 503, 503, 503,
    ]);
    expect(await statuses("/health/live", "/openapi.json")).toEqual([200, 200]);
    expect(await fetchJson("/api/v1/offers")).toMatchObject({
      headers: { "retry-after": "5" },
      body: { code: "unavailable" },
    });
  });

  test("that cannot be read at first fails the start", async () => {
    isDatabaseGone = true;
    await expect(catalog.start()).rejects.toThrow("gone");
  });

  test("has the order and the groups of its listings from the thread that loaded it", async () => {
    await catalog.refresh();
    const { index } = indexListings(catalog.getSnapshot());
    const sort = { sort: "pricePerGpu", order: "asc" } as const;
    const work = index.selecting({ filter: { min_ram: 1, min_vcpu: 1, disk: 1 }, sort }, { page: 0, size: 25 });
    // The work yields after each condition, and often where an order has to be made, so that other requests run.
    expect([...work]).toHaveLength(3);
  });

  test("is reloaded for a new revision, and for another database with the same revision number", async () => {
    await catalog.refresh();
    await catalog.refresh();
    expect(loads).toBe(1);
    const first = catalog.snapshot;
    await removeProvider(database, "aws", "test");
    await catalog.refresh();
    expect(catalog.snapshot?.revision.revision).toBe(2);
    await database.updateTable("catalog_revision").set({ mark: "other" }).execute();
    await catalog.refresh();
    expect(loads).toBe(3);
    expect(catalog.snapshot?.etag).toBe('"2-other-test"');
    // A caller with the old snapshot can still use it.
    const query = listOffersQuerySchema.parse({});
    expect(first?.findImages("aws", undefined)?.body.toString()).toContain('"isDefault":true');
    expect(first?.listOffers(query).body.toString()).toContain('"offers":[{');
  });

  test("keeps the age of its prices until the new ones are loaded", async () => {
    await catalog.refresh();
    const ageOf = async () => (await fetchJson("/api/v1/offers")).headers["catalog-as-of"];
    const before = await ageOf();
    await database.updateTable("provider").set({ as_of: "2026-11-20" }).execute();
    await removeProvider(database, "aws", "test");
    isDatabaseGone = true;
    await expect(catalog.refresh()).rejects.toThrow("gone");
    expect(await ageOf()).toBe(before);
    isDatabaseGone = false;
    await catalog.refresh();
    expect(await ageOf()).toBe("2026-11-20T00:00:00.000Z");
  });

  test("has stale live prices in time, even while the database cannot be read", async () => {
    const source = findLiveSource("vast") as LiveSource;
    const settings = { intervalSeconds: 600, staleAfterSeconds: 3_600, dropAfterSeconds: 86_400 };
    await saveSource(database, source, settings, true);
    const at = new Date(nowMs).toISOString();
    await database.updateTable("live_source").set({ checked_at: at, last_run_at: at, outcome: "unchanged" }).execute();
    await database.updateTable("provider").set({ source: "vast" }).where("name", "=", "aws").execute();
    await catalog.refresh();
    const facts = async () => [
      (await fetchJson("/api/v1/offers?size=100")).headers["catalog-stale-providers"],
      ((await fetchJson("/api/v2/sources")).body as SourceList).sources.find(({ name }) => name === "vast")?.state,
    ];
    expect(await facts()).toEqual([undefined, "fresh"]);
    await database.schema.alterTable("live_source").renameTo("gone").execute();
    pass(3_601);
    await expect(catalog.refresh()).rejects.toThrow("live_source");
    expect(await facts()).toEqual(["aws", "stale"]);
  });

  test("polls every second, and logs once that the database is gone and once that it is back", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await catalog.start();
    await removeProvider(database, "aws", "test");
    isDatabaseGone = true;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(loads).toBe(4);
    expect(await statuses(IMAGES)).toEqual([200]);
    isDatabaseGone = false;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await statuses(IMAGES)).toEqual([404]);
    await catalog.onModuleDestroy();
    await removeProvider(database, "gcp", "test");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(loads).toBe(5);
    expect(log.flatMap(({ durationMs }) => durationMs ?? []).every(Number.isInteger)).toBe(true);
    expect(log.map(({ msg }) => msg).filter((msg) => msg !== "request")).toEqual([
      "catalog loaded",
      "cannot check for a new catalog; serving the last one",
      "catalog loaded",
      "catalog is readable again",
    ]);
  });

  test("is prepared once after a check, and again when it changes, whatever fails", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const prepared: (number | undefined)[] = [];
    catalog.prepare(() => {
      prepared.push(catalog.snapshot?.revision.revision);
      return Promise.reject(new Error("unprepared"));
    });
    await catalog.start();
    expect(prepared).toEqual([]);
    await vi.advanceTimersByTimeAsync(3_000);
    const [first = 0] = prepared;
    expect(prepared).toEqual([first]);
    await removeProvider(database, "aws", "test");
    await vi.advanceTimersByTimeAsync(3_000);
    expect(prepared).toEqual([first, first + 1]);
    expect(log.filter(({ msg }) => msg.includes("prepare"))).toHaveLength(2);
  });

  test("is prepared once the loop has read the requests that waited while it was taken over", async () => {
    await catalog.start();
    await removeProvider(database, "aws", "test");
    let [turns, takenOverIn] = [0, 0];
    const turn = (): void => {
      turns++;
      takenOverIn ||= catalog.snapshot === served ? 0 : turns;
      next = setImmediate(turn);
    };
    const served = catalog.snapshot;
    let next = setImmediate(turn);
    const wholeTurns = await new Promise<number>((resolve) => {
      catalog.prepare(async () => resolve(takenOverIn === 0 ? 0 : turns - takenOverIn));
    });
    clearImmediate(next);
    expect(wholeTurns).toBeGreaterThan(0);
  });

  test("that cannot be loaded is tried less and less often, while the database counts as reachable", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await catalog.start();
    await removeProvider(database, "aws", "test");
    isDamaged = true;
    const advance = async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        pass(1);
        await vi.advanceTimersByTimeAsync(1_000);
      }
    };
    await advance(16);
    // After 1, 2, 4, 8 and 16 seconds.
    expect(loads).toBe(6);
    expect(catalog.reach.isReachable).toBe(true);
    expect(await statuses(IMAGES)).toEqual([200]);
    await advance(120);
    expect(loads).toBe(9);
    isDamaged = false;
    await removeProvider(database, "gcp", "test");
    await advance(1);
    expect(await statuses(IMAGES)).toEqual([404]);
    expect(log.map(({ msg }) => msg).filter((msg) => msg !== "request")).toEqual([
      "catalog loaded",
      "cannot load the new catalog; serving the last one",
      "catalog loaded",
      "catalog is readable again",
    ]);
  });
});
