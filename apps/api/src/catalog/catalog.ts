import { Worker } from "node:worker_threads";
import { IMAGE_LIST_LIFETIME_SECONDS } from "@gpu-offers/domain";
import type { Logger } from "pino";
import { findRevision } from "../store/catalog.store.js";
import type { Database } from "../store/database.js";
import { Snapshot, type SnapshotParts } from "./snapshot.js";

/** Milliseconds between two looks for a new revision. Two of them are the promise: noticed within 2 s. */
const POLL_INTERVAL_MS = 1_000;

/** Age at which a snapshot is read anew, so that its image lists are replaced well before their hour is over. */
const REFRESH_AFTER_SECONDS = IMAGE_LIST_LIFETIME_SECONDS - 600;

/** What a catalog needs of the world; the tests bring their own clock and loader. */
export interface CatalogOptions {
  database: Database;
  /** Reads the current catalog; undefined while there is none. */
  load: () => Promise<SnapshotParts | undefined>;
  /** See {@link Snapshot}. */
  formatVersion: string;
  logger: Logger;
  now?: () => number;
}

/**
 * The catalog that is served: the newest snapshot, swapped whole when the database has a new revision.
 * A database that is gone changes nothing: the last snapshot goes on being served.
 */
export class Catalog {
  readonly #options: CatalogOptions;
  readonly #now: () => number;
  #snapshot: Snapshot | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #isReachable = true;
  #lastReachedMs: number | undefined;

  constructor(options: CatalogOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** The snapshot to answer a request with. Take it once a request, so that no answer mixes two. */
  get snapshot(): Snapshot | undefined {
    return this.#snapshot;
  }

  /** Whole seconds since the current snapshot was read; undefined while there is none. */
  get ageSeconds(): number | undefined {
    return this.#snapshot && Math.max(0, Math.floor((this.#now() - this.#snapshot.loadedAtMs) / 1000));
  }

  /** Whether the database answered the last look for a new revision, and when it last did, in ms since 1970. */
  get reach(): { isReachable: boolean; lastReachedMs: number | undefined } {
    return { isReachable: this.#isReachable, lastReachedMs: this.#lastReachedMs };
  }

  /** Loads the catalog and begins to look for new ones. Rejects when the first load fails. */
  async start(): Promise<void> {
    await this.#reload();
    this.#lastReachedMs = this.#now();
    this.#schedule();
  }

  /** Stops looking. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Looks for a new revision once, and loads it. It is also how an image list is kept within its hour. */
  async refresh(): Promise<void> {
    const current = await findRevision(this.#options.database);
    this.#lastReachedMs = this.#now();
    const served = this.#snapshot?.revision;
    const isSame = current?.revision === served?.revision && current?.mark === served?.mark;
    const isOld = (this.ageSeconds ?? 0) >= REFRESH_AFTER_SECONDS;
    if (!isSame || isOld) {
      await this.#reload();
    }
  }

  async #reload(): Promise<void> {
    const { load, formatVersion, logger } = this.#options;
    const startedAtMs = this.#now();
    const parts = await load();
    if (parts === undefined) {
      return;
    }
    this.#snapshot = new Snapshot(parts, startedAtMs, formatVersion);
    logger.info(
      { revision: parts.revision.revision, offers: this.#snapshot.offerCount, durationMs: this.#now() - startedAtMs },
      "catalog loaded",
    );
  }

  #schedule(): void {
    if (this.#isStopped) {
      return;
    }
    this.#timer = setTimeout(() => {
      void this.#poll().finally(() => this.#schedule());
    }, POLL_INTERVAL_MS);
    this.#timer.unref();
  }

  async #poll(): Promise<void> {
    try {
      await this.refresh();
      if (!this.#isReachable) {
        this.#isReachable = true;
        this.#options.logger.info("catalog database reachable again");
      }
    } catch (error) {
      // Said once, not every second: the last snapshot goes on being served.
      if (this.#isReachable) {
        this.#isReachable = false;
        this.#options.logger.error({ err: error }, "cannot look for a new catalog; serving the last one");
      }
    }
  }
}

/** What the loading thread says when it is done. */
export interface Loaded {
  parts: SnapshotParts | undefined;
}

/** Loads the catalog of a database in a thread of its own. */
export function loadInWorker(databaseUrl: string): Promise<SnapshotParts | undefined> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./load-worker.js", import.meta.url), { workerData: databaseUrl });
    worker.on("message", (message: Loaded | object) => {
      // Node's watch mode sends messages of its own through the same channel.
      if ("parts" in message) {
        resolve(message.parts);
      }
    });
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`The loader ended with code ${code} before it was done.`)));
  });
}
