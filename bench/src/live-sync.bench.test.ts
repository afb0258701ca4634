import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { findLiveSource } from "@gpu-offers/sources";
import { LiveSettingsFile } from "@gpu-offers/fetch/live-settings";
import { openDatabase, type Database } from "@gpu-offers/store/database";
import { saveSource } from "@gpu-offers/store/live.store";
import { tempFile } from "@gpu-offers/testkit/native-catalogs";
import { pacedLoad } from "@gpu-offers/testkit/paced-load";
import { syntheticQueries } from "@gpu-offers/testkit/synthetic";
import { makeCatalog } from "./catalogs.ts";
import { addMeasured } from "./measured-row.ts";
import { startQuiet } from "./servers.ts";

const OFFERS = 50_000;
/** Long enough for a steady state and for all failures, some of which are slow. */
const SECONDS = { steady: 10, syncing: 60 };
const REQUESTS_A_SECOND = 2_000;
/** Interval at which all sources become due; far shorter than any interval that can be configured. */
const DUE_MS = 1_000;

/** First message of the provider thread. */
interface Providers {
  url: string;
  names: readonly string[];
  /** The source that fails, and in how many ways. */
  failing: string;
  ways: number;
}

test("tail latency while ten live sources sync continuously, one of which fails", async (context) => {
  const path = await makeCatalog(OFFERS);
  const worker = new Worker(join(import.meta.dirname, "provider-server.ts"));
  const [providers] = (await once(worker, "message")) as [Providers];
  const database = await openDatabase(`sqlite:${path}`);
  for (const name of providers.names) {
    const source = sourceOf(name);
    await saveSource(database, source, new LiveSettingsFile([source]).of(source), true);
  }
  const paths = syntheticQueries(200, OFFERS).map((query) => `/api/v1/offers?${query}`);
  const loadOn = async (seconds: number, settings: Readonly<Record<string, string>>) => {
    const service = await startQuiet(path, settings);
    await pacedLoad(service.url, paths, REQUESTS_A_SECOND, 3);
    const loaded = await pacedLoad(service.url, paths, REQUESTS_A_SECOND, seconds);
    await service.stop();
    return loaded;
  };
  const steady = await loadOn(SECONDS.steady, { LIVE_SYNC: "off" });
  await makeDue(database);
  const timer = setInterval(() => void makeDue(database).catch(() => {}), DUE_MS);
  const syncing = await loadOn(SECONDS.syncing, settingsFor(providers)).finally(() => clearInterval(timer));
  worker.postMessage("count", []);
  const [{ requests, failures }] = (await once(worker, "message")) as [{ requests: number; failures: number }];
  await worker.terminate();
  const causes = await database.selectFrom("catalog_revision").select("cause").execute();
  await database.destroy();
  const revisions = causes.filter(({ cause }) => cause.startsWith("live: ")).length;
  const failed = steady.failures + syncing.failures;
  const met = Math.min(providers.ways, failures);
  addMeasured(context, {
    what: "the same while ten live sources sync",
    reference: `steady: ${steady.p99Ms.toFixed(2)} ms`,
    measured: `${syncing.p99Ms.toFixed(2)} ms; ${requests} source requests, ${revisions} new catalogs`,
    ratio: syncing.p99Ms / steady.p99Ms,
    bar: "<= 1.1 times, none failed",
  });
  expect({ failed, met, hasChanged: revisions > 0 }).toEqual({ failed: 0, met: providers.ways, hasChanged: true });
});

function sourceOf(name: string) {
  const source = findLiveSource(name);
  if (source === undefined) {
    throw new Error(`There is no live source ${name}.`);
  }
  return source;
}

/** Gives each source its own path, so that the server can distinguish them. */
function settingsFor({ url, names, failing, ways }: Providers): Record<string, string> {
  const regions = Array.from({ length: ways }, (_, number) => `region-${number}`);
  const scopes = (name: string): string => (name === failing ? `, scopes: [${regions.join(", ")}]` : "");
  const lines = names.map((name) => `  ${name}: { base: "${url}/${name}"${scopes(name)} }`);
  const secrets = names.flatMap((name) => sourceOf(name).secrets.map((secret) => [secret, "any"]));
  return {
    SOURCES_FILE: tempFile("sources.yaml", ["sources:", ...lines].join("\n")),
    SOURCES_ALLOW_PRIVATE: "true",
    ...Object.fromEntries(secrets),
  };
}

/** Makes all sources due at once, regardless of intervals and backoff. */
async function makeDue(database: Database): Promise<void> {
  await database
    .updateTable("live_source")
    .set({ next_run_at: new Date(0).toISOString() })
    .execute();
}
