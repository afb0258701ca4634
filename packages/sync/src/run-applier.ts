import type { LiveSource } from "@gpu-offers/sources";
import type { Logger } from "pino";
import { importCatalog, type ImportReport } from "@gpu-offers/store/catalog-import";
import type { Database } from "@gpu-offers/store/database";
import type { GateRule, ProviderQuarantine } from "@gpu-offers/store/offer-gates";
import type { Clock } from "@gpu-offers/fetch/clock";
import {
  allItems,
  contentOf,
  countOf,
  emptyResult,
  fetched,
  isoOf,
  quarantineOf,
  sourceOf,
  sumOf,
  type FinishedRun,
  type LiveEvent,
  type OwnedRun,
  type RunResult,
} from "./live-run.js";
import {
  findStoredSource,
  keepQuarantine,
  recordRun,
  saveKeptResponses,
  type RunOutcome,
  type RunRecord,
} from "@gpu-offers/store/live.store";
import { ownershipError, withoutForeignProviders } from "./run-ownership.js";
import { recordOf } from "./run-record.js";
import { findRejectedRowsTrip, RunError } from "@gpu-offers/fetch/source-run";

// Applies runs to the catalog, or determines why not: failed, quarantined or unchanged.

/** Consecutive runs with the same content after which a shrunken marketplace is accepted. */
const RUNS_UNTIL_ACCEPTED = 3;

/** A quarantined run counts as this many failures at least, so that the next one is 15 minutes later. */
const FAILURES_OF_QUARANTINE = 3;

/** Dependencies of an applier. */
export interface ApplierParts {
  database: Database;
  logger: Logger;
  clock: Clock;
  /** Holder of the leases. */
  owner: string;
  hasStockHistory: boolean;
  /** Random number from 0 to 1. */
  random: () => number;
  /** A fingerprint of a source's secrets. */
  secretsMark: (source: LiveSource) => Promise<string>;
  onEvent?: ((event: LiveEvent) => void) | undefined;
}

/** Another process took over the lease of a run. */
class LeaseLost extends Error {
  constructor(readonly source: string) {
    super(`Another process took over the lease of ${source}.`);
  }
}

/** Applies runs of live sources to the catalog. */
export class RunApplier {
  readonly #parts: ApplierParts;

  constructor(parts: ApplierParts) {
    this.#parts = parts;
  }

  /**
   * Applies all runs that pass the gates, in one transaction and at most one revision. Outcomes are independent of each
   * other. Releases the leases.
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

  /** Runs that failed or rejected too many rows, which needn't be compared with the catalog. */
  async #judgeAlone(run: FinishedRun): Promise<RunResult | undefined> {
    const { result } = run;
    if (result instanceof RunError) {
      return this.#fail(run, result);
    }
    const trip = findRejectedRowsTrip(result);
    return trip === undefined ? undefined : this.#quarantine(run, [quarantineOf(run, trip)]);
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

  /** Quarantines a run. Returns the number of consecutive runs with nearly the same content. */
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
    // The provider may recover soon, but equal runs must be some time apart: they may get accepted.
    const failures = Math.max(FAILURES_OF_QUARANTINE, run.before.failures + 1);
    await recordRun(database, await this.#recordOf(run, "quarantined", { failures, error }));
    return { ...emptyResult(run, "quarantined", error), quarantined: report };
  }

  /** Applies runs in one transaction. Returns the results of completed runs; the others need another attempt. */
  async #applyTogether(runs: readonly FinishedRun[], accepted: Set<string>): Promise<{ results: RunResult[] }> {
    const { database } = this.#parts;
    const owned = await withoutForeignProviders(database, runs);
    const failed: RunResult[] = [];
    for (const one of owned) {
      const error = ownershipError(one);
      if (error !== undefined) {
        failed.push(await this.#fail(one.run, error));
      }
    }
    if (failed.length > 0) {
      return { results: failed };
    }
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
          emptied: owned.flatMap(({ emptied }) => emptied),
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
          // The next attempt applies this run.
          accepted.add(run.source.name);
        } else {
          results.push(await this.#concludeQuarantine(run, quarantines));
        }
      }
      return { results };
    }
    if (report.outcome === "rejected" && runs.length > 1) {
      // The problem may be of one run only. A provider's own API still precedes feeds.
      const results: RunResult[] = [];
      for (const { run } of owned) {
        results.push(...(await this.#applyTogether([run], accepted)).results);
      }
      return { results };
    }
    if (report.outcome === "rejected") {
      const error = new RunError("rejected", report.problem ?? "The import was rejected.");
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
    // The operator decides which providers a source has, so an emptied one is plausible.
    if (found === undefined || accepted.has(found.run.source.name) || found.emptied.includes(provider)) {
      return undefined;
    }
    const { run } = found;
    return {
      kind: run.settings.gates,
      mayBeEmpty: run.source.mayBeEmpty,
      isComparable: found.ownProviders.has(provider),
    };
  }

  async #checkLease(database: Database, name: string): Promise<void> {
    const stored = await findStoredSource(database, name);
    if (stored?.lease_owner !== this.#parts.owner) {
      throw new LeaseLost(name);
    }
  }

  /** Like {@link apply} for each run, but changes nothing. */
  async rehearse(runs: readonly FinishedRun[]): Promise<RunResult[]> {
    const results: RunResult[] = [];
    for (const run of runs) {
      results.push(await this.#rehearseOne(run));
    }
    return results;
  }

  async #rehearseOne(run: FinishedRun): Promise<RunResult> {
    if (run.result instanceof RunError) {
      const { code, message } = run.result;
      return emptyResult(run, "failed", { code, message });
    }
    const owned = await withoutForeignProviders(this.#parts.database, [run]);
    const [foreign] = owned.map(ownershipError);
    if (foreign !== undefined) {
      return emptyResult(run, "failed", { code: foreign.code, message: foreign.message });
    }
    const scopes = [...run.result.failedScopes.keys()];
    const { outcome, added, changed, removed, problem, quarantined } = await importCatalog(this.#parts.database, {
      items: allItems(owned),
      cause: "dry run",
      isDryRun: true,
      gates: (provider) => this.#ruleOf(owned, provider, new Set()),
      live: {
        sourceOf: () => run.source.name,
        emptied: owned.flatMap(({ emptied }) => emptied),
        keptScopes: scopes.length === 0 ? [] : [{ source: run.source.name, scopes }],
        record: async () => {},
      },
    });
    if (outcome === "quarantined" || outcome === "rejected") {
      const error = { code: outcome, message: problem ?? "" };
      return { ...emptyResult(run, outcome === "rejected" ? "failed" : "quarantined", error), quarantined };
    }
    return { ...emptyResult(run, outcome === "unchanged" ? "unchanged" : "applied"), added, changed, removed };
  }

  async #recordOf(run: FinishedRun, outcome: RunOutcome, details: Parameters<typeof recordOf>[2]): Promise<RunRecord> {
    const { owner, clock, random, secretsMark } = this.#parts;
    return recordOf(run, outcome, details, {
      owner,
      nowMs: clock.now(),
      random: random(),
      secretsMark: await secretsMark(run.source),
    });
  }
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
