import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { databaseUrlOf, startAdmin } from "@gpu-offers/testkit/admin";
import { sourceListSchema } from "@gpu-offers/domain";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { linodeReplay, liveSettings } from "@gpu-offers/testkit/linode-server";
import { tempFile } from "@gpu-offers/testkit/native-catalogs";
import { createPostgresDatabase, startPostgres } from "@gpu-offers/testkit/postgres-server";
import { json, startReplay, type ReplayServer } from "@gpu-offers/testkit/replay-server";
import type { Ended } from "@gpu-offers/testkit/running-process";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { tempDatabase, tempFolder } from "@gpu-offers/testkit/temp-folder";
import { findLiveSource, type LiveSource } from "@gpu-offers/sources";
import { LiveSettingsFile } from "@gpu-offers/fetch/live-settings";
import { saveSource } from "@gpu-offers/store/live.store";
import { openDatabase, type Database } from "@gpu-offers/store/database";

// Live sources as seen by operators and callers: commands and services as processes, a provider on the loopback.

const linode = findLiveSource("linode") as LiveSource;
const digitalocean = findLiveSource("digitalocean") as LiveSource;

interface SyncReport {
  results: { source: string; outcome: string; offers: number; error: { code: string; message: string } | null }[];
}

let server: ReplayServer;
let database: string;
let settings: Record<string, string>;

beforeEach(async () => {
  server = await startReplay(({ target }) => linodeReplay(target));
  database = tempDatabase();
  settings = liveSettings(server, ["linode", "digitalocean"]);
});

/** Runs work directly on the database. */
async function inDatabase<Result>(work: (opened: Database) => Promise<Result>): Promise<Result> {
  const opened = await openDatabase(databaseUrlOf(database));
  try {
    return await work(opened);
  } finally {
    await opened.destroy();
  }
}

/** Enables a source without a sync. */
const enable = (one = linode): Promise<void> =>
  inDatabase((opened) => saveSource(opened, one, new LiveSettingsFile([one]).of(one), true));

/** The stored prices, in order. */
const prices = (): Promise<number[]> =>
  inDatabase(async (opened) =>
    (await opened.selectFrom("offer").select("price_hourly").orderBy("price_hourly").execute()).map(
      (row) => row.price_hourly,
    ),
  );

const source = (...args: string[]): Promise<Ended> => startAdmin(database, ["source", ...args], { settings }).ended;

async function sync(name: string): Promise<SyncReport["results"][number] | undefined> {
  const { stdout } = await source("sync", name, "--json");
  return (JSON.parse(stdout) as SyncReport).results[0];
}

/** Whether a service serves offers of linode, which the starter catalog lists as akamai. */
async function hasLiveOffers(service: Service): Promise<boolean> {
  const { sources } = sourceListSchema.parse(jsonOf(await fetchFrom(service, "/api/v2/sources")));
  // Before its first run, the offers of its provider are those of the starter catalog.
  return sources.some(({ name, providers, state, offers }) => {
    return name === "linode" && providers[0] === "akamai" && state === "fresh" && offers > 0;
  });
}

/** Changes the stored state of the sources, such as when they are due. */
const setSources = (values: { next_run_at?: string; lease_until?: string }): Promise<unknown> =>
  inDatabase((opened) => opened.updateTable("live_source").set(values).execute());

const LONG_AGO = new Date(0).toISOString();

test("a sync ends when its work is done", async () => {
  await enable();
  const { code } = await source("sync", "linode");
  const endedAt = performance.now();
  expect(code).toBe(0);
  expect(endedAt - (server.requests.at(-1)?.atMs ?? 0)).toBeLessThan(4_000);
});

test("a source whose first fetch fails is enabled, and the command says so", async () => {
  await server.close();
  const { code, stderr } = await source("enable", "linode", "--json");
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^gpu-offers-admin: enabled linode; the first fetch of linode failed\. See gpu-offers-admin source status\n$/,
    ),
  ]);
  const listed = await inDatabase((opened) =>
    opened.selectFrom("live_source").select(["name", "is_enabled"]).execute(),
  );
  expect(listed).toMatchObject([{ name: "linode", is_enabled: 1 }]);
});

test("the status says whether a run is planned, overdue or in progress", async () => {
  await enable();
  const nextRun = async () => /^linode.*unknown +\d+ +live +- +- +(.+?) *$/m.exec((await source("status")).stdout)?.[1];
  expect(await nextRun()).toBe("-");
  await setSources({ next_run_at: new Date(Date.now() - 11.5 * 60_000).toISOString() });
  expect(await nextRun()).toBe("overdue 11 min");
  await setSources({ lease_until: new Date(Date.now() + 60_000).toISOString() });
  expect(await nextRun()).toBe("running");
});

