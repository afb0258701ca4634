import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startAdmin } from "@gpu-offers/testkit/admin";
import { liveSettings } from "@gpu-offers/testkit/linode-server";
import { json, startReplay, type Replay } from "@gpu-offers/testkit/replay-server";
import type { RunningProcess } from "@gpu-offers/testkit/running-process";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { vi } from "vitest";
import { killTest, type MarkedCatalog, type Writers } from "./kill-test.ts";

/** A price list whose price per GPU identifies it. */
interface PriceList extends MarkedCatalog {
  regions: number;
}

/** GPU sizes of DigitalOcean: a source that makes a single request, so that a kill can follow quickly. */
const SIZES = [
  { slug: "gpu-h100x1-80gb", model: "nvidia_h100", count: 1, vramGib: 80 },
  { slug: "gpu-h100x8-640gb", model: "nvidia_h100", count: 8, vramGib: 640 },
  { slug: "gpu-mi300x1-192gb", model: "amd_mi300x", count: 1, vramGib: 192 },
  { slug: "gpu-mi300x8-1536gb", model: "amd_mi300x", count: 8, vramGib: 1_536 },
];

const SOURCE = "digitalocean";

/** Maximum time until a sync makes its requests. */
const BEGIN_MS = 30_000;

/** The lease of a killed sync ends after a minute; the last sync may have to wait that long. */
const LEASE_OVER_MS = 75_000;

/** A sync that is loaded and waits for its settings. */
interface Waiting extends RunningProcess {
  settingsPipe: string;
}

const listOf = (pricePerGpu: number, regions: number): PriceList => ({
  mark: String(pricePerGpu),
  count: regions * SIZES.length,
  regions,
});

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

killTest(
  "kill -9 during syncs of a live source",
  "the same, and the next sync works",
  async (url, database): Promise<Writers<PriceList, Waiting>> => {
    const catalogs = [listOf(1.99, 250), listOf(2.09, 230)] as const;
    let current: PriceList = catalogs[0];
    const server = await startReplay(() => responseOf(current));
    const settings: Record<string, string> = { ...liveSettings(server, [SOURCE]), DIGITALOCEAN_TOKEN: "any" };
    const enabled = await startAdmin(url, ["source", "enable", SOURCE, "--no-sync"], { settings }).ended;
    if (enabled.code !== 0) {
      throw new Error(`The source cannot be enabled: ${enabled.stderr}`);
    }
    const changedAt = async (): Promise<string | null> =>
      (await database.selectFrom("live_source").select("changed_at").executeTakeFirstOrThrow()).changed_at;
    let lastChangedAt = await changedAt();
    return {
      catalogs,
      markOf: ({ pricePerGpu }) => String(pricePerGpu),
      // Its settings are a pipe, so that it waits for them once all its code is loaded.
      ahead: (): Waiting => {
        const settingsPipe = join(tempFolder(), "sources.yaml");
        spawnSync("mkfifo", [settingsPipe]);
        const own = { ...settings, SOURCES_FILE: settingsPipe };
        return { ...startAdmin(url, ["source", "sync", SOURCE], { settings: own }), settingsPipe };
      },
      feed: async (sync, list) => {
        // Ends the lease of a killed process, as if its minute had passed.
        const lease_until = new Date(0).toISOString();
        await database.updateTable("live_source").set({ lease_until }).execute();
        lastChangedAt = await changedAt();
        current = list;
        const before = server.requests.length;
        await writeFile(sync.settingsPipe, readFileSync(settings["SOURCES_FILE"] ?? ""));
        await vi.waitUntil(() => server.requests.length > before, { timeout: BEGIN_MS, interval: 1 });
      },
      check: async (isChanged) => {
        const now = await changedAt();
        return isChanged === (now !== lastChangedAt)
          ? undefined
          : `the offers ${isChanged ? "changed" : "did not change"}, and changed_at went from ${lastChangedAt} to ${now}`;
      },
      store: async (list) => {
        current = list;
        const isDone = async (): Promise<boolean> => {
          const { stderr } = await startAdmin(url, ["source", "sync", SOURCE], { settings }).ended;
          return !stderr.includes("another process");
        };
        await vi.waitUntil(isDone, { timeout: LEASE_OVER_MS, interval: 1_000 });
      },
      close: server.close,
    };
  },
);
