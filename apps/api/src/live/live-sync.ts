import { Injectable, Optional, type BeforeApplicationShutdown, type OnApplicationBootstrap } from "@nestjs/common";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { Foundation } from "../foundation.js";
import { LiveMetrics } from "../metrics/live-metrics.js";
import type { LiveMessage } from "./live-worker.js";

/** Time for the thread to end a run and release its leases, which expire soon anyway. */
const STOP_MS = 900;

/** Delay before a failed thread is restarted. */
const RESTART_MS = 10_000;

/** Milliseconds between checks whether the thread has to run. */
const LOOK_MS = 1_000;

/** Manages the thread that syncs live sources, if the settings want one. It is restarted if it fails. */
@Injectable()
export class LiveSync implements OnApplicationBootstrap, BeforeApplicationShutdown {
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly foundation: Foundation,
    @Optional() private readonly metrics?: LiveMetrics,
  ) {}

  get #isNeeded(): boolean {
    const { config, catalog } = this.foundation;
    const { LIVE_SYNC: sync, SOURCES_FILE: file } = config;
    return sync === "only" || (sync === "on" && (catalog.freshness.hasEnabledSource || file !== undefined));
  }

  /** Starts the thread as soon as it is needed, and after it failed. */
  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => this.#keepUp(), LOOK_MS).unref();
  }

  #keepUp(): void {
    const isWaiting = performance.now() - this.#failedAt < RESTART_MS;
    if (!this.#isNeeded || this.#worker !== undefined || this.#isStopped || isWaiting) {
      return;
    }
    const { logger } = this.foundation.log;
    const worker = new Worker(new URL("./live-worker.js", import.meta.url), { workerData: process.stdout.isTTY });
    worker.unref();
    this.#worker = worker;
    worker.on("message", (message: LiveMessage | object) => {
      if ("liveEvent" in message) {
        this.metrics?.see(message.liveEvent);
      }
    });
    worker.once("error", (error) => {
      this.metrics?.see({ kind: "sync", isWorking: false });
      logger.error({ err: error }, "live sync thread failed; restarting it");
    });
    worker.once("exit", () => {
      this.#worker = undefined;
      this.#failedAt = performance.now();
    });
  }

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
