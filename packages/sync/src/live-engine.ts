import { randomUUID } from "node:crypto";
import type { LiveSource } from "@gpu-offers/sources";
import type { ImportReport } from "@gpu-offers/store/catalog-import";
import { findRevision } from "@gpu-offers/store/catalog.store";
import { systemClock, type Clock } from "@gpu-offers/fetch/clock";
import {
  emptyResult,
  isoOf,
  parseContent,
  sumOfImages,
  type CompleteRun,
  type FinishedRun,
  type RunResult,
} from "./live-run.js";
import type { SourceSettings } from "@gpu-offers/fetch/live-settings";
import {
  findListedName,
  findStoredSource,
  newSource,
  recordRun,
  releaseLease,
  takeLease,
  type StoredSource,
} from "@gpu-offers/store/live.store";
import { readKeptResponses } from "@gpu-offers/store/response.store";
import { findQuarantine, readQuarantinedContent } from "@gpu-offers/store/quarantine";
import { liveCause } from "@gpu-offers/store/catalog-revision";
import { importRuns, ownershipError, withoutForeignProviders } from "./run-ownership.js";
import { recordOf } from "./run-record.js";
import { RunApplier, type ApplierOptions } from "./run-applier.js";
import { SourceFetcher, type FetcherOptions } from "@gpu-offers/fetch/source-fetcher";
import { RunError } from "@gpu-offers/fetch/source-run";

// Fetches live sources, and applies their runs. Callers decide when: the service's runner on schedule, the
// command line immediately.

const LEASE_MS = 60_000;

/** Accepting takes no lease, so it releases none. */
const NO_OWNER = "";

export interface EngineOptions extends Omit<FetcherOptions, "onRequest">, ApplierOptions {
  sources: readonly LiveSource[];
}

/** Fetches and applies runs of live sources. */
export class LiveEngine {
  /** Identifies this engine in leases. */
  readonly owner = randomUUID();
  readonly clock: Clock;
  readonly fetcher: SourceFetcher;
  readonly #applier: RunApplier;

  constructor(readonly options: EngineOptions) {
    this.clock = options.clock ?? systemClock;
    this.fetcher = new SourceFetcher({
      ...options,
      onRequest: ({ name }, status) => options.onEvent?.({ kind: "request", source: name, status }),
    });
    this.#applier = new RunApplier(options, this.clock, this.owner);
  }

  async fingerprintOf(source: LiveSource): Promise<string> {
    return this.options.secrets.fingerprintOf(source, await this.installation());
  }

  /** A text shared by all instances of an installation: the mark of its first revision. */
  async installation(): Promise<string> {
    return (await findRevision(this.options.database, "first"))?.mark ?? "";
  }

  /**
   * Fetches a source. Changes only its lease. Undefined if another process is running it, or if it was never enabled.
   * @param plannedAt the planned time of a scheduled run; undefined runs at any time. See {@link takeLease}.
   */
  async fetch(source: LiveSource, signal?: AbortSignal, plannedAt?: string | null): Promise<FinishedRun | undefined> {
    const { database } = this.options;
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
    return this.#finish(source, newSource(source, this.fetcher.settingsOf(source)), () => {});
  }

