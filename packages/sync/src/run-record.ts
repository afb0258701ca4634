import { availabilityOf } from "@gpu-offers/domain";
import { stockOf } from "@gpu-offers/sources";
import type { Reading } from "@gpu-offers/store/observations";
import { isoOf, scopesAfter, type CompleteRun, type FinishedRun, type RunResult } from "./live-run.js";
import type { RunOutcome, RunRecord, SeenOffers } from "@gpu-offers/store/live.store";
import { nextDelayMs } from "./schedule.js";
import { RunError } from "@gpu-offers/fetch/source-run";

// The stored record of a run, for every outcome.

/** When a source last showed offers, after a run. An incomplete one without offers shows nothing. */
export function seenAfter(run: CompleteRun): SeenOffers {
  const { before, fetchedAtMs, result } = run;
  const at = isoOf(fetchedAtMs);
  const [{ isComplete }] = readingsOf(run);
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
export function readingsOf({
  source,
  secretsFingerprint,
  fetchedAtMs,
  result: { completeScopes, failedScopes },
}: CompleteRun): [Reading, ...Reading[]] {
  const hasSecrets = secretsFingerprint !== "";
  const hasFailed = failedScopes.size > 0;
  const isCut = source.isCutWithoutSecret === true && !hasSecrets;
  const readingOf = (scope: string | null): Reading => ({
    scope,
    at: isoOf(fetchedAtMs),
    isComplete: !isCut && !hasFailed,
    knowsStock: stockOf(source, hasSecrets) === "live",
  });
  const [first = null, ...others] = hasFailed ? completeScopes : [];
  return [readingOf(first), ...others.map(readingOf)];
}

/**
 * What a run changes of its source: its outcome, its scopes, and when the source is due again.
 * @param random number from 0 to 1, for the jitter of the next run.
 */
export function recordOf(
  run: FinishedRun,
  outcome: RunOutcome,
  {
    failures,
    error,
    isStopped = false,
    retryAfterMs,
  }: { failures: number; error: RunResult["error"]; isStopped?: boolean; retryAfterMs?: number | undefined },
  { nowMs, random }: { nowMs: number; random: number },
): RunRecord {
  const { source, settings, before, result, fetchedAtMs, secretsFingerprint } = run;
  const isConfirmed = outcome === "applied" || outcome === "unchanged";
  const checkedAt = isoOf(fetchedAtMs);
  const read: Partial<SeenOffers & Pick<RunRecord, "notes" | "scopes">> =
    result instanceof RunError
      ? {}
      : {
          notes: result.notes,
          scopes: scopesAfter(before.scopes, result, checkedAt, isConfirmed),
          ...seenAfter({ ...run, result }),
        };
  const scopes = Object.entries(read.scopes ?? {});
  const failed = scopes.filter(([, scope]) => scope.error !== null);
  const [first] = failed;
  const partial =
    first === undefined || !isConfirmed
      ? null
      : {
          code: "scopes_failed",
          message: `${failed.length} of ${scopes.length} scopes failed; ${first[0]}: ${first[1].error}`,
        };
  // A run with failed scopes is tried again like a failed one.
  const tries = partial === null ? failures : before.failures + 1;
  const delayMs = nextDelayMs(settings.intervalSeconds * 1_000, { failures: tries, retryAfterMs, random });
  const problem = error ?? partial;
  const at = isoOf(nowMs);
  return {
    name: source.name,
    outcome,
    last_run_at: at,
    next_run_at: isoOf(fetchedAtMs + delayMs),
    failures: tries,
    isStopped,
    secrets_mark: secretsFingerprint,
    error_code: problem?.code ?? null,
    error_message: problem?.message ?? null,
    error_at: problem === null ? null : at,
    ...(isConfirmed ? { checked_at: checkedAt } : {}),
    ...read,
  };
}
