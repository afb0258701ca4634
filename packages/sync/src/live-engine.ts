import { randomUUID } from "node:crypto";
import { missingSecrets, type GpuAliases, type LiveContext, type LiveSource } from "@gpu-offers/sources";
import type { Logger } from "pino";
import type { ImportReport } from "@gpu-offers/store/catalog-import";
import { findRevision } from "@gpu-offers/store/catalog.store";
import type { Database } from "@gpu-offers/store/database";
import { acceptQuarantine } from "./accept-quarantine.js";
import { systemClock, type Clock } from "@gpu-offers/fetch/clock";
import { isoOf, type FinishedRun, type LiveEvent, type RunResult } from "./live-run.js";
import type { LiveSettingsFile, SourceSettings } from "@gpu-offers/fetch/live-settings";
import {
  findListedName,
  findStoredSource,
  readKeptResponses,
  releaseLease,
  takeLease,
} from "@gpu-offers/store/live.store";
import { removeExpired } from "./remove-expired.js";
import { RunApplier } from "./run-applier.js";
import type { Secrets } from "@gpu-offers/fetch/secrets";
import { RunError, runSource, type FetchedRun } from "@gpu-offers/fetch/source-run";
import { Transport, type TransportOptions } from "@gpu-offers/fetch/transport";
import { VERSION } from "@gpu-offers/fetch/version";

// Fetches live sources and passes the runs to RunApplier. Callers decide when: the service's runner on schedule, the
// command line immediately.

/** Duration of a lease unless renewed. */
const LEASE_MS = 60_000;

/** Maximum duration of a source's run. */
const RUN_MS = 180_000;

/** Dependencies of an engine. */
export interface EngineParts {
  database: Database;
  sources: readonly LiveSource[];
  settings: LiveSettingsFile;
  /** GPU names that the operator defined. */
  gpuAliases: GpuAliases;
  secrets: Secrets;
  logger: Logger;
  allowPrivate: boolean;
  historyDays: number;
  hasStockHistory: boolean;
  clock?: Clock;
  /** Random number from 0 to 1. */
  random?: () => number;
  /** Limits and DNS lookup of the transport, for tests. */
  transport?: Pick<TransportOptions, "limits" | "resolve">;
  onEvent?: (event: LiveEvent) => void;
}

