import { setTimeout } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { databases } from "@gpu-offers/testkit/databases";
import { open } from "@gpu-offers/store/test/databases";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { AccountStore } from "@gpu-offers/store/account.store";
import { ApiKeyStore, newApiKey } from "@gpu-offers/store/api-key.store";
import type { Database } from "@gpu-offers/store/database";
import { KeyCache } from "./key-cache.js";
import { RecentKey } from "./bearer-key.js";

/** The hash of a key as sent in a request; undefined if it is not well-formed. */
const hashOf = (key: string | undefined): string | undefined =>
  key === undefined
    ? undefined
    : new RecentKey().hashOf({ headers: { authorization: `Bearer ${key}` }, rawHeaders: ["Authorization", ""] });

const START = Date.UTC(2026, 10, 20);

// The test controls the clock and the intervals; the database runs in real time.
describe.each(databases)("a key cache on $kind", ({ create }) => {
  let url: string;
  let writer: Database;
  let database: Database;
  let keys: KeyCache;
  let accountId: string;
  let log: { level: number; msg: string }[];

  beforeAll(async () => {
    url = await create();
    writer = await open(url);
    database = await open(url, { isServing: true });
  });

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"], now: START });
    vi.spyOn(performance, "now").mockImplementation(() => Date.now());
    await writer.deleteFrom("api_key").execute();
    await writer.deleteFrom("account").execute();
    accountId = (await new AccountStore(writer).create({ email: "ada@example.com", displayName: "Ada" }))?.id ?? "";
    log = [];
    keys = ringOn(database);
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  /** Advances the clock; the cache reads it once per real millisecond. */
  const pass = async (ms: number): Promise<void> => {
    vi.advanceTimersByTime(ms);
    await setTimeout(5);
  };

  const ringOn = (on: Database): KeyCache =>
    new KeyCache(
      new ApiKeyStore(on),
      pino({}, { write: (line: string) => log.push(JSON.parse(line) as { level: number; msg: string }) }),
    );
  const newKey = (expiresAt: string | null = null) =>
    new ApiKeyStore(database).create({ account_id: accountId, label: "", expires_at: expiresAt });
  const lastUse = async () => (await new ApiKeyStore(database).list()).map((key) => key.last_used_at);

  test("finds the account of a key", async () => {
    const { key } = await newKey();
    expect(await keys.findAccountId(hashOf(key))).toBe(accountId);
    for (const other of [newApiKey(), `${key}0`, key.slice(0, -1), "", "gpo_"]) {
      expect(await keys.findAccountId(hashOf(other))).toBeUndefined();
    }
  });

  test("queries the database again after 3 seconds, not before", async () => {
    const { key, id } = await newKey();
    await keys.findAccountId(hashOf(key));
    await new ApiKeyStore(database).revoke(id);
    await pass(2_900);
    expect(await keys.findAccountId(hashOf(key))).toBe(accountId);
    await pass(200);
    expect(await keys.findAccountId(hashOf(key))).toBeUndefined();
  });

  test("rejects the keys of a disabled account just as quickly", async () => {
    const { key } = await newKey();
    await keys.findAccountId(hashOf(key));
    await new AccountStore(database).disable(accountId);
    // Uses don't extend the time that a key is cached.
    for (let round = 0; round < 5; round++) {
      await pass(700);
      await keys.findAccountId(hashOf(key));
    }
    expect(await keys.findAccountId(hashOf(key))).toBeUndefined();
  });

  test("rejects an expired key at once, even if it was valid a moment ago", async () => {
    const { key } = await newKey(new Date(START + 1_000).toISOString());
    await pass(999);
    expect(await keys.findAccountId(hashOf(key))).toBe(accountId);
    await pass(1);
    expect(await keys.findAccountId(hashOf(key))).toBeUndefined();
  });

  test("accepts a new key at once, even if it was unknown a moment ago", async () => {
    const { key, id } = await newKey();
    expect(await keys.findAccountId(hashOf(newApiKey()))).toBeUndefined();
    expect(await keys.findAccountId(hashOf(key))).toBe(accountId);
    expect(id).not.toBe("");
  });

  test("writes the last use of keys periodically, and when it stops", async () => {
    const { key } = await newKey();
    keys.onModuleInit();
    await keys.findAccountId(hashOf(key));
    await pass(10_000);
    await keys.findAccountId(hashOf(key));
    expect(await lastUse()).toEqual([null]);
    await pass(20_000);
    await expect.poll(lastUse).toEqual([new Date(START + 10_000).toISOString()]);
    // Each poll that has to wait moves the clock.
    const used = new Date().toISOString();
    await keys.findAccountId(hashOf(key));
    await keys.onApplicationShutdown();
    expect(await lastUse()).toEqual([used]);
  });

  test("writes nothing after it has stopped", async () => {
    const { key } = await newKey();
    keys.onModuleInit();
    await keys.onApplicationShutdown();
    await keys.findAccountId(hashOf(key));
    await pass(60_000);
    expect(await lastUse()).toEqual([null]);
  });

  test("does not query the database while no key is used", async () => {
    const gone = await open(url);
    const ring = ringOn(gone);
    await gone.destroy();
    await ring.onApplicationShutdown();
    expect(log).toEqual([]);
  });

  test("returns the id of a previously valid key without a query, even after its cache entry expired", async () => {
    const { key, id } = await newKey();
    expect(keys.findKnown(hashOf(key))).toBeUndefined();
    await keys.findAccountId(hashOf(key));
    await new ApiKeyStore(database).revoke(id);
    expect(keys.findKnown(hashOf(key))).toBe(id);
    for (const other of [undefined, "", newApiKey(), key.slice(0, -1), `${key}0`]) {
      expect(keys.findKnown(hashOf(other))).toBeUndefined();
    }
    await pass(3_100);
    expect(keys.findKnown(hashOf(key))).toBe(id);
    expect(await keys.findAccountId(hashOf(key))).toBeUndefined();
  });

  test("returns the account of a cached key without a query, until the key expires", async () => {
    const { key } = await newKey(new Date(START + 2_000).toISOString());
    expect(keys.findTrusted(undefined)).toBeUndefined();
    expect(keys.findTrusted(hashOf(key))).toBeUndefined();
    await keys.findAccountId(hashOf(key));
    expect(keys.findTrusted(hashOf(key))).toBe(accountId);
    expect(keys.findTrusted(hashOf(newApiKey()))).toBeUndefined();
    await pass(2_100);
    expect(keys.findTrusted(hashOf(key))).toBeUndefined();
  });

  test("does not count a rejected key as used", async () => {
    const { key, id } = await newKey();
    await new ApiKeyStore(database).revoke(id);
    await keys.findAccountId(hashOf(key));
    await keys.onApplicationShutdown();
    expect(await lastUse()).toEqual([null]);
  });

  test("fails if a lookup fails, and rejects malformed keys without one", async () => {
    const { key } = await newKey();
    const gone = await open(url);
    const ring = ringOn(gone);
    await gone.destroy();
    await expect(ring.findAccountId(hashOf(key))).rejects.toThrow(/destroyed|not open|not find/);
    expect(await ring.findAccountId(hashOf(`${key.slice(0, -1)}!`))).toBeUndefined();
  });

  test("keeps last uses that it could not write, and logs the failure", async () => {
    const { key } = await newKey();
    await keys.findAccountId(hashOf(key));
    keys.onModuleInit();
    await database.schema.alterTable("api_key").renameTo("hidden").execute();
    await pass(30_000);
    await expect.poll(() => log.map(({ msg }) => msg)).toEqual(["cannot record when API keys were used"]);
    await database.schema.alterTable("hidden").renameTo("api_key").execute();
    await keys.onApplicationShutdown();
    expect(await lastUse()).toEqual([new Date(START).toISOString()]);
    expect(JSON.stringify(log)).not.toContain(key);
  });
});

test("a key cache on SQLite does not block while another process writes", async () => {
  const url = `sqlite:${tempDatabase()}`;
  const writer = await open(url);
  const account = await new AccountStore(writer).create({ email: "ada@example.com", displayName: "Ada" });
  const { key } = await new ApiKeyStore(writer).create({ account_id: account?.id ?? "", label: "", expires_at: null });
  const log: string[] = [];
  const serving = await open(url, { isServing: true });
  const keys = new KeyCache(new ApiKeyStore(serving), pino({}, { write: (line: string) => log.push(line) }));
  await writer.transaction().execute(async () => {
    expect(await keys.findAccountId(hashOf(key))).toBe(account?.id);
    const started = performance.now();
    await keys.onApplicationShutdown();
    expect(performance.now() - started).toBeLessThan(1_000);
  });
  expect(log.join()).toContain("database is locked");
  await keys.onApplicationShutdown();
  expect((await new ApiKeyStore(writer).list())[0]?.last_used_at).toMatch(/Z$/);
});
