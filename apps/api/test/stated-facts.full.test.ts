import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { databaseUrlOf, startAdmin } from "@gpu-offers/testkit/admin";
import { launchPlanSchema, listingListSchema, type Listed } from "@gpu-offers/domain";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { liveSettings } from "@gpu-offers/testkit/linode-server";
import { json, startReplay, type Replay } from "@gpu-offers/testkit/replay-server";
import { startService } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { findLiveSource, type LiveSource } from "@gpu-offers/sources";
import { LiveSettingsFile } from "@gpu-offers/fetch/live-settings";
import { openDatabase, type Database } from "@gpu-offers/store/database";
import { saveSource } from "@gpu-offers/store/live.store";

// A marketplace that changes what it states beyond offers, as callers of a running service see it.

const vast = findLiveSource("vast") as LiveSource;

/** What may change without a change of any offer. */
interface Facts {
  firstAsk: number;
  reliability: number;
  minBid: number;
}

/** Responses with twenty machines at constant prices. */
function asks({ firstAsk, reliability, minBid }: Facts): Replay {
  const offers = Array.from({ length: 20 }, (_, at) => ({
    id: firstAsk + at,
    machine_id: 7_000 + at,
    gpu_name: "RTX 4090",
    num_gpus: 1,
    gpu_ram: 24_564,
    cpu_cores_effective: 16,
    cpu_ram: 65_536,
    disk_space: 800,
    storage_cost: 0.15,
    dph_base: 0.5 + at / 100,
    geolocation: "Quebec, CA",
    is_bid: false,
    rentable: true,
    rented: false,
    verification: "verified",
    reliability2: reliability,
    min_bid: minBid,
  }));
  return json({ offers });
}

test(
  "new ask ids, bids and reliability are served within seconds, and no offer, revision or history changes",
  { timeout: 60_000 },
  async () => {
    const server = await startReplay(() => asks({ firstAsk: 100, reliability: 0.98, minBid: 0.2 }));
    const settings = liveSettings(server, ["vast"], ", scopes: [RTX 4090]");
    const databasePath = tempDatabase();
    const inDatabase = async <Result>(work: (opened: Database) => Promise<Result>): Promise<Result> => {
      const opened = await openDatabase(databaseUrlOf(databasePath));
      try {
        return await work(opened);
      } finally {
        await opened.destroy();
      }
    };
    const sync = async (): Promise<string> =>
      (await startAdmin(databasePath, ["source", "sync", "vast", "--json"], { settings }).ended).stdout;
    await inDatabase((opened) => saveSource(opened, vast, new LiveSettingsFile([vast]).of(vast), true));
    expect(await sync()).toContain('"applied"');
    const service = await startService({ databasePath, settings: { LIVE_SYNC: "off" } });
    const get = (path: string, headers: Record<string, string> = {}) => fetchFrom(service, path, { headers });
    const PATH = "/api/v2/listings?provider=vast&size=100&verified=true";
    const listings = async (): Promise<Listed[]> => listingListSchema.parse(jsonOf(await get(PATH))).listings;
    const firstAsk = async () => (await listings())[0]?.providerOfferId;
    expect(await firstAsk()).toBe("100");

    // What must not change.
    const id = (await listings())[0]?.offer.id;
    const v1Paths = ["/api/v1/offers?size=100", `/api/v1/offers/${id}`, `/api/v2/history?offer=${id}`];
    const v1 = () =>
      Promise.all(
        v1Paths.map(async (path) => {
          const { status, headers, text } = await get(path);
          return { status, etag: headers.etag, text };
        }),
      );
    const revisions = () =>
      inDatabase(async (opened) => [
        await opened.selectFrom("catalog_revision").selectAll().execute(),
        await opened.selectFrom("offer_change").selectAll().execute(),
        await opened.selectFrom("offer").select(["id", "body"]).orderBy("id").execute(),
      ]);
    const before = {
      v1: await v1(),
      revisions: await revisions(),
      offers: (await listings()).map(({ offer }) => offer),
    };
    expect(before.v1.map(({ status }) => status)).toEqual([200, 200, 200]);
    const tags = async () =>
      Promise.all(
        [PATH, `/api/v2/listings/${id}`, "/api/v2/listings"].map(async (path) => (await get(path)).headers.etag),
      );
    const tagsBefore = await tags();

    server.respond(() => asks({ firstAsk: 900, reliability: 0.91, minBid: 0.3 }));
    expect(await sync()).toContain('"unchanged"');
    await expect.poll(firstAsk, { timeout: 10_000, interval: 50 }).toBe("900");

    const [first] = await listings();
    expect(first).toMatchObject({ providerOfferId: "900", reliability: 0.91, spot: { priceHourly: 0.3, kind: "bid" } });
    const plan = launchPlanSchema.parse(jsonOf(await get(`/api/v2/listings/${id}/launch?disk=100`)));
    expect(plan.launch.find(({ tool }) => tool === "vastai")?.text).toContain("vastai create instance 900 ");
    expect(await v1()).toEqual(before.v1);
    expect(await revisions()).toEqual(before.revisions);
    expect((await listings()).map(({ offer }) => offer)).toEqual(before.offers);

    const tagsAfter = await tags();
    for (const [at, tag] of tagsAfter.entries()) {
      expect(tag).not.toBe(tagsBefore[at]);
    }
    expect((await get(PATH, { "If-None-Match": tagsBefore[0] ?? "" })).status).toBe(200);
    expect((await get(PATH, { "If-None-Match": tagsAfter[0] ?? "" })).status).toBe(304);
    expect((await get(v1Paths[0] ?? "", { "If-None-Match": before.v1[0]?.etag ?? "" })).status).toBe(304);

    // The same facts again change no tag.
    expect(await sync()).toContain('"unchanged"');
    // Longer than a service takes to look for a change. What comes after the tilde is the age of prices.
    await delay(2_500);
    expect((await tags())[0]?.split("~")[0]).toBe(tagsAfter[0]?.split("~")[0]);
  },
);
