import { parentPort, workerData } from "node:worker_threads";
import { liveSources } from "@gpu-offers/sources";
import { readConfig } from "../config.js";
import { readGpuAliases } from "@gpu-offers/fetch/gpu-alias-file";
import { createLog } from "../log.js";
import { openDatabase } from "@gpu-offers/store/database";
import { LiveEngine } from "@gpu-offers/sync/live-engine";
import type { SyncEvent } from "@gpu-offers/sync/live-run";
import { LiveRunner } from "@gpu-offers/sync/live-runner";
import { loadSourceModules } from "@gpu-offers/fetch/source-modules";
import { LiveSettingsFile } from "@gpu-offers/fetch/live-settings";
import { Secrets } from "@gpu-offers/fetch/secrets";

// Syncs live sources in a thread of its own: parsing megabytes of JSON and writing them would otherwise delay requests.

export interface LiveTask {
  isTerminal: boolean;
}

export interface LiveMessage {
  liveEvent: SyncEvent;
}

// Posted by LiveSync.
const { isTerminal } = workerData as LiveTask;
const config = readConfig(process.env);
// The thread's log lines go to the process's output, like those of the main thread.
const { logger } = createLog(config, { fd: 1, isTTY: isTerminal });
await loadSourceModules(config);
const post = (message: LiveMessage): void => parentPort?.postMessage(message, []);

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
  historyDays: config.HISTORY_DAYS,
  onEvent: (liveEvent) => post({ liveEvent }),
});
const runner = new LiveRunner({ engine, database, logger, onEvent: (liveEvent) => post({ liveEvent }) });
runner.start();

parentPort?.once("message", () => {
  void runner
    .stop()
    .then(() => database.destroy())
    .finally(() => parentPort?.close());
});
