import { Worker } from "node:worker_threads";
import type { StalePart } from "@gpu-offers/store/staleness";
import type { SnapshotParts } from "./snapshot.js";

/** Input of the loading thread. */
export interface LoadTask {
  databaseUrl: string;
  stale: readonly StalePart[];
}

/** Result that the loading thread posts. */
export interface Loaded {
  parts: SnapshotParts | undefined;
}

/** A thread that loads the catalog once, and then ends. Starting it takes a fifth of a second. */
export class Loader {
  readonly #worker = new Worker(new URL("./load-worker.js", import.meta.url));
  readonly #parts = new Promise<SnapshotParts | undefined>((resolve, reject) => {
    this.#worker.on("message", (message: Loaded | object) => {
      // Node's watch mode sends its own messages through the same channel.
      if ("parts" in message) {
        resolve(message.parts);
      }
    });
    this.#worker.once("error", reject);
    this.#worker.once("exit", (code) => reject(new Error(`The loader ended with code ${code} before it was done.`)));
  });

  constructor() {
    // A thread that isn't needed doesn't keep the process alive, and its error only concerns `load`.
    this.#worker.unref();
    this.#parts.catch(() => {});
  }

  /** Loads the catalog of a database. Call it once. */
  load(task: LoadTask): Promise<SnapshotParts | undefined> {
    this.#worker.ref();
    this.#worker.postMessage(task, []);
    return this.#parts;
  }
}
