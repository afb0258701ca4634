import type { LiveSource } from "@gpu-offers/sources";
import { reasonOf } from "@gpu-offers/domain";
import type { LiveEngine } from "./live-engine.js";
import { isoOf, type FinishedRun, type RunResult } from "./live-run.js";
import {
  findStoredSource,
  listStoredSources,
  planRun,
  saveSource,
  type StoredSource,
} from "@gpu-offers/store/live.store";
import { LIVE_CAUSES } from "@gpu-offers/store/catalog-revision";
import { EXPIRY_CHECK_MS, removeExpired } from "./remove-expired.js";
import { firstDelayMs, isDue, MAX_PARALLEL_RUNS, SETTLE_MS } from "./schedule.js";
import { RunError } from "@gpu-offers/fetch/source-run";

// Keeps enabled sources up to date while a process runs: decides which are due, how many run concurrently, and when
// their runs are applied. All persistent state is in the database.

/** Interval of checks for due sources. */
const TICK_MS = 1_000;

/** Minimum time between revisions, because each one makes every instance reload the catalog. */
const REVISION_MS = 60_000;

/** Delay before sources are fetched again if a run could not be stored; otherwise providers would get a request a second. */
const WRITE_RETRY_MS = 60_000;

/** Time without errors after which syncing counts as working again, even if no run was due. */
const RECOVERY_MS = 300_000;

/** Runs sources on schedule until stopped. */
export class LiveRunner {
  readonly #stop = new AbortController();
  readonly #running = new Map<string, Promise<void>>();
  #finished: FinishedRun[] = [];
  #firstFinishedAt = 0;
  #appliedAt = Number.NEGATIVE_INFINITY;
  #expiryCheckedAt = Number.NEGATIVE_INFINITY;
  /** When the last error occurred; undefined while syncing works. */
  #failedAt: number | undefined;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #loop: Promise<void> | undefined;

  constructor(
    private readonly engine: LiveEngine,
    private readonly historyDays: number,
  ) {}

  start(): void {
    this.#loop = this.#run();
  }

