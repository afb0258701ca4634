import { Worker } from "node:worker_threads";
import type { StalePart } from "@gpu-offers/store/staleness";
import type { prepareListings, SnapshotParts } from "./snapshot.js";

export interface LoadTask {
  databaseUrl: string;
  stale: readonly StalePart[];
  /** Whether the index of listings is prepared outside of the thread, which then posts the columns before the catalog. */
  isPreparedBeside: boolean;
}

export type Loaded = Pick<SnapshotParts["listings"], "columns"> | { parts: SnapshotParts | undefined };

/** `prepare` is called while the thread builds the rest. */
type Load = (
  task: Omit<LoadTask, "isPreparedBeside">,
  prepare?: typeof prepareListings,
) => Promise<SnapshotParts | undefined>;

let started: Load | undefined;

/** Starts the thread of the next load, which takes a fifth of a second. */
export function startLoader(): void {
  started = loader();
}

/** Loads the catalog of a database in a thread, which then ends. */
export const loadInThread: Load = (...task) => {
  const load = started ?? loader();
  started = undefined;
  return load(...task);
};

/** A thread that loads the catalog once. */
function loader(): Load {
  const worker = new Worker(new URL("./load-worker.js", import.meta.url));
  const { promise, resolve, reject } = Promise.withResolvers<SnapshotParts | undefined>();
  let prepare: Parameters<Load>[1];
  let prepared: ReturnType<typeof prepareListings> | undefined;
  worker.on("message", (message: Loaded | object) => {
    // Node's watch mode sends its own messages through the same channel.
    if ("columns" in message) {
      prepared = prepare?.(message.columns);
    } else if ("parts" in message) {
      Object.assign(message.parts?.listings ?? {}, prepared && { prepared });
      resolve(message.parts);
    }
  });
  worker.once("error", reject);
  worker.once("exit", (code) => reject(new Error(`The loader ended with code ${code} before it was done.`)));
  // A thread that isn't needed doesn't keep the process alive, and its error only concerns the load.
  worker.unref();
  promise.catch(() => {});
  return (task, preparing) => {
    prepare = preparing;
    worker.ref();
    worker.postMessage({ ...task, isPreparedBeside: prepare !== undefined } satisfies LoadTask, []);
    return promise;
  };
}
