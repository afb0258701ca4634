import { json, startReplay, type Replay, type ReplayServer } from "@gpu-offers/testkit/replay-server";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { sql } from "kysely";
import { pino } from "pino";
import { beforeEach, expect, test } from "vitest";
import { open } from "@gpu-offers/store/test/databases";
import type { Database } from "@gpu-offers/store/database";
import type { Clock } from "@gpu-offers/fetch/clock";
import { Secrets } from "@gpu-offers/fetch/secrets";
import type { LiveEvent } from "./live-run.js";
import { LiveRunner } from "./live-runner.js";
import { testEngine } from "../test/engine.ts";
import { testRows, testSource } from "@gpu-offers/testkit/live-source";
import { findStoredSource, planRun, saveSource } from "@gpu-offers/store/live.store";

// A runner whose clock the tests advance between its ticks. Requests are real.

let database: Database;
let server: ReplayServer;
let replies: Record<string, Replay>;
let nowMs: number;
let lines: string[];
let events: LiveEvent[];
let runner: LiveRunner;

beforeEach(async () => {
  nowMs = Date.UTC(2026, 10, 22);
  lines = [];
  events = [];
  replies = { "/north/offers": json(testRows(3)), "/south/offers": { status: 500 } };
  server = await startReplay(({ target }) => replies[target] ?? { status: 404 });
  database = await open(`sqlite:${tempDatabase()}`);
  const clock: Clock = {
    now: () => nowMs,
    monotonic: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms;
    },
  };
  const sources = [testSource("north"), testSource("south", { secrets: ["SOUTH_API_KEY"] })];
  const secrets = new Secrets(sources, { SOUTH_API_KEY: "key-of-south" });
  const logger = pino({ level: "error" }, { write: (line: string) => void lines.push(line) });
  const onEvent = (event: LiveEvent) => void events.push(event);
  const engine = testEngine(database, sources, server.url, { clock, secrets, logger, onEvent });
  for (const source of sources) {
    await saveSource(database, source, engine.fetcher.settingsOf(source), true);
    await planRun(database, source.name, new Date(nowMs + 3_600_000).toISOString());
  }
  runner = new LiveRunner(engine, 400);
});

/** Makes a source due, and ticks until its run ended. */
async function run(name: string): Promise<void> {
  await planRun(database, name, new Date(nowMs).toISOString());
  await runner.tick();
  await runner.settled();
}

test("a failed run is recorded at once, without waiting for the next revision", async () => {
  await run("north");
  await runner.tick();
  expect(await findStoredSource(database, "north")).toMatchObject({ outcome: "applied", lease_owner: null });
  await run("south");
  expect(await findStoredSource(database, "south")).toMatchObject({ outcome: "failed", lease_owner: null });
});

test("a source that stopped because of its key is not tried again after a revision", async () => {
  replies["/south/offers"] = { status: 401 };
  for (const offers of [3, 4]) {
    replies["/north/offers"] = json(testRows(offers));
    await run("north");
    await runner.tick();
    await run("south");
    expect(await findStoredSource(database, "south")).toMatchObject({ isStopped: true });
    nowMs += 600_000;
  }
  expect(server.requests.map(({ target }) => target)).toEqual(["/north/offers", "/south/offers", "/north/offers"]);
});

test("a database that can only be read is reported once, and providers are asked once a minute", async () => {
  await planRun(database, "north", new Date(nowMs).toISOString());
  await sql`create trigger full before update of outcome on live_source
    begin select raise(abort, 'database or disk is full'); end`.execute(database);
  for (let second = 0; second < 50; second++) {
    await runner.tick().catch(() => {});
    await runner.settled();
    nowMs += 1_000;
  }
  expect(server.requests).toHaveLength(1);
  await planRun(database, "south", new Date(nowMs).toISOString());
  for (let second = 0; second < 30; second++) {
    await runner.tick().catch(() => {});
    await runner.settled();
    nowMs += 1_000;
  }
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("cannot sync live sources: database or disk is full");
  expect(events.at(-1)).toEqual({ kind: "sync", isWorking: false });
  await sql`drop trigger full`.execute(database);
  nowMs += 60_000;
  for (let second = 0; second < 10; second++) {
    await runner.tick();
    await runner.settled();
    nowMs += 1_000;
  }
  expect(events.at(-1)).toEqual({ kind: "sync", isWorking: true });
});
