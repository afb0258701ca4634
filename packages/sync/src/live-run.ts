import type { GateTrip, LiveSource } from "@gpu-offers/sources";
import type { ImportReport } from "@gpu-offers/store/catalog-import";
import type { Database } from "@gpu-offers/store/database";
import type { ProviderQuarantine } from "@gpu-offers/store/quarantine";
import type { RunOutcome, ScopeState, StoredSource } from "@gpu-offers/store/live.store";
import type { SourceSettings } from "@gpu-offers/fetch/live-settings";
import { RunError, type FetchedRun, type OfferItem } from "@gpu-offers/fetch/source-run";
import * as z from "zod";

// Runs of live sources, and their results.

/** Events of an engine and its runner, for metrics and progress. */
export type LiveEvent =
  | { kind: "request"; source: string; status: string }
  | { kind: "fetched"; source: string; offers: number; durationMs: number }
  | { kind: "run"; source: string; outcome: RunOutcome }
  /** Of a runner: whether runs can be stored. */
  | { kind: "sync"; isWorking: boolean };

/** A fetched or failed run that isn't applied yet. It holds the lease of its source. */
export interface FinishedRun {
  source: LiveSource;
  settings: SourceSettings;
  before: StoredSource;
  result: FetchedRun | RunError;
  secretsFingerprint: string;
  /** When the responses arrived, in milliseconds since 1970. */
  fetchedAtMs: number;
  durationMs: number;
  /** Stops renewing the lease. */
  endLease: () => void;
}

/** A run that was fetched. */
export interface CompleteRun extends FinishedRun {
  result: FetchedRun;
}

/** Result of a run, as commands print it. */
export const runResultSchema = z.strictObject({
  source: z.string(),
  outcome: z.enum(["applied", "unchanged", "quarantined", "failed"]),
  offers: z.int().describe("offers that were read"),
  rejected: z.int().describe("rows that could not be read"),
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
  images: z.int().describe("OS images that were added, changed or removed"),
  duration_ms: z.int(),
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  failed_scopes: z.record(z.string(), z.string()).describe("parts that failed, with the reason"),
  notes: z.array(z.string()),
});

export interface RunResult extends z.output<typeof runResultSchema> {
  /** The name under which its offers are listed; null if there are several, as those of a feed. */
  listedAs: string | null;
  /** The failed gates, if it was quarantined. */
  quarantined: ProviderQuarantine[];
  revision: number | null;
}

/** A run with the items and providers that it owns. */
export interface OwnedRun {
  run: CompleteRun;
  items: OfferItem[];
  providers: ReadonlySet<string>;
  /** Providers whose current offers came from this source: only they can be compared. */
  ownProviders: ReadonlySet<string>;
  /**
   * Providers that it no longer names, because the operator renamed the provider or removed a scope of a feed. Nothing
   * confirms their offers anymore, so they are removed.
   */
  emptied: readonly string[];
  /** If other sources own all providers of the run: the owner of each. */
  foreign: ReadonlyMap<string, string>;
}

export function runOf(owned: readonly OwnedRun[], provider: string): OwnedRun | undefined {
  return owned.find(({ providers }) => providers.has(provider));
}

/** The provider of an item; undefined for skipped and rejected rows. */
export function providerOf(item: OfferItem): string | undefined {
  if (item.kind === "provider") {
    return item.provider.name;
  }
  return item.kind === "offer" ? item.offer.provider.name : undefined;
}

/** The items of a run. A source without offers still names its provider, whose offers are then removed. */
export function withOwnProvider({ source, settings, result: { items } }: CompleteRun): OfferItem[] {
  if (source.kind === "feed" || items.some(({ kind }) => kind === "provider")) {
    return items;
  }
  const name = settings.own.provider ?? source.name;
  return [{ kind: "provider", where: "the source", provider: { name, type: source.type } }, ...items];
}

