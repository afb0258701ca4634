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

type Load = (task: LoadTask) => Promise<SnapshotParts | undefined>;

let started: Load | undefined;

/** Starts the thread of the next load, which takes a fifth of a second. */
export function startLoader(): void {
  started = loader();
}

/** Loads the catalog of a database in a thread, which then ends. */
export const loadInThread: Load = (task) => {
  const load = started ?? loader();
  started = undefined;
  return load(task);
};

/** A thread that loads the catalog once. */
function loader(): Load {
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
