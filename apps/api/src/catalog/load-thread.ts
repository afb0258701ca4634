import { Worker } from "node:worker_threads";
import type { StalePart } from "@gpu-offers/store/staleness";
import type { SnapshotParts } from "./snapshot.js";

export interface LoadTask {
  databaseUrl: string;
  stale: readonly StalePart[];
}

export interface Loaded {
  parts: SnapshotParts | undefined;
}

/**
 * Starts a thread that loads the catalog once, and then ends. Starting it takes a fifth of a second.
 * @returns a function that loads the catalog of a database. Call it once.
 */
export function startLoader(): (task: LoadTask) => Promise<SnapshotParts | undefined> {
  const worker = new Worker(new URL("./load-worker.js", import.meta.url));
  const { promise, resolve, reject } = Promise.withResolvers<SnapshotParts | undefined>();
  worker.on("message", (message: Loaded | object) => {
    // Node's watch mode sends its own messages through the same channel.
    if ("parts" in message) {
      resolve(message.parts);
    }
  });
  worker.once("error", reject);
  worker.once("exit", (code) => reject(new Error(`The loader ended with code ${code} before it was done.`)));
  // A thread that isn't needed doesn't keep the process alive, and its error only concerns the load.
  worker.unref();
  promise.catch(() => {});
  return (task) => {
    worker.ref();
    worker.postMessage(task, []);
    return promise;
  };
}
