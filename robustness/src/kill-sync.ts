import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Offer } from "@gpu-offers/domain";
import { startAdmin } from "@gpu-offers/testkit/admin";
import { liveSettings } from "@gpu-offers/testkit/linode-server";
import { json, startReplay, type Replay, type ReplayServer } from "@gpu-offers/testkit/replay-server";
import type { RunningProcess } from "@gpu-offers/testkit/running-process";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { openDatabase, type Database } from "@gpu-offers/store/database";
import { killRow, killWriters, tryWriters, whileReading, type KillOn, type MarkedCatalog } from "./killed-catalog.ts";
import { msUntil } from "./timing.ts";

// Kills syncs of a live source between the last response and their end, while a service serves their database. Stored
// and served offers must be wholly old or wholly new, and the next sync must work.

/** A price list whose price per GPU identifies it. */
interface PriceList extends MarkedCatalog {
  regions: number;
}

const markOf = ({ pricePerGpu }: Offer): string => String(pricePerGpu);

/** GPU sizes of DigitalOcean: a source that makes a single request, so that a kill can follow quickly. */
const SIZES = [
  { slug: "gpu-h100x1-80gb", model: "nvidia_h100", count: 1, vramGib: 80 },
  { slug: "gpu-h100x8-640gb", model: "nvidia_h100", count: 8, vramGib: 640 },
  { slug: "gpu-mi300x1-192gb", model: "amd_mi300x", count: 1, vramGib: 192 },
  { slug: "gpu-mi300x8-1536gb", model: "amd_mi300x", count: 8, vramGib: 1_536 },
];

const list = (pricePerGpu: number, regions: number): PriceList => ({
  mark: String(pricePerGpu),
  count: regions * SIZES.length,
  regions,
});

const LISTS = [list(1.99, 250), list(2.09, 230)] as const;

const SOURCE = "digitalocean";

/** Syncs started ahead of time, so that a kill hits their work and not their start. */
const AHEAD = 3;

/** Maximum time until a sync makes its requests. */
const BEGIN_MS = 30_000;

/** The lease of a killed sync ends after a minute; the last sync may have to wait that long. */
const LEASE_OVER_MS = 75_000;

/** The provider's response. */
function responseOf({ mark, regions }: PriceList): Replay {
  const sizes = SIZES.map(({ slug, model, count, vramGib }) => ({
    slug,
    price_hourly: Math.round(Number(mark) * count * 100) / 100,
    memory: 245_760 * count,
    vcpus: 20 * count,
    regions: Array.from({ length: regions }, (_, number) => `nyc${number}`),
    available: true,
    gpu_info: { count, model, vram: { amount: vramGib, unit: "gib" } },
    disk_info: [{ type: "local", size: { amount: 720 * count, unit: "gib" } }],
  }));
  return json({ sizes, links: {}, meta: { total: sizes.length } });
}

/** A sync that is loaded and waits for its settings. */
interface Waiting extends RunningProcess {
  settingsPipe: string;
}

/** The provider, and the syncs of its list. */
class Syncs {
  readonly url: string;
  readonly server: ReplayServer;
  readonly #settings: Readonly<Record<string, string>>;
  #current: PriceList = LISTS[0];
  #responses = 0;

