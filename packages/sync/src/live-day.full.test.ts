import { json, startReplay, type Replay } from "@gpu-offers/testkit/replay-server";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { expect, test } from "vitest";
import type { Clock } from "@gpu-offers/fetch/clock";
import { Freshness } from "@gpu-offers/store/freshness";
import { listStoredSources, saveSource, type StoredSource } from "@gpu-offers/store/live.store";
import { readSourceFacts } from "@gpu-offers/store/source-facts";
import { open } from "@gpu-offers/store/test/databases";
import { QUICK_LIMITS, testRows, testSource } from "@gpu-offers/testkit/live-source";
import { LiveRunner } from "./live-runner.js";
import { testEngine } from "../test/engine.ts";

// A day of simulated time: the test advances the clock between a runner's ticks; requests are real. Every source fails
// three times, each time in another way, while the others work. Run it with --reporter=verbose for the table.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START_MS = Date.UTC(2026, 10, 22);
const STEP_MS = 30_000;
const SOURCES = 10;
/** Sources have different intervals, in minutes. */
const INTERVALS = [10, 30, 60];
const OUTAGE_MS = 90 * MINUTE_MS;
/** Time after which a source must work again: the longest wait between retries, and a step of the test. */
const RECOVERY_MS = 16 * MINUTE_MS;

const ROWS = 20;
const good = (price: number): Replay => json(testRows(ROWS, price));
const rowsWith = (price: unknown): Replay =>
  json(testRows(ROWS).map((row, index) => ({ id: row.id, price: index < 6 ? price : row.price })));

/** Responses of a provider that fails. */
const FAILURES: readonly (readonly [what: string, reply: Replay])[] = [
  ["HTTP 500", { status: 500 }],
  ["HTTP 503 with Retry-After", { status: 503, headers: { "retry-after": "120" } }],
  ["HTTP 404", { status: 404 }],
  ["HTTP 401 without a key", { status: 401 }],
  ["HTTP 403 without a key", { status: 403 }],
  ["HTTP 429", { status: 429, headers: { "content-type": "text/plain" }, body: "API requests too frequent" }],
  ["HTTP 429 with Retry-After", { status: 429, headers: { "retry-after": "2" } }],
  ["HTTP 204", { status: 204 }],
  ["HTTP 304 to a request without validators", { status: 304 }],
  ["connection reset", { problem: "reset" }],
  ["no response", { problem: "silence" }],
  ["one byte at a time", { problem: "drip" }],
  ["gzip that ends early", { problem: "cut-gzip" }],
  ["JSON that ends early", { problem: "cut-json" }],
  ["gzip bomb", { problem: "bomb" }],
  ["50 MB of spaces", { problem: "spaces" }],
  ["a login page with status 200", { headers: { "content-type": "text/html" }, body: "<html>Log in</html>" }],
  ["redirect to another host", { status: 302, headers: { location: "https://elsewhere.example/" } }],
  ["redirect to a cloud's metadata", { status: 302, headers: { location: "http://169.254.169.254/latest" } }],
  ["redirect to itself", { status: 302, headers: { location: "/loop/offers" } }],
  ["another form of JSON", json({ offers: [] })],
  ["prices in cents", good(200)],
  ["one of 20 offers", json(testRows(1))],
  ["an empty list", json([])],
  ["prices as text", rowsWith("2.01")],
  ["prices of null", rowsWith(null)],
  ["negative prices", rowsWith(-2)],
];

/** An outage of one source, and when the service noticed its begin and end. */
interface Outage {
  what: string;
  source: string;
  reply: Replay;
  fromMs: number;
  untilMs: number;
  noticedMs?: number;
  recoveredMs?: number;
  state?: string;
}

/** Each source fails at most once in eight hours, from one and a half hours after its start. */
const outages: Outage[] = FAILURES.map(([what, reply], index) => {
  const fromMs = START_MS + 90 * MINUTE_MS + Math.floor(index / SOURCES) * 7.5 * HOUR_MS;
  return { what, source: `cloud-${index % SOURCES}`, reply, fromMs, untilMs: fromMs + OUTAGE_MS };
});

const intervalOf = (source: string): number =>
  (INTERVALS[Number(source.split("-")[1]) % INTERVALS.length] ?? 0) * MINUTE_MS;

const minutes = (ms: number): string => (ms / MINUTE_MS).toFixed(1);

/** Notes when the stored state first shows an outage or its end. */
function observe(outage: Outage, stored: StoredSource, nowMs: number): void {
  const ranAtMs = Date.parse(stored.last_run_at ?? "");
  const isFailing = stored.outcome === "failed" || stored.outcome === "quarantined";
  if (outage.noticedMs === undefined && isFailing && ranAtMs >= outage.fromMs && ranAtMs < outage.untilMs + MINUTE_MS) {
    outage.noticedMs = nowMs;
    outage.state = stored.outcome === "failed" ? `failing: ${stored.error_code}` : "quarantined";
  }
  if (outage.recoveredMs === undefined && !isFailing && ranAtMs >= outage.untilMs) {
    outage.recoveredMs = nowMs;
  }
}