/** The scopes of a source after a run. */
export function scopesAfter(
  before: Readonly<Record<string, ScopeState>>,
  { completeScopes, failedScopes }: Pick<FetchedRun, "completeScopes" | "failedScopes">,
  checkedAt: string,
  isConfirmed: boolean,
): Record<string, ScopeState> {
  const stateOf = (scope: string, error: string | null): [string, ScopeState] => {
    const confirmedAt = isConfirmed && error === null ? checkedAt : before[scope]?.checked_at;
    return [scope, { checked_at: confirmedAt ?? null, error }];
  };
  return Object.fromEntries([
    ...completeScopes.map((scope) => stateOf(scope, null)),
    ...[...failedScopes].map(([scope, error]) => stateOf(scope, error)),
  ]);
}

/** A result without changes. */
export function emptyResult(run: FinishedRun, outcome: RunOutcome, error: RunResult["error"] = null): RunResult {
  const { source, settings, result, durationMs } = run;
  const isFetched = !(result instanceof RunError);
  return {
    source: source.name,
    listedAs: settings.own.provider ?? null,
    outcome,
    offers: isFetched ? result.offers : 0,
    rejected: isFetched ? result.items.filter(({ kind }) => kind === "rejection").length : 0,
    added: 0,
    changed: 0,
    removed: 0,
    images: 0,
    duration_ms: Math.round(durationMs),
    error,
    failed_scopes: isFetched ? Object.fromEntries(result.failedScopes) : {},
    notes: isFetched ? result.notes : [],
    quarantined: [],
    revision: null,
  };
}

/** A quarantine of a run that wasn't compared with the catalog. */
export function quarantineOf({ source, settings, result }: CompleteRun, trip: GateTrip): ProviderQuarantine {
  return {
    provider: settings.own.provider ?? source.name,
    gates: [trip],
    offers_before: 0,
    offers_after: result.offers,
    added: 0,
    removed: 0,
    repriced: 0,
    examples: [],
  };
}

interface StoredScopes {
  answeredScopes: readonly string[];
  failedScopes: [string, string][];
}

/** Serializes a quarantined run: its scopes, then the items, one per line. */
export function contentOf({ items, completeScopes, failedScopes }: FetchedRun): string {
  // Keys of stored content are never renamed.
  const head: StoredScopes = { answeredScopes: completeScopes, failedScopes: [...failedScopes] };
  return [head, ...items].map((line) => JSON.stringify(line)).join("\n");
}

/** Parses the output of contentOf. */
export function parseContent(content: string): Pick<FetchedRun, "items" | "completeScopes" | "failedScopes"> {
  const [head = "{}", ...lines] = content.split("\n");
  // Written by contentOf.
  const { answeredScopes, failedScopes } = JSON.parse(head) as StoredScopes;
  const items = lines.map((line) => JSON.parse(line) as OfferItem);
  return { items, completeScopes: answeredScopes, failedScopes: new Map(failedScopes) };
}

/** Numbers of offers of some providers that a revision added, changed and removed. */
export async function countOf(
  database: Database,
  revision: number,
  providers: Iterable<string>,
): Promise<Pick<RunResult, "added" | "changed" | "removed">> {
  const rows = await database
    .selectFrom("offer_change")
    .where("revision", "=", revision)
    // PostgreSQL has no empty lists.
    .where("provider", "in", ["", ...providers])
    .groupBy("kind")
    .select((select) => ["kind", select.fn.count<number>("offer_id").distinct().as("count")])
    .execute();
  const counts = { added: 0, changed: 0, removed: 0 };
  for (const { kind, count } of rows) {
    counts[kind === "added" || kind === "removed" ? kind : "changed"] += count;
  }
  return counts;
}

/** Number of changed images of some providers; by default of all. */
export function sumOfImages(
  { imagesOf }: ImportReport["changes"],
  providers: Iterable<string> = imagesOf.keys(),
): number {
  return [...providers].reduce((total, provider) => total + (imagesOf.get(provider) ?? 0), 0);
}

/** Formats a time in milliseconds since 1970 for storage. */
export function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
