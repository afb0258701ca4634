import { setImmediate as nextTurn } from "node:timers/promises";
import type { OnModuleDestroy } from "@nestjs/common";
import { IMAGE_LIST_LIFETIME_SECONDS, reasonOf } from "@gpu-offers/domain";
import type { Logger } from "pino";
import { Freshness } from "@gpu-offers/store/freshness";
import type { StalePart } from "@gpu-offers/store/staleness";
import { readSourceFacts } from "@gpu-offers/store/source-facts";
import { isUnreachable, ReplacedFileError } from "@gpu-offers/store/database-error";
import { findRevision } from "@gpu-offers/store/catalog.store";
import type { Database } from "@gpu-offers/store/database";
import { Snapshot, type Representation, type SnapshotParts } from "./snapshot.js";

/** Milliseconds between checks for a new revision. The documented maximum delay is 2 s. */
const POLL_INTERVAL_MS = 1_000;

/** Age at which a snapshot is reloaded, so that image lists are replaced well within their hour. */
const REFRESH_AFTER_SECONDS = IMAGE_LIST_LIFETIME_SECONDS - 600;

/** Initial and maximum delay in milliseconds before a failed revision is loaded again; doubled by each failure. */
const FIRST_LOAD_RETRY_MS = 1_000;
const LONGEST_LOAD_RETRY_MS = 60_000;

export class NoCatalogError extends Error {
  override readonly name = "NoCatalogError";
}

/** The database responds, but its catalog can't be loaded. */
class LoadError extends Error {
  override readonly name = "LoadError";
}

type Failure = "unreachable" | "replaced" | "not loaded";

/** Dependencies of a catalog; tests pass their own clock and loader. */
export interface CatalogOptions {
  database: Database;
  /** Reads the current catalog; undefined while there is none. */
  load: (stale: readonly StalePart[]) => Promise<SnapshotParts | undefined>;
  /** See {@link Snapshot}. */
  formatVersion: string;
  logger: Logger;
  /** Monotonic clock in milliseconds; the wall clock may step and make everything old at once. */
  now?: () => number;
  /** Milliseconds since 1970 for the age of prices; by default the wall clock. */
  wallClock?: () => number;
}

/** Serves the newest snapshot of the catalog; while the database is unreachable, the last one. */
export class Catalog implements OnModuleDestroy {
  readonly #options: CatalogOptions;
  readonly #now: () => number;
  #snapshot: Snapshot | undefined;
  #freshness: Freshness = new Freshness({ sources: [], quarantined: new Set(), providers: [], oldParts: [] }, 0);
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  /** Why the last check failed; undefined if it succeeded. */
  #failure: Failure | undefined;
  #failedLoad: { revisionKey: string; error: LoadError; waitMs: number; retryAtMs: number } | undefined;
  #lastReachedAt: Date | undefined;
  #make: () => unknown = () => undefined;
  #prepared: Snapshot | undefined;
  #preparing: Promise<unknown> = Promise.resolve();

