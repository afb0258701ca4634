import type { LiveSource } from "@gpu-offers/sources";
import type { ImportReport } from "@gpu-offers/store/catalog-import";
import type { Database } from "@gpu-offers/store/database";
import type { SourceSettings } from "@gpu-offers/fetch/live-settings";
import { isoOf, parseContent, scopesAfter, type CompleteRun } from "./live-run.js";
import { findStoredSource, recordRun, type RunRecord } from "@gpu-offers/store/live.store";
import { findQuarantine, readQuarantinedContent } from "@gpu-offers/store/quarantine";
import { liveCause } from "@gpu-offers/store/catalog-revision";
import { importRuns, withoutForeignProviders } from "./run-ownership.js";

/**
 * Applies the quarantined run of a source without gates, because the operator has checked it.
 * @returns undefined if the source has none.
 */
export async function acceptQuarantine(
  database: Database,
  source: LiveSource,
  { settings, nowMs }: { settings: SourceSettings; nowMs: number },
): Promise<ImportReport | undefined> {
  const quarantine = await findQuarantine(database, source.name);
  const content = await readQuarantinedContent(database, source.name);
  const before = await findStoredSource(database, source.name);
  if (quarantine === undefined || content === undefined || before === undefined) {
    return undefined;
  }
  const { last_at: at, offers } = quarantine;
  const run: CompleteRun = {
    source,
    settings,
    before,
    result: { ...parseContent(content), notes: [], offers, rejectedGpuRows: 0, kept: [] },
    secretsFingerprint: before.secrets_mark ?? "",
    fetchedAtMs: Date.parse(at),
    durationMs: 0,
    endLease: () => {},
  };
  const record: RunRecord = {
    name: source.name,
    // Accepting takes no lease, so it releases none.
    owner: "",
    outcome: "applied",
    at: isoOf(nowMs),
    checkedAt: at,
    nextRunAt: before.next_run_at ?? isoOf(nowMs),
    failures: 0,
    isStopped: before.isStopped,
    secretsFingerprint: run.secretsFingerprint,
    error: null,
    scopes: scopesAfter(before.scopes, run.result, at, true),
  };
  const report = await importRuns(database, await withoutForeignProviders(database, [run]), {
    cause: liveCause(`${source.name}, accepted by the operator`),
    accepted: [source.name],
    record: (transaction) => recordRun(transaction, record),
  });
  if (report.outcome === "unchanged") {
    await recordRun(database, { ...record, outcome: "unchanged" });
  }
  return report;
}
