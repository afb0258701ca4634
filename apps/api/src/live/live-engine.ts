import { randomUUID } from "node:crypto";
import { missingSecrets, type LiveContext, type LiveSource } from "@gpu-offers/sources";
import type { Logger } from "pino";
import { addExpiry, importCatalog, type ImportReport } from "../store/catalog-import.js";
import { findRevision } from "../store/catalog.store.js";
import type { Database } from "../store/database.js";
import type { GateRule, ProviderQuarantine } from "../store/offer-gates.js";
import { pruneHistory } from "../store/offer-history.js";
import { systemClock, type Clock } from "./clock.js";
import {
  findStoredSource,
  keepQuarantine,
  listStoredSources,
  readKeptResponses,
  readQuarantinedContent,
  recordRun,
  releaseLease,
  saveKeptResponses,
  takeLease,
  findQuarantine,
  type RunOutcome,
  type RunRecord,
} from "./live.store.js";
import type { LiveSettingsFile, SourceSettings } from "./live-settings.js";
import { nextDelayMs } from "./schedule.js";
import type { Secrets } from "./secrets.js";
import {
  allItems,
  contentOf,
  countOf,
  emptyResult,
  fetched,
  isoOf,
  parseContent,
  providerOf,
  quarantineOf,
  scopesAfter,
  sourceOf,
  streamOf,
  sumOf,
  withOwnProvider,
  type FinishedRun,
  type LiveEvent,
  type OwnedRun,
  type RunResult,
} from "./live-run.js";
import { RunError, runSource, type FetchedRun } from "./source-run.js";
import { Transport, type TransportOptions } from "./transport.js";

// Fetches sources and puts what they brought into the catalog: many runs in one transaction and one revision. Who calls
// it decides when: the runner of the service by schedule, the command line at once.

/** How long a lease lasts without being renewed. */
const LEASE_MS = 60_000;

/** Longest run of one source. */
const RUN_MS = 180_000;

/** Share of GPU rows that a run may refuse. */
const REFUSED_SHARE = 0.2;

/** Runs in a row after which a marketplace may shrink: what is the same three times is no accident. */
const RUNS_UNTIL_ACCEPTED = 3;

const DAY_MS = 86_400_000;

/** What an engine works with. */
export interface EngineParts {
  database: Database;
  sources: readonly LiveSource[];
  settings: LiveSettingsFile;
  secrets: Secrets;
  logger: Logger;
  version: string;
  allowPrivate: boolean;
  historyDays: number;
  hasStockHistory: boolean;
  clock?: Clock;
  /** From 0 to 1. */
  random?: () => number;
  /** Limits and look-up of the transport, for tests. */
  transport?: Pick<TransportOptions, "limits" | "resolve">;
  onEvent?: (event: LiveEvent) => void;
}

/** Another process took the lease of a run. */
class LeaseLost extends Error {
  constructor(readonly source: string) {
    super(`The lease of ${source} is another's.`);
  }
}