  async #finish(
    source: LiveSource,
    before: StoredSource,
    endLease: () => void,
    signal?: AbortSignal,
  ): Promise<FinishedRun> {
    const startedAt = this.clock.monotonic();
    const read = async () => {
      const settings = await this.#settingsOfRun(source);
      const secretsFingerprint = await this.fingerprintOf(source);
      const known = await readKeptResponses(this.options.database, source.name);
      const result = await this.fetcher
        .fetch(source, { settings, known, signal })
        .catch((error: unknown) => (error instanceof RunError ? error : Promise.reject(error)));
      return { settings, secretsFingerprint, result };
    };
    const { settings, secretsFingerprint, result } = await read().catch((error: unknown) => {
      endLease();
      throw error;
    });
    const durationMs = this.clock.monotonic() - startedAt;
    const offers = result instanceof RunError ? 0 : result.offers;
    this.options.onEvent?.({ kind: "fetched", source: source.name, offers, durationMs });
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
    return takeLease(this.options.database, name, this.owner, times);
  }

  /** The settings of a source, with the name under which the catalog lists its provider. */
  async #settingsOfRun(source: LiveSource): Promise<SourceSettings> {
    const settings = this.fetcher.settingsOf(source);
    if (source.kind === "feed" || settings.own.provider !== undefined) {
      return settings;
    }
    const provider = (await findListedName(this.options.database, source.name)) ?? source.name;
    return { ...settings, own: { ...settings.own, provider } };
  }

  /** See {@link RunApplier.apply}. */
  apply(runs: readonly FinishedRun[]): Promise<RunResult[]> {
    return this.#applier.apply(runs);
  }

  /** Like {@link apply} for each run by itself, but changes nothing. Releases their leases. */
  async dryRun(runs: readonly FinishedRun[]): Promise<RunResult[]> {
    const results: RunResult[] = [];
    for (const run of runs) {
      results.push(await this.#dryRunOne(run));
    }
    await this.discard(runs);
    return results;
  }

  async #dryRunOne(run: FinishedRun): Promise<RunResult> {
    const { database } = this.options;
    const { result } = run;
    const owned = result instanceof RunError ? [] : await withoutForeignProviders(database, [{ ...run, result }]);
    const error = result instanceof RunError ? result : owned.map(ownershipError).find((one) => one !== undefined);
    if (error !== undefined) {
      return emptyResult(run, "failed", { code: error.code, message: error.message });
    }
    const report = await importRuns(database, owned, { cause: "dry run", isDryRun: true });
    const { outcome, added, changed, removed, changes, problem: message = "", quarantined } = report;
    if (outcome === "quarantined" || outcome === "rejected") {
      const stopped = outcome === "rejected" ? "failed" : "quarantined";
      return { ...emptyResult(run, stopped, { code: outcome, message }), quarantined };
    }
    const images = sumOfImages(changes);
    return { ...emptyResult(run, outcome === "unchanged" ? "unchanged" : "applied"), added, changed, removed, images };
  }

  /** Releases leases without applying anything. */
  async discard(runs: readonly FinishedRun[]): Promise<void> {
    for (const { source, endLease } of runs) {
      endLease();
      await releaseLease(this.options.database, source.name, this.owner);
    }
  }

  /**
   * Applies the quarantined run of a source without gates, because the operator has checked it.
   * @returns undefined if the source has none.
   */
  async accept(source: LiveSource): Promise<ImportReport | undefined> {
    const { database } = this.options;
    const quarantine = await findQuarantine(database, source.name);
    const content = await readQuarantinedContent(database, source.name);
    const before = await findStoredSource(database, source.name);
    if (quarantine === undefined || content === undefined || before === undefined) {
      return undefined;
    }
    const { last_at: at, offers } = quarantine;
    const run: CompleteRun = {
      source,
      settings: await this.#settingsOfRun(source),
      before,
      result: { ...parseContent(content), notes: before.notes, offers, rejectedGpuRows: 0, kept: [] },
      secretsFingerprint: before.secrets_mark ?? "",
      fetchedAtMs: Date.parse(at),
      durationMs: 0,
      endLease: () => {},
    };
    const nowMs = this.clock.now();
    const accepted = { failures: 0, error: null, isStopped: before.isStopped };
    const record = {
      ...recordOf(run, "applied", accepted, { nowMs, random: 0 }),
      // Nothing was tried, so parts that had failed when it was read are no further failure.
      failures: 0,
      next_run_at: before.next_run_at ?? isoOf(nowMs),
    };
    const report = await importRuns(database, await withoutForeignProviders(database, [run]), {
      cause: liveCause(`${source.name}, accepted by the operator`),
      accepted: [source.name],
      record: (transaction) => recordRun(transaction, NO_OWNER, record),
    });
    if (report.outcome === "unchanged") {
      await recordRun(database, NO_OWNER, { ...record, outcome: "unchanged" });
    }
    return report;
  }
}
