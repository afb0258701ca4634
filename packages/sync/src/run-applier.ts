import type { Logger } from "pino";
import type { ImportReport } from "@gpu-offers/store/catalog-import";
import type { Database } from "@gpu-offers/store/database";
import { type ProviderQuarantine, keepQuarantine } from "@gpu-offers/store/quarantine";
import type { Clock } from "@gpu-offers/fetch/clock";
import {
  contentOf,
  countOf,
  emptyResult,
  isoOf,
  quarantineOf,
  runOf,
  sumOfImages,
  type CompleteRun,
  type FinishedRun,
  type LiveEvent,
  type OwnedRun,
  type RunResult,
} from "./live-run.js";
import { isWarning, type ChangeWarning } from "@gpu-offers/store/change-warnings";
import { findStoredSource, recordRun, type RunOutcome, type RunRecord } from "@gpu-offers/store/live.store";
import { isGone } from "@gpu-offers/store/staleness";
import { saveKeptResponses } from "@gpu-offers/store/response.store";
import { liveCause } from "@gpu-offers/store/catalog-revision";
import { importRuns, ownershipError, withoutForeignProviders } from "./run-ownership.js";
import { recordOf, seenAfter } from "./run-record.js";
import { findRejectedRowsTrip, RunError } from "@gpu-offers/fetch/source-run";

// Applies runs to the catalog, or determines why not: failed, quarantined or unchanged.

/** Consecutive runs with the same content after which a shrunken marketplace is accepted. */
const RUNS_UNTIL_ACCEPTED = 3;

/** A quarantined run counts as this many failures at least, so that the next one is 15 minutes later. */
const FAILURES_OF_QUARANTINE = 3;

/** Dependencies of what applies runs. */
export interface ApplierOptions {
  database: Database;
  logger: Logger;
  random?: () => number;
  onEvent?: (event: LiveEvent) => void;
}

/** What one attempt to apply runs came to. Runs without a result need another attempt. */
interface Attempt {
  results: RunResult[];
  /** Sources whose runs passed no gate, and are applied without gates by the next attempt. */
  accepted: string[];
}

/** A run, and its row if it is applied. */
interface PlannedRun extends OwnedRun {
  record: RunRecord;
}

class LeaseLostError extends Error {
  constructor(readonly source: string) {
    super(`Another process took over the lease of ${source}.`);
  }
}

/** Applies runs of live sources to the catalog. */
export class RunApplier {
  /** @param owner Holder of the leases. */
  constructor(
    private readonly options: ApplierOptions,
    private readonly clock: Clock,
    private readonly owner: string,
  ) {}

  /**
   * Applies all runs that pass the gates, in one transaction and at most one revision. Outcomes are independent of each
   * other. Releases the leases.
   */
  async apply(runs: readonly FinishedRun[]): Promise<RunResult[]> {
    try {
      const results: RunResult[] = [];
      let rest: CompleteRun[] = [];
      const accepted: string[] = [];
      for (const run of runs) {
        const { result } = run;
        if (result instanceof RunError) {
          results.push(await this.#fail(run, result));
          continue;
        }
        const complete = { ...run, result };
        if (this.#isGone(complete)) {
          accepted.push(run.source.name);
        }
        const trip = findRejectedRowsTrip(result);
        if (trip === undefined) {
          rest.push(complete);
        } else {
          const report = [quarantineOf(complete, trip)];
          await this.#storeQuarantined(complete, report);
          results.push(await this.#recordQuarantine(complete, report));
        }
      }
      while (rest.length > 0) {
        const attempt = await this.#applyTogether(rest, accepted);
        results.push(...attempt.results);
        accepted.push(...attempt.accepted);
        rest = rest.filter(({ source }) => !attempt.results.some((result) => result.source === source.name));
      }
      for (const { source, outcome } of results) {
        this.options.onEvent?.({ kind: "run", source, outcome });
      }
      return results;
    } finally {
      runs.forEach(({ endLease }) => endLease());
    }
  }

  async #fail(run: FinishedRun, error: RunError): Promise<RunResult> {
    const { logger } = this.options;
    const { code, message, isRejected, retryAfterMs, cause } = error;
    logger.warn(
      { source: run.source.name, code, ...(cause === undefined ? {} : { err: cause }) },
      `live source failed: ${message}`,
    );
    const details = {
      failures: run.before.failures + 1,
      retryAfterMs,
      isStopped: isRejected,
      error: { code, message },
    };
    await this.#record(this.#recordOf(run, "failed", details));
    return emptyResult(run, "failed", { code, message });
  }

  /** Whether the source of an empty run no longer sells, so that its offers go without gates. Logs it once. */
  #isGone(run: CompleteRun): boolean {
    const { source, before, fetchedAtMs } = run;
    const seen = seenAfter(run);
    const isNow = isGone(seen, fetchedAtMs);
    if (isNow && !(before.last_run_at !== null && isGone(before, Date.parse(before.last_run_at)))) {
      this.options.logger.warn(
        { source: source.name },
        `live source no longer sells: its complete responses have been empty since ${seen.empty_since}, and its offers go`,
      );
    }
    return isNow;
  }