test("an overdue source is logged and found, until it is on time again", async () => {
  await enable();
  await setSources({ next_run_at: new Date(Date.now() - 20 * 60_000).toISOString() });
  const service = await startService({ databasePath: database, settings: { LIVE_SYNC: "off" } });
  const late = await service.logLine((line) => String(line["msg"]).startsWith("live sources are overdue"));
  expect(late).toMatchObject({ level: "error", sources: ["linode"] });
  const doctor = async () => (await startAdmin(database, ["doctor", "--no-service"]).ended).stdout;
  expect(await doctor()).toContain("source_overdue linode: Its run is overdue");
  await setSources({ next_run_at: new Date(Date.now() + 60_000).toISOString() });
  await service.logLine((line) => line["msg"] === "live sources run on time again");
  expect(await doctor()).not.toContain("source_overdue");
});

test("a rejected key stops its source until the key changes, and each door says so", { timeout: 60_000 }, async () => {
  await enable(digitalocean);
  await setSources({ next_run_at: LONG_AGO });
  server.respond(() => ({ status: 401 }));
  const startWith = (key: string) =>
    startService({ databasePath: database, settings: { ...settings, DIGITALOCEAN_TOKEN: key } });
  const service = await startWith("first");
  const state = async () => {
    const { sources } = sourceListSchema.parse(jsonOf(await fetchFrom(service, "/api/v2/sources")));
    return sources.find(({ name }) => name === "digitalocean")?.state;
  };
  await expect.poll(state, { timeout: 20_000 }).toBe("stopped");
  const { text } = await fetchFrom(service, "/metrics");
  expect(text).toContain('gpu_offers_source_state{source="digitalocean",state="stopped"} 1');
  expect((await source("status")).stdout).toMatch(/^digitalocean +stopped .* - +The provider rejected .*HTTP 401/m);
  await service.stop();
  const requests = server.requests.length;
  const again = await startWith("first");
  // Longer than a runner takes to check what is due.
  await delay(1_500);
  await again.stop();
  expect(server.requests).toHaveLength(requests);
  await startWith("second");
  await expect.poll(() => server.requests.length, { timeout: 20_000 }).toBeGreaterThan(requests);
});

test("a GPU alias applies to recordings, as in imports", async () => {
  const plan = {
    slug: "gpu-hopper-turbo-x1",
    price_hourly: 2.5,
    memory: 245_760,
    vcpus: 20,
    regions: ["nyc2"],
    available: true,
    gpu_info: { count: 1, model: "hopper_turbo", vram: { amount: 80, unit: "gib" } },
    disk_info: [{ type: "local", size: { amount: 720, unit: "gib" } }],
  };
  const file = tempFile("sizes.json", JSON.stringify({ sizes: [plan, { ...plan, slug: "other" }] }));
  const testOf = (more: Record<string, string>) =>
    startAdmin(database, ["source", "test", "digitalocean", "--from", file, "--json"], { settings: more }).ended;
  expect(JSON.parse((await testOf({})).stdout)).toMatchObject({
    offers: 0,
    rejections: [{ code: "unknown_gpu" }],
    gates: [{ gate: "rejected_rows" }, { gate: "empty" }],
  });
  const aliases = { GPU_ALIASES_FILE: tempFile("aliases.txt", "# taught\nHopper Turbo=h100-pcie\n") };
  expect(JSON.parse((await testOf(aliases)).stdout)).toMatchObject({ offers: 2, rejected: 0 });
  const wrong = await testOf({ GPU_ALIASES_FILE: tempFile("wrong.txt", "Hopper Turbo=h1000\n") });
  expect(wrong).toMatchObject({ code: 2 });
  expect(wrong.stderr).toContain("h1000 in the GPU alias");
});