  constructor(options: CatalogOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** The age of the prices in the snapshot. It changes more often than the snapshot. */
  get freshness(): Freshness {
    return this.#freshness;
  }

  /** Version of the software that writes its responses. */
  get formatVersion(): string {
    return this.#options.formatVersion;
  }

  get snapshot(): Snapshot | undefined {
    return this.#snapshot;
  }

  /** The snapshot to serve a request from, so get it once. @throws NoCatalogError until one is loaded. */
  getSnapshot(): Snapshot {
    if (this.#snapshot === undefined) {
      throw new NoCatalogError("No catalog was loaded yet.");
    }
    return this.#snapshot;
  }

  /** A function that makes something of the catalog and the age of its prices, once for each; throws NoCatalogError. */
  derive<T>(make: (snapshot: Snapshot, freshness: Freshness) => T): () => T {
    let made: { snapshot: Snapshot; freshness: Freshness; value: T } | undefined;
    return () => {
      const snapshot = this.getSnapshot();
      const freshness = this.#freshness;
      if (made?.snapshot !== snapshot || made.freshness !== freshness) {
        made = { snapshot, freshness, value: make(snapshot, freshness) };
      }
      return made.value;
    };
  }

  /** Has something made of each catalog before it is asked for, once, after it is served. */
  prepare(make: () => Promise<unknown>): void {
    this.#make = make;
  }

  /** Whether a response is still fresh enough to send. Image lists expire an hour after they were loaded. */
  mayServe({ isImageList, traits: { listings } }: Representation): boolean {
    if (listings !== undefined && listings.freshness !== this.#freshness) {
      return false;
    }
    return !isImageList || (this.ageSeconds ?? 0) < IMAGE_LIST_LIFETIME_SECONDS;
  }

  /** Whole seconds since the current snapshot was loaded; undefined until one is loaded. */
  get ageSeconds(): number | undefined {
    return this.#snapshot && Math.max(0, Math.floor((this.#now() - this.#snapshot.loadedAtMs) / 1000));
  }

  /** The time by the clock for the age of prices, in milliseconds since 1970. */
  get nowMs(): number {
    return (this.#options.wallClock ?? Date.now)();
  }

  /** Whether the database responded to the last check, and when it last responded. */
  get reach(): { isReachable: boolean; lastReachedAt: Date | undefined } {
    const isReachable = this.#failure === undefined || this.#failure === "not loaded";
    return { isReachable, lastReachedAt: this.#lastReachedAt };
  }

  /** Whether the database's file was deleted or replaced: the catalog is that of a file that nothing else sees. */
  get isReplaced(): boolean {
    return this.#failure === "replaced";
  }

  /** Loads the catalog and starts to check for new ones. Rejects if the first load fails. */
  async start(): Promise<void> {
    await this.#reload(await this.#readFreshness());
    this.#lastReachedAt = new Date();
    this.#schedule();
  }

  async onModuleDestroy(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#preparing;
  }

  /** Checks for a new revision once, and loads it. This also keeps image lists within their hour. */
  async refresh(): Promise<void> {
    // Prices become stale even if the database can't be read.
    this.#publish(this.#freshness.at(this.nowMs));
    // Before the revision, so that an import in between makes prices look too old for a second, never too new.
    const freshness = await this.#readFreshness();
    const current = await findRevision(this.#options.database);
    this.#lastReachedAt = new Date();
    const served = this.#snapshot;
    const isSame =
      current?.revision === served?.revision.revision &&
      current?.mark === served?.revision.mark &&
      served?.staleMark === (current && freshness.mark) &&
      served?.factsMark === (current && freshness.factsMark);
    const isOld = (this.ageSeconds ?? 0) >= REFRESH_AFTER_SECONDS;
    if (isSame) {
      this.#publish(freshness);
    }
    if (!isSame || isOld) {
      await this.#tryReload(freshness, `${current?.revision}-${current?.mark}`);
    }
  }

  /** Loads the catalog; failed loads are retried with exponential backoff. @throws LoadError. */
  async #tryReload(freshness: Freshness, revisionKey: string): Promise<void> {
    const failed = this.#failedLoad?.revisionKey === revisionKey ? this.#failedLoad : undefined;
    if (failed !== undefined && this.#now() < failed.retryAtMs) {
      throw failed.error;
    }
    try {
      await this.#reload(freshness);
      this.#failedLoad = undefined;
    } catch (error) {
      if (isUnreachable(error)) {
        throw error;
      }
      const waitMs = Math.min(LONGEST_LOAD_RETRY_MS, failed === undefined ? FIRST_LOAD_RETRY_MS : 2 * failed.waitMs);
      const loadError = new LoadError(`revision ${revisionKey}: ${reasonOf(error)}`, { cause: error });
      this.#failedLoad = { revisionKey, error: loadError, waitMs, retryAtMs: this.#now() + waitMs };
      throw loadError;
    }
  }

  async #readFreshness(): Promise<Freshness> {
    return new Freshness(await readSourceFacts(this.#options.database), this.nowMs);
  }

  /** Keeps the same object if nothing changed, because headers are built from it. */
  #publish(freshness: Freshness): void {
    if (freshness.key !== this.#freshness.key) {
      this.#logOverdue(this.#freshness.overdueSources, freshness.overdueSources);
      this.#freshness = freshness;
    }
  }

  /** Whatever stops the sync, even without an error, leaves overdue sources. */
  #logOverdue(before: ReadonlySet<string>, now: ReadonlySet<string>): void {
    const { logger } = this.#options;
    const late = [...now].filter((name) => !before.has(name));
    if (late.length > 0) {
      logger.error({ sources: late }, "live sources are overdue: their runs don't end, or no instance syncs");
    } else if (now.size === 0 && before.size > 0) {
      logger.info("live sources run on time again");
    }
  }

  /** Loads the catalog. The ages of its prices are published with it: sooner, they would be sent with the old prices. */
  async #reload(freshness: Freshness): Promise<void> {
    const { load, formatVersion, logger } = this.#options;
    const startedAtMs = this.#now();
    const parts = await load(freshness.stale);
    this.#publish(freshness);
    if (parts === undefined) {
      return;
    }
    this.#snapshot = new Snapshot(parts, startedAtMs, formatVersion, freshness.mark, freshness.factsMark);
    logger.info(
      {
        revision: parts.revision.revision,
        offers: this.#snapshot.offerCount,
        durationMs: Math.round(this.#now() - startedAtMs),
      },
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
    let failure: Failure | undefined;
    let reason: unknown;
    try {
      await this.refresh();
    } catch (error) {
      failure =
        error instanceof LoadError ? "not loaded" : error instanceof ReplacedFileError ? "replaced" : "unreachable";
      reason = error;
    }
    // Logged when it changes, not every second. The last snapshot is served in the meantime.
    if (failure !== this.#failure) {
      this.#failure = failure;
      this.#logFailure(reason);
    }
    if (this.#prepared !== this.#snapshot && !this.#isStopped) {
      this.#prepared = this.#snapshot;
      // Two turns, so that requests that arrived while the catalog was taken over are handled first: the first turn ends before
      // the loop reads them.
      this.#preparing = this.#preparing
        .then(() => nextTurn())
        .then(() => nextTurn())
        .then(() => (this.#isStopped ? undefined : this.#make()))
        .catch((err: unknown) => this.#options.logger.error({ err }, "cannot prepare what is made of the catalog"));
    }
  }

  #logFailure(reason: unknown): void {
    const { logger } = this.#options;
    if (this.#failure === undefined) {
      logger.info("catalog is readable again");
      return;
    }
    const messages: Record<Failure, string> = {
      replaced: `not ready: ${reasonOf(reason)}`,
      unreachable: "cannot check for a new catalog; serving the last one",
      "not loaded": "cannot load the new catalog; serving the last one",
    };
    logger.error({ err: reason }, messages[this.#failure]);
  }
}
