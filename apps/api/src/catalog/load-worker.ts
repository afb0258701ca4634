import { parentPort, workerData } from "node:worker_threads";
import { openDatabase } from "../store/database.js";
import type { Loaded, LoadTask } from "./catalog.js";
import { loadSnapshotParts } from "./load.js";

// Loads the catalog beside the thread that responds requests, which would otherwise stand still for as
// long as the reading and sorting takes. One worker a load; it ends when the parts are handed over.

/** A load that waits for a dead connection would be the last one: the catalog looks for no other meanwhile. */
const SILENCE_MS = 15_000;

// Posted by loadInWorker.
const { databaseUrl, stale } = workerData as LoadTask;
const database = await openDatabase(databaseUrl, { isReader: true, silenceMs: SILENCE_MS });
try {
  const parts = await loadSnapshotParts(database, stale);
  const buffers =
    parts === undefined ? [] : [parts.bytes.buffer, parts.offsets.buffer, parts.owners.buffer, ...parts.index.buffers];
  parentPort?.postMessage({ parts } satisfies Loaded, buffers);
} finally {
  await database.destroy();
}