test("a recording contains no secret, and is read like the responses themselves", async () => {
  const canary = "canary-5f1d8a";
  settings = { ...settings, DIGITALOCEAN_TOKEN: canary };
  const size = {
    slug: "gpu-h100x1-80gb",
    price_hourly: 3.39,
    memory: 245_760,
    vcpus: 20,
    regions: ["nyc2", "tor1"],
    available: true,
    gpu_info: { count: 1, model: "nvidia_h100", vram: { amount: 80, unit: "gib" } },
    disk_info: [{ type: "local", size: { amount: 720, unit: "gib" } }],
  };
  const image = { slug: "ubuntu-24-04-x64", name: "24.04 (LTS) x64", distribution: "Ubuntu", status: "available" };
  server.respond(({ target }) => {
    const list = target.includes("/images") ? { images: [image] } : { sizes: [size] };
    return json({ ...list, links: {}, meta: { total: 1 }, token: canary }, { "set-cookie": canary });
  });
  const folder = join(tempFolder(), "recording");
  const recorded = await source("record", "digitalocean", "--output", folder);
  expect(recorded).toMatchObject({ code: 0, stderr: "" });
  expect(recorded.stdout).toBe(`Recorded 2 responses of digitalocean in ${folder}.\n`);
  expect(await source("record", "digitalocean", "--output", "/proc/recording")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("/proc/recording"),
  });
  const files = readdirSync(folder).sort();
  expect(files).toEqual(["images-1.http.json", "images-1.json", "sizes-0.http.json", "sizes-0.json"]);
  expect(files.map((file) => readFileSync(join(folder, file), "utf8")).join("")).not.toContain(canary);
  const live = await source("test", "digitalocean", "--offers");
  const read = await source("test", "digitalocean", "--from", folder, "--offers");
  // The header has the time, and the provider's line its images.
  const [, ...lines] = live.stdout.trim().split("\n");
  expect(lines).toHaveLength(3);
  expect(read.stdout.trim().split("\n").slice(1)).toEqual(lines);
});

test("a database that stops during a sync keeps its offers, and the next sync works", { timeout: 60_000 }, async () => {
  const postgres = await startPostgres({ isDurable: true });
  database = await createPostgresDatabase(postgres.url);
  await enable();
  expect(await sync("linode")).toMatchObject({ outcome: "applied" });
  const before = await prices();
  let isGone = (): void => {};
  const gone = new Promise<void>((resolve) => (isGone = resolve));
  server.respond(async ({ target }) => {
    await gone;
    return linodeReplay(target, 1.1);
  });
  const requestsBefore = server.requests.length;
  const syncing = source("sync", "linode");
  await expect.poll(() => server.requests.length, { timeout: 20_000 }).toBeGreaterThan(requestsBefore);
  await postgres.stop("immediate");
  isGone();
  const { code, stderr } = await syncing;
  expect(code).toBe(1);
  expect(stderr).toMatch(/database/);
  await postgres.start();
  expect(await prices()).toEqual(before);
  expect(await sync("linode")).toMatchObject({ outcome: "busy" });
  await setSources({ lease_until: LONG_AGO });
  expect(await sync("linode")).toMatchObject({ outcome: "applied" });
  await postgres.remove();
});

describe("instances on one database", () => {
  beforeEach(async () => {
    await enable();
    await setSources({ next_run_at: LONG_AGO });
  });

  test(
    "one with only sync serves its health and metrics alone, and one without sync serves the synced offers",
    { timeout: 60_000 },
    async () => {
      const syncing = await startService({ databasePath: database, settings: { ...settings, LIVE_SYNC: "only" } });
      const service = await startService({ databasePath: database, settings: { LIVE_SYNC: "off" } });
      await expect.poll(() => hasLiveOffers(service), { timeout: 25_000, interval: 100 }).toBe(true);
      expect((await fetchFrom(syncing, "/health/ready")).status).toBe(200);
      for (const path of ["/api/v1/offers", "/api/v2/sources", "/docs", "/openapi.json", "/"]) {
        expect([path, (await fetchFrom(syncing, path)).status]).toEqual([path, 404]);
      }
      const { text } = await fetchFrom(syncing, "/metrics");
      expect(text).toContain('gpu_offers_source_runs_total{source="linode",outcome="applied"} 1');
      expect(text).toContain("gpu_offers_source_sync_up 1");
      await syncing.stop();
      await service.stop();
    },
  );

  test("two that sync fetch each source once, and both serve it", { timeout: 60_000 }, async () => {
    const start = () => startService({ databasePath: database, settings });
    const services = await Promise.all([start(), start()]);
    for (const service of services) {
      await expect.poll(() => hasLiveOffers(service), { timeout: 25_000, interval: 100 }).toBe(true);
    }
    // Longer than a runner takes to check what is due.
    await delay(1_500);
    expect(server.requests.filter(({ target }) => target.includes("/linode/types"))).toHaveLength(1);
    await Promise.all(services.map((service) => service.stop()));
  });
});
