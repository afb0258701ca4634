import { spawnSync } from "node:child_process";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import type { Clock } from "@gpu-offers/fetch/clock";
import { LiveSettingsFile } from "@gpu-offers/fetch/live-settings";
import { Secrets } from "@gpu-offers/fetch/secrets";
import { recordBackup, readOperationFacts } from "@gpu-offers/store/operation-facts";
import { countByProvider } from "@gpu-offers/store/catalog.store";
import { databaseBytes, openDatabase } from "@gpu-offers/store/database";
import { listStoredSources, saveSource } from "@gpu-offers/store/live.store";
import { listFindings } from "@gpu-offers/store/operation-findings";
import { LiveEngine } from "@gpu-offers/sync/live-engine";
import { LiveRunner } from "@gpu-offers/sync/live-runner";
import { adminDone } from "@gpu-offers/testkit/admin";
import { QUICK_LIMITS, testRows, testSource } from "@gpu-offers/testkit/live-source";
import { json, startReplay, type Replay } from "@gpu-offers/testkit/replay-server";
import { shown } from "@gpu-offers/testkit/table-row";
import { tempDatabase, tempFolder } from "@gpu-offers/testkit/temp-folder";
import { isFull, stressTest } from "./stress-test.ts";

// A month without an operator, in simulated time that ends now. 5 % of the prices change in an hour.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const STEP_MS = 10 * MINUTE_MS;
const INTERVAL_H = 6;
const CHANGED_AN_HOUR = 0.05;
const MAX_MB_A_DAY = 20;

const ALERTS = fileURLToPath(new URL("../../deploy/alerts.rules.yaml", import.meta.url));

/** What a provider may send instead of its list, an hour and a half each day. */
const PROBLEMS: readonly Replay[] = [
  { status: 500 },
  { status: 429, headers: { "retry-after": "120" } },
  { problem: "reset" },
  { problem: "cut-gzip" },
  { headers: { "content-type": "text/html" }, body: "<html>Log in</html>" },
  json([]),
  json(testRows(1)),
  json(testRows(1_000, 200)),
];
const PROBLEM_MS = 90 * MINUTE_MS;

/** The one outage that must page: of the first source, on the second day. */
const OUTAGE = { fromH: 24, untilH: 46, seenH: 45 };