test(
  "ten sources that fail in every way for a day are back within 16 minutes, and never hurt each other",
  { timeout: 600_000 },
  async () => {
    let nowMs = START_MS;
    let isResolving = true;
    const clock: Clock = {
      now: () => nowMs,
      monotonic: () => nowMs,
      sleep: async (ms) => {
        nowMs += ms;
      },
    };
    const server = await startReplay(({ target }) => {
      const name = target.split("/")[1] ?? "";
      if (name === "loop") {
        return { status: 302, headers: { location: "/loop/offers" } };
      }
      const failing = outages.find(
        ({ source, fromMs, untilMs }) => source === name && fromMs <= nowMs && nowMs < untilMs,
      );
      return failing?.reply ?? good(2 + Math.floor((nowMs - START_MS) / HOUR_MS) / 100);
    });
    const database = await open(`sqlite:${tempDatabase()}`);
    const sources = Array.from({ length: SOURCES }, (_, number) => {
      const name = `cloud-${number}`;
      return testSource(name, { intervalSeconds: intervalOf(name) / 1_000 });
    });
    const engine = testEngine(database, sources, `http://providers.test:${server.port}`, {
      clock,
      transport: {
        limits: QUICK_LIMITS,
        resolve: async () => {
          if (!isResolving) {
            throw Object.assign(new Error("getaddrinfo EAI_AGAIN"), { code: "EAI_AGAIN", syscall: "getaddrinfo" });
          }
          return [{ address: "127.0.0.1", family: 4 }];
        },
      },
    });
    for (const source of sources) {
      await saveSource(database, source, engine.fetcher.settingsOf(source), true);
    }
    const runner = new LiveRunner(engine, 400);
    const run = async (untilMs: number): Promise<void> => {
      while (nowMs < untilMs) {
        await runner.tick();
        await runner.settled();
        for (const stored of await listStoredSources(database)) {
          outages
            .filter(({ source, fromMs }) => source === stored.name && fromMs <= nowMs)
            .forEach((outage) => observe(outage, stored, nowMs));
        }
        nowMs += STEP_MS;
      }
    };
    const states = async (): Promise<StoredSource[]> => listStoredSources(database);
    const rows: [what: string, noticed: string, recovered: string, seen: string][] = [];

    // The name server is down when all sources are enabled.
    isResolving = false;
    await run(START_MS + 30 * MINUTE_MS);
    expect((await states()).map(({ error_code: code }) => code)).toEqual(sources.map(() => "dns"));
    isResolving = true;
    const resolvedMs = nowMs;
    await run(resolvedMs + RECOVERY_MS);
    expect((await states()).filter(({ checked_at: at }) => at === null)).toEqual([]);
    const firstMs = Math.max(...(await states()).map(({ changed_at: at }) => Date.parse(at ?? "")));
    rows.push(["the name server is down, at the first runs", "1.0", minutes(firstMs - resolvedMs), "failing: dns"]);

    await run(START_MS + 21 * HOUR_MS);
    for (const outage of outages) {
      const { what, source, fromMs, untilMs, noticedMs = Infinity, recoveredMs = Infinity, state = "" } = outage;
      const isNoticedInTime = noticedMs - fromMs <= intervalOf(source) + 2 * MINUTE_MS;
      const isBack = recoveredMs - untilMs <= RECOVERY_MS;
      expect([what, isNoticedInTime, isBack]).toEqual([what, true, true]);
      rows.push([what, minutes(noticedMs - fromMs), minutes(recoveredMs - untilMs), state]);
    }

    // No process syncs: the serving instances see it.
    const idleMs = nowMs;
    let overdueMs = idleMs;
    while (new Freshness(await readSourceFacts(database), overdueMs).overdueSources.size === 0) {
      overdueMs += STEP_MS;
    }
    nowMs = idleMs + 2 * HOUR_MS;
    await run(nowMs + RECOVERY_MS);
    expect(new Freshness(await readSourceFacts(database), nowMs).overdueSources.size).toBe(0);
    expect(overdueMs - idleMs).toBeLessThanOrEqual(25 * MINUTE_MS);
    rows.push(["no process syncs, for two hours", minutes(overdueMs - idleMs), "at once", "overdue"]);
    await runner.stop();

    // Nothing implausible was applied, and revisions are at least a minute apart.
    const prices = await database.selectFrom("offer").select("price_hourly").execute();
    expect(prices).toHaveLength(SOURCES * ROWS);
    expect(Math.max(...prices.map((row) => row.price_hourly))).toBeLessThan(3);
    const revisions = await database.selectFrom("catalog_revision").select(["cause", "created_at"]).execute();
    expect(revisions.every(({ cause }) => cause.startsWith("live: "))).toBe(true);
    console.log(rows.map((row) => `| ${row.join(" | ")} |`).join("\n"));
  },
);
