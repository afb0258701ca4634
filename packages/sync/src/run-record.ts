import { availabilityOf } from "@gpu-offers/domain";
import { stockOf, type LiveSource } from "@gpu-offers/sources";
import type { Reading } from "@gpu-offers/store/observations";
import { isoOf, scopesAfter, type FinishedRun } from "./live-run.js";
import type { RunOutcome, RunRecord, SeenOffers } from "@gpu-offers/store/live.store";
import { nextDelayMs } from "./retry-delay.js";
import { RunError, type FetchedRun } from "@gpu-offers/fetch/source-run";

// The stored record of a run, for every outcome.

/** Who records a run, and when. */
interface RecordContext {
  /** Holder of the lease. */
  owner: string;
  /** Milliseconds since 1970. */
  nowMs: number;
  /** Random number from 0 to 1, for the jitter of the next run. */
  random: number;
  /** Fingerprint of the run's secrets. */
  secretsFingerprint: string;
}

/** When a source last showed offers, after a run. An incomplete one without offers shows nothing. */
export function seenAfter(
  { source, before, fetchedAtMs }: FinishedRun,
  result: FetchedRun,
  secretsFingerprint: string,
): SeenOffers {
  const at = isoOf(fetchedAtMs);
  const [{ isComplete }] = readingsOf(source, { at, secretsFingerprint }, result);
  const words = result.items.flatMap((item) =>
    item.kind === "offer" ? [availabilityOf({ ...item.listing, offer: item.offer })] : [],
  );
  return {
    offered_at: words.length > 0 ? at : before.offered_at,
    in_stock_at: words.includes("in_stock") ? at : before.in_stock_at,
    empty_since: words.length > 0 ? null : (before.empty_since ?? (isComplete ? at : null)),
  };
}

/** What a run read of a provider: all of it, or the parts that didn't fail. */
export function readingsOf(
  source: LiveSource,
  { at, secretsFingerprint }: { at: string; secretsFingerprint: string },
  { completeScopes, failedScopes }: Pick<FetchedRun, "completeScopes" | "failedScopes">,
): [Reading, ...Reading[]] {
  const hasSecrets = secretsFingerprint !== "";
  const hasFailed = failedScopes.size > 0;
  const knowsStock = stockOf(source, hasSecrets) === "live";
  const isCut = source.isCutWithoutSecret === true && !hasSecrets;
  const readingOf = (scope: string | null): Reading => ({ scope, at, isComplete: !isCut && !hasFailed, knowsStock });
  const [first = null, ...others] = hasFailed ? completeScopes : [];
  return [readingOf(first), ...others.map(readingOf)];
}

/** The row of a run: its outcome, its scopes, and when the source is due again. */
export function recordOf(
  run: FinishedRun,
  outcome: RunOutcome,
  {
    failures,
    error,
    isStopped = false,
    retryAfterMs,
  }: { failures: number; error: RunRecord["error"]; isStopped?: boolean; retryAfterMs?: number | undefined },
  { owner, nowMs, random, secretsFingerprint }: RecordContext,
): RunRecord {
  const { source, settings, before, result, fetchedAtMs } = run;
  const intervalMs = settings.intervalSeconds * 1_000;
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
  // A run with failed scopes is tried again like a failed one.
  const tries = partial === null ? failures : before.failures + 1;
  return {
    name: source.name,
    owner,
    outcome,
    at: isoOf(nowMs),
    checkedAt: isConfirmed ? checkedAt : undefined,
    nextRunAt: isoOf(fetchedAtMs + nextDelayMs(intervalMs, { failures: tries, retryAfterMs, random })),
    failures: tries,
    isStopped,
    secretsFingerprint,
    error: error ?? partial,
    ...(result instanceof RunError ? {} : { notes: result.notes }),
    ...(scopes === undefined ? {} : { scopes }),
    seen: result instanceof RunError ? undefined : seenAfter(run, result, secretsFingerprint),
  };
}