  /** Stores what a quarantined run read, for the operator. Returns the number of consecutive runs with nearly the same content. */
  async #storeQuarantined(run: CompleteRun, report: ProviderQuarantine[]): Promise<number> {
    return keepQuarantine(this.options.database, {
      source: run.source.name,
      at: isoOf(run.fetchedAtMs),
      offers: run.result.offers,
      report,
      content: contentOf(run.result),
    });
  }

  /** Logs a quarantine, records it as the outcome of its run, and plans the next one. */
  async #recordQuarantine(run: CompleteRun, report: ProviderQuarantine[]): Promise<RunResult> {
    const { logger } = this.options;
    const message = report.flatMap(({ gates }) => gates.map((trip) => trip.message)).join(" ");
    logger.warn({ source: run.source.name }, `live source quarantined: ${message}`);
    const error = { code: "quarantined", message };
    // The provider may recover soon, but equal runs must be some time apart: they may get accepted.
    const failures = Math.max(FAILURES_OF_QUARANTINE, run.before.failures + 1);
    await this.#record(this.#recordOf(run, "quarantined", { failures, error }));
    return { ...emptyResult(run, "quarantined", error), quarantined: report };
  }

  /** Applies runs in one transaction, without gates for the accepted sources. */
  async #applyTogether(runs: readonly CompleteRun[], accepted: readonly string[]): Promise<Attempt> {
    const owned = await withoutForeignProviders(this.options.database, runs);
    const failed: RunResult[] = [];
    for (const one of owned) {
      const error = ownershipError(one);
      if (error !== undefined) {
        failed.push(await this.#fail(one.run, error));
      }
    }
    if (failed.length > 0) {
      return { results: failed, accepted: [] };
    }
    const planned = owned.map((one) => ({
      ...one,
      record: this.#recordOf(one.run, "applied", { failures: 0, error: null }),
    }));
    try {
      const report = await this.#import(planned, accepted);
      if (report.outcome === "quarantined") {
        return await this.#quarantineOrAccept(owned, report);
      }
      const conclude =
        report.outcome === "rejected"
          ? this.#concludeRejection(owned, report, accepted)
          : this.#concludeImport(planned, report);
      return { results: await conclude, accepted: [] };
    } catch (error) {
      if (error instanceof LeaseLostError) {
        const lost = runs.filter(({ source }) => source.name === error.source);
        const failure = { code: "lease_lost", message: error.message };
        return { results: lost.map((run) => emptyResult(run, "failed", failure)), accepted: [] };
      }
      throw error;
    }
  }

  #import(planned: readonly PlannedRun[], accepted: readonly string[]): Promise<ImportReport> {
    return importRuns(this.options.database, planned, {
      cause: liveCause(planned.map(({ record }) => record.name).join(", ")),
      accepted,
      record: async (transaction, warnings) => {
        for (const one of planned) {
          const { record } = one;
          await this.#checkLease(transaction, record.name);
          const notes = [...(record.notes ?? []), ...warningsOf(planned, one, warnings)];
          // A person should see rules that were suspended, and families that are gone.
          notes.filter(isWarning).forEach((note) => this.options.logger.warn({ source: record.name }, note));
          await this.#record({ ...record, notes }, transaction);
        }
      },
    });
  }

  /** Quarantines the runs that a gate stopped, or accepts those whose content stayed the same for some time. */
  async #quarantineOrAccept(owned: readonly OwnedRun[], { quarantined }: ImportReport): Promise<Attempt> {
    const attempt: Attempt = { results: [], accepted: [] };
    for (const [run, quarantines] of Map.groupBy(quarantined, ({ provider }) => runOf(owned, provider)?.run)) {
      if (run === undefined) {
        continue;
      }
      const times = await this.#storeQuarantined(run, quarantines);
      if (isAcceptedBySameness(run, quarantines, times)) {
        attempt.accepted.push(run.source.name);
      } else {
        attempt.results.push(await this.#recordQuarantine(run, quarantines));
      }
    }
    return attempt;
  }

  /** Runs that were rejected together are applied one by one, because the problem may be of one of them. */
  async #concludeRejection(
    owned: readonly OwnedRun[],
    { problem = "The import was rejected." }: ImportReport,
    accepted: readonly string[],
  ): Promise<RunResult[]> {
    const results: RunResult[] = [];
    // In their order, in which a provider's own API precedes feeds.
    for (const { run } of owned) {
      results.push(
        ...(owned.length === 1
          ? [await this.#fail(run, new RunError("rejected", problem))]
          : (await this.#applyTogether([run], accepted)).results),
      );
    }
    return results;
  }

  async #concludeImport(
    planned: readonly PlannedRun[],
    { outcome, revision, changes, warnings }: ImportReport,
  ): Promise<RunResult[]> {
    const { database } = this.options;
    const isApplied = outcome === "imported";
    if (!isApplied) {
      for (const { run, record } of planned) {
        // Warnings stay until the next change.
        const notes = [...new Set([...(record.notes ?? []), ...run.before.notes.filter(isWarning)])];
        await this.#record({ ...record, outcome: "unchanged", notes });
      }
    }
    const results: RunResult[] = [];
    for (const one of planned) {
      const { run, providers } = one;
      await this.#keepResponses(run);
      const own = [...providers].filter((provider) => runOf(planned, provider) === one);
      results.push({
        ...emptyResult(run, isApplied ? "applied" : "unchanged"),
        revision: revision ?? null,
        notes: [...run.result.notes, ...warningsOf(planned, one, warnings)],
        ...(revision === undefined ? {} : await countOf(database, revision, own)),
        images: sumOfImages(changes, own),
      });
    }
    return results;
  }

  /** Keeps the responses of an applied run for conditional requests; without them, the next run fetches everything. */
  async #keepResponses({ source, result }: CompleteRun): Promise<void> {
    try {
      await saveKeptResponses(this.options.database, source.name, result.kept);
    } catch (err) {
      this.options.logger.warn({ source: source.name, err }, "responses of live source were not kept");
    }
  }

  async #checkLease(database: Database, name: string): Promise<void> {
    const stored = await findStoredSource(database, name);
    if (stored?.lease_owner !== this.owner) {
      throw new LeaseLostError(name);
    }
  }

  #recordOf(run: FinishedRun, outcome: RunOutcome, details: Parameters<typeof recordOf>[2]): RunRecord {
    const { random = Math.random } = this.options;
    return recordOf(run, outcome, details, { nowMs: this.clock.now(), random: random() });
  }

  #record(record: RunRecord, database = this.options.database): Promise<void> {
    return recordRun(database, this.owner, record);
  }
}

function warningsOf(owned: readonly OwnedRun[], one: OwnedRun, warnings: readonly ChangeWarning[]): string[] {
  return warnings.filter(({ provider }) => runOf(owned, provider) === one).map(({ message }) => message);
}

/** Whether a marketplace has stayed equally shrunken for some time. Prices are never accepted without an operator. */
function isAcceptedBySameness(
  { settings }: FinishedRun,
  quarantines: readonly ProviderQuarantine[],
  runs: number,
): boolean {
  const areCounts = quarantines.every(({ gates }) => gates.every(({ gate }) => gate === "offers" || gate === "gpus"));
  return settings.gates === "marketplace" && areCounts && runs >= RUNS_UNTIL_ACCEPTED;
}
