import { priceDate } from "@gpu-offers/domain/history";
import type { Transaction } from "kysely";
import { addRevision } from "./catalog-revision.js";
import { findRevision } from "./catalog.store.js";
import { isMissingIn, kindOf, type Database } from "./database.js";
import {
  DEFAULT_REJECTION_LIMIT,
  findConflict,
  findNewer,
  findUndated,
  findProblem,
  type ImportRemedy,
  type RejectionLimit,
} from "./import-problem.js";
import { findQuarantines, listSamples, type GateRule, type ProviderQuarantine } from "./quarantine.js";
import { listObserved, recordObservation, type ObservedChange, type Reading } from "./observations.js";
import { recordReplacement } from "./record-changes.js";
import { forgetGone, keepGone, listTelling, type CompleteReading } from "./gone-offers.js";
import { OFFER_COLUMNS } from "./offer-row.js";
import { countChanges, replaceFacts, replaceOffers } from "./offer-replacement.js";
import { fillStage, type Staged, type StageOptions, createStage, dropStage } from "./offer-stage.js";
import {
  isChange,
  noChanges,
  replaceProviders,
  unchangedProviders,
  type ChangeCounts,
  type ProviderChanges,
} from "./provider-import.js";
import { findWarnings, type ChangeWarning } from "./change-warnings.js";
import type { Tables } from "./tables.js";

// Imports: atomically replace the offers of the named providers, while services keep reading.
//
// Rows are staged first (offer-stage.ts). Then one transaction compares and replaces offers, and adds the revision that
// running services notice.

export interface ImportOptions extends StageOptions {
  /** Description stored with the revision: the command and its file. */
  cause: string;
  /** Date of the data, called once all items are read; undefined if the source doesn't state one. */
  asOf?: () => string | undefined;
  limit?: RejectionLimit;
  /** Perform the import, then roll back. */
  isDryRun?: boolean;
  /** Reject if there is or was a catalog, even one that appeared while this one was read. */
  isFirst?: boolean;
  /** Gate rules for the changes of each provider; undefined to accept all changes. */
  gates?: (provider: string) => GateRule | undefined;
  /** Replace offers even of providers that an enabled live source keeps up to date. */
  isForced?: boolean;
  /** Import even if the catalog has newer prices of a provider. */
  mayBeOlder?: boolean;
  /** Record the observation alone, and leave the catalog as it is. */
  isHistoryOnly?: boolean;
  /** The time of the change; by default the clock's. */
  now?: () => Date;
  /** Set for live sources, whose own checks replace those of files. */
  live?: LiveImport;
}

/** Additional options for imports of live sources. */
export interface LiveImport {
  sourceOf: (provider: string) => string;
  /** The reading of a provider, or of each part of it that was read. */
  readingsOf: (provider: string) => readonly [Reading, ...Reading[]];
  /** The parts of a provider that were read; none if it has no parts. */
  scopesOf: (provider: string) => readonly string[];
  /** Providers that the items no longer name, whose offers are removed. */
  emptied: readonly string[];
  /** Failed scopes, whose offers are left unchanged. */
  keptScopes: readonly { source: string; scopes: readonly string[] }[];
  /** Called in the same transaction, after the offers are written. */
  record: (transaction: Transaction<Tables>, warnings: readonly ChangeWarning[]) => Promise<void>;
}

/** What an import changed, or would have changed. */
export interface ImportReport extends ChangeCounts, Pick<Staged, "rows" | "rejections" | "notes" | "findings"> {
  outcome: "imported" | "recorded" | "unchanged" | "dry_run" | "rejected" | "quarantined";
  /** Why nothing was changed, if the outcome is `rejected` or `quarantined`. */
  problem?: string;
  /** What an operator can do about it, if the outcome is `rejected`. */
  remedy?: ImportRemedy;
  /** The new revision, if there is one. */
  revision?: number;
  providers: string[];
  /** What an operator should look at in the changes. */
  warnings: ChangeWarning[];
  /** The implausible changes by provider, if the outcome is `quarantined`. */
  quarantined: ProviderQuarantine[];
  changes: ProviderChanges;
  /** Unchanged offers of which the source states something else: a spot price, the id of a marketplace. */
  facts: number;
}

/** Rolls back a transaction with the report of an import that changes nothing. */
class Rollback extends Error {
  constructor(readonly report: ImportReport) {
    super(report.outcome);
  }
}

