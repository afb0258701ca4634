import { parentPort, workerData } from "node:worker_threads";
import { liveSources } from "@gpu-offers/sources";
import { readConfig } from "../config.js";
import { readGpuAliases } from "@gpu-offers/fetch/gpu-alias-file";
import { createLog } from "../log.js";
import { openDatabase } from "@gpu-offers/store/database";
import { LiveEngine } from "@gpu-offers/sync/live-engine";
import type { LiveEvent } from "@gpu-offers/sync/live-run";
import { LiveRunner } from "@gpu-offers/sync/live-runner";
import { loadSourceModules } from "@gpu-offers/fetch/source-modules";
import { LiveSettingsFile } from "@gpu-offers/fetch/live-settings";
import { Secrets } from "@gpu-offers/fetch/secrets";

// Syncs live sources in a thread of its own: parsing megabytes of JSON and writing them would otherwise delay requests.

export interface LiveMessage {
  liveEvent: LiveEvent;
}

const config = readConfig(process.env);
// The log lines of the thread go to the output of the process, of which LiveSync says whether it is a terminal.
const { logger } = createLog(config, { fd: 1, isTTY: workerData === true });
await loadSourceModules(config);
const onEvent = (liveEvent: LiveEvent): void => parentPort?.postMessage({ liveEvent } satisfies LiveMessage, []);

const database = await openDatabase(config.DATABASE_URL, {
  onConnectionLost: (error) => logger.warn({ err: error }, "lost an idle connection to the database"),
});
const engine = new LiveEngine({
  database,
  sources: liveSources,
  settings: LiveSettingsFile.read(liveSources, config),
  gpuAliases: readGpuAliases(config),
  secrets: new Secrets(liveSources, process.env),
  logger,
  allowPrivate: config.SOURCES_ALLOW_PRIVATE,
  onEvent,
});
const runner = new LiveRunner(engine, config.HISTORY_DAYS);
runner.start();

parentPort?.once("message", () => {
  void runner
    .stop()
    .then(() => database.destroy())
    .finally(() => parentPort?.close());
});
