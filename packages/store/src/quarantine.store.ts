import { gunzipSync, gzipSync } from "node:zlib";
import { insertAll, type Database } from "./database.js";
import type { ProviderQuarantine } from "./quarantine.js";

// Quarantined runs of live sources: the last one of each, with its content, until it is accepted or a plausible run follows.

/** A run that was quarantined. */
export interface StoredQuarantine {
  first_at: string;
  last_at: string;
  /** Consecutive runs with nearly the same content. */
  runs: number;
  offers: number;
  report: ProviderQuarantine[];
}

/** Share by which the number of offers may differ in nearly equal quarantined content. */
const SAME_CONTENT_SHARE = 0.05;

/** Stores a quarantined run, replacing the previous one. Returns the number of consecutive runs with nearly equal content. */
export async function keepQuarantine(
  database: Database,
  {
    source,
    at,
    offers,
    report,
    content,
  }: { source: string; at: string; offers: number; report: ProviderQuarantine[]; content: string },
): Promise<number> {
  const known = await findQuarantine(database, source);
  const isSame = known !== undefined && Math.abs(known.offers - offers) <= known.offers * SAME_CONTENT_SHARE;
  const columns = {
    first_at: isSame ? known.first_at : at,
    last_at: at,
    runs: isSame ? known.runs + 1 : 1,
    offers,
    report: JSON.stringify(report),
    content: gzipSync(content),
  };
  await insertAll(database, "live_quarantine", [{ source, ...columns }], ["source"]);
  return columns.runs;
}

/** The quarantined run of a source without its content; undefined if there is none. */
export async function findQuarantine(database: Database, source: string): Promise<StoredQuarantine | undefined> {
  const row = await database
    .selectFrom("live_quarantine")
    .select(["first_at", "last_at", "runs", "offers", "report"])
    .where("source", "=", source)
    .executeTakeFirst();
  return row && { ...row, report: JSON.parse(row.report) as ProviderQuarantine[] };
}

/** Sources with a quarantined run. */
export async function listQuarantined(database: Database): Promise<Set<string>> {
  const rows = await database.selectFrom("live_quarantine").select("source").execute();
  return new Set(rows.map(({ source }) => source));
}

/** The content of a quarantined run. */
export async function readQuarantinedContent(database: Database, source: string): Promise<string | undefined> {
  const row = await database
    .selectFrom("live_quarantine")
    .select("content")
    .where("source", "=", source)
    .executeTakeFirst();
  return row && gunzipSync(row.content).toString("utf8");
}
