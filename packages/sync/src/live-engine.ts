import { randomUUID } from "node:crypto";
import type { LiveSource } from "@gpu-offers/sources";
import type { Logger } from "pino";
import type { ImportReport } from "@gpu-offers/store/catalog-import";
import { findRevision } from "@gpu-offers/store/catalog.store";
import type { Database } from "@gpu-offers/store/database";
import { acceptQuarantine } from "./accept-quarantine.js";
import { dryRun } from "./dry-run.js";
import { systemClock, type Clock } from "@gpu-offers/fetch/clock";
import { isoOf, type FinishedRun, type LiveEvent, type RunResult } from "./live-run.js";
import type { SourceSettings } from "@gpu-offers/fetch/live-settings";
import {
  findListedName,
  findStoredSource,
  newSource,
  releaseLease,
  takeLease,
  type StoredSource,
} from "@gpu-offers/store/live.store";
import { readKeptResponses } from "@gpu-offers/store/response.store";
import { removeExpired } from "./remove-expired.js";
import { RunApplier } from "./run-applier.js";
import { SourceFetcher, type FetcherOptions } from "@gpu-offers/fetch/source-fetcher";
import { RunError } from "@gpu-offers/fetch/source-run";

// Fetches live sources and passes the runs to RunApplier. Callers decide when: the service's runner on schedule, the
// command line immediately.

/** Duration of a lease unless renewed. */
const LEASE_MS = 60_000;

/** Dependencies of an engine. */
export interface EngineOptions extends Omit<FetcherOptions, "onRequest"> {
  database: Database;
  sources: readonly LiveSource[];
  logger: Logger;
  historyDays: number;
  /** Random number from 0 to 1. */
  random?: () => number;
  onEvent?: (event: LiveEvent) => void;
}

/** Fetches and applies runs of live sources. */
export class LiveEngine {
  /** Identifies this engine in leases. */
  readonly owner = randomUUID();
  readonly clock: Clock;
  /** All available sources. */
  readonly sources: readonly LiveSource[];
  readonly #options: EngineOptions;
  readonly #fetcher: SourceFetcher;
  readonly #applier: RunApplier;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.clock = options.clock ?? systemClock;
    this.sources = options.sources;
    const { database, logger, random = Math.random, onEvent } = options;
    this.#fetcher = new SourceFetcher({
      ...options,
      onRequest: ({ name }, status) => onEvent?.({ kind: "request", source: name, status }),
    });
    this.#applier = new RunApplier({
      database,
      logger,
      clock: this.clock,
      owner: this.owner,
      random,
      onEvent,
    });
  }

  /** The settings of a source. */
  settingsOf(source: LiveSource): SourceSettings {
    return this.#fetcher.settingsOf(source);
  }

  /** A sentence about the source's missing secrets; undefined if it can run. */
  missingSecrets(source: LiveSource): string | undefined {
    return this.#fetcher.missingSecrets(source);
  }

  /** A fingerprint of a source's secrets. */
  async fingerprintOf(source: LiveSource): Promise<string> {
    return this.#options.secrets.fingerprintOf(source, await this.installation());
  }

  /** A text shared by all instances of an installation. */
  async installation(): Promise<string> {
    return (await findRevision(this.#options.database))?.mark ?? "";
  }

  /**
   * Fetches a source. Changes only its lease. Undefined if another process is running it, or if it was never enabled.
   * @param plannedAt the planned time of a scheduled run; undefined runs at any time. See {@link takeLease}.
   */
  async fetch(source: LiveSource, signal?: AbortSignal, plannedAt?: string | null): Promise<FinishedRun | undefined> {
    const { database } = this.#options;
    const before = await findStoredSource(database, source.name);
    if (before === undefined || !(await this.#renewLease(source.name, plannedAt))) {
      return undefined;
    }
    const timer = setInterval(() => void this.#renewLease(source.name).catch(() => false), LEASE_MS / 3);
    timer.unref();
    return this.#finish(source, before, () => clearInterval(timer), signal);
  }

  /** Fetches a source to see what it would change, whether or not it is enabled. Pass the run to {@link dryRun} only. */
  async preview(source: LiveSource): Promise<FinishedRun> {
    return this.#finish(source, newSource(source, this.settingsOf(source)), () => {});
  }

  async #finish(
    source: LiveSource,
    before: StoredSource,
    endLease: () => void,
    signal?: AbortSignal,
  ): Promise<FinishedRun> {
    const settings = await this.#settingsOfRun(source);
    const secretsFingerprint = await this.fingerprintOf(source);
    const startedAt = this.clock.monotonic();
    const result = await readKeptResponses(this.#options.database, source.name)
      .then((known) => this.#fetcher.fetch(source, { settings, known, signal }))
      .catch((error: unknown) => {
        if (error instanceof RunError) {
          return error;
        }
        endLease();
        throw error;
      });
    const durationMs = this.clock.monotonic() - startedAt;
    const offers = result instanceof RunError ? 0 : result.offers;
    this.#options.onEvent?.({ kind: "fetched", source: source.name, offers, durationMs });
    return {
      source,
      settings,
      before,
      result,
      secretsFingerprint,
      fetchedAtMs: this.clock.now(),
      durationMs,
      endLease,
    };
  }

  async #renewLease(name: string, plannedAt?: string | null): Promise<boolean> {
    const nowMs = this.clock.now();
    const times = { now: isoOf(nowMs), until: isoOf(nowMs + LEASE_MS), plannedAt };
    return takeLease(this.#options.database, name, this.owner, times);
  }

  /** The settings of a source, with the name under which the catalog lists its provider. */
  async #settingsOfRun(source: LiveSource): Promise<SourceSettings> {
    const settings = this.settingsOf(source);
    if (source.kind === "feed" || settings.own.provider !== undefined) {
      return settings;
    }
    const provider = (await findListedName(this.#options.database, source.name)) ?? source.name;
    return { ...settings, own: { ...settings.own, provider } };
  }

  /** See {@link RunApplier.apply}. */
  apply(runs: readonly FinishedRun[]): Promise<RunResult[]> {
    return this.#applier.apply(runs);
  }

  /** Like {@link apply} for each run, but changes nothing. Releases their leases. */
  async dryRun(runs: readonly FinishedRun[]): Promise<RunResult[]> {
    const results: RunResult[] = [];
    for (const run of runs) {
      results.push(await dryRun(this.#options.database, run));
    }
    await this.discard(runs);
    return results;
  }

  /** Releases leases without applying anything. */
  async discard(runs: readonly FinishedRun[]): Promise<void> {
    for (const { source, endLease } of runs) {
      endLease();
      await releaseLease(this.#options.database, source.name, this.owner);
    }
  }

  /** See {@link acceptQuarantine}. */
  accept(source: LiveSource): Promise<ImportReport | undefined> {
    const context = { settings: this.settingsOf(source), nowMs: this.clock.now() };
    return acceptQuarantine(this.#options.database, source, context);
  }

  /** See {@link removeExpired}. */
  removeExpired(): Promise<{ dropped: number; pruned: number }> {
    const { database, historyDays } = this.#options;
    return removeExpired(database, { nowMs: this.clock.now(), historyDays });
  }
}