  private constructor(url: string, server: ReplayServer) {
    this.url = url;
    this.server = server;
    this.#settings = { ...liveSettings(server, [SOURCE]), DIGITALOCEAN_TOKEN: "any" };
    server.respond(() => {
      this.#responses++;
      return responseOf(this.#current);
    });
  }

  /** Starts the provider and enables it in a database. */
  static async start(url: string): Promise<Syncs> {
    const syncs = new Syncs(url, await startReplay(() => ({ status: 503 })));
    const { code, stderr } = await startAdmin(url, ["source", "enable", SOURCE, "--no-sync"], {
      settings: syncs.#settings,
    }).ended;
    if (code !== 0) {
      throw new Error(`The source cannot be enabled: ${stderr}`);
    }
    return syncs;
  }

  /** Starts a sync. Its settings are a pipe, so that it waits for them once all its code is loaded. */
  ahead(): Waiting {
    const settingsPipe = join(tempFolder(), "sources.yaml");
    spawnSync("mkfifo", [settingsPipe]);
    const settings = { ...this.#settings, SOURCES_FILE: settingsPipe };
    return { ...startAdmin(this.url, ["source", "sync", SOURCE], { settings }), settingsPipe };
  }

  /** Lets a sync continue with a list; resolves when the provider has sent it. */
  async feed(sync: Waiting, current: PriceList): Promise<void> {
    this.#current = current;
    const { SOURCES_FILE: file = "" } = this.#settings;
    const before = this.#responses;
    await writeFile(sync.settingsPipe, readFileSync(file));
    const ms = await msUntil(async () => this.#responses > before, BEGIN_MS, 1);
    if (ms === Number.POSITIVE_INFINITY) {
      throw new Error(`A sync did not continue: ${sync.stderr()}`);
    }
  }

  /** Syncs the other list without a kill, once the lease of a killed sync ends. */
  async untilDone(current: PriceList): Promise<boolean> {
    this.#current = current;
    const isDone = async (): Promise<boolean> => {
      const { stderr } = await startAdmin(this.url, ["source", "sync", SOURCE], { settings: this.#settings }).ended;
      return !stderr.includes("another process");
    };
    return (await msUntil(isDone, LEASE_OVER_MS, 1_000)) !== Number.POSITIVE_INFINITY;
  }
}

/** Ends the lease of a killed process, as if its minute had passed. */
async function endLease(database: Database): Promise<void> {
  await database
    .updateTable("live_source")
    .set({ lease_until: new Date(0).toISOString() })
    .execute();
}

const killOn: KillOn = async ({ kind, url }, kills) => {
  const syncs = await Syncs.start(url);
  const database = await openDatabase(url);
  const prepared = await tryWriters(database, LISTS, async (next) => {
    const sync = syncs.ahead();
    await syncs.feed(sync, next);
    return sync;
  });
  const { n, problems } = kills;
  const marked = { catalogs: LISTS, markOf };
  const result = await whileReading({ url, settings: { LIVE_SYNC: "off" }, marked, problems }, async () => {
    const ahead = Array.from({ length: AHEAD }, () => syncs.ahead());
    const begin = async (next: PriceList): Promise<RunningProcess> => {
      const sync = ahead.shift() as Waiting;
      ahead.push(syncs.ahead());
      await endLease(database);
      await syncs.feed(sync, next);
      return sync;
    };
    const check = await changeCheck(kind, database);
    const catalogs = LISTS;
    const killed = await killWriters({
      ...kills,
      ...prepared,
      kind,
      catalogs,
      stored: LISTS[1],
      database,
      begin,
      check,
    });
    for (const { child } of ahead) {
      child.kill("SIGKILL");
    }
    // The short run of the tests doesn't wait for a minute.
    if (n < 100) {
      return killed;
    }
    const stored = killed.stored === LISTS[0] ? LISTS[1] : LISTS[0];
    problems.addIf((await syncs.untilDone(stored)) ? undefined : `${kind}: no sync succeeds after the last kill`);
    return { ...killed, stored };
  });
  await database.destroy();
  await syncs.server.close();
  return result;
};

/** Checks after each kill that the source's state changed if and only if its offers did. */
async function changeCheck(
  kind: string,
  database: Database,
): Promise<(isChanged: boolean) => Promise<string | undefined>> {
  const changedAt = async (): Promise<string | null> =>
    (await database.selectFrom("live_source").select("changed_at").executeTakeFirstOrThrow()).changed_at;
  let lastChangedAt = await changedAt();
  return async (isChanged) => {
    const before = lastChangedAt;
    lastChangedAt = await changedAt();
    return isChanged === (before !== lastChangedAt)
      ? undefined
      : `${kind}: the offers ${isChanged ? "changed" : "did not change"}, and changed_at went from ${before} to ${lastChangedAt}`;
  };
}

export const killSync = killRow({
  name: "kill-sync",
  what: "kill -9 during syncs of a live source, between its last response and their end",
  bar: "the offers are wholly old or wholly new, and the next sync works",
  killOn,
});