/**
 * Imports a catalog. A rejected import is an outcome in the report, not an error.
 * @throws SourceError if the file can't be parsed; nothing is changed then.
 */
export async function importCatalog(database: Database, options: ImportOptions): Promise<ImportReport> {
  return database.connection().execute(async (connection) => {
    await createStage(connection);
    try {
      const staged = await fillStage(connection, { ...options, isStockKnown: options.live !== undefined });
      for (const provider of options.live?.emptied ?? []) {
        staged.providers.set(provider, { type: undefined });
      }
      const { live, limit = DEFAULT_REJECTION_LIMIT, asOf } = options;
      const problem = live === undefined ? findProblem(staged, limit, asOf?.()) : undefined;
      if (problem !== undefined) {
        return { ...emptyReport(staged), outcome: "rejected", ...problem };
      }
      return await apply(connection, staged, options);
    } finally {
      await dropStage(connection);
    }
  });
}

function emptyReport({ providers, rows, rejections, notes, findings }: Staged): ImportReport {
  return {
    outcome: "imported",
    providers: [...providers.keys()].sort(),
    rows,
    ...noChanges(),
    rejections,
    notes,
    warnings: [],
    quarantined: [],
    findings,
    changes: unchangedProviders(),
    facts: 0,
  };
}

/** Applies the staged items in one transaction, or changes nothing but facts if the outcome isn't `imported`. */
async function apply(connection: Database, staged: Staged, options: ImportOptions): Promise<ImportReport> {
  try {
    return await connection.transaction().execute(async (transaction) => {
      const report = await replace(transaction, staged, options);
      if (report.outcome !== "imported" && report.outcome !== "recorded") {
        throw new Rollback(report);
      }
      return report;
    });
  } catch (error) {
    if (!(error instanceof Rollback)) {
      throw error;
    }
    const { report } = error;
    return report.outcome === "unchanged" && options.isDryRun !== true
      ? { ...report, facts: await confirm(connection, staged, options) }
      : report;
  }
}

/** Replaces the providers' offers by the staged ones. Unless the outcome is `imported`, the caller must roll back. */
async function replace(
  transaction: Transaction<Tables>,
  staged: Staged,
  options: ImportOptions,
): Promise<ImportReport> {
  const at = timeOf(options);
  const planned = emptyReport(staged);
  const { providers } = planned;
  await kindOf(transaction).lockForWriting(transaction, "catalog_revision");
  await keepScopes(transaction, options.live);
  if (options.isHistoryOnly === true) {
    const undated = findUndated(staged, options.asOf?.());
    if (undated !== undefined) {
      return { ...planned, outcome: "rejected", ...undated };
    }
    await observe(transaction, staged, options, { revision: null, at });
    return { ...planned, outcome: options.isDryRun === true ? "dry_run" : "recorded" };
  }
  const obstacle = await findObstacle(transaction, staged, providers, options);
  if (obstacle !== undefined) {
    return { ...planned, ...obstacle };
  }
  const samples = await listSamples(transaction);
  const telling = await listTelling(transaction, completeReadings(staged, options, at));
  const changes = await replaceProviders(transaction, staged.providers, {
    sourceAsOf: options.asOf?.() ?? null,
    sourceOf: options.live?.sourceOf,
    importedAt: at,
  });
  const sold = providers.filter((name) => !samples.has(name));
  const warnings = await findWarnings(transaction, sold);
  const report = { ...planned, warnings, changes, ...(await countChanges(transaction, providers)) };
  if (![report, changes.providers, changes.images].some(isChange)) {
    return { ...report, outcome: "unchanged" };
  }
  if (options.isDryRun === true) {
    return { ...report, outcome: "dry_run" };
  }
  const stamp = await addRevision(transaction, options.cause, { ...report, rejected: report.rows.rejected }, at);
  const observed = (await listObserved(transaction, providers)).filter((name) => !samples.has(name));
  const remembered = providers.filter((name) => options.live?.readingsOf(name).some(({ knowsStock }) => knowsStock));
  await recordReplacement(transaction, { observed, samples: [...(await listSamples(transaction))], remembered }, stamp);
  await keepGone(transaction, telling);
  await replaceOffers(transaction, providers);
  const facts = await replaceFacts(transaction);
  await options.live?.record(transaction, warnings);
  const unsold = ["", ...(options.live?.emptied ?? []), ...(await listSamples(transaction))];
  await transaction.deleteFrom("gone_offer").where("provider", "in", unsold).execute();
  await forgetGone(transaction, Date.parse(at));
  await observe(transaction, staged, options, { revision: stamp.revision, at });
  return { ...report, facts, revision: stamp.revision };
}

