import { copyFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { join } from "node:path";
import { findLiveSource } from "@gpu-offers/sources";
import { pacedLoad, type PacedLoad } from "@gpu-offers/testkit/paced-load";
import { json, startReplay, type Replay, type ReplayServer } from "@gpu-offers/testkit/replay-server";
import { syntheticQueries } from "@gpu-offers/testkit/synthetic";
import { LiveSettingsFile } from "gpu-offers-server/dist/modules/live/live-settings.js";
import { saveSource } from "gpu-offers-server/dist/modules/live/live.store.js";
import { openDatabase, type Database } from "gpu-offers-server/dist/modules/store/database.js";
import type { Catalog } from "./catalogs.ts";
import { PROVIDERS } from "./provider-responses.ts";
import type { Row } from "./row.ts";
import { startService } from "./service.ts";

/** The steady state, and long enough for all failures, some of which take their time. */
const SECONDS = { steady: 10, syncing: 45 };
const REQUESTS_A_SECOND = 2_000;
/** How often all sources are due, which is far more often than any interval that can be set. */
const DUE_MS = 1_000;

const NAMES = Object.keys(PROVIDERS);

/** The source that fails, in another way at each request. */
const FAILING = "linode";

const HTML: Replay = { headers: { "content-type": "text/html" }, body: "<html>Log in</html>" };

const to = (location: string): Replay => ({ status: 302, headers: { location } });

/**
 * 25 ways to fail: statuses, broken connections, bodies that are too much or not JSON, redirects, contradictions. Those that
 * keep a run waiting come last.
 */
const FAILURES: readonly Replay[] = [
  { status: 404 },
  { status: 204 },
  { status: 304 },
  HTML,
  to("http://169.254.169.254/latest"),
  to("https://elsewhere.example/"),
  to("/v4/linode/types"),
  { headers: { "content-encoding": "br" }, body: "{}" },
  { problem: "cut-json" },
  { problem: "bomb" },
  { problem: "spaces" },
  json({ data: [{ id: "a" }], page: 1, pages: 1, results: 1 }),
  json({ data: [], page: 1, pages: 1, results: 9 }),
  json({ data: [], page: 1, pages: 101, results: 0 }),
  json([{ id: 1 }]),
  { status: 429, headers: { "retry-after": "600" } },
  { status: 429, body: "API requests too frequent" },
  { status: 500 },
  { status: 502 },
  { status: 503, headers: { "retry-after": "1" } },
  { problem: "reset" },
  { problem: "cut-gzip" },
  { headers: { "content-encoding": "gzip" }, body: gzipSync("[").subarray(0, 8) },
  { problem: "silence" },
  { problem: "drip" },
];

/** A provider that is asked for another price each time, so that each of its runs brings changes. */
class Providers {
  requests = 0;
  failures = 0;

  respond(target: string): Replay {
    this.requests++;
    const name = NAMES.find((one) => target.startsWith(`/${one}/`)) ?? "";
    if (name === FAILING) {
      return FAILURES[this.failures++ % FAILURES.length] as Replay;
    }
    return PROVIDERS[name]?.(target, 2 + (this.requests % 50) / 100) ?? { status: 404 };
  }
}

/** The p99 of the list while ten live sources sync all the time, one of which fails in 25 ways, against the steady state. */
export async function benchLiveSync(folder: string, { databasePath, count }: Catalog): Promise<Row> {
  const copy = join(folder, "live-sync.sqlite");
  copyFileSync(databasePath, copy);
  const providers = new Providers();
  const server = await startReplay(({ target }) => providers.respond(target));
  const database = await openDatabase(`sqlite:${copy}`);
  const settings = settingsFor(server, folder);
  await enableSources(database);
  const paths = syntheticQueries(200, count).map((query) => `/api/v1/offers?${query}`);
  try {
    const steady = await loadOn(copy, paths, SECONDS.steady, { LIVE_SYNC: "off" });
    const timer = setInterval(() => void makeDue(database).catch(() => {}), DUE_MS);
    const syncing = await loadOn(copy, paths, SECONDS.syncing, settings).finally(() => clearInterval(timer));
    const failed = steady.failures + syncing.failures;
    const ways = Math.min(FAILURES.length, providers.failures);
    const revisions = await countRevisions(database);
    return {
      what: `p99 while ten live sources sync, one failing in ${FAILURES.length} ways, ${REQUESTS_A_SECOND}/s`,
      reference: `steady: ${steady.p99Ms.toFixed(2)} ms`,
      measured: `${syncing.p99Ms.toFixed(2)} ms, ${failed} of ${syncing.requests} failed; ${providers.requests} requests to sources, ${ways} ways to fail, ${revisions} new catalogs`,
      ratio: syncing.p99Ms / steady.p99Ms,
      bar: "<= 1.1 times, none failed",
      isMet: syncing.p99Ms <= 1.1 * steady.p99Ms && failed === 0 && ways === FAILURES.length && revisions > 0,
    };
  } finally {
    await database.destroy();
    await server.close();
  }
}

/** Leads each source to a path of its own, so that the server knows which one asks. */
function settingsFor({ url }: ReplayServer, folder: string): Record<string, string> {
  const file = join(folder, "sources.yaml");
  const lines = NAMES.map((name) => `  ${name}: { base: "${url}/${name}" }`);
  writeFileSync(file, ["sources:", ...lines].join("\n"));
  const secrets = NAMES.flatMap((name) => [...(findLiveSource(name)?.secrets ?? [])].map((secret) => [secret, "any"]));
  return { SOURCES_FILE: file, SOURCES_ALLOW_PRIVATE: "true", ...Object.fromEntries(secrets) };
}

async function enableSources(database: Database): Promise<void> {
  for (const name of NAMES) {
    const source = findLiveSource(name);
    if (source === undefined) {
      throw new Error(`There is no live source ${name}.`);
    }
    await saveSource(database, source, new LiveSettingsFile([source]).of(source), true);
  }
  await makeDue(database);
}

/** Makes all sources due at once, whatever their intervals and their back-off. */
async function makeDue(database: Database): Promise<void> {
  await database
    .updateTable("live_source")
    .set({ next_run_at: new Date(0).toISOString() })
    .execute();
}

async function countRevisions(database: Database): Promise<number> {
  const revisions = await database.selectFrom("catalog_revision").select("cause").execute();
  return revisions.filter(({ cause }) => cause.startsWith("live: ")).length;
}

async function loadOn(
  databasePath: string,
  paths: readonly string[],
  seconds: number,
  settings: Readonly<Record<string, string>>,
): Promise<PacedLoad> {
  const service = await startService(databasePath, settings);
  try {
    await pacedLoad(service.url, paths, REQUESTS_A_SECOND, 3);
    return await pacedLoad(service.url, paths, REQUESTS_A_SECOND, seconds);
  } finally {
    await service.stop();
  }
}