/** Fetches and applies runs of live sources. */
export class LiveEngine {
  /** Names this engine in leases. */
  readonly owner = randomUUID();
  readonly clock: Clock;
  readonly #parts: EngineParts;
  readonly #random: () => number;

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.clock = parts.clock ?? systemClock;
    this.#random = parts.random ?? Math.random;
  }

  /** The sources that there are. */
  get sources(): readonly LiveSource[] {
    return this.#parts.sources;
  }

  /** The settings of a source. */
  settingsOf(source: LiveSource): SourceSettings {
    return this.#parts.settings.of(source);
  }

  /** What a source lacks, as a sentence; undefined when it can run. */
  missingSecrets(source: LiveSource): string | undefined {
    return this.#parts.secrets.missing(source);
  }

  /** A fingerprint of a source's secrets. */
  async secretsMark(source: LiveSource): Promise<string> {
    return this.#parts.secrets.markOf(source, await this.installation());
  }

  /** A text that is the same for all instances of an installation. */
  async installation(): Promise<string> {
    return (await findRevision(this.#parts.database))?.mark ?? "";
  }

  /** What a source is told. */
  contextOf(source: LiveSource): LiveContext {
    const settings = this.settingsOf(source);
    return { secrets: this.#parts.secrets.of(source), settings: settings.own, aliases: new Map(), recorded: false };
  }

  /**
   * Fetches a source and changes nothing but its lease. Undefined while another process runs it, or when it was never
   * enabled.
   */
  async fetch(source: LiveSource, signal?: AbortSignal): Promise<FinishedRun | undefined> {
    const { database } = this.#parts;
    const before = await findStoredSource(database, source.name);
    if (before === undefined || !(await this.#renewLease(source.name))) {
      return undefined;
    }
    const timer = setInterval(() => void this.#renewLease(source.name).catch(() => false), LEASE_MS / 3);
    timer.unref();
    const startedAt = this.clock.monotonic();
    const result = await this.#run(source, signal).catch((error: unknown) => {
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
      settings: this.settingsOf(source),
      before,
      result,
      fetchedAtMs: this.clock.now(),
      durationMs,
      endLease: () => clearInterval(timer),
    };
  }

  async #renewLease(name: string): Promise<boolean> {
    const nowMs = this.clock.now();
    const times = { now: isoOf(nowMs), until: isoOf(nowMs + LEASE_MS) };
    return takeLease(this.#parts.database, name, this.owner, times);
  }

  /** One run over the network. @throws RunError. */
  async #run(source: LiveSource, signal: AbortSignal | undefined): Promise<FetchedRun> {
    const { database, secrets } = this.#parts;
    const context = this.contextOf(source);
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
    const { version, allowPrivate, transport, onEvent } = this.#parts;
    const timeout = AbortSignal.timeout(RUN_MS);
    return new Transport({
      hosts: source.hosts,
      maxBytes: source.maxBytes,
      spacingMs: source.spacingMs,
      base: this.settingsOf(source).base,
      allowPrivate,
      userAgent: `gpu-offers/${version}`,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      clock: this.clock,
      onAttempt: (status) => onEvent?.({ kind: "request", source: source.name, status }),
      ...transport,
    });
  }

  /** A provider may send a secret back in what a message quotes. */
  #redacted(error: RunError): RunError {
    const { code, message, isRejected, retryAfterMs, cause } = error;
    return new RunError(code, this.#parts.secrets.redact(message), isRejected, retryAfterMs, { cause });
  }

  /**
   * Puts runs into the catalog: all that pass in one transaction and at most one revision. None of them changes what
   * becomes of another. Their leases are given back.
   */
  async apply(runs: readonly FinishedRun[]): Promise<RunResult[]> {
    try {
      const results: RunResult[] = [];
      let rest: FinishedRun[] = [];
      for (const run of runs) {
        const early = await this.#judgeAlone(run);
        if (early === undefined) {
          rest.push(run);
        } else {
          results.push(early);
        }
      }
      const accepted = new Set<string>();
      while (rest.length > 0) {
        const attempt = await this.#applyTogether(rest, accepted);
        results.push(...attempt.results);
        rest = rest.filter(({ source }) => !attempt.results.some((result) => result.source === source.name));
      }
      for (const { source, outcome } of results) {
        this.#parts.onEvent?.({ kind: "run", source, outcome });
      }
      return results;
    } finally {
      runs.forEach(({ endLease }) => endLease());
    }
  }

  /** Runs that failed, or that refuse too much of what was read: no comparison with the catalog is needed. */
  async #judgeAlone(run: FinishedRun): Promise<RunResult | undefined> {
    const { result } = run;
    if (result instanceof RunError) {
      return this.#fail(run, result);
    }
    const gpuRows = result.offers + result.refusedGpuRows;
    if (result.refusedGpuRows <= gpuRows * REFUSED_SHARE) {
      return undefined;
    }
    const message = `${result.refusedGpuRows} of ${gpuRows} GPU rows cannot be read; the limit is ${REFUSED_SHARE * 100} %.`;
    return this.#quarantine(run, [quarantineOf(run, { gate: "refused_rows", message })]);
  }

  async #fail(run: FinishedRun, error: RunError): Promise<RunResult> {
    const { logger } = this.#parts;
    const { code, message, isRejected, retryAfterMs, cause } = error;
    logger.warn(
      { source: run.source.name, code, ...(cause === undefined ? {} : { err: cause }) },
      `live source failed: ${message}`,
    );
    const failures = run.before.failures + 1;
    await recordRun(
      this.#parts.database,
      await this.#recordOf(run, "failed", { failures, retryAfterMs, isStopped: isRejected, error: { code, message } }),
    );
    return { ...emptyResult(run, "failed"), error: { code, message } };
  }

  async #quarantine(run: FinishedRun, report: ProviderQuarantine[]): Promise<RunResult> {
    await this.#keep(run, report);
    return this.#concludeQuarantine(run, report);
  }

  /** Keeps a run for the operator. Returns how many in a row had much the same content. */
  async #keep(run: FinishedRun, report: ProviderQuarantine[]): Promise<number> {
    const result = fetched(run);
    return keepQuarantine(this.#parts.database, {
      source: run.source.name,
      at: isoOf(run.fetchedAtMs),
      offers: result.offers,
      report,
      content: contentOf(result),
    });
  }

  async #concludeQuarantine(run: FinishedRun, report: ProviderQuarantine[]): Promise<RunResult> {
    const { database, logger } = this.#parts;
    const message = report.flatMap(({ gates }) => gates.map((trip) => trip.message)).join(" ");
    logger.warn({ source: run.source.name }, `live source quarantined: ${message}`);
    const error = { code: "quarantined", message };
    await recordRun(database, await this.#recordOf(run, "quarantined", { failures: 0, error }));
    return { ...emptyResult(run, "quarantined", error), quarantined: report };
  }

  /** Tries to apply runs in one transaction. The results are of those that are done; the others are to be tried again. */
  async #applyTogether(runs: readonly FinishedRun[], accepted: Set<string>): Promise<{ results: RunResult[] }> {
    const { database } = this.#parts;
    const owned = await this.#withoutForeignProviders(runs);
    const records = await Promise.all(runs.map((run) => this.#recordOf(run, "applied", { failures: 0, error: null })));
    let report: ImportReport;
    try {
      report = await importCatalog(database, {
        items: allItems(owned),
        cause: `live: ${runs.map(({ source }) => source.name).join(", ")}`,
        gates: (provider) => this.#ruleOf(owned, provider, accepted),
        hasStockHistory: this.#parts.hasStockHistory,
        live: {
          sourceOf: (provider) => sourceOf(owned, provider)?.run.source.name ?? "",
          keptScopes: runs
            .map((run) => ({ source: run.source.name, scopes: [...fetched(run).failedScopes.keys()] }))
            .filter(({ scopes }) => scopes.length > 0),
          record: async (transaction) => {
            for (const record of records) {
              await this.#checkLease(transaction, record.name);
              await recordRun(transaction, record);
            }
          },
        },
      });
    } catch (error) {
      if (error instanceof LeaseLost) {
        const lost = runs.filter(({ source }) => source.name === error.source);
        const failure = { code: "lease_lost", message: error.message };
        return { results: lost.map((run) => emptyResult(run, "failed", failure)) };
      }
      throw error;
    }
    return this.#conclude(runs, owned, records, report, accepted);
  }

  async #conclude(
    runs: readonly FinishedRun[],
    owned: readonly OwnedRun[],
    records: readonly RunRecord[],
    report: ImportReport,
    accepted: Set<string>,
  ): Promise<{ results: RunResult[] }> {
    const { database } = this.#parts;
    if (report.outcome === "quarantined") {
      const results: RunResult[] = [];
      for (const [run, quarantines] of Map.groupBy(
        report.quarantined,
        ({ provider }) => sourceOf(owned, provider)?.run,
      )) {
        if (run === undefined) {
          continue;
        }
        const times = await this.#keep(run, quarantines);
        if (isAcceptedBySameness(run, quarantines, times)) {
          // It is in the catalog after the next try.
          accepted.add(run.source.name);
        } else {
          results.push(await this.#concludeQuarantine(run, quarantines));
        }
      }
      return { results };
    }
    if (report.outcome === "refused") {
      const error = new RunError("refused", report.problem ?? "The import was refused.");
      return { results: await Promise.all(runs.map((run) => this.#fail(run, error))) };
    }
    const isApplied = report.outcome === "imported";
    if (!isApplied) {
      for (const record of records) {
        await recordRun(database, { ...record, outcome: "unchanged" });
      }
    }
    for (const run of runs) {
      await saveKeptResponses(database, run.source.name, fetched(run).kept);
    }
    const counts = report.revision === undefined ? [] : await countOf(database, report.revision);
    return {
      results: runs.map((run) => ({
        ...emptyResult(run, isApplied ? "applied" : "unchanged"),
        revision: report.revision ?? null,
        ...sumOf(counts.filter(({ provider }) => sourceOf(owned, provider)?.run === run)),
      })),
    };
  }

  #ruleOf(owned: readonly OwnedRun[], provider: string, accepted: ReadonlySet<string>): GateRule | undefined {
    const found = sourceOf(owned, provider);
    if (found === undefined || accepted.has(found.run.source.name)) {
      return undefined;
    }
    const { run } = found;
    return {
      kind: run.settings.gates,
      mayBeEmpty: run.source.mayBeEmpty,
      isComparable: found.ownProviders.has(provider),
    };
  }

  /** Leaves out providers that another enabled source keeps: two sources would replace each other for ever. */
  async #withoutForeignProviders(runs: readonly FinishedRun[]): Promise<OwnedRun[]> {
    const rows = await this.#parts.database
      .selectFrom("provider")
      .leftJoin("live_source", "live_source.name", "provider.source")
      .select(["provider.name", "provider.source", "live_source.is_enabled as isEnabled"])
      .execute();
    const owner = new Map(rows.flatMap((row) => (row.isEnabled === 1 ? [[row.name, row.source]] : [])));
    // A provider's own list goes before somebody's collection.
    const ordered = [...runs].sort((a, b) => Number(a.source.kind === "feed") - Number(b.source.kind === "feed"));
    return ordered.map((run) => {
      const { name } = run.source;
      const mine = new Set<string>();
      const items = withOwnProvider(run).filter((item) => {
        const provider = providerOf(item);
        if (provider === undefined) {
          return true;
        }
        if (!owner.has(provider)) {
          owner.set(provider, name);
        }
        const isMine = owner.get(provider) === name;
        if (isMine) {
          mine.add(provider);
        }
        return isMine;
      });
      const ownProviders = new Set(rows.filter((row) => row.source === name).map((row) => row.name));
      return { run, items, providers: mine, ownProviders };
    });
  }

  async #checkLease(database: Database, name: string): Promise<void> {
    const stored = await findStoredSource(database, name);
    if (stored?.lease_owner !== this.owner) {
      throw new LeaseLost(name);
    }
  }

  async #recordOf(
    run: FinishedRun,
    outcome: RunOutcome,
    {
      failures,
      error,
      isStopped = false,
      retryAfterMs,
    }: { failures: number; error: RunRecord["error"]; isStopped?: boolean; retryAfterMs?: number | undefined },
  ): Promise<RunRecord> {
    const { source, settings, before, result, fetchedAtMs } = run;
    const intervalMs = settings.intervalSeconds * 1_000;
    const nowMs = this.clock.now();
    const isConfirmed = outcome === "applied" || outcome === "unchanged";
    const checkedAt = isoOf(fetchedAtMs);
    const scopes = result instanceof RunError ? undefined : scopesAfter(before.scopes, result, checkedAt, isConfirmed);
    const failed = Object.entries(scopes ?? {}).filter(([, scope]) => scope.error !== null);
    const [first] = failed;
    const partial =
      first === undefined || !isConfirmed
        ? null
        : {
            code: "scopes_failed",
            message: `${failed.length} of ${Object.keys(scopes ?? {}).length} scopes failed; ${first[0]}: ${first[1].error}`,
          };
    return {
      name: source.name,
      owner: this.owner,
      outcome,
      at: isoOf(nowMs),
      checkedAt: isConfirmed ? checkedAt : undefined,
      nextRunAt: isoOf(nowMs + nextDelayMs(intervalMs, { failures, retryAfterMs, random: this.#random() })),
      failures,
      isStopped,
      secretsMark: await this.secretsMark(source),
      error: error ?? partial,
      ...(result instanceof RunError ? {} : { notes: result.notes }),
      ...(scopes === undefined ? {} : { scopes }),
    };
  }

  /** Judges runs as {@link apply} does, one by one, changes nothing, and gives their leases back. */
  async rehearse(runs: readonly FinishedRun[]): Promise<RunResult[]> {
    const results: RunResult[] = [];
    for (const run of runs) {
      results.push(await this.#rehearseOne(run));
    }
    await this.discard(runs);
    return results;
  }

  async #rehearseOne(run: FinishedRun): Promise<RunResult> {
    if (run.result instanceof RunError) {
      const { code, message } = run.result;
      return emptyResult(run, "failed", { code, message });
    }
    const owned = await this.#withoutForeignProviders([run]);
    const scopes = [...run.result.failedScopes.keys()];
    const { outcome, added, changed, removed, problem, quarantined } = await importCatalog(this.#parts.database, {
      items: allItems(owned),
      cause: "dry run",
      isDryRun: true,
      gates: (provider) => this.#ruleOf(owned, provider, new Set()),
      live: {
        sourceOf: () => run.source.name,
        keptScopes: scopes.length === 0 ? [] : [{ source: run.source.name, scopes }],
        record: async () => {},
      },
    });
    if (outcome === "quarantined" || outcome === "refused") {
      const error = { code: outcome, message: problem ?? "" };
      return { ...emptyResult(run, outcome === "refused" ? "failed" : "quarantined", error), quarantined };
    }
    return { ...emptyResult(run, outcome === "unchanged" ? "unchanged" : "applied"), added, changed, removed };
  }

  /** Gives leases back without applying anything. */
  async discard(runs: readonly FinishedRun[]): Promise<void> {
    for (const { source, endLease } of runs) {
      endLease();
      await releaseLease(this.#parts.database, source.name, this.owner);
    }
  }

  /**
   * Puts the quarantined run of a source into the catalog, as somebody has looked at it.
   * @returns undefined when there is none.
   */
  async accept(source: LiveSource): Promise<ImportReport | undefined> {
    const { database } = this.#parts;
    const quarantine = await findQuarantine(database, source.name);
    const content = await readQuarantinedContent(database, source.name);
    const before = await findStoredSource(database, source.name);
    if (quarantine === undefined || content === undefined || before === undefined) {
      return undefined;
    }
    const { items, failedScopes, answeredScopes } = parseContent(content);
    const scopes = scopesAfter(
      before.scopes,
      { failedScopes: new Map(failedScopes), answeredScopes },
      quarantine.last_at,
      true,
    );
    const record: RunRecord = {
      name: source.name,
      owner: before.lease_owner ?? "",
      outcome: "applied",
      at: isoOf(this.clock.now()),
      checkedAt: quarantine.last_at,
      nextRunAt: before.next_run_at ?? isoOf(this.clock.now()),
      failures: 0,
      isStopped: before.isStopped,
      secretsMark: before.secrets_mark ?? "",
      error: null,
      scopes,
    };
    const report = await importCatalog(database, {
      items: streamOf(items),
      cause: `live: ${source.name}, accepted by hand`,
      hasStockHistory: this.#parts.hasStockHistory,
      live: {
        sourceOf: () => source.name,
        keptScopes:
          failedScopes.length === 0 ? [] : [{ source: source.name, scopes: failedScopes.map(([scope]) => scope) }],
        record: (transaction) => recordRun(transaction, record),
      },
    });
    if (report.outcome === "unchanged") {
      await recordRun(database, { ...record, outcome: "unchanged" });
    }
    return report;
  }

  /** Removes offers that no run has confirmed for too long, and old history. Returns what was removed. */
  async tidy(): Promise<{ dropped: number; pruned: number }> {
    const { database, historyDays } = this.#parts;
    const nowMs = this.clock.now();
    let dropped = 0;
    for (const { name, checked_at, drop_after_seconds, scopes } of await listStoredSources(database)) {
      const limit = isoOf(nowMs - drop_after_seconds * 1_000);
      if (checked_at !== null && checked_at < limit) {
        dropped += await addExpiry(database, { source: name }, `live: ${name}, not confirmed since ${checked_at}`);
        continue;
      }
      const expired = Object.entries(scopes).filter(
        ([, scope]) => scope.checked_at !== null && scope.checked_at < limit,
      );
      if (expired.length > 0) {
        const names = expired.map(([scope]) => scope);
        dropped += await addExpiry(
          database,
          { source: name, scopes: names },
          `live: ${name} ${names.join(", ")}, not confirmed for too long`,
        );
      }
    }
    return { dropped, pruned: await pruneHistory(database, isoOf(nowMs - historyDays * DAY_MS)) };
  }
}

/** Whether a marketplace has shrunk to the same for some time. Prices are never accepted without a person. */
function isAcceptedBySameness(
  { settings }: FinishedRun,
  quarantines: readonly ProviderQuarantine[],
  runs: number,
): boolean {
  const areCounts = quarantines.every(({ gates }) => gates.every(({ gate }) => gate === "offers" || gate === "gpus"));
  return settings.gates === "marketplace" && areCounts && runs >= RUNS_UNTIL_ACCEPTED;
}