  /** Aborts running sources, releases their leases, and resolves when all are done. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled([this.#loop, ...this.#running.values()]);
    await this.engine.discard(this.#finished).catch((error: unknown) => this.#report(error));
    this.#finished = [];
  }

  async #run(): Promise<void> {
    const { clock } = this.engine;
    while (!this.#stop.signal.aborted) {
      try {
        await this.tick();
      } catch (error) {
        this.#report(error);
      }
      await clock.sleep(TICK_MS, this.#stop.signal).catch(() => {});
    }
  }

  /** Logs an error once, not every second. The current offers are still served. */
  #report(error: unknown): void {
    const { clock, options } = this.engine;
    if (this.#failedAt === undefined) {
      options.logger.error({ err: error }, `cannot sync live sources: ${reasonOf(error)}`);
    }
    this.#failedAt = clock.monotonic();
    options.onEvent?.({ kind: "sync", isWorking: false });
  }

  /** Reading works on a full disk, so a tick alone proves nothing. */
  #recover(): void {
    this.#failedAt = undefined;
    this.engine.options.onEvent?.({ kind: "sync", isWorking: true });
  }

  /** Applies runs, or delays further ones if that fails. */
  async #apply(runs: readonly FinishedRun[]): Promise<RunResult[]> {
    const results = await this.#written(this.engine.apply(runs));
    this.#recover();
    return results;
  }

  async #written<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      this.#pausedUntil = this.engine.clock.monotonic() + WRITE_RETRY_MS;
      throw error;
    }
  }

  /** Resolves when no source is running. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  /** Starts due sources, and applies finished runs. */
  async tick(): Promise<void> {
    await this.#startDue();
    await this.#applyFinished();
    const { engine, historyDays } = this;
    const now = engine.clock.monotonic();
    if (this.#failedAt !== undefined && now - this.#failedAt >= RECOVERY_MS) {
      this.#recover();
    }
    if (now - this.#expiryCheckedAt >= EXPIRY_CHECK_MS) {
      this.#expiryCheckedAt = now;
      await removeExpired(engine.options.database, { nowMs: engine.clock.now(), historyDays });
    }
  }

  async #startDue(): Promise<void> {
    const { engine } = this;
    const { database } = engine.options;
    if (engine.clock.monotonic() < this.#pausedUntil) {
      return;
    }
    const stored = new Map((await listStoredSources(database)).map((source) => [source.name, source]));
    for (const source of engine.options.sources) {
      if (this.#running.size >= MAX_PARALLEL_RUNS || this.#stop.signal.aborted) {
        return;
      }
      const known = await this.#followSettings(source, stored.get(source.name));
      if (known !== undefined && !this.#isBusy(source.name)) {
        await this.#startOrPlan(source, known);
      }
    }
  }

  #isBusy(name: string): boolean {
    return this.#running.has(name) || this.#finished.some(({ source }) => source.name === name);
  }

  /** The stored source, updated to the settings; undefined if it isn't enabled. */
  async #followSettings(source: LiveSource, known: StoredSource | undefined): Promise<StoredSource | undefined> {
    const { engine } = this;
    const { database } = engine.options;
    const settings = engine.fetcher.settingsOf(source);
    const isEnabled = settings.enabled ?? known?.isEnabled ?? false;
    const isSame =
      known === undefined
        ? !isEnabled
        : known.isEnabled === isEnabled &&
          known.interval_seconds === settings.intervalSeconds &&
          known.stale_after_seconds === settings.staleAfterSeconds &&
          known.drop_after_seconds === settings.dropAfterSeconds;
    if (isSame) {
      return isEnabled ? known : undefined;
    }
    await saveSource(database, source, settings, isEnabled);
    return isEnabled ? findStoredSource(database, source.name) : undefined;
  }

  /** Starts a run that is due, or plans the first one. */
  async #startOrPlan(source: LiveSource, known: StoredSource): Promise<void> {
    const { engine } = this;
    const { next_run_at } = known;
    if (known.isStopped || known.error_code === "needs_key") {
      // Retrying is pointless until the operator changes the secrets.
      if (await this.#hasNewSecrets(source, known)) {
        this.#fetch(source, next_run_at);
      }
    } else if (next_run_at === null) {
      const at = engine.clock.now() + firstDelayMs(source.name, await engine.installation());
      await planRun(engine.options.database, source.name, isoOf(at));
    } else if (
      isDue(Date.parse(next_run_at), engine.clock.now(), engine.fetcher.settingsOf(source).intervalSeconds * 1_000)
    ) {
      this.#fetch(source, next_run_at);
    }
  }

  async #hasNewSecrets(source: LiveSource, { secrets_mark }: StoredSource): Promise<boolean> {
    const { engine } = this;
    return secrets_mark !== (await engine.fingerprintOf(source)) && engine.fetcher.missingSecrets(source) === undefined;
  }

  #fetch(source: LiveSource, plannedAt: string | null): void {
    const run = this.#fetchOne(source, plannedAt)
      .catch((error: unknown) => this.#report(error))
      .finally(() => this.#running.delete(source.name));
    this.#running.set(source.name, run);
  }

  async #fetchOne(source: LiveSource, plannedAt: string | null): Promise<void> {
    const { engine } = this;
    const finished = await this.#written(engine.fetch(source, this.#stop.signal, plannedAt));
    if (finished === undefined) {
      return;
    }
    if (this.#stop.signal.aborted) {
      // An aborted run doesn't count as a failure of the source.
      await engine.discard([finished]);
      return;
    }
    if (finished.result instanceof RunError) {
      // It makes no revision, so it needn't wait for one.
      await this.#apply([finished]);
      return;
    }
    if (this.#finished.length === 0) {
      this.#firstFinishedAt = engine.clock.monotonic();
    }
    this.#finished.push(finished);
  }

  async #applyFinished(): Promise<void> {
    const { engine } = this;
    if (this.#finished.length === 0 || this.#stop.signal.aborted) {
      return;
    }
    const now = engine.clock.monotonic();
    const isSettled = this.#running.size === 0 || now - this.#firstFinishedAt >= SETTLE_MS;
    if (!isSettled || now - this.#appliedAt < REVISION_MS || !(await this.#mayMakeRevision())) {
      return;
    }
    const runs = this.#finished;
    this.#finished = [];
    const results = await this.#apply(runs);
    if (results.some(({ revision }) => revision !== null)) {
      this.#appliedAt = now;
    }
    for (const { source, outcome, offers, added, changed, removed, images, duration_ms: durationMs } of results) {
      if (outcome === "applied") {
        const counts = { offers, added, changed, removed, images };
        engine.options.logger.info({ source, ...counts, durationMs }, "live source synced");
      }
    }
  }

  /** Whether no other instance has just created a revision of live sources. */
  async #mayMakeRevision(): Promise<boolean> {
    const revisions = this.engine.options.database.selectFrom("catalog_revision").where("cause", "like", LIVE_CAUSES);
    const row = await revisions.select("created_at").orderBy("revision", "desc").limit(1).executeTakeFirst();
    const agoMs = row === undefined ? REVISION_MS : this.engine.clock.now() - Date.parse(row.created_at);
    // A clock that was set back must not block this.
    return agoMs >= REVISION_MS || agoMs < 0;
  }
}
