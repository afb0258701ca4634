import { once } from "node:events";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { findLiveSource } from "@gpu-offers/sources";
import { pacedLoad, type PacedLoad } from "@gpu-offers/testkit/paced-load";
import { syntheticQueries } from "@gpu-offers/testkit/synthetic";
import { LiveSettingsFile } from "@gpu-offers/fetch/live-settings";
import { saveSource } from "@gpu-offers/store/live.store";
import { openDatabase, type Database } from "@gpu-offers/store/database";
import type { Catalog } from "./catalogs.ts";
import { FAILING, NAMES } from "./provider-names.ts";
import type { Row } from "./row.ts";
import { startService } from "./service.ts";

/** Long enough for a steady state and for all failures, some of which are slow. */
const SECONDS = { steady: 10, syncing: 60 };
const REQUESTS_A_SECOND = 2_000;
/** Interval at which all sources become due; far shorter than any interval that can be configured. */
const DUE_MS = 1_000;

/** First message of the provider thread. */
interface Providers {
  url: string;
  /** Number of ways to fail. */
  ways: number;
}

/** Requests that reached the providers. */
interface Counts {
  requests: number;
  failures: number;
}

/** The list's p99 while ten live sources sync continuously, one of which fails in 25 ways, against the steady state. */
export async function benchLiveSync(folder: string, { databasePath, count }: Catalog): Promise<Row> {
  const copy = join(folder, "live-sync.sqlite");
  copyFileSync(databasePath, copy);
  const worker = new Worker(new URL("./provider-server.ts", import.meta.url));
  const [{ url, ways }] = (await once(worker, "message")) as [Providers];
  const database = await openDatabase(`sqlite:${copy}`);
  const settings = settingsFor(url, ways, folder);
  await enableSources(database);
  const paths = syntheticQueries(200, count).map((query) => `/api/v1/offers?${query}`);
  try {
    const steady = await loadOn(copy, paths, SECONDS.steady, { LIVE_SYNC: "off" });
    const timer = setInterval(() => void makeDue(database).catch(() => {}), DUE_MS);
    const syncing = await loadOn(copy, paths, SECONDS.syncing, settings).finally(() => clearInterval(timer));
    const failed = steady.failures + syncing.failures;
    worker.postMessage("count", []);
    const [{ requests, failures }] = (await once(worker, "message")) as [Counts];
    const met = Math.min(ways, failures);
    const revisions = await countRevisions(database);
    return {
      what: `p99 while ten live sources sync, one failing in ${ways} ways, ${REQUESTS_A_SECOND}/s`,
      reference: `steady: ${steady.p99Ms.toFixed(2)} ms`,
      measured: `${syncing.p99Ms.toFixed(2)} ms, ${failed} of ${syncing.requests} failed; ${requests} requests to sources, ${met} ways to fail, ${revisions} new catalogs`,
      ratio: syncing.p99Ms / steady.p99Ms,
      bar: "<= 1.1 times, none failed",
      isMet: syncing.p99Ms <= 1.1 * steady.p99Ms && failed === 0 && met === ways && revisions > 0,
    };
  } finally {
    await database.destroy();
    await worker.terminate();
  }
}

/** Gives each source its own path, so that the server can distinguish them. */
function settingsFor(url: string, ways: number, folder: string): Record<string, string> {
  const file = join(folder, "sources.yaml");
  const regions = Array.from({ length: ways }, (_, number) => `region-${number}`);
  const scopes = (name: string): string => (name === FAILING ? `, scopes: [${regions.join(", ")}]` : "");
  const lines = NAMES.map((name) => `  ${name}: { base: "${url}/${name}"${scopes(name)} }`);
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

/** Makes all sources due at once, regardless of intervals and backoff. */
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
