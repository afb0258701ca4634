import type { BeforeApplicationShutdown, OnApplicationBootstrap } from "@nestjs/common";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { SyncEvent } from "@gpu-offers/sync/live-run";
import type { LiveMessage, LiveTask } from "./live-worker.js";

/** Time for the thread to end a run and release its leases, which expire soon anyway. */
const STOP_MS = 900;

/** Delay before a failed thread is restarted. */
const RESTART_MS = 10_000;

/** Milliseconds between checks whether the thread has to run. */
const LOOK_MS = 1_000;

/** Dependencies of a sync. */
interface LiveSyncOptions extends LiveTask {
  logger: Logger;
  /** Whether sources have to be synced now. */
  isNeeded: () => boolean;
  onEvent: (event: SyncEvent) => void;
}

/** Manages the thread that syncs live sources. It is restarted if it fails. */
export class LiveSync implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #options: LiveSyncOptions;
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(options: LiveSyncOptions) {
    this.#options = options;
  }

  /** Starts the thread as soon as it is needed. */
  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => {
      if (this.#options.isNeeded()) {
        this.keepUp();
      }
    }, LOOK_MS);
    this.#timer.unref();
  }

  /** Starts the thread if it is not running. Called periodically. */
  keepUp(): void {
    if (this.#worker !== undefined || this.#isStopped || performance.now() - this.#failedAt < RESTART_MS) {
      return;
    }
    const { isTerminal, logger, onEvent } = this.#options;
    const worker = new Worker(new URL("./live-worker.js", import.meta.url), {
      workerData: { isTerminal } satisfies LiveTask,
    });
    worker.unref();
    this.#worker = worker;
    worker.on("message", (message: LiveMessage | object) => {
      if ("liveEvent" in message) {
        onEvent(message.liveEvent);
      }
    });
    worker.once("error", (error) => {
      onEvent({ kind: "sync", isWorking: false });
      logger.error({ err: error }, "live sync thread failed; restarting it");
    });
    worker.once("exit", () => {
      this.#worker = undefined;
      this.#failedAt = performance.now();
    });
  }

  /** Stops the thread. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    this.#isStopped = true;
    const worker = this.#worker;
    if (worker === undefined) {
      return;
    }
    // Not `once` of node:events, which rejects if the thread fails while it stops.
    const exited = new Promise((resolve) => worker.once("exit", resolve));
    worker.postMessage("stop", []);
    await Promise.race([exited, delay(STOP_MS)]);
    await worker.terminate();
  }
}
