import type { LiveSource } from "@gpu-offers/sources";
import { importCatalog, type ImportReport } from "@gpu-offers/store/catalog-import";
import type { Database } from "@gpu-offers/store/database";
import type { Clock } from "@gpu-offers/fetch/clock";
import { readingsOf } from "./run-record.js";
import { isoOf, parseContent, providerOf, scopesAfter } from "./live-run.js";
import { findStoredSource, recordRun, type RunRecord } from "@gpu-offers/store/live.store";
import { findQuarantine, readQuarantinedContent } from "@gpu-offers/store/quarantine.store";
import { liveCause } from "@gpu-offers/store/revision-cause";

/**
 * Applies the quarantined run of a source without gates, because the operator has checked it.
 * @returns undefined if the source has none.
 */
export async function acceptQuarantine(
  source: LiveSource,
  { database, clock }: { database: Database; clock: Clock },
): Promise<ImportReport | undefined> {
  const quarantine = await findQuarantine(database, source.name);
  const content = await readQuarantinedContent(database, source.name);
  const before = await findStoredSource(database, source.name);
  if (quarantine === undefined || content === undefined || before === undefined) {
    return undefined;
  }
  const { items, ...read } = parseContent(content);
  const named = new Set(items.map(providerOf));
  const rows = await database.selectFrom("provider").where("source", "=", source.name).select("name").execute();
  const { last_at: at } = quarantine;
  const record: RunRecord = {
    name: source.name,
    // Accepting takes no lease, so it releases none.
    owner: "",
    outcome: "applied",
    at: isoOf(clock.now()),
    checkedAt: at,
    nextRunAt: before.next_run_at ?? isoOf(clock.now()),
    failures: 0,
    isStopped: before.isStopped,
    secretsFingerprint: before.secrets_mark ?? "",
    error: null,
    scopes: scopesAfter(before.scopes, read, at, true),
  };
  const report = await importCatalog(database, {
    items,
    cause: liveCause(`${source.name}, accepted by the operator`),
    live: {
      sourceOf: () => source.name,
      readingsOf: () => readingsOf(source, { ...record, at }, read),
      emptied: rows.map(({ name }) => name).filter((name) => !named.has(name)),
      keptScopes: [{ source: source.name, scopes: [...read.failedScopes.keys()] }].filter(
        ({ scopes }) => scopes.length > 0,
      ),
      record: (transaction) => recordRun(transaction, record),
    },
  });
  if (report.outcome === "unchanged") {
    await recordRun(database, { ...record, outcome: "unchanged" });
  }
  return report;
}