/** Fetches and applies runs of live sources. */
export class LiveEngine {
  /** Identifies this engine in leases. */
  readonly owner = randomUUID();
  readonly clock: Clock;
  readonly #parts: EngineParts;
  readonly #applier: RunApplier;

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.clock = parts.clock ?? systemClock;
    const { database, logger, hasStockHistory, random = Math.random, onEvent } = parts;
    this.#applier = new RunApplier({
      database,
      logger,
      clock: this.clock,
      owner: this.owner,
      hasStockHistory,
      random,
      secretsMark: (source) => this.secretsMark(source),
      onEvent,
    });
  }

  /** All available sources. */
  get sources(): readonly LiveSource[] {
    return this.#parts.sources;
  }

  /** The settings of a source. */
  settingsOf(source: LiveSource): SourceSettings {
    return this.#parts.settings.of(source);
  }

  /** A sentence about the source's missing secrets; undefined if it can run. */
  missingSecrets(source: LiveSource): string | undefined {
    return this.#parts.secrets.missing(source);
  }

  /** A fingerprint of a source's secrets. */
  async secretsMark(source: LiveSource): Promise<string> {
    return this.#parts.secrets.markOf(source, await this.installation());
  }

  /** A text shared by all instances of an installation. */
  async installation(): Promise<string> {
    return (await findRevision(this.#parts.database))?.mark ?? "";
  }

  /** Input from which a source builds its requests. */
  contextOf(source: LiveSource, settings = this.settingsOf(source)): LiveContext {
    const { secrets, gpuAliases: aliases } = this.#parts;
    return { secrets: secrets.of(source), settings: settings.own, aliases, recorded: false };
  }

  /**
   * Fetches a source. Changes only its lease. Undefined if another process is running it, or if it was never enabled.
   * @param plannedAt the planned time of a scheduled run; undefined runs at any time. See {@link takeLease}.
   */
  async fetch(source: LiveSource, signal?: AbortSignal, plannedAt?: string | null): Promise<FinishedRun | undefined> {
    const { database } = this.#parts;
    const before = await findStoredSource(database, source.name);
    if (before === undefined || !(await this.#renewLease(source.name, plannedAt))) {
      return undefined;
    }
    const settings = await this.#settingsOfRun(source);
    const timer = setInterval(() => void this.#renewLease(source.name).catch(() => false), LEASE_MS / 3);
    timer.unref();
    const startedAt = this.clock.monotonic();
    const result = await this.#run(source, settings, signal).catch((error: unknown) => {
      if (error instanceof RunError) {
        return error;
      }
      clearInterval(timer);
      throw error;
    });
    const durationMs = this.clock.monotonic() - startedAt;
    const offers = result instanceof RunError ? 0 : result.offers;
    this.#parts.onEvent?.({ kind: "fetched", source: source.name, offers, durationMs });
    return {
      source,
      settings,
      before,
      result,
      fetchedAtMs: this.clock.now(),
      durationMs,
      endLease: () => clearInterval(timer),
    };
  }

  async #renewLease(name: string, plannedAt?: string | null): Promise<boolean> {
    const nowMs = this.clock.now();
    const times = { now: isoOf(nowMs), until: isoOf(nowMs + LEASE_MS), plannedAt };
    return takeLease(this.#parts.database, name, this.owner, times);
  }

  /** The settings of a source, with the name under which the catalog lists its provider. */
  async #settingsOfRun(source: LiveSource): Promise<SourceSettings> {
    const settings = this.settingsOf(source);
    if (source.kind === "feed" || settings.own.provider !== undefined) {
      return settings;
    }
    const provider = (await findListedName(this.#parts.database, source.name)) ?? source.name;
    return { ...settings, own: { ...settings.own, provider } };
  }

  /** One run over the network. @throws RunError. */
  async #run(source: LiveSource, settings: SourceSettings, signal: AbortSignal | undefined): Promise<FetchedRun> {
    const { database, secrets } = this.#parts;
    const context = this.contextOf(source, settings);
    const missing = missingSecrets(source, context.secrets);
    if (missing.length > 0) {
      throw new RunError("needs_key", secrets.missing(source) ?? `Set ${missing.join(" and ")}.`);
    }
    const transport = this.transportFor(source, signal);
    try {
      return await runSource(
        source,
        context,
        (request, validators) => transport.send(request, validators),
        await readKeptResponses(database, source.name),
      );
    } catch (error) {
      throw error instanceof RunError ? this.#redacted(error) : error;
    } finally {
      await transport.close();
    }
  }

  /** A transport for one run of a source. */
  transportFor(source: LiveSource, signal?: AbortSignal): Transport {
    const { allowPrivate, transport, onEvent } = this.#parts;
    const timeout = AbortSignal.timeout(RUN_MS);
    return new Transport({
      hosts: source.hosts,
      maxBytes: source.maxBytes,
      spacingMs: source.spacingMs,
      base: this.settingsOf(source).base,
      allowPrivate,
      userAgent: `gpu-offers/${VERSION}`,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      clock: this.clock,
      onAttempt: (status) => onEvent?.({ kind: "request", source: source.name, status }),
      ...transport,
    });
  }

  /** Redacts secrets, which a provider's response may contain and an error may quote. */
  #redacted(error: RunError): RunError {
    const { code, message, isRejected, retryAfterMs, cause } = error;
    const { secrets } = this.#parts;
    const options = cause instanceof Error ? { cause: secrets.redactError(cause) } : {};
    return new RunError(code, secrets.redact(message), isRejected, retryAfterMs, options);
  }

  /** See {@link RunApplier.apply}. */
  apply(runs: readonly FinishedRun[]): Promise<RunResult[]> {
    return this.#applier.apply(runs);
  }

  /** Like {@link apply} for each run, but changes nothing. Releases their leases. */
  async rehearse(runs: readonly FinishedRun[]): Promise<RunResult[]> {
    const results = await this.#applier.rehearse(runs);
    await this.discard(runs);
    return results;
  }

  /** Releases leases without applying anything. */
  async discard(runs: readonly FinishedRun[]): Promise<void> {
    for (const { source, endLease } of runs) {
      endLease();
      await releaseLease(this.#parts.database, source.name, this.owner);
    }
  }

  /** See {@link acceptQuarantine}. */
  accept(source: LiveSource): Promise<ImportReport | undefined> {
    const { database, hasStockHistory } = this.#parts;
    return acceptQuarantine(source, { database, clock: this.clock, hasStockHistory });
  }

  /** See {@link removeExpired}. */
  tidy(): Promise<{ dropped: number; pruned: number }> {
    const { database, historyDays } = this.#parts;
    return removeExpired(database, { nowMs: this.clock.now(), historyDays });
  }
}