/** Records that nothing changed but facts. */
async function confirm(connection: Database, staged: Staged, options: ImportOptions): Promise<number> {
  return connection.transaction().execute(async (transaction) => {
    await kindOf(transaction).lockForWriting(transaction, "catalog_revision");
    const changed = await replaceFacts(transaction);
    const change = { revision: null, haveFactsChanged: changed > 0, at: timeOf(options) };
    await observe(transaction, staged, options, change);
    return changed;
  });
}

function timeOf({ now = () => new Date() }: ImportOptions): string {
  return now().toISOString();
}

async function observe(
  transaction: Transaction<Tables>,
  staged: Staged,
  options: ImportOptions,
  { at, ...change }: Omit<ObservedChange, "table"> & { at: string },
): Promise<void> {
  const table = options.isHistoryOnly === true ? "staged_offer" : "offer";
  for (const { about, readings } of observationsOf(staged, options, at)) {
    await recordObservation(transaction, about, readings, { ...change, table });
  }
}

function observationsOf({ providers }: Staged, { asOf, live }: ImportOptions, at: string) {
  const observed = [...providers].filter(([, { sample }]) => sample !== true);
  return observed.map(([provider, stated]) => {
    const statedAt = (stated.asOf === undefined ? asOf?.() : stated.asOf) ?? null;
    const file: Reading = { scope: null, isComplete: true, at: priceDate(statedAt, at), knowsStock: false };
    const about = { provider, source: live?.sourceOf(provider) ?? null, statedAt };
    return { about, readings: live?.readingsOf(provider) ?? ([file] as const) };
  });
}

function completeReadings(staged: Staged, options: ImportOptions, at: string): CompleteReading[] {
  const complete = observationsOf(staged, options, at).filter(
    ({ about, readings }) =>
      readings.every(({ isComplete }) => isComplete) && options.live?.emptied.includes(about.provider) !== true,
  );
  return complete.map(({ about: { provider, source }, readings: [{ at: readAt }] }) => ({
    provider,
    source,
    at: readAt,
    scopes: options.live?.scopesOf(provider) ?? [],
  }));
}

/** Why the staged items must not be imported; undefined if nothing speaks against them. */
async function findObstacle(
  transaction: Transaction<Tables>,
  staged: Staged,
  providers: readonly string[],
  { isFirst = false, isForced = false, mayBeOlder = false, gates, live, asOf }: ImportOptions,
): Promise<Partial<ImportReport> | undefined> {
  const problem =
    (isFirst && !(await isPristine(transaction)) ? { problem: "There is already a catalog." } : undefined) ??
    (await findConflict(transaction, staged, { isLive: live !== undefined, isForced })) ??
    (live !== undefined || mayBeOlder ? undefined : await findNewer(transaction, staged, asOf?.()));
  if (problem !== undefined) {
    return { outcome: "rejected", ...problem };
  }
  const quarantined = gates === undefined ? [] : await findQuarantines(transaction, providers, gates);
  return quarantined.length === 0
    ? undefined
    : {
        outcome: "quarantined",
        quarantined,
        problem: quarantined
          .map(({ provider, gates: trips }) => `${provider}: ${trips.map(({ message }) => message).join(" ")}`)
          .join("\n"),
      };
}

/** Stages the current offers of failed scopes, so that they stay unchanged. */
async function keepScopes(transaction: Transaction<Tables>, live: LiveImport | undefined): Promise<void> {
  for (const { source, scopes } of live?.keptScopes ?? []) {
    await transaction
      .insertInto("staged_offer")
      .columns(OFFER_COLUMNS)
      .expression((select) =>
        select
          .selectFrom("offer")
          .where("scope", "in", scopes)
          .where("provider", "in", select.selectFrom("provider").where("source", "=", source).select("name"))
          .where(isMissingIn("staged_offer", "offer.id"))
          .select(OFFER_COLUMNS),
      )
      .execute();
  }
}

/** Whether the database never had a catalog. */
export async function isPristine(database: Database): Promise<boolean> {
  return (await findRevision(database)) === undefined;
}
