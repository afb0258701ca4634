import { json, startReplay, type Replay } from "@gpu-offers/testkit/replay-server";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { pino } from "pino";
import { expect, test } from "vitest";
import { open } from "@gpu-offers/store/test/databases";
import type { Clock } from "@gpu-offers/fetch/clock";
import { LiveRunner } from "./live-runner.js";
import { testEngine } from "../test/engine.js";
import { QUICK_LIMITS, testRows, testSource } from "@gpu-offers/testkit/live-source";
import { saveSource } from "@gpu-offers/store/live.store";

// An hour of simulated time: the test advances the clock between a runner's ticks; requests are real.

const START_MS = Date.UTC(2026, 10, 22);
const HOUR_MS = 3_600_000;
const STEP_MS = 30_000;
const INTERVAL_MS = 300_000;

const PROBLEMS: readonly Replay[] = [
  { status: 500 },
  { status: 429 },
  { status: 429, headers: { "retry-after": "2" } },
  { problem: "reset" },
  { problem: "cut-gzip" },
  { problem: "cut-json" },
  { headers: { "content-type": "text/html" }, body: "<html>Log in</html>" },
  { status: 302, headers: { location: "https://elsewhere.example/" } },
  json(testRows(20, 200)),
  json(testRows(1)),
  json([]),
  // It stops the source until the key changes, so it comes last.
  { status: 403 },
];

test(
  "ten sources, one of which fails in every way for an hour: the others are never later than twice their interval",
  { timeout: 240_000 },
  async () => {
    let nowMs = START_MS;
    const clock: Clock = {
      now: () => nowMs,
      monotonic: () => nowMs,
      sleep: async (ms) => {
        nowMs += ms;
      },
    };
    const names = Array.from({ length: 10 }, (_, number) => `cloud-${number}`);
    const seen = new Map<string, number[]>();
    const server = await startReplay(({ target }) => {
      const name = target.split("/")[1] ?? "";
      seen.set(name, [...(seen.get(name) ?? []), nowMs]);
      const isBroken = name === "cloud-0" && nowMs > START_MS + 2 * INTERVAL_MS;
      const minute = Math.floor((nowMs - START_MS) / INTERVAL_MS);
      return isBroken ? (PROBLEMS[minute % PROBLEMS.length] ?? {}) : json(testRows(20, 2 + minute / 100));
    });
    const database = await open(`sqlite:${tempDatabase()}`);
    const sources = names.map((name) => testSource(name, { intervalSeconds: INTERVAL_MS / 1_000 }));
    const engine = testEngine(database, sources, server.url, {
      clock,
      transport: { limits: { ...QUICK_LIMITS, retryAfterMs: 0 } },
    });
    for (const source of sources) {
      await saveSource(database, source, engine.settingsOf(source), true);
    }
    const runner = new LiveRunner({ engine, database, logger: pino({ level: "silent" }) });
    while (nowMs < START_MS + HOUR_MS) {
      await runner.tick();
      await runner.settled();
      nowMs += STEP_MS;
    }
    await runner.stop();

    const rows = await database.selectFrom("live_source").select(["name", "checked_at", "outcome"]).execute();
    for (const { name, checked_at: at } of rows.filter((row) => row.name !== "cloud-0")) {
      expect([name, nowMs - Date.parse(at ?? "") < 2 * INTERVAL_MS]).toEqual([name, true]);
      const times = seen.get(name) ?? [];
      const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
      expect([name, Math.max(...gaps) <= 2 * INTERVAL_MS, times.length >= 10]).toEqual([name, true, true]);
    }
    // The failing one kept its offers, and was not requested more often because of them.
    const kept = await database.selectFrom("offer").where("provider", "=", "cloud-0").select("price_hourly").execute();
    expect(kept).toHaveLength(20);
    expect(Math.max(...kept.map((row) => row.price_hourly))).toBeLessThan(3);
    // At most one revision per minute.
    const revisions = await database.selectFrom("catalog_revision").select("cause").execute();
    expect(revisions.length).toBeLessThanOrEqual(HOUR_MS / 60_000);
    expect(revisions.every(({ cause }) => cause.startsWith("live: "))).toBe(true);
  },
);