const bar = "one page for one long outage, silence at the end, <= 20 MB a day, sound data";
stressTest("a month alone", { bar, unit: "days", n: 30, shortN: 3 }, async ({ n, report }) => {
  const [sourceCount, rows] = isFull ? [50, 1_000] : [4, 100];
  const startMs = Date.now() - n * DAY_MS;
  let nowMs = startMs;
  const hour = (): number => (nowMs - startMs) / HOUR_MS;
  const clock: Clock = {
    now: () => nowMs,
    monotonic: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms;
    },
  };
  const server = await startReplay(({ target }) => {
    const number = Number(target.split("/")[1]?.split("-")[1]);
    if (number === 0 && hour() >= OUTAGE.fromH && hour() < OUTAGE.untilH) {
      return { status: 503 };
    }
    const day = Math.floor(hour() / 24);
    const hasProblem =
      number === 1 + (day % (sourceCount - 1)) && (nowMs - startMs) % DAY_MS < PROBLEM_MS + 6 * HOUR_MS;
    const problem = PROBLEMS[day % PROBLEMS.length];
    if (hasProblem && problem !== undefined && (nowMs - startMs) % DAY_MS >= 6 * HOUR_MS) {
      return problem;
    }
    const cents = (index: number): number => Math.floor(hour() * CHANGED_AN_HOUR + (index % 20) / 20) % 7;
    return json(
      testRows(rows).map(({ id, price }, index) => ({ id, price: Math.round(price * 100 + cents(index)) / 100 })),
    );
  });
  const path = tempDatabase();
  const url = `sqlite:${path}`;
  const database = await openDatabase(url);
  const names = Array.from({ length: sourceCount }, (_, number) => `cloud-${number}`);
  const sources = names.map((name) => testSource(name, { intervalSeconds: INTERVAL_H * 3_600 }));
  const resolve = async () => [{ address: "127.0.0.1", family: 4 } as const];
  const base = `http://providers.test:${server.port}`;
  const engine = new LiveEngine({
    database,
    sources,
    settings: new LiveSettingsFile(
      sources,
      `sources: ${JSON.stringify(Object.fromEntries(names.map((name) => [name, { base }])))}`,
    ),
    gpuAliases: new Map(),
    secrets: new Secrets(sources, {}),
    logger: pino({ level: "silent" }),
    allowPrivate: true,
    random: () => 0.5,
    clock,
    transport: { limits: QUICK_LIMITS, resolve },
  });
  for (const source of sources) {
    await saveSource(database, source, engine.fetcher.settingsOf(source), true);
  }
  const runner = new LiveRunner(engine, 400);
  /** The hours at which the rules found something. */
  const pages = new Map<string, Set<number>>();
  const bytesOfDays: number[] = [];
  const look = async (): Promise<void> => {
    const rentable = new Map((await countByProvider(database)).map(({ name, available }) => [name, available]));
    const facts = await readOperationFacts(database, { url, memory: null, rentable, nowMs });
    // Revisions have the time of the machine, not the simulated one.
    for (const { rule, subject } of listFindings({ ...facts, catalog: null, installed_at: null })) {
      const key = `gpu_offers_finding{rule="${rule}",subject="${subject}"}`;
      pages.set(key, (pages.get(key) ?? new Set()).add(Math.floor(hour())));
    }
  };
  let lookedH = -1;
  let hasMoved = false;
  while (nowMs < Date.now()) {
    // All that are due in this step: a tick starts four at most.
    for (let round = 0; round < sourceCount / 4; round++) {
      await runner.tick();
      await runner.settled();
    }
    nowMs += STEP_MS;
    if (Math.floor(hour()) > lookedH) {
      lookedH = Math.floor(hour());
      if (lookedH % 24 === 3) {
        const bytes = await databaseBytes(database);
        bytesOfDays.push(bytes);
        const at = new Date(nowMs).toISOString();
        await recordBackup(database, { at, bytes, database_bytes: bytes, place: "" });
      }
      await look();
    }
    if (!hasMoved && hour() > n * 12) {
      // The clock is three hours fast for one step.
      hasMoved = true;
      nowMs += 3 * HOUR_MS;
      await runner.tick();
      await runner.settled();
      nowMs -= 3 * HOUR_MS;
    }
  }
  await runner.stop();
  const stored = await listStoredSources(database);
  const late = stored.filter(({ checked_at: at }) => nowMs - Date.parse(at ?? "") > (INTERVAL_H + 1) * HOUR_MS);
  report(late.length === 0 ? undefined : `not confirmed in time: ${late.map(({ name }) => name).join()}`);
  await database.destroy();

  report(firingAlerts(pages, lookedH));
  await adminDone(path, "verify").catch((error: Error) => report(error.message));
  await adminDone(path, "backup", "--to", tempFolder());
  await adminDone(path, "doctor", "--no-service").catch((error: Error) => report(error.message));
  const perDay = bytesOfDays.slice(1).map((bytes, index) => (bytes - (bytesOfDays[index] ?? 0)) / 1e6);
  const settled = perDay.slice(Math.floor(perDay.length / 2));
  const mbADay = settled.reduce((sum, one) => sum + one, 0) / settled.length;
  report(mbADay <= MAX_MB_A_DAY ? undefined : `the database grows by ${mbADay.toFixed(1)} MB a day`);
  const whole = statSync(path).size / 1e6;
  return `${shown(sourceCount * rows)} offers: a database of ${whole.toFixed(0)} MB, ${mbADay.toFixed(1)} MB more a day`;
});

/** What is wrong about the alerts, by promtool: during the outage it alone fires, and in the end none. */
function firingAlerts(pages: ReadonlyMap<string, ReadonlySet<number>>, hours: number): string | undefined {
  if (spawnSync("promtool", ["--version"]).status !== 0) {
    return "promtool is missing (Debian's package prometheus)";
  }
  const series = [...pages].map(([name, found]) => ({
    series: name,
    values: Array.from({ length: hours + 1 }, (_, hour) => (found.has(hour) ? "1x11" : "_x12")).join(" "),
  }));
  const alert = 'ALERTS{alertname="GpuOffersSourceFailing",alertstate="firing",severity="warning",subject="cloud-0"}';
  const firing = (eval_time: string, exp_samples: object[]) => ({
    expr: 'ALERTS{alertstate="firing"}',
    eval_time,
    exp_samples,
  });
  const tests = [
    {
      interval: "5m",
      input_series: series,
      promql_expr_test: [firing(`${OUTAGE.seenH}h`, [{ labels: alert, value: 1 }]), firing(`${hours}h`, [])],
    },
  ];
  const file = join(tempFolder(), "test.yaml");
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ rule_files: [ALERTS], tests }));
  const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" });
  return status === 0 ? undefined : `${stdout}${stderr}`;
}
