import { RunError } from "@gpu-offers/fetch/source-run";
import type { Database } from "@gpu-offers/store/database";
import { emptyResult, sumOfImages, type FinishedRun, type RunResult } from "./live-run.js";
import { importRuns, ownershipError, withoutForeignProviders } from "./run-ownership.js";

/** What applying a run by itself would change. It changes nothing. */
export async function dryRun(database: Database, run: FinishedRun): Promise<RunResult> {
  const { result } = run;
  const owned = result instanceof RunError ? [] : await withoutForeignProviders(database, [{ ...run, result }]);
  const error = result instanceof RunError ? result : owned.map(ownershipError).find((one) => one !== undefined);
  if (error !== undefined) {
    return emptyResult(run, "failed", { code: error.code, message: error.message });
  }
  const report = await importRuns(database, owned, { cause: "dry run", isDryRun: true });
  const { outcome, added, changed, removed, changes, problem: message = "", quarantined } = report;
  if (outcome === "quarantined" || outcome === "rejected") {
    const stopped = outcome === "rejected" ? "failed" : "quarantined";
    return { ...emptyResult(run, stopped, { code: outcome, message }), quarantined };
  }
  const images = sumOfImages(changes);
  return { ...emptyResult(run, outcome === "unchanged" ? "unchanged" : "applied"), added, changed, removed, images };
}
